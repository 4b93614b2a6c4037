//go:build cgo

package dberr_test

import (
	"testing"

	_ "github.com/mattn/go-sqlite3" // driver "sqlite3"

	"github.com/softdelete-go/softdelete/internal/testdb"
)

func TestMattn(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, "sqlite3", testdb.SQLite(t).DSN)
	wantNumber(t, twice(t, db, "doc"), 1555, "ExtendedCode", "Code")
}
