package guarddriver_test

import (
	"fmt"

	"github.com/jmoiron/sqlx"
	_ "modernc.org/sqlite" // driver "sqlite"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
	"github.com/softdelete-go/softdelete/store/guard/guarddriver"
)

func Example() {
	catalog := lifecycle.MustCatalog(&lifecycle.Table{
		Name: "documents", Kind: lifecycle.Asset, Key: []string{"id"},
		Columns: lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at", As: lifecycle.Timestamp}},
	})
	g, err := guard.New(catalog, guard.SQLite, nil)
	if err != nil {
		panic(err)
	}
	pool, err := guarddriver.Open("sqlite", "file:guarddriver?mode=memory&cache=shared", g) // in place of sql.Open
	if err != nil {
		panic(err)
	}
	defer pool.Close()
	db := sqlx.NewDb(pool, "sqlite")
	db.MustExec("CREATE TABLE documents (id INTEGER PRIMARY KEY, title TEXT, deleted_at TEXT)")
	db.MustExec("INSERT INTO documents VALUES (1, 'plan', NULL), (2, 'draft', '2026-01-01T00:00:00Z')")

	var titles []string
	if err := db.Select(&titles, "SELECT title FROM documents"); err != nil {
		panic(err)
	}
	_, err = db.Exec("DELETE FROM documents")
	fmt.Println(titles)
	fmt.Println(err)
	// Output:
	// [plan]
	// guard: at byte 12: documents: removes rows (use the store's Trash and Purge)
}
