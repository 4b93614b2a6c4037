//go:build cgo

package store_test

import (
	"testing"

	_ "github.com/mattn/go-sqlite3" // driver "sqlite3"

	"github.com/softdelete-go/softdelete/internal/testdb"
)

func init() {
	cgoVariants = append(cgoVariants, variant{"sqlite by mattn", func(tb testing.TB) (*testdb.Database, bool) {
		d := testdb.SQLite(tb)
		d.Driver, d.DB = "sqlite3", testdb.Open(tb, "sqlite3", d.DSN)
		return d, true
	}})
}
