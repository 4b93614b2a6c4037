package store_test

import (
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/postgres"
)

// A migration makes views for people who write their own SQL.
func ExampleStore_Views() {
	notes := &lifecycle.Table{Name: "note"}
	st, err := store.New(lifecycle.MustCatalog(notes), postgres.Dialect, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	views, err := st.Views(notes)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range views {
		for _, text := range v.Create {
			fmt.Println(text + ";")
		}
	}
	// Output:
	// CREATE OR REPLACE VIEW "live_note" WITH (security_invoker = true) AS SELECT * FROM "note" WHERE "deleted_at" IS NULL AND "is_deleted" = 0 WITH CASCADED CHECK OPTION;
	// CREATE OR REPLACE VIEW "trashed_note" WITH (security_invoker = true) AS SELECT * FROM "note" WHERE "deleted_at" IS NOT NULL AND "is_deleted" = 0 WITH CASCADED CHECK OPTION;
}
