package store_test

import (
	"errors"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
)

// TestForeignDates reads rows that other software dated in ways that mean
// nothing, or nothing good: none is ever due, and all can be restored.
func TestForeignDates(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 0, store.Options{})
		dates := map[string][]string{
			"postgres": {"0001-01-01 00:00:00+00", "1970-01-01 00:00:00+00", "9999-12-31 00:00:00+00", "-infinity", "infinity"},
			"mariadb":  {"0001-01-01 00:00:00", "1970-01-01 00:00:00", "9999-12-31 00:00:00"},
			"sqlite":   {"0001-01-01T00:00:00.000000Z", "2026-01-01 12:00:00", "2026-01-01T12:00:00Z", "2026-01-01", "yesterday", ""},
		}[d.Name]
		for i, date := range dates {
			id := i + 1
			text := "INSERT INTO doc (id, deleted_at, purge_after) VALUES (?, ?, ?)"
			if s.dialect.Numbered {
				text = "INSERT INTO doc (id, deleted_at, purge_after) VALUES ($1, CAST($2 AS text)::timestamptz, CAST($3 AS text)::timestamptz)"
			}
			if _, err := s.db.ExecContext(t.Context(), text, id, date, date); err != nil {
				t.Fatalf("%s: %v", date, err)
			}
			tx := s.begin(t)
			result, err := s.store.Apply(t.Context(), tx, lifecycle.Expire, s.doc.Row(id), who)
			if !errors.Is(err, lifecycle.ErrNotDue) {
				t.Errorf("expire a row of %q: %s, %v; want not due", date, result.Outcome, err)
			}
			due, err := s.store.ExpireDue(t.Context(), tx, s.doc, 100, who)
			if err != nil || len(due.Rows) > 0 {
				t.Errorf("due with %q: %v, %v", date, due.Rows, err)
			}
			mustApply(t, s, tx, lifecycle.Restore, id)
			tx.Rollback()
			putBack(t, s, id)
		}
	})
}

// putBack takes the row out of the trash, so that it is not due with the next.
func putBack(t *testing.T, s *shelf, id int) {
	t.Helper()
	tx := s.begin(t)
	mustApply(t, s, tx, lifecycle.Restore, id)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// TestPurgedWithoutADate has a row that other software marked as purged without
// ever dating it. It is as gone as any.
func TestPurgedWithoutADate(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 0, store.Options{})
		s.run(t, "INSERT INTO doc (id, is_deleted) VALUES (1, 1), (2, 1)")
		tx := s.begin(t)
		for edge, want := range map[lifecycle.EdgeName]lifecycle.Outcome{
			lifecycle.Trash: lifecycle.Gone, lifecycle.Restore: lifecycle.Gone, lifecycle.Purge: lifecycle.Already,
		} {
			if result, _ := s.store.Apply(t.Context(), tx, edge, s.doc.Row(1), who); result.Outcome != want {
				t.Errorf("%s: %s, want %s", edge, result.Outcome, want)
			}
			results, err := s.store.ApplyAll(t.Context(), tx, edge, s.doc.Rows(lifecycle.Keys(1, 2)...), who)
			if results.Count(want) != 2 || err != nil {
				t.Errorf("%s both: %v, %v; want %s", edge, results.Rows, err, want)
			}
			results, err = s.store.ApplyAll(t.Context(), tx, edge, s.doc.Where(clause{"id > ?", []any{0}}, 10), who)
			if len(results.Rows) > 0 || err != nil {
				t.Errorf("%s by a condition: %v, %v; want none", edge, results.Rows, err)
			}
		}
	})
}
