package objstoretest_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/objstore/objstoretest"
)

func open(t *testing.T, opts *memobj.Options) *memobj.Bucket {
	t.Helper()
	b, err := memobj.New("archive", opts)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// stored counts what a bucket holds.
func stored(t *testing.T, b objstore.Bucket) (n int) {
	t.Helper()
	for _, err := range b.Versions(context.WithoutCancel(t.Context()), "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// broken is a bucket that breaks one promise. A hook that is nil keeps it.
type broken struct {
	*memobj.Bucket
	put     func(ctx context.Context, key string, body io.Reader, size int64, opts *objstore.PutOptions) (objstore.Object, error)
	head    func(ctx context.Context, id objstore.ID) (objstore.Object, error)
	open    func(ctx context.Context, id objstore.ID) (io.ReadCloser, error)
	remove  func(ctx context.Context, ids []objstore.ID) ([]objstore.DeleteResult, error)
	entry   func(o objstore.Object) objstore.Object // of either listing
	options func(opts objstore.ListOptions) objstore.ListOptions
	listing func(all iter.Seq2[objstore.Object, error]) iter.Seq2[objstore.Object, error]
}

func (b broken) Put(ctx context.Context, key string, body io.Reader, size int64, opts *objstore.PutOptions) (objstore.Object, error) {
	if b.put != nil {
		return b.put(ctx, key, body, size, opts)
	}
	return b.Bucket.Put(ctx, key, body, size, opts)
}

func (b broken) Head(ctx context.Context, id objstore.ID) (objstore.Object, error) {
	if b.head != nil {
		return b.head(ctx, id)
	}
	return b.Bucket.Head(ctx, id)
}

func (b broken) Open(ctx context.Context, id objstore.ID) (io.ReadCloser, error) {
	if b.open != nil {
		return b.open(ctx, id)
	}
	return b.Bucket.Open(ctx, id)
}

func (b broken) Delete(ctx context.Context, ids []objstore.ID) ([]objstore.DeleteResult, error) {
	if b.remove != nil {
		return b.remove(ctx, ids)
	}
	return b.Bucket.Delete(ctx, ids)
}

func (b broken) Objects(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return b.list(b.Bucket.Objects, ctx, prefix, opts)
}

func (b broken) Versions(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return b.list(b.Bucket.Versions, ctx, prefix, opts)
}

type lister func(context.Context, string, *objstore.ListOptions) iter.Seq2[objstore.Object, error]

func (b broken) list(list lister, ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	if b.options != nil && opts != nil {
		changed := b.options(*opts)
		opts = &changed
	}
	all := list(ctx, prefix, opts)
	if b.listing != nil {
		all = b.listing(all)
	}
	return func(yield func(objstore.Object, error) bool) {
		for o, err := range all {
			if err == nil && b.entry != nil {
				o = b.entry(o)
			}
			if !yield(o, err) {
				return
			}
		}
	}
}

// gathered reads a listing whole, for those that change it as a whole.
func gathered(change func([]objstore.Object) []objstore.Object) func(iter.Seq2[objstore.Object, error]) iter.Seq2[objstore.Object, error] {
	return func(all iter.Seq2[objstore.Object, error]) iter.Seq2[objstore.Object, error] {
		return func(yield func(objstore.Object, error) bool) {
			var list []objstore.Object
			for o, err := range all {
				if err != nil {
					yield(o, err)
					return
				}
				list = append(list, o)
			}
			for _, o := range change(list) {
				if !yield(o, nil) {
					return
				}
			}
		}
	}
}

// rename is a store that makes another key of a key.
func rename(b *memobj.Bucket, change func(string) string) broken {
	return broken{
		Bucket: b,
		put: func(ctx context.Context, key string, body io.Reader, size int64, opts *objstore.PutOptions) (objstore.Object, error) {
			return b.Put(ctx, change(key), body, size, opts)
		},
		head: func(ctx context.Context, id objstore.ID) (objstore.Object, error) {
			return b.Head(ctx, objstore.ID{Key: change(id.Key), Version: id.Version})
		},
		open: func(ctx context.Context, id objstore.ID) (io.ReadCloser, error) {
			return b.Open(ctx, objstore.ID{Key: change(id.Key), Version: id.Version})
		},
	}
}

// TestCheckFinds breaks one promise at a time, and wants the probe that asks for
// it to say so.
func TestCheckFinds(t *testing.T) {
	t.Parallel()
	type hook = func(b *memobj.Bucket) broken
	renamed := func(change func(string) string) hook {
		return func(b *memobj.Bucket) broken { return rename(b, change) }
	}
	listing := func(change func([]objstore.Object) []objstore.Object) hook {
		return func(b *memobj.Bucket) broken { return broken{Bucket: b, listing: gathered(change)} }
	}
	entry := func(change func(*objstore.Object)) hook {
		return func(b *memobj.Bucket) broken {
			return broken{Bucket: b, entry: func(o objstore.Object) objstore.Object {
				change(&o)
				return o
			}}
		}
	}
	options := func(change func(objstore.ListOptions) objstore.ListOptions) hook {
		return func(b *memobj.Bucket) broken { return broken{Bucket: b, options: change} }
	}
	remove := func(change func(ctx context.Context, b *memobj.Bucket, ids []objstore.ID) ([]objstore.DeleteResult, error)) hook {
		return func(b *memobj.Bucket) broken {
			return broken{Bucket: b, remove: func(ctx context.Context, ids []objstore.ID) ([]objstore.DeleteResult, error) {
				return change(ctx, b, ids)
			}}
		}
	}
	tests := []struct {
		name  string
		make  hook
		probe string
	}{
		{"short bodies are stored", func(b *memobj.Bucket) broken {
			return broken{Bucket: b, put: func(ctx context.Context, key string, body io.Reader, size int64, opts *objstore.PutOptions) (objstore.Object, error) {
				data, err := io.ReadAll(body)
				if err != nil || int64(len(data)) > size {
					return objstore.Object{}, errors.Join(err, objstore.ErrInvalid)
				}
				return b.Put(ctx, key, strings.NewReader(string(data)), int64(len(data)), opts)
			}}
		}, "wrong size"},
		{"conditions are ignored", func(b *memobj.Bucket) broken {
			return broken{Bucket: b, put: func(ctx context.Context, key string, body io.Reader, size int64, _ *objstore.PutOptions) (objstore.Object, error) {
				return b.Put(ctx, key, body, size, nil)
			}}
		}, "if absent"},
		{"contexts are ignored", func(b *memobj.Bucket) broken {
			return broken{Bucket: b, head: func(ctx context.Context, id objstore.ID) (objstore.Object, error) {
				return b.Head(context.WithoutCancel(ctx), id)
			}}
		}, "cancelled"},
		{"missing is another error", func(b *memobj.Bucket) broken {
			return broken{Bucket: b, open: func(ctx context.Context, id objstore.ID) (io.ReadCloser, error) {
				r, err := b.Open(ctx, id)
				if err != nil {
					err = errors.New("no such object")
				}
				return r, err
			}}
		}, "missing"},
		{"keys are folded", renamed(strings.ToLower), "order"},
		{"keys are unescaped", renamed(func(key string) string { return strings.ReplaceAll(key, "%20", " ") }), "odd keys"},
		{"plus is a space", renamed(func(key string) string { return strings.ReplaceAll(key, "+", " ") }), "odd keys"},
		{"keys are normalised", renamed(func(key string) string { return strings.ReplaceAll(key, "e\u0301", "\u00e9") }), "odd keys"},
		{"keys are trimmed", renamed(strings.TrimSpace), "odd keys"},
		{"keys are cut", renamed(func(key string) string { return key[:min(len(key), 1023)] }), "keys of every length"},
		{"reversed", listing(func(all []objstore.Object) []objstore.Object { slices.Reverse(all); return all }), "order"},
		{"last one lost", listing(func(all []objstore.Object) []objstore.Object { return all[:max(len(all)-1, 0)] }), "pages"},
		{"one twice", listing(func(all []objstore.Object) []objstore.Object { return append(all, all[:min(1, len(all))]...) }), "order"},
		{"by words", listing(func(all []objstore.Object) []objstore.Object {
			slices.SortStableFunc(all, func(a, b objstore.Object) int { return strings.Compare(strings.ToLower(a.Key), strings.ToLower(b.Key)) })
			return all
		}), "order"},
		{"after is ignored", options(func(o objstore.ListOptions) objstore.ListOptions { o.After = ""; return o }), "after"},
		{"after is inclusive", options(func(o objstore.ListOptions) objstore.ListOptions {
			if n := len(o.After); n > 0 {
				o.After = o.After[:n-1] + string(o.After[n-1]-1) + "\xff"
			}
			return o
		}), "after"},
		{"pages of any size", options(func(o objstore.ListOptions) objstore.ListOptions { o.Page = min(max(o.Page, 0), 1000); return o }), "wrong page"},
		{"no ETag", entry(func(o *objstore.Object) { o.ETag = "" }), "listed fields"},
		{"no size", entry(func(o *objstore.Object) { o.Size = 0 }), "listed fields"},
		{"no instant", entry(func(o *objstore.Object) { o.Modified = time.Time{} }), "listed fields"},
		{"all the latest", entry(func(o *objstore.Object) { o.Latest = true }), "versions"},
		{"markers are versions", entry(func(o *objstore.Object) { o.DeleteMarker = false }), "delete marker"},
		{"nothing is deleted", remove(func(_ context.Context, _ *memobj.Bucket, ids []objstore.ID) (results []objstore.DeleteResult, _ error) {
			for _, id := range ids {
				results = append(results, objstore.DeleteResult{ID: id})
			}
			return results, nil
		}), "still there"},
		{"results in another order", remove(func(ctx context.Context, b *memobj.Bucket, ids []objstore.ID) ([]objstore.DeleteResult, error) {
			results, err := b.Delete(ctx, ids)
			slices.Reverse(results)
			return results, err
		}), "delete in order"},
		{"doubles are fine", remove(func(ctx context.Context, b *memobj.Bucket, ids []objstore.ID) ([]objstore.DeleteResult, error) {
			seen := map[objstore.ID]bool{}
			return b.Delete(ctx, slices.DeleteFunc(slices.Clone(ids), func(id objstore.ID) bool {
				defer func() { seen[id] = true }()
				return seen[id]
			}))
		}), "refused batches"},
		{"batches are split", remove(func(ctx context.Context, b *memobj.Bucket, ids []objstore.ID) (all []objstore.DeleteResult, _ error) {
			for part := range slices.Chunk(ids, 1000) {
				results, err := b.Delete(ctx, part)
				if all = append(all, results...); err != nil {
					return all, err
				}
			}
			return all, nil
		}), "refused batches"},
		{"versions are ignored", remove(func(ctx context.Context, b *memobj.Bucket, ids []objstore.ID) ([]objstore.DeleteResult, error) {
			var keys []objstore.ID
			for _, id := range ids {
				if !slices.Contains(keys, objstore.ID{Key: id.Key}) {
					keys = append(keys, objstore.ID{Key: id.Key})
				}
			}
			return b.Delete(ctx, keys)
		}), "delete versions"},
		{"what is missing is an error", remove(func(ctx context.Context, b *memobj.Bucket, ids []objstore.ID) ([]objstore.DeleteResult, error) {
			var before []error
			for _, id := range ids {
				_, err := b.Head(ctx, id)
				before = append(before, err)
			}
			results, err := b.Delete(ctx, ids)
			for i := range results {
				results[i].Err = before[i]
			}
			return results, err
		}), "delete what is missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := objstoretest.Check(t.Context(), tt.make(open(t, &memobj.Options{Versioning: objstore.Versioned})))
			if err == nil || !strings.Contains(err.Error(), tt.probe) {
				t.Errorf("found %v, want %q to find something", err, tt.probe)
			}
		})
	}
}
