package peers

import (
	"context"
	"crypto/rand"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glebarez/sqlite" // and the driver "sqlite", without cgo
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"github.com/uptrace/bun/schema"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// databases returns SQLite, and PostgreSQL where a server is configured.
func databases(tb testing.TB) []*database {
	tb.Helper()
	all := []*database{openSQLite(tb)}
	if server := os.Getenv("SOFTDELETE_POSTGRES_DSN"); server != "" {
		all = append(all, openPostgres(tb, server))
	}
	return all
}

func openSQLite(tb testing.TB) *database {
	tb.Helper()
	dsn := "file:" + filepath.ToSlash(filepath.Join(tb.TempDir(), "peers.db")) +
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)"
	db := open(tb, "sqlite", dsn)
	return with(tb, &database{name: "sqlite", db: db}, sqlite.Dialector{Conn: db}, sqlitedialect.New())
}

// openPostgres returns a database with a schema of its own.
func openPostgres(tb testing.TB, server string) *database {
	tb.Helper()
	name := "softdelete_peers_" + strings.ToLower(rand.Text()[:16])
	admin := open(tb, "pgx", server)
	if _, err := admin.Exec("CREATE SCHEMA " + name); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if _, err := admin.ExecContext(context.Background(), "DROP SCHEMA "+name+" CASCADE"); err != nil {
			tb.Error(err)
		}
	})
	u, err := url.Parse(server)
	if err != nil {
		tb.Fatal(err)
	}
	query := u.Query()
	query.Set("search_path", name)
	u.RawQuery = query.Encode()
	db := open(tb, "pgx", u.String())
	return with(tb, &database{name: "postgres", db: db, dollar: true}, postgres.New(postgres.Config{Conn: db}), pgdialect.New())
}

func open(tb testing.TB, driver, dsn string) *sql.DB {
	tb.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		tb.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	tb.Cleanup(func() { db.Close() })
	return db
}

// with gives the pool to the libraries.
func with(tb testing.TB, d *database, dialector gorm.Dialector, dialect schema.Dialect) *database {
	tb.Helper()
	var err error
	d.gorm, err = gorm.Open(dialector, &gorm.Config{Logger: logger.Discard})
	if err != nil {
		tb.Fatal(err)
	}
	d.bun = bun.NewDB(d.db, dialect)
	return d
}
