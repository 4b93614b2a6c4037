package memobj_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

// A delete without a version frees nothing in a bucket with versioning: each
// version and each delete marker has to be deleted by its id.
func Example() {
	ctx := context.Background()
	b, err := memobj.New("archive", &memobj.Options{Versioning: objstore.Versioned})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, content := range []string{"draft", "final"} {
		if _, err := b.Put(ctx, "in/letter", strings.NewReader(content), 5, nil); err != nil {
			fmt.Println(err)
			return
		}
	}
	if _, err := b.Delete(ctx, []objstore.ID{{Key: "in/letter"}}); err != nil {
		fmt.Println(err)
		return
	}
	for o, err := range b.Versions(ctx, "in/", nil) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(o.Key, o.DeleteMarker, o.Latest, o.Size)
	}
	// Output:
	// in/letter true true 0
	// in/letter false false 5
	// in/letter false false 5
}
