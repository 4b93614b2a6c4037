package retention_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/retention"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/sqlite"
)

func Example() {
	ctx := context.Background()
	notes := &lifecycle.Table{Name: "note", Policy: lifecycle.Policy{Window: 7 * lifecycle.Day}}
	clock := lifecycletest.NewClock(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	st, err := store.New(lifecycle.MustCatalog(notes), sqlite.Dialect, &store.Options{Clock: clock})
	if err != nil {
		log.Fatal(err)
	}
	db := openNotes(ctx, st, notes)
	defer db.Close()

	pass, err := retention.New(st, db, nil)
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		plan, err := pass.Plan(ctx)
		if err != nil {
			log.Fatal(err)
		}
		report, err := pass.Run(ctx)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(clock.Now().Format("2 January:"), "due", plan.Tables[0].Rows, "purged", report.Purged())
		clock.Advance(7 * lifecycle.Day)
	}
	// Output:
	// 1 March: due 0 purged 0
	// 8 March: due 3 purged 3
}

// openNotes makes a table with five notes, three of them in the trash.
func openNotes(ctx context.Context, st *store.Store, notes *lifecycle.Table) *sql.DB {
	db, err := sql.Open("sqlite", "file::memory:?_txlock=immediate")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	ddl, err := st.DDL(notes)
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range append([]string{
		"CREATE TABLE note (id INTEGER NOT NULL PRIMARY KEY, " + strings.Join(ddl.Columns, ", ") + ")",
		"INSERT INTO note (id) VALUES (1), (2), (3), (4), (5)",
	}, ddl.Indexes...) {
		if _, err := db.ExecContext(ctx, text); err != nil {
			log.Fatal(err)
		}
	}
	if err := st.Install(ctx, db); err != nil {
		log.Fatal(err)
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := st.TrashAll(ctx, tx, notes.Rows(lifecycle.Keys(1, 2, 3)...), lifecycle.Cause{By: "user:42"}); err != nil {
		log.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		log.Fatal(err)
	}
	return db
}
