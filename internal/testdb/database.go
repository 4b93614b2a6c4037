package testdb

import (
	"database/sql"
	"testing"
)

// maxConns caps each pool. A server of the test bed accepts 300 connections,
// and several packages are tested at once.
const maxConns = 32

// Database is a fresh, empty database for one test, dropped afterwards.
type Database struct {
	// Name is "postgres", "mariadb" (MySQL too) or "sqlite".
	Name string

	// DSN opens the same database again, see [Open].
	DSN string

	// Driver is the name of the database/sql driver: "pgx", "mysql" or "sqlite".
	Driver string

	// DB is a pool of at most 32 connections, closed when the test ends.
	DB *sql.DB
}

// Each runs fn once for each configured database, as parallel subtests named
// after the databases. SQLite is always among them.
func Each(t *testing.T, fn func(t *testing.T, d *Database)) {
	t.Helper()
	run := func(name string, open func(testing.TB) (*Database, bool)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d, ok := open(t); ok {
				fn(t, d)
			}
		})
	}
	if _, ok := lookup(t, envPostgres); ok {
		run("postgres", func(tb testing.TB) (*Database, bool) { return Postgres(tb) })
	}
	if _, ok := lookup(t, envMySQL); ok {
		run("mariadb", func(tb testing.TB) (*Database, bool) { return MySQL(tb) })
	}
	run("sqlite", func(tb testing.TB) (*Database, bool) { return SQLite(tb), true })
}

// All returns one database of each configured kind, for benchmarks and for
// tests which want them side by side. SQLite is always the last of them.
func All(tb testing.TB) []*Database {
	tb.Helper()
	var all []*Database
	if d, ok := Postgres(tb); ok {
		all = append(all, d)
	}
	if d, ok := MySQL(tb); ok {
		all = append(all, d)
	}
	return append(all, SQLite(tb))
}

// Open returns another pool, closed when the test ends. It suits a second pool
// on [Database.DSN], and another driver if the test imports it.
func Open(tb testing.TB, driver, dsn string) *sql.DB {
	tb.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		tb.Fatalf("testdb: open %s: %v", driver, err)
	}
	// Equal limits: goroutines racing for connections shall not reconnect.
	db.SetMaxOpenConns(maxConns)
	db.SetMaxIdleConns(maxConns)
	tb.Cleanup(func() { db.Close() })
	return db
}
