package s3obj_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/objstore/s3obj"
)

func Example() {
	// In the place of a real store, one in memory that speaks its protocol.
	server, err := memobj.NewServer(nil)
	if err != nil {
		log.Fatal(err)
	}
	memory, err := memobj.New("documents", &memobj.Options{Versioning: objstore.Versioned})
	if err != nil {
		log.Fatal(err)
	}
	server.Add(memory)
	client := s3.New(s3.Options{
		BaseEndpoint: aws.String("http://store"),
		HTTPClient:   &http.Client{Transport: server.RoundTripper()},
		Region:       "us-east-1",
	})

	ctx := context.Background()
	bucket, err := s3obj.New(client, "documents", nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := bucket.Put(ctx, "in/a", strings.NewReader("bytes"), 5, nil); err != nil {
		log.Fatal(err)
	}
	// Without a version, a delete hides the key and frees nothing.
	results, err := bucket.Delete(ctx, []objstore.ID{{Key: "in/a"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("acknowledged:", results[0].Err == nil)
	for o, err := range bucket.Versions(ctx, "in/", nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(o.Key, "marker:", o.DeleteMarker, "latest:", o.Latest, "size:", o.Size)
	}
	// Output:
	// acknowledged: true
	// in/a marker: true latest: true size: 0
	// in/a marker: false latest: false size: 5
}
