//go:build cgo

package testdb

import (
	"testing"

	_ "github.com/mattn/go-sqlite3" // driver "sqlite3"
)

func TestSQLiteDSNSuitsMattn(t *testing.T) {
	d := SQLite(t)
	exec(t, d.DB, "CREATE TABLE doc (id INTEGER PRIMARY KEY)")
	again := Open(t, "sqlite3", d.DSN)
	checkSQLiteDefaults(t, again)
	exec(t, again, "INSERT INTO doc VALUES (1)")
}
