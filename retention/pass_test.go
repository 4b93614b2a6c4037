package retention_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/fault"
	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/retention"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/mysql"
	"github.com/softdelete-go/softdelete/store/postgres"
	"github.com/softdelete-go/softdelete/store/sqlite"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// world is a table with files in a bucket.
type world struct {
	db     *sql.DB
	st     *store.Store
	table  *lifecycle.Table
	bucket *memobj.Bucket
	clock  *lifecycletest.Clock
	faults func(memobj.Call) memobj.Fault
}

var who = lifecycle.Cause{By: "user:42"}

func dialectOf(name string) *store.Dialect {
	return map[string]*store.Dialect{"postgres": postgres.Dialect, "mariadb": mysql.Dialect, "sqlite": sqlite.Dialect}[name]
}

func newWorld(t *testing.T, name string, db *sql.DB) *world {
	t.Helper()
	w := &world{db: db, clock: lifecycletest.NewClock(noon.Add(-100 * lifecycle.Day))}
	w.table = &lifecycle.Table{Name: "file", Objects: []lifecycle.ObjectRef{{Bucket: "files", Key: "object_key", Size: "size"}}}
	var err error
	if w.st, err = store.New(lifecycle.MustCatalog(w.table), dialectOf(name), &store.Options{Clock: w.clock, Batch: 4}); err != nil {
		t.Fatal(err)
	}
	ddl, err := w.st.DDL(w.table)
	if err != nil {
		t.Fatal(err)
	}
	key := map[string]string{"mariadb": "VARBINARY(1024)"}[name]
	if key == "" {
		key = "varchar(1024)"
	}
	columns := append([]string{"id BIGINT NOT NULL PRIMARY KEY", "object_key " + key, "size BIGINT"}, ddl.Columns...)
	w.exec(t, "CREATE TABLE file ("+strings.Join(columns, ", ")+")")
	for _, text := range ddl.Indexes {
		w.exec(t, text)
	}
	if err := w.st.Install(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if err := w.st.Check(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	w.bucket, err = memobj.New("files", &memobj.Options{
		Clock: w.clock, Versioning: objstore.Versioned,
		Fault: func(_ context.Context, c memobj.Call) memobj.Fault {
			if w.faults == nil {
				return memobj.Fault{}
			}
			return w.faults(c)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) exec(t *testing.T, text string) {
	t.Helper()
	if _, err := w.db.ExecContext(t.Context(), text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// upload stores a file and its row, and an overwritten version of it.
func (w *world) upload(t *testing.T, ids ...int) {
	t.Helper()
	for _, id := range ids {
		key := fmt.Sprintf("f/%03d", id)
		for _, body := range []string{"old", "newer"} {
			if _, err := w.bucket.Put(t.Context(), key, strings.NewReader(body), int64(len(body)), nil); err != nil {
				t.Fatal(err)
			}
		}
		w.exec(t, fmt.Sprintf("INSERT INTO file (id, object_key, size) VALUES (%d, '%s', 5)", id, key))
	}
}

func (w *world) trash(t *testing.T, ids ...int) {
	t.Helper()
	tx, err := w.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	results, err := w.st.TrashAll(t.Context(), tx, w.table.Rows(lifecycle.Keys(ids...)...), who)
	if err == nil {
		err = errors.Join(results.Err(), tx.Commit())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) pass(t *testing.T, db store.Beginner, opts retention.Options) *retention.Pass {
	t.Helper()
	opts.Buckets = []retention.Bucket{{
		Bucket:  w.bucket,
		Reclaim: &objstore.ReclaimOptions{Clock: w.clock},
		Sweep:   &objstore.SweepOptions{Prefixes: []objstore.Prefix{"f/"}, Clock: w.clock, MaxShare: 1},
	}}
	p, err := retention.New(w.st, db, &opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// stored lists the keys of the bucket, each version of them.
func (w *world) stored(t *testing.T) []string {
	t.Helper()
	w.faults = nil
	var keys []string
	for o, err := range w.bucket.Versions(t.Context(), "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, o.Key)
	}
	return slices.Compact(keys)
}

func (w *world) states(t *testing.T, ids ...int) map[int]lifecycle.State {
	t.Helper()
	states := map[int]lifecycle.State{}
	for _, id := range ids {
		r, err := w.st.Record(t.Context(), w.db, w.table.Row(id))
		if err != nil {
			t.Fatal(err)
		}
		states[id] = r.State
	}
	return states
}

var all = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}

// populate makes twelve files: 1 to 4 live, 5 in the trash and in time, 6 to 12
// past their window, 12 of them under legal hold; and two orphans, one too
// young to be one.
func (w *world) populate(t *testing.T) {
	t.Helper()
	w.upload(t, all...)
	w.trash(t, 6, 7, 8, 9, 10, 11, 12)
	w.exec(t, "UPDATE file SET legal_hold = 1 WHERE id = 12")
	w.put(t, "f/orphan")
	w.put(t, "elsewhere")
	w.clock.Set(noon.Add(-lifecycle.Day))
	w.trash(t, 5)
	w.clock.Set(noon.Add(-time.Hour))
	w.put(t, "f/young")
	w.clock.Set(noon)
}

func (w *world) put(t *testing.T, key string) {
	t.Helper()
	if _, err := w.bucket.Put(t.Context(), key, strings.NewReader("x"), 1, nil); err != nil {
		t.Fatal(err)
	}
}

// ended is what a complete run has to leave.
func (w *world) ended(t *testing.T) {
	t.Helper()
	want := []string{"elsewhere", "f/001", "f/002", "f/003", "f/004", "f/005", "f/012", "f/young"}
	if diff := cmp.Diff(want, w.stored(t)); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	states := map[int]lifecycle.State{}
	for _, id := range all {
		states[id] = lifecycle.Reclaimed
		if id <= 4 {
			states[id] = lifecycle.Active
		}
	}
	states[5], states[12] = lifecycle.Trashed, lifecycle.Trashed
	if diff := cmp.Diff(states, w.states(t, all...)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

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

// TestFaults fails each call to the database and to the bucket in turn, runs
// again, and wants the same end. No object of a live row may ever be missing.
func TestFaults(t *testing.T) {
	t.Parallel()
	const enough = 200
	t.Run("database", func(t *testing.T) {
		t.Parallel()
		for _, mode := range []fault.Mode{fault.Before, fault.After} {
			for i := range enough {
				d := testdb.SQLite(t)
				w := newWorld(t, d.Name, d.DB)
				w.populate(t)
				db, plan := fault.Open(d.DB.Driver(), d.DSN)
				plan.Arm(i, mode)
				_, err := w.pass(t, db, retention.Options{Sweep: true}).Run(t.Context())
				fired := plan.Fired()
				plan.Disarm()
				if fired && err == nil {
					t.Errorf("call %d failed and the run said nothing", i)
				}
				w.recover(t, db)
				db.Close()
				if !fired {
					break
				}
			}
		}
	})
	for _, when := range []string{"before", "after"} {
		t.Run("bucket, "+when, func(t *testing.T) {
			t.Parallel()
			for i := range enough {
				d := testdb.SQLite(t)
				w := newWorld(t, d.Name, d.DB)
				w.populate(t)
				n, fired := 0, false
				w.faults = func(memobj.Call) memobj.Fault {
					n++
					if n-1 != i {
						return memobj.Fault{}
					}
					fired = true
					if when == "before" {
						return memobj.Fault{Before: fault.ErrInjected}
					}
					return memobj.Fault{After: fault.ErrInjected}
				}
				w.pass(t, d.DB, retention.Options{Sweep: true}).Run(t.Context())
				w.recover(t, d.DB)
				d.DB.Close()
				if !fired {
					break
				}
			}
		})
	}
}

// recover runs until nothing is owed, as the following nights would.
func (w *world) recover(t *testing.T, db store.Beginner) {
	t.Helper()
	live := []string{"elsewhere", "f/001", "f/002", "f/003", "f/004", "f/005", "f/012", "f/young"}
	for _, key := range live {
		if !slices.Contains(w.stored(t), key) {
			t.Fatalf("%s is gone", key)
		}
	}
	start := w.clock.Now()
	for range 3 {
		w.clock.Advance(30 * time.Minute)
		if _, err := w.pass(t, db, retention.Options{Sweep: true}).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	w.ended(t)
	w.clock.Set(start)
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
