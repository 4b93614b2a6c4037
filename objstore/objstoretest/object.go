package objstoretest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/softdelete-go/softdelete/objstore"
)

var errNotExist = fs.ErrNotExist

// sizes are those at which stores and adapters change their ways: nothing, a
// chunk of a copy, a chunk of a signed body, what an adapter keeps in memory.
var sizes = []int{0, 1, 32<<10 - 1, 32 << 10, 64 << 10, 64<<10 + 1, 1 << 20, 1<<20 + 1}

// pattern is content of a size, in which no two parts are alike.
func pattern(size int) string { return counting()[:size] }

var counting = sync.OnceValue(func() string {
	var b strings.Builder
	for i := 0; b.Len() < slices.Max(sizes)+100; i++ {
		fmt.Fprintf(&b, "%d,", i)
	}
	return b.String()
})

func roundTrip(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if b.Name() == "" {
		n.addf("the bucket has no name")
	}
	for _, size := range sizes {
		key, content := fmt.Sprintf("in/%d", size), pattern(size)
		stored, err := put(ctx, b, key, content)
		if err != nil {
			n.add("round trip", err)
			continue
		}
		n.described(fmt.Sprintf("put of %d bytes", size), stored, key, size)
		n.reads(ctx, b, objstore.ID{Key: key}, content)
		head, err := b.Head(ctx, objstore.ID{Key: key})
		n.add("head", err)
		n.described(fmt.Sprintf("head of %d bytes", size), head, key, size)
		if head.ETag != stored.ETag || head.Version != stored.Version {
			n.addf("head says ETag %q and version %q, put said %q and %q", head.ETag, head.Version, stored.ETag, stored.Version)
		}
		if head.Modified.IsZero() {
			n.addf("head of %q tells no time", key)
		}
	}
	return n.err()
}

// described notes what an answer about a current object says wrongly.
func (n *notes) described(what string, o objstore.Object, key string, size int) {
	if o.Key != key || o.Size != int64(size) || o.DeleteMarker || !o.Latest {
		n.addf("%s says %+v, want the latest of %q with %d bytes", what, o, key, size)
	}
	if o.ETag == "" || strings.Contains(o.ETag, `"`) {
		n.addf("%s says the ETag is %s, want one without quotes", what, o.ETag)
	}
}

func overwritten(ctx context.Context, b objstore.Bucket) error {
	var n notes
	for _, content := range []string{"first", "", "third and longer", "4"} {
		stored, err := put(ctx, b, "k", content)
		if err != nil {
			return err
		}
		n.described("put", stored, "k", len(content))
		n.reads(ctx, b, objstore.ID{Key: "k"}, content)
	}
	all, err := collect(b.Objects(ctx, "", nil))
	n.add("objects", err)
	n.same("objects", []string{"k"}, keysOf(all))
	return n.err()
}

func wrongSize(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if _, err := put(ctx, b, "there", "old"); err != nil {
		return err
	}
	for _, body := range []struct{ have, want int }{
		{0, 1}, {1, 0}, {4, 5}, {5, 4}, {1 << 20, 1<<20 + 1}, {1<<20 + 2, 1<<20 + 1}, {3, -1},
	} {
		for _, key := range []string{"new", "there"} {
			content := pattern(body.have)
			for _, r := range []io.Reader{strings.NewReader(content), stream{strings.NewReader(content)}} {
				_, err := b.Put(ctx, key, r, int64(body.want), nil)
				what := fmt.Sprintf("put of %d bytes as %d", body.have, body.want)
				if err == nil {
					n.addf("%s: no error", what)
				} else if body.want < 0 {
					n.is(what, err, objstore.ErrInvalid)
				}
			}
		}
	}
	n.untouched(ctx, b)
	return n.err()
}

// untouched wants one version of "there", and nothing else.
func (n *notes) untouched(ctx context.Context, b objstore.Bucket) {
	n.absent(ctx, b, objstore.ID{Key: "new"})
	n.reads(ctx, b, objstore.ID{Key: "there"}, "old")
	n.shows(ctx, b, "", nil, []string{"there"})
}

var errBody = errors.New("the body broke")

func brokenBody(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if _, err := put(ctx, b, "there", "old"); err != nil {
		return err
	}
	for _, key := range []string{"new", "there"} {
		for _, size := range []int{0, 10, 1<<20 + 1} {
			body := io.MultiReader(strings.NewReader(pattern(size)), broken{})
			_, err := b.Put(ctx, key, body, int64(size+1), nil)
			n.is(fmt.Sprintf("put of a body that breaks after %d bytes", size), err, errBody)
		}
	}
	n.untouched(ctx, b)
	return n.err()
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errBody }

func missing(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if err := putAll(ctx, b, "a/b", "b"); err != nil {
		return err
	}
	for _, key := range []string{"a", "a/bb", "a/b/c", "B", "bb"} {
		n.absent(ctx, b, objstore.ID{Key: key})
	}
	n.erase(ctx, b, objstore.ID{Key: "b"})
	n.absent(ctx, b, objstore.ID{Key: "b"})
	n.reads(ctx, b, objstore.ID{Key: "a/b"}, "a/b")
	return n.err()
}

// missingFolder: a key that ends in a slash is not there because others begin
// with it.
func missingFolder(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if err := putAll(ctx, b, "a/b/c"); err != nil {
		return err
	}
	for _, key := range []string{"a/", "a/b/", "a/b/c/"} {
		n.absent(ctx, b, objstore.ID{Key: key})
	}
	return n.err()
}

func ifAbsent(ctx context.Context, b objstore.Bucket) error {
	var n notes
	first := func(content string) error {
		_, err := b.Put(ctx, "k", stream{strings.NewReader(content)}, int64(len(content)), &objstore.PutOptions{IfAbsent: true})
		return err
	}
	n.is("put of an absent key", first("one"), nil)
	n.is("put of a present key", first("two"), objstore.ErrExists)
	n.reads(ctx, b, objstore.ID{Key: "k"}, "one")
	n.erase(ctx, b, objstore.ID{Key: "k"})
	n.absent(ctx, b, objstore.ID{Key: "k"})
	n.is("put of a deleted key", first("three"), nil)
	n.reads(ctx, b, objstore.ID{Key: "k"}, "three")
	return n.err()
}

// oneVersion is about a bucket that never had versioning.
func oneVersion(ctx context.Context, b objstore.Bucket) error {
	var n notes
	for _, content := range []string{"one", "two"} {
		o, err := put(ctx, b, "k", content)
		if err != nil {
			return err
		}
		if o.Version != "" {
			n.addf("put tells version %q in a bucket without versioning, want none", o.Version)
		}
	}
	all, err := entries(ctx, b, "k", nil)
	n.add("versions", err)
	if len(all) != 1 || !all[0].Latest || all[0].Version != "" && all[0].Version != objstore.NullVersion {
		n.addf("versions of an object that was overwritten: %+v, want one null version", all)
		return n.err()
	}
	n.reads(ctx, b, objstore.ID{Key: "k", Version: objstore.NullVersion}, "two")
	n.erase(ctx, b, objstore.ID{Key: "k", Version: all[0].Version})
	n.absent(ctx, b, objstore.ID{Key: "k"})
	left, err := collect(b.Versions(ctx, "", nil))
	n.add("versions", err)
	n.same("versions after the delete", []string(nil), keysOf(left))
	return n.err()
}
