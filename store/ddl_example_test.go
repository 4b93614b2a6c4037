package store_test

import (
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/postgres"
)

// A new table gets its columns and indexes with its first migration.
func ExampleStore_DDL() {
	notes := &lifecycle.Table{
		Name: "note",
		Columns: lifecycle.Columns{
			DeletedAt:  lifecycle.Column{Name: "deleted_at"},
			PurgeAfter: lifecycle.Column{Name: "purge_after"},
			IsDeleted:  lifecycle.Column{Name: "is_deleted", As: lifecycle.Flag},
		},
		Policy: lifecycle.Policy{Window: lifecycle.Never},
	}
	st, err := store.New(lifecycle.MustCatalog(notes), postgres.Dialect, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	ddl, err := st.DDL(notes)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("CREATE TABLE note (\n\tid bigint PRIMARY KEY,\n\ttext text NOT NULL")
	for _, column := range ddl.Columns {
		fmt.Println("\t, " + column)
	}
	fmt.Println(");")
	for _, index := range ddl.Indexes {
		fmt.Println(index + ";")
	}
	// Output:
	// CREATE TABLE note (
	// 	id bigint PRIMARY KEY,
	// 	text text NOT NULL
	// 	, "deleted_at" timestamptz
	// 	, "purge_after" timestamptz
	// 	, "is_deleted" smallint NOT NULL DEFAULT 0
	// );
	// CREATE INDEX "note_softdelete_due" ON "note" ("purge_after", "id") WHERE "deleted_at" IS NOT NULL AND "is_deleted" = 0;
}
