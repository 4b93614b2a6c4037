package guard_test

import (
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
)

// A query with an outer join keeps the rows that have no match.
func Example() {
	catalog := lifecycle.MustCatalog(&lifecycle.Table{Name: "documents"}, &lifecycle.Table{Name: "folders"})
	g, err := guard.New(catalog, guard.Postgres, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := g.Rewrite(`SELECT d.title, f.name
FROM documents d
LEFT JOIN folders f ON f.id = d.folder_id
WHERE d.owner = $1 OR d.shared`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(text)
	// Output:
	// SELECT d.title, f.name
	// FROM documents d
	// LEFT JOIN folders f ON (f.id = d.folder_id) AND f."deleted_at" IS NULL AND f."is_deleted" = 0
	// WHERE (d.owner = $1 OR d.shared) AND d."deleted_at" IS NULL AND d."is_deleted" = 0
}
