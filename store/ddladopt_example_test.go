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

// A table that has been in use for years, with a deleted_at of its own, is
// adopted as it is: only what is missing is added.
func ExampleStore_Adopt() {
	ctx := context.Background()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	if _, err := db.Exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, total INTEGER, deleted_at TEXT)"); err != nil {
		fmt.Println(err)
		return
	}
	orders := &lifecycle.Table{Name: "orders", Columns: lifecycle.Columns{
		DeletedAt:  lifecycle.Column{Name: "deleted_at"},
		PurgeAfter: lifecycle.Column{Name: "purge_after"},
	}}
	st, err := store.New(lifecycle.MustCatalog(orders), sqlite.Dialect, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	statements, err := st.Adopt(ctx, db, orders)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range statements {
		fmt.Println(text)
		if _, err := db.Exec(text); err != nil {
			fmt.Println(err)
		}
	}
	statements, err = st.Adopt(ctx, db, orders)
	fmt.Println(len(statements), err)
	// Output:
	// ALTER TABLE `orders` ADD COLUMN `purge_after` TEXT
	// CREATE INDEX `orders_softdelete_due` ON `orders` (`purge_after`, `id`) WHERE `deleted_at` IS NOT NULL
	// CREATE INDEX `orders_softdelete_window` ON `orders` (`deleted_at`, `id`) WHERE `deleted_at` IS NOT NULL AND `purge_after` IS NULL
	// 0 <nil>
}
