package guarddriver_test

import (
	"database/sql"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/store/guard"
)

// TestLocksAreHeld locks rows through the guard and looks from another session
// whether they are: MariaDB takes none through a derived table, and does not say
// so.
func TestLocksAreHeld(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, query string
		// folders and documents are the locked rows' keys.
		folders, documents []int
	}{
		{"one table", "SELECT id FROM document WHERE id > 0 FOR UPDATE", nil, []int{10, 20}},
		{"alias", "SELECT d.id FROM document AS d WHERE d.folder_id = 1 FOR UPDATE", nil, []int{10}},
		{"inner join", "SELECT d.id FROM document d JOIN folder f ON f.id = d.folder_id FOR UPDATE", []int{1}, []int{10}},
		{"left join", "SELECT f.id FROM folder f LEFT JOIN document d ON d.folder_id = f.id WHERE f.id = 3 FOR UPDATE OF f", []int{3}, nil},
		{"sub-select", "SELECT f.id FROM folder f WHERE EXISTS (SELECT 1 FROM document d WHERE d.folder_id = f.id) FOR UPDATE", []int{1}, nil},
		{"no wait", "SELECT id FROM folder WHERE id = 3 FOR UPDATE NOWAIT", []int{3}, nil},
		{"share", "SELECT id FROM folder WHERE id = 3 FOR SHARE", []int{3}, nil},
		{"a subquery that locks", "SELECT x.id FROM (SELECT id FROM folder WHERE id = 1 FOR UPDATE) x", []int{1}, nil},
	}
	each(t, func(t *testing.T, p product, d *testdb.Database) {
		if p.d == guard.SQLite { // which locks files, not rows
			return
		}
		fill(t, d.DB)
		db := open(t, d, newGuard(t, p.d, nil))
		for _, test := range tests {
			if p.d == guard.MySQL {
				switch test.name {
				case "left join", "share": // MySQL 8's
					continue
				}
			}
			tx, err := db.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			n, err := count(tx.QueryContext(t.Context(), test.query))
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			if n == 0 {
				t.Errorf("%s: nothing was read", test.name)
			}
			for table, keys := range map[string][]int{"folder": test.folders, "document": test.documents} {
				for _, key := range keys {
					if !locked(t, d.DB, p.d, table, key) {
						t.Errorf("%s: row %d of %s is not locked", test.name, key, table)
					}
				}
			}
			if err := tx.Rollback(); err != nil {
				t.Fatal(err)
			}
			if locked(t, d.DB, p.d, "folder", 1) || locked(t, d.DB, p.d, "document", 10) {
				t.Errorf("%s: rows are locked after the end", test.name)
			}
		}
	})
}

func count(rows *sql.Rows, err error) (n int, _ error) {
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

// locked tells whether another session cannot lock a row.
func locked(t *testing.T, db *sql.DB, d *guard.Dialect, table string, key int) bool {
	t.Helper()
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	mark := "?"
	if d == guard.Postgres {
		mark = "$1"
	}
	n, err := count(tx.QueryContext(t.Context(), "SELECT id FROM "+table+" WHERE id = "+mark+" FOR UPDATE NOWAIT", key))
	if err == nil && n != 1 {
		t.Fatalf("%s has no row %d", table, key)
	}
	return err != nil
}
