package objstoretest

import (
	"context"
	"io"
	"iter"
	"strings"

	"github.com/softdelete-go/softdelete/objstore"
)

// view is a bucket's part under a prefix, as a bucket of its own.
type view struct {
	bucket objstore.Bucket
	prefix string
}

var (
	_ objstore.Bucket     = view{}
	_ objstore.Versioner  = view{}
	_ objstore.LockReader = view{}
)

// in and out translate keys. The empty key stays empty, because the bucket must
// be seen to refuse it.
func (v view) in(key string) string {
	if key == "" {
		return ""
	}
	return v.prefix + key
}

func (v view) out(key string) string { return strings.TrimPrefix(key, v.prefix) }

func (v view) id(id objstore.ID) objstore.ID {
	return objstore.ID{Key: v.in(id.Key), Version: id.Version}
}

func (v view) object(o objstore.Object) objstore.Object {
	o.Key = v.out(o.Key)
	return o
}

func (v view) Name() string { return v.bucket.Name() }

func (v view) Objects(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return v.listing(v.bucket.Objects(ctx, v.prefix+prefix, v.options(opts)))
}

func (v view) Versions(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return v.listing(v.bucket.Versions(ctx, v.prefix+prefix, v.options(opts)))
}

func (v view) options(opts *objstore.ListOptions) *objstore.ListOptions {
	if opts == nil {
		return nil
	}
	return &objstore.ListOptions{After: v.in(opts.After), Page: opts.Page}
}

func (v view) listing(seq iter.Seq2[objstore.Object, error]) iter.Seq2[objstore.Object, error] {
	return func(yield func(objstore.Object, error) bool) {
		seq(func(o objstore.Object, err error) bool { return yield(v.object(o), err) })
	}
}

func (v view) Head(ctx context.Context, id objstore.ID) (objstore.Object, error) {
	o, err := v.bucket.Head(ctx, v.id(id))
	return v.object(o), err
}

func (v view) Open(ctx context.Context, id objstore.ID) (io.ReadCloser, error) {
	return v.bucket.Open(ctx, v.id(id))
}

func (v view) Put(ctx context.Context, key string, body io.Reader, size int64, opts *objstore.PutOptions) (objstore.Object, error) {
	o, err := v.bucket.Put(ctx, v.in(key), body, size, opts)
	return v.object(o), err
}

func (v view) Delete(ctx context.Context, ids []objstore.ID) ([]objstore.DeleteResult, error) {
	in := make([]objstore.ID, len(ids))
	for i, id := range ids {
		in[i] = v.id(id)
	}
	results, err := v.bucket.Delete(ctx, in)
	out := make([]objstore.DeleteResult, len(results))
	for i, r := range results {
		out[i] = r
		out[i].Key = v.out(r.Key)
	}
	return out, err
}

func (v view) Versioning(ctx context.Context) (objstore.Versioning, error) {
	return objstore.VersioningOf(ctx, v.bucket)
}

func (v view) Lock(ctx context.Context, id objstore.ID) (objstore.Lock, error) {
	return objstore.LockOf(ctx, v.bucket, v.id(id))
}

// roomOf is the longest key that a bucket takes.
func roomOf(b objstore.Bucket) int {
	switch v := b.(type) {
	case view:
		return roomOf(v.bucket) - len(v.prefix)
	case currents:
		return roomOf(v.Bucket)
	}
	return objstore.MaxKey
}

// currents is a bucket whose Objects are found among its Versions.
type currents struct{ objstore.Bucket }

func (c currents) Objects(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return func(yield func(objstore.Object, error) bool) {
		for o, err := range c.Versions(ctx, prefix, opts) {
			if err != nil || o.Latest && !o.DeleteMarker {
				if !yield(o, err) {
					return
				}
			}
		}
	}
}

func (c currents) Versioning(ctx context.Context) (objstore.Versioning, error) {
	return objstore.VersioningOf(ctx, c.Bucket)
}

func (c currents) Lock(ctx context.Context, id objstore.ID) (objstore.Lock, error) {
	return objstore.LockOf(ctx, c.Bucket, id)
}
