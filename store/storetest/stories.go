package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// step is one call and its answer, written by hand.
type step struct {
	after  time.Duration // since the step before
	edge   lifecycle.EdgeName
	n      int64
	in     func(f *fixture) *lifecycle.Table // defaults to doc
	want   lifecycle.Outcome
	err    error
	status int
}

// story is a row's life with the endings that the library promises.
type story struct {
	name  string
	rows  func(f *fixture) []given // defaults to doc 1, active
	steps []step
}

type given struct {
	table *lifecycle.Table
	n     int64
	seed  memstore.Seed
}

var active = memstore.Seed{State: lifecycle.Active}

func folders(f *fixture) *lifecycle.Table  { return f.folder }
func files(f *fixture) *lifecycle.Table    { return f.file }
func comments(f *fixture) *lifecycle.Table { return f.comment }
func trees(f *fixture) *lifecycle.Table    { return f.tree }
func notes(f *fixture) *lifecycle.Table    { return f.note }
func tickets(f *fixture) *lifecycle.Table  { return f.ticket }
func staff(f *fixture) *lifecycle.Table    { return f.employee }

// family is a folder with a child, and a tree of two.
func family(f *fixture) []given {
	in := memstore.Seed{State: lifecycle.Active, Parents: map[string]lifecycle.Key{"folder": {int64(1)}}}
	under := memstore.Seed{State: lifecycle.Active, Parents: map[string]lifecycle.Key{"tree": {int64(1)}}}
	return []given{
		{f.folder, 1, active}, {f.folder, 2, active}, {f.file, 1, in}, {f.file, 2, active},
		{f.comment, 1, memstore.Seed{State: lifecycle.Active, Parents: map[string]lifecycle.Key{"folder": {int64(2)}}}},
		{f.tree, 1, active}, {f.tree, 2, under},
	}
}

var storybook = []story{
	{name: "a double click is no error", steps: []step{
		{edge: lifecycle.Trash, n: 1, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Trash, n: 1, want: lifecycle.Already, status: 200},
		{edge: lifecycle.Restore, n: 1, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Restore, n: 1, want: lifecycle.Already, status: 200},
	}},
	{name: "the window closes by itself", steps: []step{
		{edge: lifecycle.Trash, n: 1, want: lifecycle.Transitioned, status: 200},
		{after: window - time.Microsecond, edge: lifecycle.Expire, n: 1, want: lifecycle.NotDue, err: lifecycle.ErrNotDue, status: 409},
		{after: time.Microsecond, edge: lifecycle.Restore, n: 1, want: lifecycle.Expired, err: lifecycle.ErrExpired, status: 410},
		{edge: lifecycle.Expire, n: 1, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Restore, n: 1, want: lifecycle.Gone, err: lifecycle.ErrGone, status: 410},
		{edge: lifecycle.Trash, n: 1, want: lifecycle.Gone, err: lifecycle.ErrGone, status: 410},
	}},
	{name: "the last microsecond still restores", steps: []step{
		{edge: lifecycle.Trash, n: 1, want: lifecycle.Transitioned, status: 200},
		{after: window - time.Microsecond, edge: lifecycle.Restore, n: 1, want: lifecycle.Transitioned, status: 200},
	}},
	{name: "what was never in the trash cannot be purged", steps: []step{
		{edge: lifecycle.Purge, n: 1, want: lifecycle.Illegal, err: lifecycle.ErrIllegal, status: 409},
		{edge: lifecycle.Expire, n: 1, want: lifecycle.Illegal, err: lifecycle.ErrIllegal, status: 409},
		{edge: lifecycle.Reclaim, n: 1, want: lifecycle.Illegal, err: lifecycle.ErrIllegal, status: 409},
	}},
	{name: "purge and reclaim are one way", steps: []step{
		{edge: lifecycle.Trash, n: 1, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Purge, n: 1, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Purge, n: 1, want: lifecycle.Already, status: 200},
		{edge: lifecycle.Reclaim, n: 1, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Reclaim, n: 1, want: lifecycle.Already, status: 200},
		{edge: lifecycle.Purge, n: 1, want: lifecycle.Already, status: 200},
		{edge: lifecycle.Restore, n: 1, want: lifecycle.Gone, err: lifecycle.ErrGone, status: 410},
		{edge: lifecycle.Trash, n: 1, want: lifecycle.Gone, err: lifecycle.ErrGone, status: 410},
	}},
	{name: "nobody knows the row", steps: []step{
		{edge: lifecycle.Trash, n: 9, want: lifecycle.NotFound, err: lifecycle.ErrNotFound, status: 404},
		{edge: lifecycle.Restore, n: 9, want: lifecycle.NotFound, err: lifecycle.ErrNotFound, status: 404},
	}},
	{name: "a second trash keeps the first date", steps: []step{
		{edge: lifecycle.Trash, n: 1, want: lifecycle.Transitioned, status: 200},
		{after: window / 2, edge: lifecycle.Trash, n: 1, want: lifecycle.Already, status: 200},
		{after: window / 2, edge: lifecycle.Restore, n: 1, want: lifecycle.Expired, err: lifecycle.ErrExpired, status: 410},
	}},
	{
		name: "a hold keeps the purge and the reclaim away",
		rows: func(f *fixture) []given {
			return []given{{f.doc, 1, memstore.Seed{State: lifecycle.Active, Held: true}}}
		},
		steps: []step{
			{edge: lifecycle.Trash, n: 1, want: lifecycle.Transitioned, status: 200},
			{edge: lifecycle.Purge, n: 1, want: lifecycle.Held, err: lifecycle.ErrHeld, status: 423},
			{after: 2 * window, edge: lifecycle.Expire, n: 1, want: lifecycle.Held, err: lifecycle.ErrHeld, status: 423},
		},
	},
	{
		name: "a table without a mark loses the row",
		rows: func(f *fixture) []given { return []given{{f.note, 1, active}} },
		steps: []step{
			{edge: lifecycle.Trash, n: 1, in: notes, want: lifecycle.Transitioned, status: 200},
			{edge: lifecycle.Purge, n: 1, in: notes, want: lifecycle.Transitioned, status: 200},
			{edge: lifecycle.Purge, n: 1, in: notes, want: lifecycle.NotFound, err: lifecycle.ErrNotFound, status: 404},
		},
	},
	{name: "parents and children", rows: family, steps: []step{
		{edge: lifecycle.Trash, n: 1, in: folders, want: lifecycle.Restricted, err: lifecycle.ErrRestricted, status: 409},
		{edge: lifecycle.Trash, n: 1, in: files, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Trash, n: 1, in: folders, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Restore, n: 1, in: files, want: lifecycle.ParentTrashed, err: lifecycle.ErrParentTrashed, status: 409},
		{edge: lifecycle.Restore, n: 1, in: folders, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Restore, n: 1, in: files, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Trash, n: 2, in: files, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Restore, n: 2, in: files, want: lifecycle.Transitioned, status: 200},
	}},
	{name: "independent children", rows: family, steps: []step{
		{edge: lifecycle.Trash, n: 2, in: folders, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Trash, n: 1, in: comments, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Restore, n: 1, in: comments, want: lifecycle.ParentTrashed, err: lifecycle.ErrParentTrashed, status: 409},
	}},
	{name: "a table that is its own parent", rows: family, steps: []step{
		{edge: lifecycle.Trash, n: 1, in: trees, want: lifecycle.Restricted, err: lifecycle.ErrRestricted, status: 409},
		{edge: lifecycle.Trash, n: 2, in: trees, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Trash, n: 1, in: trees, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Restore, n: 2, in: trees, want: lifecycle.ParentTrashed, err: lifecycle.ErrParentTrashed, status: 409},
		{edge: lifecycle.Purge, n: 1, in: trees, want: lifecycle.Transitioned, status: 200},
		{edge: lifecycle.Restore, n: 2, in: trees, want: lifecycle.ParentTrashed, err: lifecycle.ErrParentTrashed, status: 409},
	}},
	{name: "kinds of deletion", steps: []step{
		{edge: lifecycle.Trash, n: 1, in: staff, err: lifecycle.ErrNotDeletable, status: 405},
		{edge: lifecycle.Purge, n: 1, in: staff, err: lifecycle.ErrNotDeletable, status: 405},
		{edge: lifecycle.Trash, n: 1, in: tickets, err: lifecycle.ErrNotDeletable, status: 405},
	}},
}

func testStories(t *testing.T, open Open) {
	for _, s := range storybook {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			f, clock := newFixture(), lifecycletest.NewClock(start)
			h := open(t, f.catalog, clock)
			rows := []given{{f.doc, 1, active}}
			if s.rows != nil {
				rows = s.rows(f)
			}
			for _, g := range rows {
				if err := h.Insert(t.Context(), g.table, key(g.table, g.n), g.seed); err != nil {
					t.Fatal(err)
				}
			}
			for i, st := range s.steps {
				clock.Advance(st.after)
				st.check(t, i, h, f)
			}
		})
	}
}

func (s step) check(t *testing.T, i int, h *Harness, f *fixture) {
	t.Helper()
	table := f.doc
	if s.in != nil {
		table = s.in(f)
	}
	result, err := h.apply(t.Context(), s.edge, row(table, s.n), cause)
	type answer struct {
		Outcome lifecycle.Outcome
		Status  int
	}
	want, got := answer{s.want, s.status}, answer{result.Outcome, lifecycle.HTTPStatus(err)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("step %d, %s %s %d: %v (-want +got):\n%s", i, s.edge, table.Name, s.n, err, diff)
	}
	if !errors.Is(err, s.err) {
		t.Errorf("step %d, %s %s %d: error %v, want %v", i, s.edge, table.Name, s.n, err, s.err)
	}
}
