package memstore_test

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// TestVisibility wants a transaction to see its own changes, everybody else what
// is committed, and a rollback to leave nothing.
func TestVisibility(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		end  func(tx *memstore.Tx) error
		want lifecycle.State
		left []lifecycle.EdgeName
	}{
		{"commit", (*memstore.Tx).Commit, lifecycle.Trashed, []lifecycle.EdgeName{lifecycle.Trash}},
		{"rollback", (*memstore.Tx).Rollback, lifecycle.Active, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, memstore.Options{})
			w.insert(t, w.doc, active, 1)
			row, tx, other := w.doc.Row(1), w.Begin(), w.Begin()
			if _, err := w.Trash(t.Context(), tx, row, cause); err != nil {
				t.Fatal(err)
			}
			seen := map[string]lifecycle.State{
				"itself": w.state(t, tx, row), "another": w.state(t, other, row), "no transaction": w.state(t, w.Store, row),
			}
			want := map[string]lifecycle.State{
				"itself": lifecycle.Trashed, "another": lifecycle.Active, "no transaction": lifecycle.Active,
			}
			if diff := cmp.Diff(want, seen); diff != "" {
				t.Errorf("before the end (-want +got):\n%s", diff)
			}
			if history, err := w.History(t.Context(), tx, row); err != nil || len(history) != 1 {
				t.Errorf("its own history: %v, %v", history, err)
			}
			if err := tt.end(tx); err != nil {
				t.Fatal(err)
			}
			if got := w.state(t, other, row); got != tt.want {
				t.Errorf("after the end another transaction sees %s, want %s", got, tt.want)
			}
			if diff := cmp.Diff(tt.left, w.edges(t, row)); diff != "" {
				t.Errorf("history (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRollbackOfEverything undoes rows, audits and doomed objects at once.
func TestRollbackOfEverything(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.doc, memstore.Seed{State: lifecycle.Trashed, Objects: []string{"a", "b"}}, 1)
	w.insert(t, w.ticket, memstore.Seed{Objects: []string{"c"}}, 1)
	before, _ := w.Peek(w.doc.Row(1))
	errBack := errors.New("changed my mind")
	err := w.in(func(tx *memstore.Tx) error {
		_, purged := w.Purge(t.Context(), tx, w.doc.Row(1), cause)
		_, deleted := w.HardDelete(t.Context(), tx, w.ticket.Rows(lifecycle.Keys(1)...), cause)
		inserted := tx.Insert(w.doc, lifecycle.Key{2}, active)
		return errors.Join(errBack, purged, deleted, inserted)
	})
	if !errors.Is(err, errBack) || errors.Is(err, lifecycle.ErrInvalid) {
		t.Fatal(err)
	}
	after, _ := w.Peek(w.doc.Row(1))
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the row (-before +after):\n%s", diff)
	}
	if w.state(t, w.Store, w.ticket.Row(1)) != lifecycle.Active || w.state(t, w.Store, w.doc.Row(2)) != "" {
		t.Error("other rows were not rolled back")
	}
	if debt, err := w.Ledger().Debt(t.Context(), "files"); err != nil || debt.Objects != 0 {
		t.Errorf("debt %+v, %v; want none", debt, err)
	}
	if len(w.edges(t, w.doc.Row(1))) > 0 {
		t.Error("an audit entry was left")
	}
}

func TestEndedTransaction(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		end  func(tx *memstore.Tx) error
	}{
		{"committed", (*memstore.Tx).Commit},
		{"rolled back", (*memstore.Tx).Rollback},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, memstore.Options{})
			w.insert(t, w.doc, active, 1)
			tx := w.Begin()
			if _, err := w.Trash(t.Context(), tx, w.doc.Row(1), cause); err != nil {
				t.Fatal(err)
			}
			if err := tt.end(tx); err != nil {
				t.Fatal(err)
			}
			_, trashed := w.Trash(t.Context(), tx, w.doc.Row(1), cause)
			_, read := w.Record(t.Context(), tx, w.doc.Row(1))
			for name, err := range map[string]error{
				"Commit": tx.Commit(), "Rollback": tx.Rollback(), "Trash": trashed, "Record": read,
				"Insert": tx.Insert(w.doc, lifecycle.Key{2}, active),
			} {
				if !errors.Is(err, sql.ErrTxDone) {
					t.Errorf("%s: %v, want sql.ErrTxDone", name, err)
				}
			}
		})
	}
}

func TestRefusalLeavesTheTransactionUsable(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.doc, active, 1)
	err := w.in(func(tx *memstore.Tx) error {
		if _, err := w.Purge(t.Context(), tx, w.doc.Row(1), cause); !errors.Is(err, lifecycle.ErrIllegal) {
			t.Errorf("purge: %v, want ErrIllegal", err)
		}
		_, err := w.Trash(t.Context(), tx, w.doc.Row(1), cause)
		return err
	})
	if err != nil || w.state(t, w.Store, w.doc.Row(1)) != lifecycle.Trashed {
		t.Errorf("%v, row is %s", err, w.state(t, w.Store, w.doc.Row(1)))
	}
}

// TestWaiting is a transaction that meets another one which has written.
func TestWaiting(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		wait time.Duration
		give bool // up, by the context
		want error
	}{
		{"not at all", -1, false, lifecycle.ErrRetry},
		{"for a moment", time.Millisecond, false, lifecycle.ErrRetry},
		{"until the caller gives up", time.Hour, true, context.DeadlineExceeded},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, memstore.Options{LockWait: tt.wait})
			w.insert(t, w.doc, active, 1, 2)
			first, second := w.Begin(), w.Begin()
			if _, err := w.Trash(t.Context(), first, w.doc.Row(1), cause); err != nil {
				t.Fatal(err)
			}
			ctx := t.Context()
			if tt.give {
				var cancel func()
				ctx, cancel = context.WithTimeout(ctx, time.Millisecond)
				defer cancel()
			}
			if _, err := w.Trash(ctx, second, w.doc.Row(2), cause); !errors.Is(err, tt.want) {
				t.Fatalf("the second writer: %v, want %v", err, tt.want)
			}
			if _, err := w.Ledger().Claim(ctx, "files", 1); !errors.Is(err, tt.want) {
				t.Errorf("the ledger: %v, want %v", err, tt.want)
			}
			if err := first.Commit(); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Trash(t.Context(), second, w.doc.Row(2), cause); err != nil {
				t.Errorf("after the first has ended: %v", err)
			}
			if err := second.Commit(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestCancelledCallDoesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.doc, active, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, trashed := w.apply(ctx, lifecycle.Trash, w.doc.Row(1))
	_, read := w.Record(ctx, w.Store, w.doc.Row(1))
	_, claimed := w.Ledger().Claim(ctx, "files", 1)
	_, asked := w.Ledger().Unprotected(ctx, "files", []string{"k"})
	for name, err := range map[string]error{"Trash": trashed, "Record": read, "Claim": claimed, "Unprotected": asked} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context.Canceled", name, err)
		}
	}
	if got := w.state(t, w.Store, w.doc.Row(1)); got != lifecycle.Active {
		t.Errorf("the row is %s", got)
	}
}

func TestForeignTransactions(t *testing.T) {
	t.Parallel()
	w, other := newWorld(t, memstore.Options{}), newWorld(t, memstore.Options{})
	w.insert(t, w.doc, active, 1)
	var nobody *memstore.Tx
	for _, tt := range []struct {
		name string
		tx   lifecycle.Tx
	}{
		{"nil", nil},
		{"a nil transaction", nobody},
		{"another store's", other.Begin()},
		{"an SQL transaction", &sql.Tx{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, one := w.Trash(t.Context(), tt.tx, w.doc.Row(1), cause)
			_, many := w.TrashAll(t.Context(), tt.tx, w.doc.Rows(lifecycle.Keys(1)...), cause)
			_, due := w.ExpireDue(t.Context(), tt.tx, w.doc, 1, cause)
			_, read := w.Record(t.Context(), tt.tx, w.doc.Row(1))
			for name, err := range map[string]error{"Trash": one, "TrashAll": many, "ExpireDue": due, "Record": read} {
				var typed *lifecycle.Error
				if !errors.Is(err, lifecycle.ErrInvalid) || !errors.As(err, &typed) {
					t.Errorf("%s: %v, want an *lifecycle.Error with ErrInvalid", name, err)
				}
			}
		})
	}
}

func TestNoSQL(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	for _, db := range []lifecycle.DB{w.Store, w.Begin()} {
		_, exec := db.ExecContext(t.Context(), "SELECT 1")
		rows, query := db.QueryContext(t.Context(), "SELECT 1")
		if !errors.Is(exec, errors.ErrUnsupported) || !errors.Is(query, errors.ErrUnsupported) || rows != nil {
			t.Errorf("%T: %v, %v; want errors.ErrUnsupported", db, exec, query)
		}
	}
}

// TestWritersLoseNothing lets many transactions move a row back and forth: the
// audit has each edge that a caller was told of, once, in one line of history.
func TestWritersLoseNothing(t *testing.T) {
	t.Parallel()
	const workers, calls = 16, 40
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.doc, active, 1)
	var mu sync.Mutex
	told := 0
	var group sync.WaitGroup
	for n := range workers {
		group.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(n)))
			for range calls {
				edge := []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Restore}[rng.IntN(2)]
				tx := w.Begin()
				result, err := w.Apply(t.Context(), tx, edge, w.doc.Row(1), cause)
				if err != nil {
					t.Errorf("%s: %v", edge, err)
				}
				if rng.IntN(3) == 0 {
					tx.Rollback()
					continue
				}
				tx.Commit()
				if result.Outcome == lifecycle.Transitioned {
					mu.Lock()
					told++
					mu.Unlock()
				}
				w.Record(t.Context(), w.Store, w.doc.Row(1))
			}
		})
	}
	group.Wait()
	history, err := w.History(t.Context(), w.Store, w.doc.Row(1))
	if err != nil || len(history) != told {
		t.Fatalf("%d entries, %v; callers were told of %d", len(history), err, told)
	}
	state := lifecycle.Active
	for i, e := range history {
		if e.From != state || e.Seq <= 0 || i > 0 && e.Seq <= history[i-1].Seq {
			t.Errorf("entry %d is %+v after %s", i, e, state)
		}
		state = e.To
	}
	if seed, _ := w.Peek(w.doc.Row(1)); seed.State != state || seed.Version != int64(1+told) {
		t.Errorf("the row is %+v, its history ends in %s after %d edges", seed, state, told)
	}
}
