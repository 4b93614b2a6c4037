package lifecycle_test

import (
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// A forgotten id is an error before it is a query.
func ExampleKey_Normal() {
	var id int64
	_, err := lifecycle.Key{id}.Normal()
	fmt.Println(err)

	key, err := lifecycle.Key{"tenant-7", uint32(42)}.Normal()
	fmt.Println(key, err)
	// Output:
	// invalid: the key is zero
	// ["tenant-7",42] <nil>
}
