package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/go-sql-driver/mysql" // driver "mysql"
	_ "github.com/jackc/pgx/v5/stdlib" // driver "pgx"
	_ "modernc.org/sqlite"             // driver "sqlite"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/mysql"
	"github.com/softdelete-go/softdelete/store/postgres"
	"github.com/softdelete-go/softdelete/store/sqlite"
)

// Files is the declaration: a table of user assets, each with one object. The
// undo window is the default, 30 days.
var Files = &lifecycle.Table{
	Name:    "quickstart_file",
	Objects: []lifecycle.ObjectRef{{Bucket: bucketName, Key: "object_key", Size: "size"}},
}

// bucketName is what rows call the bucket, whatever the store calls it.
const bucketName = "quickstart"

// calendar is a clock that is moved by days.
type calendar struct{ start, now time.Time }

func (c *calendar) Now() time.Time { return c.now }
func (c *calendar) day() int       { return int(c.now.Sub(c.start) / lifecycle.Day) }
func (c *calendar) goTo(day int)   { c.now = c.start.Add(time.Duration(day) * lifecycle.Day) }

// world is the database, the bucket and the clock of one run.
type world struct {
	out    *printer
	clock  *calendar
	db     *sql.DB
	st     *store.Store
	d      *store.Dialect
	bucket objstore.Bucket
	where  string // for people
	ours   bool   // the bucket goes by our clock
	undo   []func() error
}

func open(ctx context.Context, s settings, out *printer) (*world, error) {
	w := &world{out: out, clock: newCalendar(s)}
	err := w.openDatabase(ctx, s.dsn)
	if err == nil {
		err = w.openBucket(ctx, s.s3)
	}
	if err == nil {
		err = w.createTables(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, w.close(false))
	}
	return w, nil
}

// newCalendar starts on a fixed day, so that every run prints the same. A real
// object store has a clock of its own, and then the present is the start.
func newCalendar(s settings) *calendar {
	start := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	if s.s3 != "" {
		start = systemNow()
	}
	return &calendar{start: start, now: start}
}

func (w *world) close(keep bool) error {
	var errs []error
	for i := len(w.undo) - 1; i >= 0; i-- {
		if !keep {
			errs = append(errs, w.undo[i]())
		}
	}
	if w.db != nil {
		errs = append(errs, w.db.Close())
	}
	return errors.Join(errs...)
}

func (w *world) openDatabase(ctx context.Context, dsn string) error {
	driver := ""
	switch {
	case dsn == "":
		dir, err := os.MkdirTemp("", "softdelete-quickstart-")
		if err != nil {
			return err
		}
		w.undo = append(w.undo, func() error { return os.RemoveAll(dir) })
		driver, w.d, w.where = "sqlite", sqlite.Dialect, "SQLite"
		dsn = "file:" + filepath.ToSlash(filepath.Join(dir, "quickstart.db")) + "?_txlock=immediate&_busy_timeout=5000&_journal_mode=WAL&_synchronous=NORMAL"
	case strings.HasPrefix(dsn, "postgres://"), strings.HasPrefix(dsn, "postgresql://"):
		driver, w.d, w.where = "pgx", postgres.Dialect, "PostgreSQL"
	default:
		driver, w.d, w.where = "mysql", mysql.Dialect, "MySQL"
	}
	var err error
	if w.db, err = sql.Open(driver, dsn); err != nil {
		return err
	}
	if err := w.db.PingContext(ctx); err != nil {
		return fmt.Errorf("-dsn: %w", err)
	}
	w.st, err = store.New(lifecycle.MustCatalog(Files), w.d, &store.Options{Clock: w.clock, Prefix: "quickstart_sd_", Batch: 512})
	return err
}

// createTables makes the service's table with the columns of its life, and the
// store's own tables, and then checks both as a service should when it starts.
func (w *world) createTables(ctx context.Context) error {
	ddl, err := w.st.DDL(Files)
	if err != nil {
		return err
	}
	key := "VARCHAR(255)"
	if w.d == mysql.Dialect {
		key = "VARBINARY(255)"
	}
	columns := append([]string{"id BIGINT NOT NULL PRIMARY KEY", "name TEXT NOT NULL", "object_key " + key + " NOT NULL", "size BIGINT NOT NULL"}, ddl.Columns...)
	texts := append([]string{"CREATE TABLE quickstart_file (" + strings.Join(columns, ", ") + ")"}, ddl.Indexes...)
	for _, text := range texts {
		if _, err := w.db.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("create the tables (is another quickstart at work, or was one left with -keep?): %w", err)
		}
	}
	w.undo = append(w.undo, w.dropTables)
	if err := w.st.Install(ctx, w.db); err != nil {
		return err
	}
	return w.st.Check(ctx, w.db)
}

func (w *world) dropTables() error {
	var errs []error
	for _, name := range []string{"file", "sd_op", "sd_audit", "sd_object", "sd_waiting", "sd_attempt"} {
		_, err := w.db.Exec("DROP TABLE IF EXISTS quickstart_" + name)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// in runs fn in a transaction, as a request handler does.
func (w *world) in(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}
