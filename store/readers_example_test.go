package store_test

import (
	"context"
	"database/sql"
	"fmt"

	_ "modernc.org/sqlite"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/sqlite"
)

// A test pins what reads the tables inside the database: a view that somebody
// adds without the predicate is seen here, and by no guard.
func ExampleStore_Readers() {
	ctx := context.Background()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	notes := &lifecycle.Table{Name: "note"}
	st, err := store.New(lifecycle.MustCatalog(notes), sqlite.Dialect, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{
		"CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, deleted_at TEXT, is_deleted INTEGER NOT NULL DEFAULT 0)",
		"CREATE VIEW recent AS SELECT text FROM note ORDER BY id DESC LIMIT 10",
		"CREATE VIEW headline AS SELECT text FROM recent LIMIT 1",
	} {
		if _, err := db.ExecContext(ctx, text); err != nil {
			fmt.Println(err)
			return
		}
	}
	readers, err := st.Readers(ctx, db)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range readers {
		fmt.Println(r)
	}
	// Output:
	// view main.headline: its text names note
	// view main.recent: its text names note
}
