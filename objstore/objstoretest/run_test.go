package objstoretest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/objstore/objstoretest"
)

// odd is a bucket with the differences that Features knows, all at once.
type odd struct{ *memobj.Bucket }

func (b odd) check(key string) error {
	for _, segment := range strings.Split(strings.TrimSuffix(key, "/"), "/") {
		if segment == "" || segment == "." || segment == ".." || len(segment) > 255 {
			return fmt.Errorf("segment %q: %w", segment, objstore.ErrInvalid)
		}
	}
	return nil
}

func (b odd) Put(ctx context.Context, key string, body io.Reader, size int64, _ *objstore.PutOptions) (objstore.Object, error) {
	if err := b.check(key); err != nil {
		return objstore.Object{}, err
	}
	return b.Bucket.Put(ctx, key, body, size, nil)
}

func (b odd) Head(ctx context.Context, id objstore.ID) (objstore.Object, error) {
	if err := b.check(id.Key); err != nil {
		return objstore.Object{}, err
	}
	if strings.HasSuffix(id.Key, "/") {
		return objstore.Object{Key: id.Key, Latest: true}, nil // a folder
	}
	return b.Bucket.Head(ctx, id)
}

func (b odd) Open(ctx context.Context, id objstore.ID) (io.ReadCloser, error) {
	if err := b.check(id.Key); err != nil {
		return nil, err
	}
	return b.Bucket.Open(ctx, id)
}

func (b odd) Delete(ctx context.Context, ids []objstore.ID) ([]objstore.DeleteResult, error) {
	results, err := b.Bucket.Delete(ctx, slices.DeleteFunc(slices.Clone(ids), func(id objstore.ID) bool {
		return id.Key != "" && b.check(id.Key) != nil
	}))
	for i, id := range ids {
		if refused := b.check(id.Key); err == nil && refused != nil {
			results = slices.Insert(results, i, objstore.DeleteResult{ID: id, Err: refused})
		}
	}
	return results, err
}

// Objects is out of order where there are versions.
func (b odd) Objects(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	all := b.raw(b.Bucket.Objects(ctx, prefix, opts))
	if v, err := b.Versioning(ctx); err == nil && v.Status != objstore.Unversioned {
		return gathered(func(all []objstore.Object) []objstore.Object { slices.Reverse(all); return all })(all)
	}
	return all
}

// Versions has the delete markers of a key behind its versions, save the latest.
func (b odd) Versions(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return b.raw(gathered(func(all []objstore.Object) []objstore.Object {
		slices.SortStableFunc(all, func(x, y objstore.Object) int {
			return compare(x.Key, y.Key, x.Latest, y.Latest, !x.DeleteMarker, !y.DeleteMarker)
		})
		return all
	})(b.Bucket.Versions(ctx, prefix, opts)))
}

// compare orders by key, and then by what is set.
func compare(x, y string, first ...bool) int {
	if c := strings.Compare(x, y); c != 0 {
		return c
	}
	for pair := range slices.Chunk(first, 2) {
		switch {
		case pair[0] && !pair[1]:
			return -1
		case pair[1] && !pair[0]:
			return 1
		}
	}
	return 0
}

// raw breaks off at a key that XML cannot hold.
func (b odd) raw(all iter.Seq2[objstore.Object, error]) iter.Seq2[objstore.Object, error] {
	return func(yield func(objstore.Object, error) bool) {
		for o, err := range all {
			if err == nil && !objstore.XMLSafe(o.Key) {
				o, err = objstore.Object{}, objstore.ErrIncomplete
			}
			if !yield(o, err) || err != nil {
				return
			}
		}
	}
}

// TestRunDifferences: with its features named, a product with every difference
// passes.
func TestRunDifferences(t *testing.T) {
	t.Parallel()
	objstoretest.Run(t, func(t *testing.T) objstore.Bucket { return odd{open(t, nil)} }, objstoretest.Features{
		SetVersioning: func(ctx context.Context, b objstore.Bucket, status objstore.VersioningStatus) error {
			return b.(odd).SetVersioning(ctx, status)
		},
		Unconditional: true, NoEmptySegments: true, Folders: true, ShortNames: true,
		RawListings: true, MarkersApart: true, UnorderedObjects: true, Unsuspendable: true,
	})
}

// opaque is a bucket whose answer for a missing key cannot always be read.
type opaque struct{ *memobj.Bucket }

func (b opaque) Head(ctx context.Context, id objstore.ID) (objstore.Object, error) {
	o, err := b.Bucket.Head(ctx, id)
	return o, garble(id, err)
}

func (b opaque) Open(ctx context.Context, id objstore.ID) (io.ReadCloser, error) {
	r, err := b.Bucket.Open(ctx, id)
	return r, garble(id, err)
}

func garble(id objstore.ID, err error) error {
	if err != nil && !objstore.XMLSafe(id.Key) {
		return errors.New("no XML")
	}
	return err
}

func TestRunOpaque(t *testing.T) {
	t.Parallel()
	objstoretest.Run(t, func(t *testing.T) objstore.Bucket { return opaque{open(t, nil)} }, objstoretest.Features{OpaqueMissing: true})
}
