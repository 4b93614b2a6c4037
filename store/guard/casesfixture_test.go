package guard_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
)

// casesCatalog says of each table of the cases how its rows are deleted; note and
// every_child are not in it.
func casesCatalog() *lifecycle.Catalog {
	gone := lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}}
	flag := lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "is_deleted", As: lifecycle.Flag}}
	both := lifecycle.Columns{DeletedAt: gone.DeletedAt, IsDeleted: flag.DeletedAt}
	quoted := lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "when"}}
	return lifecycle.MustCatalog(
		&lifecycle.Table{Name: "parent", Columns: both},
		&lifecycle.Table{Name: "child", Columns: gone},
		&lifecycle.Table{Name: "tag", Key: []string{"tag_id"}, Columns: flag},
		&lifecycle.Table{Name: "link", Key: []string{"child_id", "tag_id"}, Columns: gone},
		&lifecycle.Table{Name: "order", Columns: quoted},
		&lifecycle.Table{Name: "login", Kind: lifecycle.Technical},
		&lifecycle.Table{Name: "staff", Kind: lifecycle.Status, Why: "dismiss them"},
	)
}

// fixtureRow is a row, and whether it is deleted: said here and not by the
// columns, so that the twin owes nothing to what the guard is made of.
type fixtureRow struct {
	state  lifecycle.State
	values string
}

const (
	live    = lifecycle.Active
	trashed = lifecycle.Trashed
	purged  = lifecycle.Purged
)

// shown tells whether a scope shows rows of a state.
func shown(s lifecycle.Scope, state lifecycle.State) bool {
	switch s {
	case lifecycle.Live:
		return state == live
	case lifecycle.OnlyTrashed:
		return state == trashed
	case lifecycle.WithTrashed:
		return state != purged
	}
	return true
}

type fixtureTable struct {
	name, columns string
	rows          []fixtureRow
}

// children are the rows of two tables, of which only child is in the catalog.
var children = []fixtureRow{
	{live, "10, 1, 'x', 5, '[1,2]', NULL"},
	{trashed, "11, 1, 'y', 7, '[3]', '2026-01-01 00:00:00'"},
	{live, "20, 2, 'x', 2, '[4]', NULL"},
	{trashed, "30, 3, 'z', 1, '[5]', '2026-01-02 00:00:00'"},
	{live, "40, NULL, 'n', 3, '[]', NULL"},
	{trashed, "41, NULL, 'm', 9, '[6]', '2026-01-03 00:00:00'"},
	{live, "60, 6, 'b', 4, '[7]', NULL"},
	{live, "61, 6, 'y', 6, '[8,9]', NULL"},
	{live, "70, 5, 'q', 8, '[0]', NULL"},
}

const childColumns = "id INTEGER PRIMARY KEY, pid INT, name VARCHAR(20), qty INT, data VARCHAR(60), deleted_at TIMESTAMP NULL"

// fixture is the tables of the cases. Parents 2, 5 and 7 are deleted, all children
// of 3 are, and 4 has none; the names are written in double quotes.
var fixture = []fixtureTable{
	{
		"parent", `id INTEGER PRIMARY KEY, name VARCHAR(20), boss INT, ver INT NOT NULL DEFAULT 0,
		is_deleted SMALLINT NOT NULL DEFAULT 0, deleted_at TIMESTAMP NULL`, []fixtureRow{
			{live, "1, 'a', NULL, 0, 0, NULL"},
			{trashed, "2, 'b', 1, 0, 0, '2026-01-01 00:00:00'"},
			{live, "3, 'c', 2, 0, 0, NULL"},
			{live, "4, 'd', NULL, 0, 0, NULL"},
			{purged, "5, 'b', 1, 0, 1, '2026-01-02 00:00:00'"},
			{live, "6, 'b', 1, 0, 0, NULL"},
			{trashed, "7, 'a', NULL, 0, 0, '2026-01-03 00:00:00'"},
		},
	},
	{"child", childColumns, children},
	{"every_child", childColumns, children},
	{
		"tag", "tag_id INTEGER PRIMARY KEY, name VARCHAR(20), is_deleted SMALLINT NOT NULL DEFAULT 0", []fixtureRow{
			{live, "1, 'a', 0"}, {trashed, "2, 'b', 1"}, {live, "3, 'b', 0"},
		},
	},
	{
		"link", "child_id INT, tag_id INT, weight INT, deleted_at TIMESTAMP NULL, PRIMARY KEY (child_id, tag_id)", []fixtureRow{
			{live, "10, 1, 1, NULL"},
			{trashed, "10, 3, 2, '2026-01-01 00:00:00'"},
			{live, "11, 1, 4, NULL"},
			{trashed, "60, 1, 8, '2026-01-01 00:00:00'"},
			{live, "60, 2, 16, NULL"},
			{live, "61, 3, 32, NULL"},
		},
	},
	{
		`"order"`, `id INTEGER PRIMARY KEY, "group" INT, child INT, total INT, "when" TIMESTAMP NULL`, []fixtureRow{
			{live, "1, 1, 10, 100, NULL"},
			{trashed, "2, 1, 10, 50, '2026-01-01 00:00:00'"},
			{live, "3, 2, 11, 70, NULL"},
			{trashed, "4, 2, 60, 30, '2026-01-01 00:00:00'"},
			{live, "5, 2, 61, 20, NULL"},
		},
	},
	{
		"login", "id INTEGER PRIMARY KEY, pid INT, deleted_at TIMESTAMP NULL", []fixtureRow{
			{live, "1, 1, NULL"}, {live, "2, 2, '2026-01-01 00:00:00'"}, {live, "3, 3, '2026-01-01 00:00:00'"}, {live, "5, 5, NULL"},
		},
	},
	{"staff", "id INTEGER PRIMARY KEY, pid INT", []fixtureRow{{live, "1, 1"}, {live, "2, 2"}}},
	{
		"note", "id INTEGER PRIMARY KEY, pid INT, name VARCHAR(20), is_deleted SMALLINT NOT NULL DEFAULT 0, deleted_at TIMESTAMP NULL", []fixtureRow{
			{live, "1, 1, 'a', 1, '2026-01-01 00:00:00'"}, {live, "2, 2, 'b', 0, NULL"}, {live, "3, 3, 'c', 1, NULL"},
		},
	},
}

// shows is what a side has of each table: the scope under the name in fixture, or the
// one under the empty name. Tables of the catalog without a life have all.
type shows map[string]lifecycle.Scope

func (s shows) of(table string) lifecycle.Scope {
	if table == "every_child" {
		return lifecycle.Everything
	}
	if scope, ok := s[table]; ok {
		return scope
	}
	switch table {
	case "login", "staff", "note":
		return lifecycle.Everything
	}
	return s[""]
}

// side is a database with the tables, full or without what is deleted.
type side struct {
	db     *sql.DB
	schema string
}

// bed is the two sides of a product.
type bed struct {
	d *guard.Dialect
	// mariadb tells MariaDB from MySQL.
	mariadb    bool
	full, twin side
	// shared says that several scenarios use it.
	shared bool
	// hidden are the rows that the twin lacks, as the full side writes them.
	hidden map[string][]string
}

var dialects = map[string]*guard.Dialect{"postgres": guard.Postgres, "mariadb": guard.MySQL, "sqlite": guard.SQLite}

// newBed makes the tables twice, of which the second has what the scopes show.
func newBed(t *testing.T, full *testdb.Database, s shows, params ...string) *bed {
	t.Helper()
	b := &bed{d: dialects[full.Name]}
	twin := another(t, full.Name, params...)
	b.full = b.newSide(t, full, shows{"": lifecycle.Everything})
	b.twin = b.newSide(t, twin, s)
	if b.d == guard.MySQL {
		if err := full.DB.QueryRowContext(t.Context(), "SELECT version() LIKE '%mariadb%'").Scan(&b.mariadb); err != nil {
			t.Fatal(err)
		}
	}
	all, less := b.full.tables(t, b.d, b.full.db), b.twin.tables(t, b.d, b.twin.db)
	b.hidden = map[string][]string{}
	for name := range all {
		b.hidden[name], _ = without(all[name], less[name])
	}
	return b
}

// another makes a second database of a product.
func another(t *testing.T, name string, params ...string) *testdb.Database {
	t.Helper()
	var d *testdb.Database
	switch name {
	case "postgres":
		d, _ = testdb.Postgres(t, params...)
	case "mariadb":
		d, _ = testdb.MySQL(t, params...)
	default:
		d = testdb.SQLite(t, params...)
	}
	return d
}

func (b *bed) newSide(t *testing.T, d *testdb.Database, s shows) side {
	t.Helper()
	run := func(text string) {
		if _, err := d.DB.ExecContext(t.Context(), quoted(b.d, text)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	for _, table := range fixture {
		run("CREATE TABLE " + table.name + " (" + table.columns + ")")
		var rows []string
		for _, row := range table.rows {
			if shown(s.of(table.name), row.state) {
				rows = append(rows, "("+row.values+")")
			}
		}
		if rows != nil {
			run("INSERT INTO " + table.name + " VALUES " + strings.Join(rows, ", "))
		}
	}
	made := side{d.DB, "main"}
	if ask := map[*guard.Dialect]string{guard.Postgres: "SELECT current_schema()", guard.MySQL: "SELECT database()"}[b.d]; ask != "" {
		if err := d.DB.QueryRowContext(t.Context(), ask).Scan(&made.schema); err != nil {
			t.Fatal(err)
		}
	}
	return made
}
