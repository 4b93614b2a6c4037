package store_test

import (
	"errors"
	"testing"
	"time"

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
		id := 0
		for _, date := range foreignDates[d.Name] {
			early := s.at(lifecycle.Timestamp, noon.Add(-90*lifecycle.Day))
			for _, dates := range [][2]any{{date, date}, {date, nil}, {early, date}} {
				id++
				s.foreign(t, id, dates)
			}
		}
	})
}

var foreignDates = map[string][]string{
	"postgres": {"0001-01-01 00:00:00+00", "1970-01-01 00:00:00+00", "9999-12-31 00:00:00+00", "-infinity", "infinity"},
	"mariadb":  {"0001-01-01 00:00:00", "1970-01-01 00:00:00", "9999-12-31 00:00:00"},
	"sqlite":   {"0001-01-01T00:00:00.000000Z", "2026-01-01 12:00:00", "2026-01-01T12:00:00Z", "2026-01-01", "yesterday", ""},
}

// foreign writes a row with dates of deletion and deadline, and tries to end it.
func (s *shelf) foreign(t *testing.T, id int, dates [2]any) {
	t.Helper()
	text := "INSERT INTO doc (id, deleted_at, purge_after) VALUES (?, ?, ?)"
	if s.dialect.Numbered {
		text = "INSERT INTO doc (id, deleted_at, purge_after) VALUES ($1, CAST(CAST($2 AS text) AS timestamptz), CAST(CAST($3 AS text) AS timestamptz))"
	}
	for i, date := range dates {
		if at, ok := date.(time.Time); ok {
			dates[i] = at.Format(time.RFC3339)
		}
	}
	if _, err := s.db.ExecContext(t.Context(), text, id, dates[0], dates[1]); err != nil {
		t.Fatalf("%v: %v", dates, err)
	}
	tx := s.begin(t)
	result, err := s.store.Apply(t.Context(), tx, lifecycle.Expire, s.doc.Row(id), who)
	if !errors.Is(err, lifecycle.ErrNotDue) {
		t.Errorf("expire a row of %q: %s, %v; want not due", dates, result.Outcome, err)
	}
	due, err := s.store.ExpireDue(t.Context(), tx, s.doc, 100, who)
	if err != nil || len(due.Rows) > 0 {
		t.Errorf("due with %q: %v, %v", dates, due.Rows, err)
	}
	mustApply(t, s, tx, lifecycle.Restore, id)
	tx.Rollback()
	putBack(t, s, id)
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

// TestNullFlags has rows in which nothing is set but the key. They are active
// and not held.
func TestNullFlags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		as   lifecycle.Encoding
	}{
		{"flags", lifecycle.Flag},
		{"booleans", lifecycle.Boolean},
		{"epochs", lifecycle.UnixMillis},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			testdb.Each(t, func(t *testing.T, d *testdb.Database) {
				column := func(name string, as lifecycle.Encoding) lifecycle.Column {
					return lifecycle.Column{Name: name, As: as, Nullable: !as.Dated()}
				}
				hold := c.as
				if hold.Dated() {
					hold = lifecycle.Flag
				}
				table := &lifecycle.Table{Name: "n", Columns: lifecycle.Columns{
					DeletedAt: column("deleted", c.as), IsDeleted: column("gone", c.as), ReclaimedAt: column("freed", c.as), Hold: column("hold", hold),
				}}
				s := &shelf{backend: backendOf(d.Name, d.DB), doc: table}
				catalog := lifecycle.MustCatalog(table)
				var err error
				if s.store, err = store.New(catalog, s.dialect, nil); err != nil {
					t.Fatal(err)
				}
				s.create(t, catalog)
				if err := s.store.Install(t.Context(), d.DB); err != nil {
					t.Fatal(err)
				}
				s.run(t, "INSERT INTO n (id) VALUES (1), (2), (3)")
				tx := s.begin(t)
				for _, edge := range []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Restore, lifecycle.Trash, lifecycle.Purge, lifecycle.Reclaim} {
					mustApply(t, s, tx, edge, 1)
					results, err := s.store.ApplyAll(t.Context(), tx, edge, table.Rows(lifecycle.Keys(2, 3)...), who)
					if results.Count(lifecycle.Transitioned) != 2 || err != nil {
						t.Errorf("%s: %v, %v", edge, results.Rows, err)
					}
				}
			})
		})
	}
}
