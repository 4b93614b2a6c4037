package fileobj_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/fileobj"
)

func Example() {
	dir, err := os.MkdirTemp("", "documents")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	bucket, err := fileobj.New(dir, &fileobj.Options{
		Create: true, Name: "documents", Versioning: objstore.Versioned,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer bucket.Close()

	ctx := context.Background()
	if _, err := bucket.Put(ctx, "in/a", strings.NewReader("bytes"), 5, nil); err != nil {
		log.Fatal(err)
	}
	// Without a version, a delete hides the key and frees nothing.
	if _, err := bucket.Delete(ctx, []objstore.ID{{Key: "in/a"}}); err != nil {
		log.Fatal(err)
	}
	for o, err := range bucket.Versions(ctx, "in/", nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(o.Key, o.DeleteMarker, o.Latest, o.Size)
	}
	// Output:
	// in/a true true 0
	// in/a false false 5
}
