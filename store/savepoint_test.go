package store_test

import (
	"errors"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
)

// TestSavepointsAreGivenUp goes back to the store's savepoints after each use of
// them: none may be left for the caller's transaction to carry.
func TestSavepointsAreGivenUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		savepoint string
		use       func(t *testing.T, s *shelf, tx lifecycle.Tx)
	}{
		{"a batch that was taken whole", "softdelete_batch", func(t *testing.T, s *shelf, tx lifecycle.Tx) {
			bulk(t, s, tx, 2, 1, 2)
		}},
		{"a batch that was undone", "softdelete_batch", func(t *testing.T, s *shelf, tx lifecycle.Tx) {
			bulk(t, s, tx, 1, 1, 99)
		}},
		{"a restore", "softdelete_restore", func(t *testing.T, s *shelf, tx lifecycle.Tx) {
			mustApply(t, s, tx, lifecycle.Trash, 1)
			mustApply(t, s, tx, lifecycle.Restore, 1)
		}},
		{"a restore that met a twin", "softdelete_restore", func(t *testing.T, s *shelf, tx lifecycle.Tx) {
			exec(t, tx, "UPDATE doc SET object_key = 'name' WHERE id = 1")
			mustApply(t, s, tx, lifecycle.Trash, 1)
			exec(t, tx, "UPDATE doc SET object_key = 'name' WHERE id = 2")
			if _, err := s.store.Restore(t.Context(), tx, s.doc.Row(1), who); !errors.Is(err, lifecycle.ErrConflict) {
				t.Errorf("restore: %v, want ErrConflict", err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			testdb.Each(t, func(t *testing.T, d *testdb.Database) {
				s := openShelf(t, d, 2, store.Options{})
				for _, text := range uniqueLive(d.Name) {
					if _, err := s.db.ExecContext(t.Context(), text); err != nil {
						t.Fatal(err)
					}
				}
				tx := s.begin(t)
				c.use(t, s, tx)
				if _, err := tx.ExecContext(t.Context(), "ROLLBACK TO SAVEPOINT "+c.savepoint); err == nil {
					t.Errorf("the savepoint %s was left open", c.savepoint)
				}
			})
		})
	}
}

func bulk(t *testing.T, s *shelf, tx lifecycle.Tx, want int, ids ...int) {
	t.Helper()
	results, err := s.store.TrashAll(t.Context(), tx, s.doc.Rows(lifecycle.Keys(ids...)...), who)
	if err != nil || results.Count(lifecycle.Transitioned) != want {
		t.Errorf("trash %v: %d rows, %v; want %d", ids, results.Count(lifecycle.Transitioned), err, want)
	}
}
