package guarddriver_test

import (
	"database/sql"
	"testing"

	_ "github.com/lib/pq" // driver "postgres"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
	"github.com/softdelete-go/softdelete/store/guard/guarddriver"
)

// product is a driver and a server.
type product struct {
	name string
	d    *guard.Dialect
	open func(testing.TB) (*testdb.Database, bool)
}

func products() []product {
	return append(cgoProducts, []product{
		{"pgx", guard.Postgres, func(tb testing.TB) (*testdb.Database, bool) { return testdb.Postgres(tb) }},
		{"pgx simple", guard.Postgres, func(tb testing.TB) (*testdb.Database, bool) {
			return testdb.Postgres(tb, "default_query_exec_mode=simple_protocol")
		}},
		{"pq", guard.Postgres, func(tb testing.TB) (*testdb.Database, bool) {
			d, ok := testdb.Postgres(tb)
			if ok {
				d.Driver, d.DB = "postgres", testdb.Open(tb, "postgres", d.DSN)
			}
			return d, ok
		}},
		{"mysql", guard.MySQL, func(tb testing.TB) (*testdb.Database, bool) { return testdb.MySQL(tb) }},
		{"mysql interpolating", guard.MySQL, func(tb testing.TB) (*testdb.Database, bool) {
			return testdb.MySQL(tb, "interpolateParams=true", "multiStatements=true")
		}},
		{"modernc", guard.SQLite, func(tb testing.TB) (*testdb.Database, bool) { return testdb.SQLite(tb), true }},
	}...)
}

// cgoProducts need a C compiler.
var cgoProducts []product

// each runs fn on every product.
func each(t *testing.T, fn func(t *testing.T, p product, d *testdb.Database)) {
	t.Helper()
	for _, p := range products() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if d, ok := p.open(t); ok {
				fn(t, p, d)
			}
		})
	}
}

// catalog has folders and the documents in them; status is nobody's.
func catalog(t testing.TB) *lifecycle.Catalog {
	t.Helper()
	life := lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at", As: lifecycle.Timestamp}}
	c, err := lifecycle.NewCatalog(
		&lifecycle.Table{Name: "folder", Kind: lifecycle.Asset, Key: []string{"id"}, Columns: life},
		&lifecycle.Table{Name: "document", Kind: lifecycle.Asset, Key: []string{"id"}, Columns: life},
	)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fill makes the tables: folder 2 and document 11 are in the trash.
func fill(t testing.TB, db *sql.DB) {
	t.Helper()
	for _, text := range []string{
		"CREATE TABLE folder (id INT PRIMARY KEY, name VARCHAR(20), deleted_at TIMESTAMP NULL)",
		"CREATE TABLE document (id INT PRIMARY KEY, folder_id INT, title VARCHAR(20), deleted_at TIMESTAMP NULL)",
		"CREATE TABLE status (id INT PRIMARY KEY)",
		"INSERT INTO folder VALUES (1, 'one', NULL), (2, 'two', '2026-01-01 00:00:00'), (3, 'three', NULL)",
		"INSERT INTO document VALUES (10, 1, 'a', NULL), (11, 1, 'b', '2026-01-01 00:00:00'), (20, 2, 'c', NULL)",
	} {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

func newGuard(t testing.TB, d *guard.Dialect, o *guard.Options) *guard.Guard {
	t.Helper()
	g, err := guard.New(catalog(t), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// open returns a guarded pool on a database.
func open(t testing.TB, d *testdb.Database, g *guard.Guard) *sql.DB {
	t.Helper()
	db, err := guarddriver.Open(d.Driver, d.DSN, g)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
