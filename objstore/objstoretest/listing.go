package objstoretest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/softdelete-go/softdelete/objstore"
)

// neighbours sort otherwise by bytes than by words, by folders, or without
// regard to case.
var neighbours = []string{
	"A", "B/x", "a", "a b", "a-", "a-2/x", "a.", "a./d", "a/b", "a/b/c", "a0", "aB", "a_2/x", "a_b", "ab", "ab/c", "b", "b/c",
	"dir-2/x", "dir/x", "dir/y/z", "dir0", "dir_2/x", "z", "~", "é", "日", "\U0001F600",
}

// prefixes are whole keys, parts of one, folders, and nothing.
var prefixes = []string{"", "a", "a/", "a/b", "a-", "dir", "dir/", "dir_2/", "b/", "B", "é", "zz"}

// afters are keys that are there, that are not, and that lie outside.
var afters = []string{"", "\x01", "A", "a", "a/", "a/a", "a/b", "a_", "dir/", "dir/x", "dir/y", "z", "\U0001F600", "\U0010FFFF"}

// expected is what a listing must show, in the order of bytes.
func expected(keys []string, prefix, after string) []string {
	all := slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		return !strings.HasPrefix(key, prefix) || key <= after
	})
	slices.Sort(all)
	return all
}

// scattered is an order in which nothing is sorted by accident.
func scattered(keys []string) []string {
	var all []string
	for i := range keys {
		all = append(all, keys[i*11%len(keys)])
	}
	return all
}

func listOrder(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if err := putAll(ctx, b, scattered(neighbours)...); err != nil {
		return err
	}
	for _, prefix := range prefixes {
		n.shows(ctx, b, prefix, nil, expected(neighbours, prefix, ""))
	}
	return n.err()
}

func listAfter(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if err := putAll(ctx, b, neighbours...); err != nil {
		return err
	}
	for _, prefix := range []string{"", "a", "dir/", "zz"} {
		for _, after := range afters {
			n.shows(ctx, b, prefix, &objstore.ListOptions{After: after}, expected(neighbours, prefix, after))
		}
	}
	return n.err()
}

func listPages(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if err := putAll(ctx, b, neighbours...); err != nil {
		return err
	}
	for _, page := range []int{1, 2, 3, len(neighbours) - 1, len(neighbours), 1000} {
		for _, at := range []struct{ prefix, after string }{{"", ""}, {"a", "a-"}, {"dir", ""}} {
			opts := &objstore.ListOptions{Page: page, After: at.after}
			n.shows(ctx, b, at.prefix, opts, expected(neighbours, at.prefix, at.after))
		}
	}
	return n.err()
}

// manyPages has more keys than the largest page.
func manyPages(ctx context.Context, b objstore.Bucket) error {
	var (
		n    notes
		keys []string
		ids  []objstore.ID
	)
	for i := range objstore.MaxDelete + 5 {
		keys = append(keys, fmt.Sprintf("in/%d", i))
		ids = append(ids, objstore.ID{Key: keys[i]})
	}
	if err := atOnce(keys, func(key string) error { return putAll(ctx, b, key) }); err != nil {
		return err
	}
	n.shows(ctx, b, "in/", nil, expected(keys, "", ""))
	n.erase(ctx, b, ids[:objstore.MaxDelete]...)
	left, err := collect(b.Objects(ctx, "in/", nil))
	n.add("objects", err)
	n.same("objects after the delete", expected(keys[objstore.MaxDelete:], "", ""), keysOf(left))
	return n.err()
}

func wrongPage(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if err := putAll(ctx, b, "k"); err != nil {
		return err
	}
	for _, l := range lists {
		for _, page := range []int{-1, 1001} {
			all, err := collect(l.list(b, ctx, "", &objstore.ListOptions{Page: page}))
			n.is(fmt.Sprintf("%s in pages of %d", l.name, page), err, objstore.ErrInvalid)
			n.same(fmt.Sprintf("%s in pages of %d", l.name, page), []string(nil), keysOf(all))
		}
	}
	return n.err()
}

func emptyListing(ctx context.Context, b objstore.Bucket) error {
	var n notes
	n.shows(ctx, b, "", nil, nil)
	n.shows(ctx, b, "in/", &objstore.ListOptions{Page: 1, After: "in/a"}, nil)
	return n.err()
}

func listedFields(ctx context.Context, b objstore.Bucket) error {
	var n notes
	stored, err := put(ctx, b, "in/a", "12345")
	if err != nil {
		return err
	}
	for _, l := range lists {
		all, err := collect(l.list(b, ctx, "in/", nil))
		if err != nil || len(all) != 1 {
			n.addf("%s: %+v, %v", l.name, all, err)
			continue
		}
		n.described(l.name, all[0], "in/a", 5)
		if all[0].ETag != stored.ETag {
			n.addf("%s say the ETag is %q, put said %q", l.name, all[0].ETag, stored.ETag)
		}
		if all[0].Modified.IsZero() {
			n.addf("%s tell no time", l.name)
		}
	}
	return n.err()
}

// stoppedListing leaves the loop at the first entry. The function is called by
// hand: in a loop, an entry behind the end would be a panic.
func stoppedListing(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if err := putAll(ctx, b, "a", "b", "c"); err != nil {
		return err
	}
	for _, l := range lists {
		for _, page := range []int{0, 1} {
			calls := 0
			l.list(b, ctx, "", &objstore.ListOptions{Page: page})(func(objstore.Object, error) bool {
				calls++
				return false
			})
			if calls != 1 {
				n.addf("%s in pages of %d: %d entries after the first was enough", l.name, page, calls-1)
			}
		}
	}
	return n.err()
}

// cancelledListing ends the context between two entries.
func cancelledListing(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if err := putAll(ctx, b, "a", "b", "c"); err != nil {
		return err
	}
	for _, l := range lists {
		within, cancel := context.WithCancel(ctx)
		var last error
		seen := 0
		for _, err := range l.list(b, within, "", &objstore.ListOptions{Page: 1}) {
			last = err
			seen++
			cancel()
		}
		if seen < 3 || last != nil { // an adapter may have read ahead
			n.is(l.name+" whose context ended", last, context.Canceled)
		}
		cancel()
	}
	return n.err()
}

func cancelled(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if _, err := put(ctx, b, "there", "old"); err != nil {
		return err
	}
	id := objstore.ID{Key: "there"}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err := put(ended, b, "new", "bytes")
	n.is("put", err, context.Canceled)
	_, err = put(ended, b, "there", "bytes")
	n.is("put", err, context.Canceled)
	_, err = b.Head(ended, id)
	n.is("head", err, context.Canceled)
	_, err = get(ended, b, id)
	n.is("open", err, context.Canceled)
	for _, l := range lists {
		_, err := collect(l.list(b, ended, "", nil))
		n.is(l.name, err, context.Canceled)
	}
	results, err := b.Delete(ended, []objstore.ID{id})
	if err == nil && len(results) == 1 {
		err = results[0].Err // an adapter without batches goes entry by entry
	}
	n.is("delete", err, context.Canceled)
	if _, err := objstore.VersioningOf(ended, b); !errors.Is(err, errors.ErrUnsupported) {
		n.is("versioning", err, context.Canceled)
	}
	n.untouched(ctx, b)
	return n.err()
}
