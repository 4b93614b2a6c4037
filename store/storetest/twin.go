package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// start is the first instant of every test: with a fraction that no coarse
// column can hold.
var start = time.Date(2026, 3, 29, 0, 59, 59, 987654321, time.UTC)

var cause = lifecycle.Cause{By: "user:42", Why: "spring cleaning, \"Ω\" 'and' so on"}

// twin is a store and the model, in step.
type twin struct {
	*fixture
	real, model *Harness
	clock       *lifecycletest.Clock
}

func newTwin(t *testing.T, open Open) *twin {
	t.Helper()
	f, clock := newFixture(), lifecycletest.NewClock(start)
	return &twin{fixture: f, clock: clock, real: open(t, f.catalog, clock), model: Model(t, f.catalog, clock)}
}

func (w *twin) insert(t *testing.T, table *lifecycle.Table, key lifecycle.Key, seed memstore.Seed) {
	t.Helper()
	for _, h := range []*Harness{w.model, w.real} {
		if err := h.Insert(t.Context(), table, key, seed); err != nil {
			t.Fatalf("insert %s%s: %v", table.Name, key, err)
		}
	}
}

// apply takes an edge in both and compares the answers.
func (w *twin) apply(t *testing.T, edge lifecycle.EdgeName, row lifecycle.Row) lifecycle.Result {
	t.Helper()
	want, wantErr := w.model.apply(t.Context(), edge, row, cause)
	got, gotErr := w.real.apply(t.Context(), edge, row, cause)
	if diff := cmp.Diff(seenOf(want, wantErr), seenOf(got, gotErr)); diff != "" {
		t.Errorf("%s %s%s at %s (-model +store):\n%s", edge, row.Table.Name, row.Key, w.clock.Now(), diff)
	}
	return got
}

// same compares what is left: the row and its history.
func (w *twin) same(t *testing.T, row lifecycle.Row) {
	t.Helper()
	ctx := t.Context()
	want, got := snapshot(ctx, t, w.model, row), snapshot(ctx, t, w.real, row)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s%s (-model +store):\n%s", row.Table.Name, row.Key, diff)
	}
}

// seen is an answer without what chance decides.
type seen struct {
	Outcome      string
	Key          string
	State        lifecycle.State
	Recorded     bool
	At, Deadline time.Time
	Err          string
	Status       int
}

func seenOf(r lifecycle.Result, err error) seen {
	s := seen{
		Outcome: r.Outcome.String(), Key: r.Key.String(), State: r.State, Recorded: r.Op != "",
		At: r.At, Deadline: r.Deadline, Status: lifecycle.HTTPStatus(err),
	}
	if err != nil {
		s.Err = err.Error()
	}
	return s
}

// left is a row and its history, without what chance decides.
type left struct {
	Record  lifecycle.Record
	History []lifecycle.Entry
}

func snapshot(ctx context.Context, t *testing.T, h *Harness, row lifecycle.Row) left {
	t.Helper()
	record, err := h.Store.Record(ctx, h.DB, row)
	if err != nil {
		t.Fatalf("record %s%s: %v", row.Table.Name, row.Key, err)
	}
	history, err := h.Store.History(ctx, h.DB, row)
	if err != nil {
		t.Fatalf("history %s%s: %v", row.Table.Name, row.Key, err)
	}
	for i := range history {
		history[i].Seq, history[i].Op = int64(i), ""
	}
	return left{Record: record, History: history}
}
