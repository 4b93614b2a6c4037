package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/fault"
	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// maxCalls bounds the fault loop: no scenario has more calls.
const maxCalls = 60

// faulty is a store on a database that fails on demand, and a second handle
// that does not.
type faulty struct {
	store *store.Store
	db    *sql.DB
	plan  *fault.Plan
	fill  *backend
	doc   *lifecycle.Table
	clock *lifecycletest.Clock
}

var begin = lifecycletest.NewClock

func openFaulty(t *testing.T, d *testdb.Database) *faulty {
	t.Helper()
	doc := docTable()
	c := lifecycle.MustCatalog(doc)
	f := &faulty{fill: backendOf(d.Name, d.DB), clock: begin(noon)}
	doc, err := c.Resolve(doc)
	if err != nil {
		t.Fatal(err)
	}
	f.doc = doc
	if f.store, err = store.New(c, f.fill.dialect, &store.Options{Clock: f.clock}); err != nil {
		t.Fatal(err)
	}
	f.fill.create(t, c)
	if err := f.store.Install(t.Context(), d.DB); err != nil {
		t.Fatal(err)
	}
	f.db, f.plan = fault.Open(d.DB.Driver(), d.DSN)
	t.Cleanup(func() { f.db.Close() })
	return f
}

// eachUnprepared is testdb.Each with drivers that do not prepare statements.
func eachUnprepared(t *testing.T, fn func(t *testing.T, d *testdb.Database)) {
	t.Helper()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		if d.Name == "mariadb" {
			d, _ = testdb.MySQL(t, "interpolateParams=true")
		}
		fn(t, d)
	})
}

// all is everything the database holds of a row.
func (f *faulty) all(t *testing.T, n int64) string {
	t.Helper()
	row := f.doc.Row(n)
	record, err := f.store.Record(t.Context(), f.fill.db, row)
	if err != nil {
		t.Fatal(err)
	}
	history, err := f.store.History(t.Context(), f.fill.db, row)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%s, trashed %s, until %s:", record.State, record.DeletedAt, record.PurgeAfter)
	for _, e := range history {
		text += fmt.Sprintf(" %s to %s by %s", e.Edge, e.To, e.By)
	}
	for _, table := range []string{"op", "audit", "object", "waiting"} {
		var count int
		if err := f.fill.db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM softdelete_"+table).Scan(&count); err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf("; %d %s", count, table)
	}
	return text
}

func (f *faulty) in(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// TestFaultInEveryStatement fails the i-th call of each verb for every i. The
// verb has to say so, and what is left is what was there before, or, where only
// the answer was lost, all of what the verb does.
func TestFaultInEveryStatement(t *testing.T) {
	t.Parallel()
	trashed := memstore.Seed{State: lifecycle.Trashed, DeletedAt: noon, PurgeAfter: noon.Add(lifecycle.Day), Objects: []string{"a", "b"}}
	purged := trashed
	purged.State = lifecycle.Purged
	verbs := []struct {
		name string
		seed memstore.Seed
		run  func(ctx context.Context, f *faulty, n int64) error
	}{
		{"trash", memstore.Seed{State: lifecycle.Active}, one(lifecycle.Trash)},
		{"restore", trashed, one(lifecycle.Restore)},
		{"purge", trashed, one(lifecycle.Purge)},
		{"reclaim", purged, one(lifecycle.Reclaim)},
		{"trash in bulk", memstore.Seed{State: lifecycle.Active}, many(lifecycle.Trash)},
		{"purge in bulk", trashed, many(lifecycle.Purge)},
		{"restore in bulk", trashed, many(lifecycle.Restore)},
	}
	eachUnprepared(t, func(t *testing.T, d *testdb.Database) {
		f, n := openFaulty(t, d), int64(0)
		for _, verb := range verbs {
			for _, mode := range []fault.Mode{fault.Before, fault.After} {
				for i := 0; ; i++ {
					if i == maxCalls {
						t.Fatalf("%s: still failing at call %d", verb.name, i)
					}
					n++
					if err := f.fill.insert(t.Context(), f.doc, lifecycle.Key{n}, verb.seed); err != nil {
						t.Fatal(err)
					}
					before := f.all(t, n)
					f.plan.Arm(i, mode)
					err := verb.run(t.Context(), f, n)
					f.plan.Disarm()
					if !f.plan.Fired() {
						if err != nil {
							t.Fatalf("%s: %v", verb.name, err)
						}
						break
					}
					if !errors.Is(err, fault.ErrInjected) {
						t.Errorf("%s: call %d failed and the verb said %v", verb.name, i, err)
					}
					after := f.all(t, n)
					if after != before && f.committed(t, verb.name, n) != nil {
						t.Errorf("%s: call %d failed, left %s\nbefore %s", verb.name, i, after, before)
					}
				}
			}
		}
	})
}

// committed accepts a state that differs from the one before only where the
// verb finds nothing more to do: the answer of the commit was lost.
func (f *faulty) committed(t *testing.T, verb string, n int64) error {
	t.Helper()
	edge := map[string]lifecycle.EdgeName{
		"trash": lifecycle.Trash, "restore": lifecycle.Restore, "purge": lifecycle.Purge, "reclaim": lifecycle.Reclaim,
		"trash in bulk": lifecycle.Trash, "purge in bulk": lifecycle.Purge, "restore in bulk": lifecycle.Restore,
	}[verb]
	return f.in(t.Context(), func(tx *sql.Tx) error {
		result, err := f.store.Apply(t.Context(), tx, edge, f.doc.Row(n), who)
		if err == nil && result.Outcome != lifecycle.Already {
			err = fmt.Errorf("the verb had more to do: %s", result.Outcome)
		}
		history, failed := f.store.History(t.Context(), tx, f.doc.Row(n))
		if failed != nil {
			return failed
		}
		if err == nil && len(history) != 1 {
			err = fmt.Errorf("%d audit entries", len(history))
		}
		return err
	})
}

func one(edge lifecycle.EdgeName) func(context.Context, *faulty, int64) error {
	return func(ctx context.Context, f *faulty, n int64) error {
		return f.in(ctx, func(tx *sql.Tx) error {
			_, err := f.store.Apply(ctx, tx, edge, f.doc.Row(n), who)
			return err
		})
	}
}

func many(edge lifecycle.EdgeName) func(context.Context, *faulty, int64) error {
	return func(ctx context.Context, f *faulty, n int64) error {
		return f.in(ctx, func(tx *sql.Tx) error {
			results, err := f.store.ApplyAll(ctx, tx, edge, f.doc.Rows(lifecycle.Key{n}, lifecycle.Key{n + 1<<40}), who)
			if err == nil && results.Count(lifecycle.Transitioned) != 1 {
				err = fmt.Errorf("results %v", results.Rows)
			}
			return err
		})
	}
}

// TestFaultInTheLedger fails every call of the way from a doomed key to a
// reclaimed row, and starts again after each. In the end the row is reclaimed
// once and nothing is owed, whatever was lost on the way.
func TestFaultInTheLedger(t *testing.T) {
	t.Parallel()
	eachUnprepared(t, func(t *testing.T, d *testdb.Database) {
		f, n := openFaulty(t, d), int64(0)
		for _, mode := range []fault.Mode{fault.Before, fault.After} {
			for i := 0; i < maxCalls; i++ {
				n++
				seed := memstore.Seed{State: lifecycle.Trashed, DeletedAt: noon, PurgeAfter: noon.Add(lifecycle.Day), Objects: []string{fmt.Sprint("k", n)}}
				if err := f.fill.insert(t.Context(), f.doc, lifecycle.Key{n}, seed); err != nil {
					t.Fatal(err)
				}
				if err := one(lifecycle.Purge)(t.Context(), f, n); err != nil {
					t.Fatal(err)
				}
				f.plan.Arm(i, mode)
				err := f.drain(t.Context())
				f.plan.Disarm()
				switch fired := f.plan.Fired(); {
				case !fired && err != nil:
					t.Errorf("call %d: nothing failed, and the ledger said %v", i, err)
				case fired && err == nil:
					f.reclaimedOnce(t, n) // the ledger went around it
				}
				f.clock.Advance(lifecycle.Day)
				if err := f.drain(t.Context()); err != nil {
					t.Fatal(err)
				}
				f.reclaimedOnce(t, n)
				if !f.plan.Fired() {
					break
				}
			}
		}
	})
}

func (f *faulty) drain(ctx context.Context) error {
	ledger, err := store.NewLedger(f.store, f.db, nil)
	if err != nil {
		return err
	}
	for {
		claims, err := ledger.Claim(ctx, "files", 10)
		if err != nil {
			return err
		}
		for _, c := range claims {
			if err := ledger.Done(ctx, c, objstore.Attempt{Versions: 1}); err != nil {
				return err
			}
		}
		if len(claims) == 0 {
			_, err := ledger.Settle(ctx)
			return err
		}
	}
}

func (f *faulty) reclaimedOnce(t *testing.T, n int64) {
	t.Helper()
	history, err := f.store.History(t.Context(), f.fill.db, f.doc.Row(n))
	if err != nil {
		t.Fatal(err)
	}
	var got []lifecycle.EdgeName
	for _, e := range history {
		got = append(got, e.Edge)
	}
	if diff := cmp.Diff([]lifecycle.EdgeName{lifecycle.Purge, lifecycle.Reclaim}, got); diff != "" {
		t.Errorf("row %d (-want +got):\n%s", n, diff)
	}
}
