package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// Store is what the suite asks of a store.
type Store interface {
	Trash(ctx context.Context, tx lifecycle.Tx, row lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error)
	Restore(ctx context.Context, tx lifecycle.Tx, row lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error)
	Purge(ctx context.Context, tx lifecycle.Tx, row lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error)
	Apply(ctx context.Context, tx lifecycle.Tx, edge lifecycle.EdgeName, row lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error)
	ApplyAll(ctx context.Context, tx lifecycle.Tx, edge lifecycle.EdgeName, sel lifecycle.Selection, cause lifecycle.Cause) (lifecycle.Results, error)
	HardDelete(ctx context.Context, tx lifecycle.Tx, sel lifecycle.Selection, cause lifecycle.Cause) (lifecycle.Results, error)
	Record(ctx context.Context, db lifecycle.DB, row lifecycle.Row) (lifecycle.Record, error)
	History(ctx context.Context, db lifecycle.DB, row lifecycle.Row) ([]lifecycle.Entry, error)
}

// Harness is a fresh store with what the suite needs to fill it.
type Harness struct {
	Store Store
	// Begin opens a transaction. The suite ends it. Safe for concurrent use.
	Begin func(ctx context.Context) (lifecycle.Tx, error)
	// Insert writes a row as if other software had: no audit, no edge. It may
	// run in a transaction of its own.
	Insert func(ctx context.Context, table *lifecycle.Table, key lifecycle.Key, seed memstore.Seed) error
	// DB is for reads outside a transaction.
	DB lifecycle.DB
	// Conditions says that the store takes selections by a condition.
	Conditions bool
	// Workers is the number of goroutines of the race. Defaults to 64.
	Workers int
	// Ledger is the store's object ledger. Nil where it has none, and then the
	// parts on objects are not run.
	Ledger Ledger
	// Settle reclaims rows that wait for nothing any more, where Ledger.Done
	// does not do all of it. May be nil.
	Settle func(ctx context.Context) error
}

// Ledger is what the suite asks of an object ledger. Its leases last Lease.
type Ledger interface {
	objstore.Ledger
	objstore.Referee
}

// Lease is how long the claims of a Harness's ledger last.
const Lease = 5 * time.Minute

// Open makes a fresh, empty harness for one test.
type Open func(t *testing.T, c *lifecycle.Catalog, clock lifecycle.Clock) *Harness

// Model opens the reference model.
func Model(t *testing.T, c *lifecycle.Catalog, clock lifecycle.Clock) *Harness {
	t.Helper()
	m, err := memstore.New(c, &memstore.Options{Clock: clock, Lease: Lease})
	if err != nil {
		t.Fatalf("memstore.New: %v", err)
	}
	return &Harness{
		Store: m,
		Begin: func(context.Context) (lifecycle.Tx, error) { return m.Begin(), nil },
		Insert: func(_ context.Context, table *lifecycle.Table, key lifecycle.Key, seed memstore.Seed) error {
			return m.Insert(table, key, seed)
		},
		DB:     m,
		Ledger: m.Ledger(),
	}
}

// Run runs the suite. Each part opens a harness of its own.
func Run(t *testing.T, open Open) {
	t.Helper()
	for _, part := range []struct {
		name string
		run  func(t *testing.T, open Open)
	}{
		{"edges", testEdges},
		{"stories", testStories},
		{"versions", testVersions},
		{"bulk", testBulk},
		{"batches", testBatches},
		{"conditions", testConditions},
		{"bad input", testBadInput},
		{"rollback", testRollback},
		{"race", testRace},
		{"walk", testWalk},
		{"ledger", testLedger},
	} {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel()
			part.run(t, open)
		})
	}
}

// in runs fn in a transaction and commits it, or rolls it back on an error.
func (h *Harness) in(ctx context.Context, fn func(tx lifecycle.Tx) error) error {
	tx, err := h.Begin(ctx)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

// apply takes an edge in a transaction of its own. A refusal commits: it must
// leave the transaction usable.
func (h *Harness) apply(ctx context.Context, edge lifecycle.EdgeName, row lifecycle.Row, cause lifecycle.Cause) (result lifecycle.Result, err error) {
	failed := h.in(ctx, func(tx lifecycle.Tx) error {
		result, err = h.Store.Apply(ctx, tx, edge, row, cause)
		if result.Outcome == 0 {
			return err
		}
		return nil
	})
	if err == nil {
		err = failed
	}
	return result, err
}
