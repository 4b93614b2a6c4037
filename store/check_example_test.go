package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	_ "modernc.org/sqlite"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/sqlite"
)

// A service checks its schema when it starts, and does not start on a fatal
// problem.
func ExampleStore_Check() {
	ctx := context.Background()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	if _, err := db.Exec("CREATE TABLE note (id INTEGER PRIMARY KEY, deleted_at TEXT, gone INTEGER)"); err != nil {
		fmt.Println(err)
		return
	}
	notes := &lifecycle.Table{Name: "note", Columns: lifecycle.Columns{
		DeletedAt: lifecycle.Column{Name: "deleted_at"},
		IsDeleted: lifecycle.Column{Name: "gone", As: lifecycle.Flag},
	}}
	st, err := store.New(lifecycle.MustCatalog(notes), sqlite.Dialect, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := st.Install(ctx, db); err != nil {
		fmt.Println(err)
		return
	}
	var schema *store.SchemaError
	if err := st.Check(ctx, db); errors.As(err, &schema) {
		fmt.Println("fatal:", schema.Fatal())
		for _, p := range schema.Problems {
			fmt.Printf("%s.%s: %s, %d statements mend it\n", p.Table, p.Column, p.Kind, len(p.Mend))
		}
	}
	// Output:
	// fatal: true
	// note.gone: nullability, 0 statements mend it
	// note.note_softdelete_window: missing index, 1 statements mend it
}
