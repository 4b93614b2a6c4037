package testdb

import (
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// count is the number of tables which the test's own session sees.
var count = map[string]string{
	"postgres": "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()",
	"mariadb":  "SELECT count(*) FROM information_schema.tables WHERE table_schema = database()",
	"sqlite":   "SELECT count(*) FROM sqlite_master WHERE type = 'table'",
}

func TestEachIsPrivateAndReopens(t *testing.T) {
	// Three tests create the same table side by side.
	for range 3 {
		Each(t, func(t *testing.T, d *Database) {
			if n := scan[int](t, d.DB, count[d.Name]); n != 0 {
				t.Fatalf("a fresh database has %d tables", n)
			}
			exec(t, d.DB, "CREATE TABLE doc (id BIGINT PRIMARY KEY)")
			exec(t, d.DB, "INSERT INTO doc VALUES (1)")
			again := Open(t, d.Driver, d.DSN)
			if n := scan[int](t, again, "SELECT count(*) FROM doc"); n != 1 {
				t.Errorf("the second pool sees %d rows, want 1", n)
			}
		})
	}
}

func TestAllMatchesEach(t *testing.T) {
	var mu sync.Mutex
	each := map[string]bool{}
	t.Run("each", func(t *testing.T) {
		Each(t, func(t *testing.T, d *Database) {
			mu.Lock()
			defer mu.Unlock()
			each[d.Name] = true
		})
	})
	all := All(t)
	for _, d := range all {
		if !each[d.Name] {
			t.Errorf("Each left out %s", d.Name)
		}
	}
	if len(all) != len(each) || all[len(all)-1].Name != "sqlite" {
		t.Errorf("All returned %d databases, Each ran %d", len(all), len(each))
	}
}

// TestDropped leaves a transaction open in a pool that outlives the database.
func TestDropped(t *testing.T) {
	var dropped []*Database
	t.Run("use", func(t *testing.T) {
		for _, d := range All(t) {
			if d.Name == "sqlite" {
				continue // its directory is the testing package's
			}
			dropped = append(dropped, d)
			exec(t, d.DB, "CREATE TABLE doc (id BIGINT PRIMARY KEY)")
			leak := Open(outliving{t}, d.Driver, d.DSN)
			tx, err := leak.Begin()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec("INSERT INTO doc VALUES (1)"); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, d := range dropped {
		server := Open(t, d.Driver, lookupServer(t, d))
		query := fmt.Sprintf("SELECT count(*) FROM information_schema.schemata WHERE schema_name = '%s'", nameOf(t, d))
		if n := scan[int](t, server, query); n != 0 {
			t.Errorf("%s: %s is still there", d.Name, nameOf(t, d))
		}
	}
}

// outliving is a test whose cleanups never run.
type outliving struct{ testing.TB }

func (outliving) Cleanup(func()) {}

func TestRaceForConnections(t *testing.T) {
	Each(t, func(t *testing.T, d *Database) {
		exec(t, d.DB, "CREATE TABLE counter (n BIGINT)")
		exec(t, d.DB, "INSERT INTO counter VALUES (0)")
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				if _, err := d.DB.Exec("UPDATE counter SET n = n + 1"); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := scan[int](t, d.DB, "SELECT n FROM counter"); n != 64 {
			t.Errorf("64 updates count %d", n)
		}
	})
}

func TestParams(t *testing.T) {
	if d, ok := Postgres(t, "TimeZone=Asia/Tokyo"); ok {
		if got := scan[string](t, d.DB, "SHOW TimeZone"); got != "Asia/Tokyo" {
			t.Errorf("postgres: time zone %s", got)
		}
	}
	if d, ok := MySQL(t, "parseTime=true", "time_zone='+09:00'", "clientFoundRows=true"); ok {
		if got := scan[string](t, d.DB, "SELECT @@session.time_zone"); got != "+09:00" {
			t.Errorf("mariadb: time zone %s", got)
		}
		if _, ok := scan[any](t, d.DB, "SELECT TIMESTAMP '2026-11-29 10:00:00'").(interface{ IsZero() bool }); !ok {
			t.Error("mariadb: parseTime had no effect")
		}
	}
	if d := SQLite(t); !strings.Contains(d.DSN, "_txlock=immediate") {
		t.Errorf("sqlite: no immediate lock in %s", d.DSN)
	}
	if d := SQLite(t, "_txlock=deferred", "_foreign_keys=0"); !twoTransactions(t, d.DB) {
		t.Error("sqlite: a deferred transaction took the write lock")
	} else if scan[int](t, d.DB, "PRAGMA foreign_keys") != 0 {
		t.Error("sqlite: foreign keys are still on")
	}
}

func TestSQLiteDefaults(t *testing.T) {
	checkSQLiteDefaults(t, SQLite(t).DB)
}

// checkSQLiteDefaults checks what the DSN asks for in a session of the pool.
func checkSQLiteDefaults(t *testing.T, db *sql.DB) {
	t.Helper()
	for pragma, want := range map[string]string{"journal_mode": "wal", "busy_timeout": "10000", "foreign_keys": "1"} {
		if got := scan[string](t, db, "PRAGMA "+pragma); got != want {
			t.Errorf("%s is %s, want %s", pragma, got, want)
		}
	}
}

// TestMissingServer pins that CI can't run less than it says.
func TestMissingServer(t *testing.T) {
	tests := []struct {
		name     string
		variable string
		open     func(testing.TB) bool
	}{
		{"postgres", envPostgres, func(tb testing.TB) bool { _, ok := Postgres(tb); return ok }},
		{"mysql", envMySQL, func(tb testing.TB) bool { _, ok := MySQL(tb); return ok }},
		{"redis", envRedis, func(tb testing.TB) bool { _, ok := RedisAddr(tb); return ok }},
		{"bucket", envS3Endpoint, func(tb testing.TB) bool { _, ok := S3(tb); return ok }},
		{"client", envS3Endpoint, func(tb testing.TB) bool { _, ok := S3Client(tb); return ok }},
		{"all", envPostgres, func(tb testing.TB) bool { return len(All(tb)) > 1 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			noServers(t)
			if tt.open(t) {
				t.Error("there is a server without its variable")
			}
			t.Setenv(envTestbed, "full")
			if message := fatal(t, func(tb testing.TB) { tt.open(tb) }); !strings.Contains(message, tt.variable) {
				t.Errorf("a missing server failed with %q, want %s", message, tt.variable)
			}
		})
	}
}

// TestEachWithoutServers runs SQLite alone, and nothing is skipped.
func TestEachWithoutServers(t *testing.T) {
	noServers(t)
	var names []string
	t.Run("each", func(t *testing.T) {
		Each(t, func(t *testing.T, d *Database) { names = append(names, d.Name) })
	})
	if len(names) != 1 || names[0] != "sqlite" {
		t.Errorf("Each ran %v", names)
	}
}

// noServers empties the variables.
func noServers(t *testing.T) {
	t.Helper()
	for _, variable := range []string{envPostgres, envMySQL, envRedis, envS3Endpoint, envTestbed} {
		t.Setenv(variable, "")
	}
}

// fatal returns the message with which fn ends its test.
func fatal(t *testing.T, fn func(testing.TB)) string {
	t.Helper()
	tb := &failing{TB: t}
	func() {
		defer func() { recover() }()
		fn(tb)
	}()
	return tb.message
}

// failing is a test which records its failure and panics instead of ending.
type failing struct {
	testing.TB
	message string
}

func (f *failing) Fatalf(format string, args ...any) {
	f.message = fmt.Sprintf(format, args...)
	panic(f.message)
}

// twoTransactions reports whether two transactions may be open at once.
func twoTransactions(t *testing.T, db *sql.DB) bool {
	t.Helper()
	exec(t, db, "PRAGMA busy_timeout(0)")
	first, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer first.Rollback()
	second, err := db.Begin()
	if err != nil {
		return false
	}
	return second.Rollback() == nil
}

// nameOf returns the name of the database within its server.
func nameOf(t *testing.T, d *Database) string {
	t.Helper()
	u, err := url.Parse(d.DSN)
	if err == nil && u.Query().Has("search_path") {
		return u.Query().Get("search_path")
	}
	_, name, _ := strings.Cut(d.DSN, "/")
	name, _, _ = strings.Cut(name, "?")
	return name
}

// lookupServer returns the DSN of the server the database is on.
func lookupServer(t *testing.T, d *Database) string {
	t.Helper()
	dsn, _ := lookup(t, map[string]string{"postgres": envPostgres, "mariadb": envMySQL}[d.Name])
	return dsn
}

func exec(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.Exec(query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

func scan[T any](t *testing.T, db *sql.DB, query string) T {
	t.Helper()
	var value T
	if err := db.QueryRow(query).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}
