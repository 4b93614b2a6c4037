package lifecycle_test

import (
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Each table says what deleting one of its rows means.
func ExampleNewCatalog() {
	folders := &lifecycle.Table{Name: "folder"}
	documents := &lifecycle.Table{
		Name:    "document",
		Policy:  lifecycle.Policy{Window: 30 * lifecycle.Day},
		Parents: []lifecycle.Parent{{Table: folders, Columns: []string{"folder_id"}}},
		Objects: []lifecycle.ObjectRef{{Bucket: "files", Key: "storage_key"}},
	}
	employees := &lifecycle.Table{Name: "employee", Kind: lifecycle.Status, Why: "set left_on instead"}
	failures := &lifecycle.Table{Name: "login_failure", Kind: lifecycle.Technical}

	catalog, err := lifecycle.NewCatalog(folders, documents, employees, failures)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, child := range catalog.Children(folders) {
		fmt.Println("a folder has children in", child.Table.Name)
	}
	fmt.Println(employees.Admit(lifecycle.Trash))
	fmt.Println(failures.Admit(lifecycle.Trash))
	// Output:
	// a folder has children in document
	// lifecycle: trash employee: this kind of table is not deleted so (set left_on instead)
	// lifecycle: trash login_failure: this kind of table is not deleted so (technical rows have no trash: use HardDelete)
}
