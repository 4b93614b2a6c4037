package objstoretest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/softdelete-go/softdelete/objstore"
)

// odd are keys that encodings, URLs, shells and normal forms make others of.
// Several are what another one of them becomes when it is encoded or decoded
// once too often.
var odd = []string{
	"in/ ", "in/ a", "in/a ", "in/a b", "in/a+b", "in/a%2Bb", "in/a%252Bb", "in/a%20b", "in/%", "in/%41", "in/%zz", "in/A",
	"in/&", "in/&amp;", "in/<", "in/>", "in/&<>\"'", "in/]]>", "in/'", "in/\"", "in/\\", "in/a\\b", "in/?", "in/a?b=c", "in/#",
	"in/a#b", "in/;", "in/a:b", "in/@", "in/=", "in/,", "in/$", "in/*", "in/!", "in/(x)", "in/[x]", "in/{x}", "in/|", "in/^",
	"in/`", "in/~", "in/...", "in/.x", "in/null", "in/a/b=c/d",
	"in/caf\u00e9", "in/cafe\u0301", "in/\u212b", "in/\u00c5", "in/A\u030a", "in/\ufb01", "in/fi", "in/STRASSE", "in/straße",
	"in/日本", "in/\U0001F600", "in/\U0001F469\u200d\U0001F680", "in/\u202egnp", "in/\ufeffbom", "in/\u0085x", "in/\u00a0",
	"in/\u2028", "in/\ue000", "in/\ufffc", "in/\U0010ffff",
}

func oddKeys(ctx context.Context, b objstore.Bucket) error { return keysStay(ctx, b, odd) }

func keysStay(ctx context.Context, b objstore.Bucket, keys []string) error {
	return (&notes{}).keysStay(ctx, b, keys)
}

// keysStay stores each key with itself as its content, wants every call to mean
// that key and no other, and deletes them.
func (n *notes) keysStay(ctx context.Context, b objstore.Bucket, keys []string) error {
	if err := putAll(ctx, b, keys...); err != nil {
		return err
	}
	for _, page := range []int{0, 1, 3} {
		n.shows(ctx, b, "", &objstore.ListOptions{Page: page}, expected(keys, "", ""))
	}
	var ids []objstore.ID
	for _, key := range keys {
		id := objstore.ID{Key: key}
		ids = append(ids, id)
		n.reads(ctx, b, id, key)
		n.shows(ctx, b, key, nil, expected(keys, key, ""))
		n.shows(ctx, b, "", &objstore.ListOptions{After: key}, expected(keys, "", key))
	}
	// Half of them, so that a delete that met another key shows.
	n.erase(ctx, b, ids[:len(ids)/2]...)
	for i, id := range ids {
		if i < len(ids)/2 {
			n.absent(ctx, b, id)
		} else {
			n.reads(ctx, b, id, id.Key)
		}
	}
	n.erase(ctx, b, ids[len(ids)/2:]...)
	left, err := collect(b.Objects(ctx, "", nil))
	n.add("objects", err)
	n.same("objects after the delete", []string(nil), keysOf(left))
	return n.err()
}

// slashKeys end in a slash, and are other keys than those without.
func slashKeys(ctx context.Context, b objstore.Bucket) error {
	return keysStay(ctx, b, []string{"a", "a/", "a/b", "a/b/", "ab", "c/", "d/e/"})
}

// segmentKeys are what paths have another meaning for.
var segmentKeys = []string{"/", "//", "/a", "a//b", "a/./b", "a/../b", "../x", "..", ".", "a/..", "a/.", "a//"}

func keepsSegments(ctx context.Context, b objstore.Bucket) error {
	return keysStay(ctx, b, append([]string{"a", "a/b", "x", "b"}, segmentKeys...))
}

// refusesSegments wants the adapter to refuse what it cannot send safely, and
// the neighbours to stay.
func refusesSegments(ctx context.Context, b objstore.Bucket) error {
	var n notes
	there := []string{"a/b", "b", "x"}
	if err := putAll(ctx, b, there...); err != nil {
		return err
	}
	// Behind a prefix, a leading slash is an empty segment as well.
	n.refused(ctx, b, slices.DeleteFunc(slices.Clone(segmentKeys), func(key string) bool {
		_, inView := b.(view)
		return inView && key == "/"
	}))
	n.shows(ctx, b, "", nil, there)
	return n.err()
}

// refused wants every call with one of the keys to be ErrInvalid.
func (n *notes) refused(ctx context.Context, b objstore.Bucket, keys []string) {
	for _, key := range keys {
		id := objstore.ID{Key: key}
		_, err := put(ctx, b, key, "bytes")
		n.is(fmt.Sprintf("put of %.40q", key), err, objstore.ErrInvalid)
		_, err = b.Head(ctx, id)
		n.is(fmt.Sprintf("head of %.40q", key), err, objstore.ErrInvalid)
		_, err = get(ctx, b, id)
		n.is(fmt.Sprintf("open of %.40q", key), err, objstore.ErrInvalid)
		if key == "" {
			continue // refuses the batch: see refusedBatches
		}
		results, err := b.Delete(ctx, []objstore.ID{id})
		if err == nil && len(results) == 1 {
			err = results[0].Err
		}
		n.is(fmt.Sprintf("delete of %.40q", key), err, objstore.ErrInvalid)
	}
}

func wrongKeys(ctx context.Context, b objstore.Bucket) error {
	var n notes
	room := roomOf(b)
	n.refused(ctx, b, []string{"", strings.Repeat("k/", room/2) + "kk", strings.Repeat("é", (room+2)/2)})
	n.shows(ctx, b, "", nil, nil)
	return n.err()
}

// keyLengths has keys up to the longest: by bytes, not by characters.
func keyLengths(ctx context.Context, b objstore.Bucket) error {
	room := roomOf(b)
	keys := []string{"k"}
	for _, size := range []int{63, 64, 65, 200, 255, 256, 257, 512, room - 1, room} {
		// Pieces of 100 bytes, as names of files are shorter than keys.
		key := strings.Repeat(strings.Repeat("k", 99)+"/", size/100) + strings.Repeat("x", size%100)
		keys = append(keys, key[:size-1]+"y")
	}
	return keysStay(ctx, b, keys)
}

// longNames are keys without a slash, which are longer than the name of a file
// may be.
func longNames(ctx context.Context, b objstore.Bucket) error {
	room := roomOf(b)
	wide := strings.Repeat("é", room/2)
	return keysStay(ctx, b, []string{
		strings.Repeat("k", 256), strings.Repeat("k", room), strings.Repeat("k", room-1) + "l", wide + strings.Repeat("k", room-len(wide)),
	})
}

// controls are keys with characters that XML cannot hold, and the keys that a
// batch delete would make of them.
var controls = []string{
	"in/a\x01b", "in/a\ufffdb", "in/\x1f", "in/\ufffd", "in/a\tb", "in/a\nb", "in/a\r\nb", "in/a\r", "in/\x7f", "in/\ufffe", "in/\uffff",
}

func controlKeys(ctx context.Context, b objstore.Bucket) error { return keysStay(ctx, b, controls) }

// controlKeysOpaque is controlKeys where a missing one is any error.
func controlKeysOpaque(ctx context.Context, b objstore.Bucket) error {
	return (&notes{opaque: true}).keysStay(ctx, b, controls)
}

// controlKeysApart is for stores whose listings mangle such keys: the listing
// must break off, and never show another key. Single calls still mean one key.
func controlKeysApart(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if err := putAll(ctx, b, controls...); err != nil {
		return err
	}
	for _, l := range lists {
		all, err := collect(l.list(b, ctx, "", nil))
		if err != nil {
			n.is(l.name, err, objstore.ErrIncomplete)
		}
		for _, o := range all {
			if !slices.Contains(controls, o.Key) {
				n.addf("%s show %q, which nobody stored", l.name, o.Key)
			}
		}
	}
	for i, key := range controls {
		n.reads(ctx, b, objstore.ID{Key: key}, key)
		n.erase(ctx, b, objstore.ID{Key: key})
		n.absent(ctx, b, objstore.ID{Key: key})
		for _, other := range controls[i+1:] {
			n.reads(ctx, b, objstore.ID{Key: other}, other)
		}
	}
	return n.err()
}
