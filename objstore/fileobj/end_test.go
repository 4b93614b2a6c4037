package fileobj

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/objstore"
)

// everyCall returns what each call says, by its name.
func everyCall(ctx context.Context, b *Bucket) map[string]error {
	id := objstore.ID{Key: "k"}
	_, put := b.Put(ctx, "k", strings.NewReader(""), 0, nil)
	_, head := b.Head(ctx, id)
	_, open := b.Open(ctx, id)
	results, remove := b.Delete(ctx, []objstore.ID{id})
	if len(results) > 0 {
		remove = results[0].Err
	}
	_, versioning := b.Versioning(ctx)
	all := map[string]error{
		"Put": put, "Head": head, "Open": open, "Delete": remove, "Versioning": versioning,
		"SetVersioning": b.SetVersioning(ctx, objstore.Versioned),
	}
	for _, err := range b.Objects(ctx, "", nil) {
		all["Objects"] = err
	}
	for _, err := range b.Versions(ctx, "", nil) {
		all["Versions"] = err
	}
	return all
}

// TestCallsEnd: with the context, and with the bucket. Neither makes an object
// missing.
func TestCallsEnd(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		end  func(*Bucket, context.CancelFunc) error
		want error
	}{
		{name: "context", end: func(_ *Bucket, cancel context.CancelFunc) error { cancel(); return nil }, want: context.Canceled},
		{name: "bucket", end: func(b *Bucket, _ context.CancelFunc) error { return b.Close() }, want: fs.ErrClosed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b, err := open(t.TempDir(), Options{Create: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			put(t, b, "k", "bytes")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if err := test.end(b, cancel); err != nil {
				t.Fatal(err)
			}
			for name, err := range everyCall(ctx, b) {
				if !errors.Is(err, test.want) || errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: %v, want %v", name, err, test.want)
				}
			}
		})
	}
}

func TestListingsRefusePages(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Unversioned)
	for _, page := range []int{-1, maxPage + 1} {
		for _, err := range b.Objects(t.Context(), "", &objstore.ListOptions{Page: page}) {
			if !errors.Is(err, objstore.ErrInvalid) {
				t.Errorf("a page of %d: %v", page, err)
			}
		}
	}
}

func TestBreakingOutEndsTheListing(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Versioned)
	put(t, b, "in/a", "1")
	put(t, b, "in/a", "2")
	put(t, b, "in/b", "1")
	for range b.Versions(t.Context(), "", nil) {
		break
	}
	for range b.Objects(t.Context(), "", nil) {
		break
	}
}
