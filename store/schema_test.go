package store_test

import (
	"context"
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/mysql"
	"github.com/softdelete-go/softdelete/store/postgres"
	"github.com/softdelete-go/softdelete/store/sqlite"
)

// schemaBed is a database whose schema a test makes and damages by hand.
type schemaBed struct {
	*testdb.Database
	dialect *store.Dialect
}

func newSchemaBed(d *testdb.Database) *schemaBed {
	known := map[string]*store.Dialect{"postgres": postgres.Dialect, "mariadb": mysql.Dialect, "sqlite": sqlite.Dialect}
	return &schemaBed{d, known[d.Name]}
}

// eachDriver runs fn on a fresh database of each kind, by each driver and with
// settings that must make no difference.
func eachDriver(t *testing.T, fn func(t *testing.T, b *schemaBed)) {
	t.Helper()
	for _, v := range variants() {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			if d, ok := v.open(t); ok {
				fn(t, newSchemaBed(d))
			}
		})
	}
}

// open compiles a catalog and installs the store's own tables.
func (b *schemaBed) open(t *testing.T, tables ...*lifecycle.Table) *store.Store {
	t.Helper()
	s, err := store.New(lifecycle.MustCatalog(tables...), b.dialect, &store.Options{Clock: lifecycletest.NewClock(noon)})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Install(t.Context(), b.DB); err != nil {
		t.Fatal(err)
	}
	return s
}

// run executes statements one by one in one session.
func (b *schemaBed) run(t *testing.T, statements ...string) {
	t.Helper()
	conn, err := b.DB.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, text := range statements {
		if _, err := conn.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// schema is the name of the schema that an unqualified name belongs to.
func (b *schemaBed) schema(t *testing.T) string {
	t.Helper()
	if b.Name == "sqlite" {
		return "main"
	}
	name := ""
	ask := map[string]string{"postgres": "SELECT current_schema()", "mariadb": "SELECT DATABASE()"}
	if err := b.DB.QueryRowContext(t.Context(), ask[b.Name]).Scan(&name); err != nil {
		t.Fatal(err)
	}
	return name
}

// q quotes an identifier without the store's help.
func (b *schemaBed) q(name string) string {
	quote := `"`
	if b.Name == "mariadb" {
		quote = "`"
	}
	return quote + strings.ReplaceAll(name, quote, quote+quote) + quote
}

func (b *schemaBed) table(table *lifecycle.Table) string {
	if table.Schema == "" {
		return b.q(table.Name)
	}
	return b.q(table.Schema) + "." + b.q(table.Name)
}

// create makes a table with its own columns, and more definitions.
func (b *schemaBed) create(t *testing.T, table *lifecycle.Table, more ...string) {
	t.Helper()
	key := table.Key
	if len(key) == 0 {
		key = []string{"id"}
	}
	var columns, keys []string
	for _, k := range key {
		columns = append(columns, b.q(k)+" BIGINT NOT NULL")
		keys = append(keys, b.q(k))
	}
	for _, p := range table.Parents {
		for _, c := range p.Columns {
			columns = append(columns, b.q(c)+" BIGINT")
		}
	}
	for _, o := range table.Objects {
		columns = append(columns, b.q(o.Key)+" VARCHAR(300)")
	}
	columns = append(append(columns, more...), "PRIMARY KEY ("+strings.Join(keys, ", ")+")")
	b.run(t, "CREATE TABLE "+b.table(table)+" ("+strings.Join(columns, ", ")+")")
}

// createDeclared makes a table as DDL says.
func (b *schemaBed) createDeclared(t *testing.T, s *store.Store, table *lifecycle.Table) {
	t.Helper()
	ddl, err := s.DDL(table)
	if err != nil {
		t.Fatal(err)
	}
	b.create(t, table, ddl.Columns...)
	b.run(t, ddl.Indexes...)
}

func (b *schemaBed) adopt(t *testing.T, s *store.Store, table *lifecycle.Table) []string {
	t.Helper()
	statements, err := s.Adopt(t.Context(), b.DB, table)
	if err != nil {
		t.Fatal(err)
	}
	return statements
}

// live takes a row to the trash, back, and to its end.
func (b *schemaBed) live(t *testing.T, s *store.Store, row lifecycle.Row) {
	t.Helper()
	tx, err := b.DB.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	steps := []func(context.Context, lifecycle.Tx, lifecycle.Row, lifecycle.Cause) (lifecycle.Result, error){
		s.Trash, s.Restore, s.Trash, s.Purge,
	}
	for i, step := range steps {
		if _, err := step(t.Context(), tx, row, who); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}
