package leaktest_test

import (
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
	"github.com/softdelete-go/softdelete/store/guard/guarddriver"
	"github.com/softdelete-go/softdelete/store/guard/leaktest"
)

var dialects = map[string]*guard.Dialect{"postgres": guard.Postgres, "mariadb": guard.MySQL, "sqlite": guard.SQLite}

func catalog() *lifecycle.Catalog {
	life := lifecycle.Columns{
		DeletedAt: lifecycle.Column{Name: "deleted_at", As: lifecycle.Timestamp},
		IsDeleted: lifecycle.Column{Name: "is_deleted", As: lifecycle.Flag},
	}
	return lifecycle.MustCatalog(
		&lifecycle.Table{Name: "folder", Columns: life}, &lifecycle.Table{Name: "document", Columns: life},
		&lifecycle.Table{Name: "staff", Kind: lifecycle.Technical},
	)
}

// fill makes the tables. Folder 2 is in the trash, with a live document in it
// that would go with it, and so is document 11.
func fill(t *testing.T, db *sql.DB, deleted string) {
	t.Helper()
	for _, text := range []string{
		"CREATE TABLE folder (id INT PRIMARY KEY, deleted_at TIMESTAMP NULL, is_deleted INT NOT NULL)",
		"CREATE TABLE staff (id INT PRIMARY KEY)",
		"CREATE TABLE document (id INT PRIMARY KEY, folder_id INT, deleted_at TIMESTAMP NULL, is_deleted INT NOT NULL, " +
			"FOREIGN KEY (folder_id) REFERENCES folder (id) ON DELETE CASCADE)",
		"INSERT INTO folder VALUES (1, NULL, 0), (2, " + deleted + ", 0), (3, NULL, 0)",
		"INSERT INTO document VALUES (10, 1, NULL, 0), (11, 3, " + deleted + ", 0), (20, 2, NULL, 0)",
	} {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

const past = "'2026-01-01 00:00:00'"

func TestDifference(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, query string
		leaks       bool
	}{
		{"no filter", "SELECT id FROM document", true},
		{"filter", "SELECT d.id FROM document d WHERE d.deleted_at IS NULL AND d.is_deleted = 0", false},
		{"one column of the two", "SELECT d.id FROM document d WHERE d.is_deleted = 0", true},
		{"another table", "SELECT id FROM staff", false},
		{"a joined table leaks", "SELECT d.id, f.id FROM document d LEFT JOIN folder f ON f.id = d.folder_id WHERE d.deleted_at IS NULL", true},
		{"a live row is lost", "SELECT d.id FROM document d LEFT JOIN folder f ON f.id = d.folder_id " +
			"WHERE d.deleted_at IS NULL AND f.deleted_at IS NULL", true},
		{"a join as it should be", "SELECT d.id, f.id FROM document d LEFT JOIN folder f ON f.id = d.folder_id AND f.deleted_at IS NULL " +
			"WHERE d.deleted_at IS NULL", false},
		{"a count", "SELECT count(*) FROM folder", true},
		{"a sub-select", "SELECT id FROM staff WHERE EXISTS (SELECT 1 FROM document WHERE id = 11)", false},
		{"a sub-select that is seen", "SELECT (SELECT max(id) FROM document WHERE folder_id = 3)", true},
	}
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		fill(t, d.DB, past)
		g, err := guard.New(catalog(), dialects[d.Name], nil)
		if err != nil {
			t.Fatal(err)
		}
		guarded, err := guarddriver.Open(d.Driver, d.DSN, g)
		if err != nil {
			t.Fatal(err)
		}
		defer guarded.Close()
		for _, test := range tests {
			difference, err := leaktest.Difference(t.Context(), d.DB, dialects[d.Name], catalog(), test.query)
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			if (difference != "") != test.leaks {
				t.Errorf("%s: leaks %t, want %t\n%s", test.name, !test.leaks, test.leaks, difference)
			}
			leaktest.Check(t, guarded, dialects[d.Name], catalog(), test.query)
		}
		var documents int
		if err := d.DB.QueryRowContext(t.Context(), "SELECT count(*) FROM document").Scan(&documents); err != nil || documents != 3 {
			t.Errorf("%d documents are there (%v), want all 3", documents, err)
		}
		// The sessions still mind foreign keys.
		d.DB.SetMaxOpenConns(1)
		if _, err := d.DB.ExecContext(t.Context(), "INSERT INTO document VALUES (30, 99, NULL, 0)"); err == nil {
			t.Error("a document in no folder was taken")
		}
	})
}

func TestErrors(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		fill(t, d.DB, "NULL")
		difference := func(query string, args ...any) error {
			_, err := leaktest.Difference(t.Context(), d.DB, dialects[d.Name], catalog(), query, args...)
			return err
		}
		if err := difference("SELECT id FROM document"); !errors.Is(err, leaktest.ErrNothingDeleted) {
			t.Errorf("without deleted rows: %v, want %v", err, leaktest.ErrNothingDeleted)
		}
		if err := difference("SELECT id FROM nowhere"); err == nil {
			t.Error("no error for a table that is not there")
		}
		if err := difference("UPDATE document SET folder_id = 1 WHERE id = 20"); err == nil {
			t.Error("no error for a statement that returns nothing")
		}
		var folder int
		if err := d.DB.QueryRowContext(t.Context(), "SELECT folder_id FROM document WHERE id = 20").Scan(&folder); err != nil || folder != 2 {
			t.Errorf("the document is in folder %d (%v), want 2", folder, err)
		}
	})
}

// recorder is a test that fails.
type recorder struct {
	*testing.T
	failed string
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestCheckFails(t *testing.T) {
	t.Parallel()
	db := testdb.SQLite(t).DB
	fill(t, db, past)
	for query, want := range map[string]string{
		"SELECT id FROM document": `+ 	`, "SELECT id FROM document WHERE deleted_at IS NULL": "", "SELECT id FROM nowhere": "nowhere",
	} {
		r, done := &recorder{T: t}, make(chan struct{})
		go func() {
			defer close(done)
			leaktest.Check(r, db, guard.SQLite, catalog(), query)
		}()
		<-done
		if (r.failed == "") != (want == "") || !strings.Contains(r.failed, strings.TrimSpace(want)) {
			t.Errorf("%s: Check says %q, want %q", query, r.failed, want)
		}
	}
}
