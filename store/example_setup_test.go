package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/sqlite"
)

// The examples share a service: reports in SQLite, each with an object.
var reports = &lifecycle.Table{
	Name:    "report",
	Objects: []lifecycle.ObjectRef{{Bucket: "reports", Key: "object_key"}},
}

// service opens it with n reports, on the first of March.
func service(n int) (*store.Store, *sql.DB, *lifecycletest.Clock) {
	ctx, clock := context.Background(), lifecycletest.NewClock(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	db, err := sql.Open("sqlite", "file::memory:?_txlock=immediate")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	st, err := store.New(lifecycle.MustCatalog(reports), sqlite.Dialect, &store.Options{Clock: clock})
	if err != nil {
		log.Fatal(err)
	}
	ddl, err := st.DDL(reports)
	if err != nil {
		log.Fatal(err)
	}
	columns := append([]string{"id INTEGER NOT NULL PRIMARY KEY", "object_key TEXT"}, ddl.Columns...)
	texts := append([]string{"CREATE TABLE report (" + strings.Join(columns, ", ") + ")"}, ddl.Indexes...)
	for i := range n {
		texts = append(texts, fmt.Sprintf("INSERT INTO report (id, object_key) VALUES (%d, 'r/%d')", i+1, i+1))
	}
	for _, text := range texts {
		if _, err := db.ExecContext(ctx, text); err != nil {
			log.Fatal(err)
		}
	}
	if err := st.Install(ctx, db); err != nil {
		log.Fatal(err)
	}
	return st, db, clock
}

// inTx runs fn in a transaction, as a handler does.
func inTx(db *sql.DB, fn func(ctx context.Context, tx *sql.Tx) error) {
	ctx := context.Background()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer tx.Rollback()
	if err := fn(ctx, tx); err != nil {
		log.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		log.Fatal(err)
	}
}
