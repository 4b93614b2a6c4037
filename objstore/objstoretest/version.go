package objstoretest

import (
	"context"
	"fmt"
	"slices"

	"github.com/softdelete-go/softdelete/objstore"
)

// entries notes what is wrong with the entries of one key, whose numbers of
// versions and of delete markers are known.
func (n *notes) entries(what string, all []objstore.Object, versions, markers int) {
	seen := map[string]bool{}
	for i, o := range all {
		if o.Version == "" || seen[o.Version] {
			n.addf("%s: entry %d has no version of its own: %+v", what, i, o)
		}
		seen[o.Version] = true
		if o.Latest != (i == 0) {
			n.addf("%s: entry %d, of which the first is the latest, says %+v", what, i, o)
		}
		if o.DeleteMarker {
			markers--
			if o.Size != 0 || o.ETag != "" {
				n.addf("%s: a delete marker with bytes: %+v", what, o)
			}
		} else {
			versions--
		}
	}
	if versions != 0 || markers != 0 {
		n.addf("%s: %d versions and %d delete markers too few: %+v", what, versions, markers, all)
	}
}

// contentsOf reads each entry; a delete marker is "marker".
func (n *notes) contentsOf(ctx context.Context, b objstore.Bucket, all []objstore.Object) (contents []string) {
	for _, o := range all {
		id := objstore.ID{Key: o.Key, Version: o.Version}
		if o.DeleteMarker {
			contents = append(contents, "marker")
			n.absent(ctx, b, id)
			continue
		}
		content, err := get(ctx, b, id)
		n.add("open of "+name(id), err)
		contents = append(contents, content)
	}
	return contents
}

// holds wants the key to have these contents, the newest first.
func (n *notes) holds(ctx context.Context, b objstore.Bucket, key string, want ...string) {
	all, err := entries(ctx, b, key, nil)
	n.add("versions", err)
	markers := 0
	for _, content := range want {
		if content == "marker" {
			markers++
		}
	}
	n.entries(fmt.Sprintf("versions of %q", key), all, len(want)-markers, markers)
	n.same(fmt.Sprintf("contents of %q", key), want, n.contentsOf(ctx, b, all))
	if len(want) == 0 || want[0] == "marker" {
		n.absent(ctx, b, objstore.ID{Key: key})
	} else {
		n.reads(ctx, b, objstore.ID{Key: key}, want[0])
	}
}

// putEach puts contents one after the other and returns their versions.
func (n *notes) putEach(ctx context.Context, b objstore.Bucket, key string, contents ...string) (ids []objstore.ID) {
	for _, content := range contents {
		o, err := put(ctx, b, key, content)
		n.add("versions", err)
		ids = append(ids, objstore.ID{Key: key, Version: o.Version})
	}
	return ids
}

func versions(ctx context.Context, b objstore.Bucket) error {
	var n notes
	ids := n.putEach(ctx, b, "k", "one", "two", "three", "four")
	n.holds(ctx, b, "k", "four", "three", "two", "one")
	all, err := entries(ctx, b, "k", nil)
	n.add("versions", err)
	var got []objstore.ID
	for _, o := range all {
		got = append(got, objstore.ID{Key: o.Key, Version: o.Version})
	}
	slices.Reverse(ids)
	n.same("ids of the versions", ids, got)
	current, err := collect(b.Objects(ctx, "", nil))
	n.add("objects", err)
	n.same("objects", []string{"k"}, keysOf(current))
	return n.err()
}

func versionsRead(ctx context.Context, b objstore.Bucket) error {
	var n notes
	contents := []string{"one", "", "three and longer"}
	for i, id := range n.putEach(ctx, b, "k", contents...) {
		n.reads(ctx, b, id, contents[i])
		head, err := b.Head(ctx, id)
		n.add("head of "+name(id), err)
		if head.Key != "k" || head.Version != id.Version || head.Size != int64(len(contents[i])) {
			n.addf("head of %s says %+v, want %d bytes", name(id), head, len(contents[i]))
		}
	}
	return n.err()
}

// versionNeighbours: a version belongs to one key, and a prefix is no key.
func versionNeighbours(ctx context.Context, b objstore.Bucket) error {
	var n notes
	keys := []string{"a", "a-", "a/b", "ab"}
	ids := map[string]objstore.ID{}
	for _, key := range keys {
		ids[key] = n.putEach(ctx, b, key, "old of "+key, "new of "+key)[1]
	}
	n.absent(ctx, b, objstore.ID{Key: "a", Version: ids["ab"].Version})
	n.erase(ctx, b, ids["a"])
	n.holds(ctx, b, "a", "old of a")
	for _, key := range keys[1:] {
		n.holds(ctx, b, key, "new of "+key, "old of "+key)
	}
	return n.err()
}

func deleteMarker(ctx context.Context, b objstore.Bucket) error {
	var n notes
	n.putEach(ctx, b, "k", "one")
	n.erase(ctx, b, objstore.ID{Key: "k"})
	n.holds(ctx, b, "k", "marker", "one")
	hidden, err := collect(b.Objects(ctx, "", nil))
	n.add("objects", err)
	n.same("objects under a delete marker", []string(nil), keysOf(hidden))
	all, err := entries(ctx, b, "k", nil)
	if err != nil || len(all) != 2 {
		n.addf("versions: %+v, %v", all, err)
		return n.err()
	}
	n.erase(ctx, b, objstore.ID{Key: "k", Version: all[0].Version})
	n.holds(ctx, b, "k", "one")
	// A key that never was is hidden as well.
	n.erase(ctx, b, objstore.ID{Key: "never"})
	n.holds(ctx, b, "never", "marker")
	return n.err()
}

// markersBetween puts delete markers between versions.
func markersBetween(ctx context.Context, b objstore.Bucket) ([]objstore.Object, error) {
	var n notes
	for _, content := range []string{"one", "two", "three"} {
		n.putEach(ctx, b, "k", content)
		n.erase(ctx, b, objstore.ID{Key: "k"})
	}
	all, err := entries(ctx, b, "k", nil)
	n.add("versions", err)
	n.entries("versions", all, 3, 3)
	return all, n.err()
}

func markersInOrder(ctx context.Context, b objstore.Bucket) error {
	var n notes
	all, err := markersBetween(ctx, b)
	n.add("delete markers", err)
	n.same("contents", []string{"marker", "three", "marker", "two", "marker", "one"}, n.contentsOf(ctx, b, all))
	return n.err()
}

// markersApart is markersInOrder where the order between a version and a delete
// marker is lost.
func markersApart(ctx context.Context, b objstore.Bucket) error {
	var n notes
	all, err := markersBetween(ctx, b)
	n.add("delete markers", err)
	all = slices.DeleteFunc(all, func(o objstore.Object) bool { return o.DeleteMarker })
	n.same("contents", []string{"three", "two", "one"}, n.contentsOf(ctx, b, all))
	return n.err()
}

func deleteVersions(ctx context.Context, b objstore.Bucket) error {
	var n notes
	ids := n.putEach(ctx, b, "k", "one", "two", "three", "four")
	n.erase(ctx, b, ids[1])
	n.holds(ctx, b, "k", "four", "three", "one")
	n.absent(ctx, b, ids[1])
	n.erase(ctx, b, ids[3]) // the one before becomes the latest
	n.holds(ctx, b, "k", "three", "one")
	n.erase(ctx, b, ids[1], ids[3]) // what is gone is gone
	n.holds(ctx, b, "k", "three", "one")
	n.erase(ctx, b, objstore.ID{Key: "other", Version: ids[0].Version}) // no marker, and no other key's version
	n.holds(ctx, b, "other")
	n.holds(ctx, b, "k", "three", "one")
	return n.err()
}

// deleteAll frees a key as the reclaimer does.
func deleteAll(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if _, err := markersBetween(ctx, b); err != nil {
		return err
	}
	n.putEach(ctx, b, "k", "four")
	n.putEach(ctx, b, "k/neighbour", "kept")
	n.putEach(ctx, b, "kk", "kept")
	all, err := entries(ctx, b, "k", nil)
	n.add("versions", err)
	var ids []objstore.ID
	for _, o := range all {
		ids = append(ids, objstore.ID{Key: o.Key, Version: o.Version})
	}
	n.erase(ctx, b, ids...)
	n.holds(ctx, b, "k")
	n.shows(ctx, b, "", nil, []string{"k/neighbour", "kk"})
	return n.err()
}

// versionPages cuts a listing within the versions of a key.
func versionPages(ctx context.Context, b objstore.Bucket) error {
	var n notes
	var want []string
	for _, key := range []string{"a", "b", "c"} {
		n.putEach(ctx, b, key, "one", "two", "three", "four")
		want = append(want, key+" four", key+" three", key+" two", key+" one")
	}
	for _, page := range []int{1, 2, 3, 4, 5, 0} {
		for after, skip := range map[string]int{"": 0, "a": 4, "aa": 4, "b": 8, "c": 12} {
			all, err := collect(b.Versions(ctx, "", &objstore.ListOptions{Page: page, After: after}))
			what := fmt.Sprintf("versions after %q in pages of %d", after, page)
			n.add(what, err)
			var got []string
			for i, content := range n.contentsOf(ctx, b, all) {
				got = append(got, all[i].Key+" "+content)
			}
			n.same(what, want[skip:], got)
		}
	}
	return n.err()
}
