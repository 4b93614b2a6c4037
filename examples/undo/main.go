package main

import (
	"context"
	"database/sql"
	"fmt"
	"log"

	_ "modernc.org/sqlite" // or pgx, lib/pq, go-sql-driver/mysql, …

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/sqlite"
)

var Documents = &lifecycle.Table{
	Name:   "document",
	Policy: lifecycle.Policy{Window: 30 * lifecycle.Day},
}

func main() {
	ctx := context.Background()
	db, err := sql.Open("sqlite", "file::memory:?cache=shared&_txlock=immediate")
	check(err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	st, err := store.New(lifecycle.MustCatalog(Documents), sqlite.Dialect, nil)
	check(err)
	check(createTables(ctx, db, st))

	user := lifecycle.Cause{By: "user:42", Why: "clean-up"}
	tx, err := db.BeginTx(ctx, nil)
	check(err)
	defer tx.Rollback()
	trashed, err := st.Trash(ctx, tx, Documents.Row(1), user)
	check(err)
	restored, err := st.Restore(ctx, tx, Documents.Row(1), user)
	check(err)
	_, err = st.Purge(ctx, tx, Documents.Row(1), user) // it is not in the trash
	check(tx.Commit())

	fmt.Println(trashed.Outcome, restored.Outcome)
	fmt.Println(lifecycle.HTTPStatus(err), err)
}

// createTables makes the service's table, with the columns that the life needs,
// and the library's own.
func createTables(ctx context.Context, db *sql.DB, st *store.Store) error {
	ddl, err := st.DDL(Documents)
	if err != nil {
		return err
	}
	text := "CREATE TABLE document (id INTEGER NOT NULL PRIMARY KEY, title TEXT NOT NULL"
	for _, column := range ddl.Columns {
		text += ", " + column
	}
	for _, text := range append([]string{text + ")", "INSERT INTO document (id, title) VALUES (1, 'A title')"}, ddl.Indexes...) {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	if err := st.Install(ctx, db); err != nil {
		return err
	}
	return st.Check(ctx, db) // every service does this when it starts
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
