package retention_test

import (
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
