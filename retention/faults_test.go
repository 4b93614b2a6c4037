package retention_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/internal/fault"
	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/retention"
	"github.com/softdelete-go/softdelete/store"
)

// TestFaults fails each call to the database and to the bucket in turn, runs
// again, and wants the same end. No object of a live row may ever be missing.
func TestFaults(t *testing.T) {
	t.Parallel()
	const enough = 400
	for name, mode := range map[string]fault.Mode{"database, before": fault.Before, "database, after": fault.After} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := testdb.SQLite(t)
			w := newWorld(t, d.Name, d.DB)
			db, plan := fault.Open(d.DB.Driver(), d.DSN)
			defer db.Close()
			for i, fired := 0, true; fired; i++ {
				if i == enough {
					t.Fatalf("still failing at call %d", i)
				}
				w.reset(t)
				w.populate(t)
				plan.Arm(i, mode)
				_, err := w.pass(t, db, retention.Options{Sweep: true}).Run(t.Context())
				plan.Disarm()
				if fired = plan.Fired(); fired && err == nil {
					w.ended(t) // the run went around it
				}
				w.recover(t, db)
			}
		})
	}
	for name, broken := range map[string]memobj.Fault{"bucket, before": {Before: fault.ErrInjected}, "bucket, after": {After: fault.ErrInjected}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := testdb.SQLite(t)
			w := newWorld(t, d.Name, d.DB)
			for i, fired := 0, true; fired; i++ {
				if i == enough {
					t.Fatalf("still failing at call %d", i)
				}
				w.reset(t)
				w.populate(t)
				fired = false
				n := 0
				w.faults = func(memobj.Call) memobj.Fault {
					if n++; n-1 != i {
						return memobj.Fault{}
					}
					fired = true
					return broken
				}
				w.pass(t, d.DB, retention.Options{Sweep: true}).Run(t.Context())
				w.recover(t, d.DB)
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

// TestNoSweepAfterAFailure has a reclaim that fails at its first call. Orphans
// are not looked for then: deletions that were asked for come first.
func TestNoSweepAfterAFailure(t *testing.T) {
	t.Parallel()
	d := testdb.SQLite(t)
	w := newWorld(t, d.Name, d.DB)
	w.populate(t)
	calls := 0
	w.faults = func(memobj.Call) memobj.Fault {
		if calls++; calls > 1 {
			return memobj.Fault{}
		}
		return memobj.Fault{Before: fault.ErrInjected}
	}
	report, err := w.pass(t, d.DB, retention.Options{Sweep: true}).Run(t.Context())
	if !errors.Is(err, fault.ErrInjected) || report.Complete {
		t.Errorf("complete %t, %v; want the fault", report.Complete, err)
	}
	if one := report.Buckets[0]; one.Err == nil || one.Sweep.Keys > 0 || calls > 1 {
		t.Errorf("%d calls, %d keys swept, %v; want the reclaim's one call", calls, one.Sweep.Keys, one.Err)
	}
}
