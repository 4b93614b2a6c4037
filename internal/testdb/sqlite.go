package testdb

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // driver "sqlite"
)

// SQLite returns a fresh SQLite database: a file in the test's temporary
// directory, in WAL mode, with foreign keys on, a busy timeout of ten seconds,
// and transactions which take the write lock when they begin. It never waits for
// the disk: a test's data need not survive the machine. Params are those
// of modernc.org/sqlite in the form name=value, unescaped, and replace the
// defaults, as "_txlock=deferred" or "_foreign_keys=0" do. The DSN means the
// same to github.com/mattn/go-sqlite3.
func SQLite(tb testing.TB, params ...string) *Database {
	tb.Helper()
	query := url.Values{
		"_busy_timeout": {"10000"},
		"_foreign_keys": {"1"},
		"_journal_mode": {"WAL"},
		"_synchronous":  {"OFF"},
		"_txlock":       {"immediate"},
	}
	for _, param := range params {
		name, value, _ := strings.Cut(param, "=")
		query.Set(name, value)
	}
	// The name of the directory contains the test's, with its # and spaces.
	path := url.URL{Path: filepath.Join(tb.TempDir(), "test.db")}
	dsn := "file:" + path.EscapedPath() + "?" + query.Encode()
	return &Database{Name: "sqlite", DSN: dsn, Driver: "sqlite", DB: Open(tb, "sqlite", dsn)}
}
