package store_test

import (
	"errors"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// TestMissingColumn asks for edges of a table that lacks a mapped column. SQLite
// would take a double-quoted name for a string, and the guard for false.
func TestMissingColumn(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 3, store.Options{})
		if _, err := s.db.ExecContext(t.Context(), "ALTER TABLE doc DROP COLUMN legal_hold"); err != nil {
			t.Fatal(err)
		}
		for _, edge := range []lifecycle.EdgeName{lifecycle.Purge, lifecycle.Expire} {
			tx := s.begin(t)
			result, err := s.store.Apply(t.Context(), tx, edge, s.doc.Row(1), who)
			if err == nil || result.Outcome != 0 || errors.Is(err, lifecycle.ErrIllegal) {
				t.Errorf("%s without the hold's column: %s, %v; want the database's error", edge, result.Outcome, err)
			}
			tx.Rollback()
		}
	})
}

// TestDoubleQuotedCondition is refused on SQLite, where it may be a string that
// is true for every row.
func TestDoubleQuotedCondition(t *testing.T) {
	t.Parallel()
	s := openShelf(t, testdb.SQLite(t), 3, store.Options{})
	_, err := s.store.TrashAll(t.Context(), s.begin(t), s.doc.Where(clause{`"nonsense" = ?`, []any{"nonsense"}}, 10), who)
	if !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("a double-quoted name: %v, want ErrInvalid", err)
	}
}

type clause struct {
	text string
	args []any
}

func (c clause) ToSql() (string, []any, error) { return c.text, c.args, nil }

// TestReplacedRow purges a row that other software put in the place of a purged
// one, which still waits for its object.
func TestReplacedRow(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 0, store.Options{})
		for range 2 {
			seed := memstore.Seed{State: lifecycle.Active, Objects: []string{"k"}}
			if err := s.insert(t.Context(), s.doc, lifecycle.Key{1}, seed); err != nil {
				t.Fatal(err)
			}
			tx := s.begin(t)
			mustApply(t, s, tx, lifecycle.Trash, 1)
			mustApply(t, s, tx, lifecycle.Purge, 1)
			exec(t, tx, "DELETE FROM doc")
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
