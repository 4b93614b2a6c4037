//go:build cgo

package guarddriver_test

import (
	"testing"

	_ "github.com/mattn/go-sqlite3" // driver "sqlite3"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/store/guard"
)

func init() {
	cgoProducts = append(cgoProducts, product{"mattn", guard.SQLite, func(tb testing.TB) (*testdb.Database, bool) {
		d := testdb.SQLite(tb)
		d.Driver, d.DB = "sqlite3", testdb.Open(tb, "sqlite3", d.DSN)
		return d, true
	}})
}
