package objstoretest_test

import (
	"context"
	"fmt"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/objstore/objstoretest"
)

// An operator asks a live bucket before a program is let loose on it. In this one
// nothing is found.
func ExampleCheck() {
	b, err := memobj.New("archive", &memobj.Options{Versioning: objstore.Versioned})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(objstoretest.Check(context.Background(), b))
	// Output: <nil>
}
