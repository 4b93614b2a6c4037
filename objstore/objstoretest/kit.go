package objstoretest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/softdelete-go/softdelete/objstore"
)

// stream hides that a reader can seek: bodies mostly cannot.
type stream struct{ io.Reader }

// put stores content at the key.
func put(ctx context.Context, b objstore.Bucket, key, content string) (objstore.Object, error) {
	o, err := b.Put(ctx, key, stream{strings.NewReader(content)}, int64(len(content)), nil)
	if err != nil {
		return o, fmt.Errorf("put of %q: %w", key, err)
	}
	return o, nil
}

// putAll stores each key with itself as its content.
func putAll(ctx context.Context, b objstore.Bucket, keys ...string) error {
	for _, key := range keys {
		if _, err := put(ctx, b, key, key); err != nil {
			return err
		}
	}
	return nil
}

func get(ctx context.Context, b objstore.Bucket, id objstore.ID) (string, error) {
	r, err := b.Open(ctx, id)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(r)
	return string(data), errors.Join(err, r.Close())
}

// reads notes content that is not what is wanted. A whole body would be too long
// to print.
func (n *notes) reads(ctx context.Context, b objstore.Bucket, id objstore.ID, want string) {
	got, err := get(ctx, b, id)
	switch {
	case err != nil:
		n.addf("open of %s: %w", name(id), err)
	case got != want:
		n.addf("open of %s reads %d bytes %.40q, want %d bytes %.40q", name(id), len(got), got, len(want), want)
	}
}

func name(id objstore.ID) string {
	if id.Version == "" {
		return fmt.Sprintf("%q", id.Key)
	}
	return fmt.Sprintf("%q version %q", id.Key, id.Version)
}

// absent notes a key or a version that can be read.
func (n *notes) absent(ctx context.Context, b objstore.Bucket, id objstore.ID) {
	_, head := b.Head(ctx, id)
	_, open := get(ctx, b, id)
	if n.opaque && head != nil && open != nil {
		return
	}
	n.is("head of "+name(id), head, errNotExist)
	n.is("open of "+name(id), open, errNotExist)
}

// erase deletes entries and wants each acknowledged.
func (n *notes) erase(ctx context.Context, b objstore.Bucket, ids ...objstore.ID) {
	results, err := b.Delete(ctx, ids)
	n.add("delete", err)
	n.answers(results, ids)
	for _, r := range results {
		n.add("delete of "+name(r.ID), r.Err)
		if r.Err == nil && r.Code != "" {
			n.addf("delete of %s succeeds with code %q, want none", name(r.ID), r.Code)
		}
	}
}

// answers notes results that are not one for each entry, in their order.
func (n *notes) answers(results []objstore.DeleteResult, ids []objstore.ID) {
	var got []objstore.ID
	for _, r := range results {
		got = append(got, r.ID)
	}
	n.same("results of delete", ids, got)
}

// same notes a difference. Nil and empty are the same.
func (n *notes) same(what string, want, got any) {
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		n.addf("%s (-want +got):\n%s", what, diff)
	}
}

// collect reads a listing to its end. A listing that goes on behind its error
// has broken its promise as well.
func collect(listing iter.Seq2[objstore.Object, error]) (all []objstore.Object, err error) {
	for o, e := range listing {
		if err != nil {
			return all, fmt.Errorf("the listing goes on behind its error %w", err)
		}
		if err = e; err == nil {
			all = append(all, o)
		}
	}
	return all, err
}

func keysOf(all []objstore.Object) []string {
	var keys []string
	for _, o := range all {
		keys = append(keys, o.Key)
	}
	return keys
}

// lists are the two listings, which agree where each key has one version.
var lists = []struct {
	name string
	list func(objstore.Bucket, context.Context, string, *objstore.ListOptions) iter.Seq2[objstore.Object, error]
}{
	{"objects", objstore.Bucket.Objects},
	{"versions", objstore.Bucket.Versions},
}

// shows notes a listing, of either kind, without exactly these keys.
func (n *notes) shows(ctx context.Context, b objstore.Bucket, prefix string, opts *objstore.ListOptions, want []string) {
	for _, l := range lists {
		got, err := collect(l.list(b, ctx, prefix, opts))
		what := fmt.Sprintf("%s under %q", l.name, prefix)
		if opts != nil {
			what += fmt.Sprintf(" after %q in pages of %d", opts.After, opts.Page)
		}
		n.add(what, err)
		if keys := keysOf(got); !slices.Equal(keys, want) {
			n.addf("%s (-want +got):\n%s", what, cmp.Diff(want, keys))
		}
	}
}

// entries lists what is stored of exactly one key, the newest first.
func entries(ctx context.Context, b objstore.Bucket, key string, opts *objstore.ListOptions) ([]objstore.Object, error) {
	all, err := collect(b.Versions(ctx, key, opts))
	return slices.DeleteFunc(all, func(o objstore.Object) bool { return o.Key != key }), err
}
