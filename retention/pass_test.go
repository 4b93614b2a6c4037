package retention_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/retention"
	"github.com/softdelete-go/softdelete/store"
)

func TestPlanAndRun(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		w := newWorld(t, d.Name, d.DB)
		w.populate(t)
		var steps []retention.Progress
		p := w.pass(t, d.DB, retention.Options{Sweep: true, Batch: 3, Progress: func(s retention.Progress) { steps = append(steps, s) }})

		plan, err := p.Plan(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wantDue := retention.TablePlan{Table: "file", Due: store.Due{
			Rows: 6, Held: 1, Oldest: noon.Add(-70 * lifecycle.Day), Objects: 6, Bytes: 30,
		}}
		if diff := cmp.Diff([]retention.TablePlan{wantDue}, plan.Tables); diff != "" {
			t.Errorf("plan (-want +got):\n%s", diff)
		}
		if n := plan.Buckets[0].Sweep.Candidates; n != 1 || plan.Buckets[0].Sweep.Doomed != 0 {
			t.Errorf("the plan found %d orphans and doomed %d, want 1 and 0", n, plan.Buckets[0].Sweep.Doomed)
		}
		if got := w.states(t, 6); got[6] != lifecycle.Trashed || len(w.stored(t)) != 15 {
			t.Errorf("the plan changed something: %v, %q", got, w.stored(t))
		}

		report, err := p.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		w.ended(t)
		type summary struct {
			Purged, Freed, Reclaimed, Orphans, Settled int64
			Complete                                   bool
		}
		b := report.Buckets[0]
		got := summary{report.Purged(), report.Freed(), b.Reclaim.Done, b.Orphans.Done, report.Settled.Rows, report.Complete}
		if diff := cmp.Diff(summary{Purged: 6, Freed: 6*8 + 1, Reclaimed: 6, Orphans: 1, Complete: true}, got); diff != "" {
			t.Errorf("report (-want +got):\n%s", diff)
		}
		wantSteps := []retention.Progress{
			{Stage: retention.StagePurge, Name: "file", Done: 3}, {Stage: retention.StagePurge, Name: "file", Done: 6},
			{Stage: retention.StagePurge, Name: "file", Done: 6},
			{Stage: retention.StageReclaim, Name: "files", Done: 6}, {Stage: retention.StageSweep, Name: "files", Done: 1},
			{Stage: retention.StageReclaim, Name: "files", Done: 7},
		}
		if diff := cmp.Diff(wantSteps, steps); diff != "" {
			t.Errorf("progress (-want +got):\n%s", diff)
		}

		again, err := p.Run(t.Context())
		if err != nil || again.Purged() != 0 || again.Freed() != 0 || !again.Complete {
			t.Errorf("a second run: %+v, %v", again, err)
		}
	})
}

// TestRunPlansSweepsByDefault leaves the orphans alone.
func TestRunPlansSweepsByDefault(t *testing.T) {
	t.Parallel()
	d := testdb.SQLite(t)
	w := newWorld(t, d.Name, d.DB)
	w.populate(t)
	report, err := w.pass(t, d.DB, retention.Options{}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s := report.Buckets[0].Sweep; s.Candidates != 1 || s.Doomed != 0 || !slices.Contains(w.stored(t), "f/orphan") {
		t.Errorf("sweep %+v, objects %q", s, w.stored(t))
	}
}

func TestMaxRows(t *testing.T) {
	t.Parallel()
	d := testdb.SQLite(t)
	w := newWorld(t, d.Name, d.DB)
	w.populate(t)
	p := w.pass(t, d.DB, retention.Options{MaxRows: 4, Batch: 3})
	report, err := p.Run(t.Context())
	if err != nil || report.Purged() != 4 || report.Complete {
		t.Errorf("a budget of 4: %d purged, complete %t, %v", report.Purged(), report.Complete, err)
	}
	if report, err = p.Run(t.Context()); err != nil || report.Purged() != 2 {
		t.Errorf("the rest: %d purged, %v", report.Purged(), err)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	d := testdb.SQLite(t)
	w := newWorld(t, d.Name, d.DB)
	w.populate(t)
	ctx, cancel := context.WithCancel(t.Context())
	p := w.pass(t, d.DB, retention.Options{Batch: 2, Sweep: true, Progress: func(retention.Progress) { cancel() }})
	report, err := p.Run(ctx)
	if !errors.Is(err, context.Canceled) || report.Purged() != 2 || report.Complete {
		t.Errorf("%d purged, complete %t, %v; want 2 and Canceled", report.Purged(), report.Complete, err)
	}
	if report, err = w.pass(t, d.DB, retention.Options{Sweep: true}).Run(t.Context()); err != nil || !report.Complete {
		t.Errorf("the next run: %+v, %v", report, err)
	}
	w.ended(t)
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	d := testdb.SQLite(t)
	w := newWorld(t, d.Name, d.DB)
	stranger, err := memobj.New("strangers", nil)
	if err != nil {
		t.Fatal(err)
	}
	status := &lifecycle.Table{Name: "s", Kind: lifecycle.Status, Why: "no"}
	for _, c := range []struct {
		name string
		opts retention.Options
		want error
	}{
		{"a negative batch", retention.Options{Batch: -1}, lifecycle.ErrInvalid},
		{"a batch above the limit", retention.Options{Batch: 5000}, lifecycle.ErrInvalid},
		{"a negative budget", retention.Options{MaxRows: -1}, lifecycle.ErrInvalid},
		{"a negative limit", retention.Options{PlanLimit: -1}, lifecycle.ErrInvalid},
		{"nobody", retention.Options{Cause: lifecycle.Cause{Why: "x"}}, lifecycle.ErrInvalid},
		{"a table of no catalog", retention.Options{Tables: []*lifecycle.Table{status}}, lifecycle.ErrInvalid},
		{"a nil table", retention.Options{Tables: []*lifecycle.Table{nil}}, lifecycle.ErrInvalid},
		{"no bucket", retention.Options{Buckets: []retention.Bucket{{}}}, objstore.ErrInvalid},
		{"a bucket without rows", retention.Options{Buckets: []retention.Bucket{{Bucket: stranger}}}, lifecycle.ErrInvalid},
		{"a bucket twice", retention.Options{Buckets: []retention.Bucket{{Bucket: w.bucket}, {Bucket: w.bucket}}}, lifecycle.ErrInvalid},
		{"a sweep without prefixes", retention.Options{Buckets: []retention.Bucket{{Bucket: w.bucket, Sweep: &objstore.SweepOptions{}}}}, objstore.ErrInvalid},
		{"a negative lease", retention.Options{Ledger: &store.LedgerOptions{Lease: -1}}, lifecycle.ErrInvalid},
	} {
		if _, err := retention.New(w.st, d.DB, &c.opts); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if _, err := retention.New(nil, d.DB, nil); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("no store: %v", err)
	}
	if _, err := retention.New(w.st, nil, nil); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("no database: %v", err)
	}
}
