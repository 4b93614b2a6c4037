package objstoretest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/softdelete-go/softdelete/objstore"
)

func deleteInOrder(ctx context.Context, b objstore.Bucket) error {
	var n notes
	keys := []string{"c", "a", "kept", "e", "b"}
	if err := putAll(ctx, b, keys...); err != nil {
		return err
	}
	// Neither sorted nor in the order of the puts, with one that is not there
	// and one that cannot be.
	long := strings.Repeat("k", objstore.MaxKey+1)
	ids := []objstore.ID{{Key: "e"}, {Key: "b"}, {Key: "missing"}, {Key: long}, {Key: "a"}, {Key: "c"}}
	results, err := b.Delete(ctx, ids)
	if err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	n.answers(results, ids)
	for _, r := range results {
		if r.Key == long {
			n.is("delete of a key that is too long", r.Err, objstore.ErrInvalid)
		} else {
			n.add("delete of "+name(r.ID), r.Err)
			n.absent(ctx, b, r.ID)
		}
	}
	left, err := collect(b.Objects(ctx, "", nil))
	n.add("objects", err)
	n.same("objects after the delete", []string{"kept"}, keysOf(left))
	return n.err()
}

func deleteMissing(ctx context.Context, b objstore.Bucket) error {
	var n notes
	ids := []objstore.ID{{Key: "never"}, {Key: "gone"}, {Key: "never/a"}}
	if err := putAll(ctx, b, "gone", "kept"); err != nil {
		return err
	}
	n.erase(ctx, b, ids[1])
	n.erase(ctx, b, ids...)
	n.erase(ctx, b, ids...)
	n.erase(ctx, b, objstore.ID{Key: "never/b", Version: objstore.NullVersion})
	n.reads(ctx, b, objstore.ID{Key: "kept"}, "kept")
	return n.err()
}

func deleteNeighbours(ctx context.Context, b objstore.Bucket) error {
	var n notes
	for _, key := range []string{"a", "a/b", "ab", "A"} {
		keys := []string{"A", "a", "a-", "a/b", "a/b/c", "a0", "ab"}
		if err := putAll(ctx, b, keys...); err != nil {
			return err
		}
		n.erase(ctx, b, objstore.ID{Key: key})
		left, err := collect(b.Objects(ctx, "", nil))
		n.add("objects", err)
		n.same(fmt.Sprintf("objects after the delete of %q", key),
			slices.DeleteFunc(keys, func(k string) bool { return k == key }), keysOf(left))
	}
	return n.err()
}

// refusedBatches are wrong as a whole: nothing of them may be done.
func refusedBatches(ctx context.Context, b objstore.Bucket) error {
	var n notes
	if err := putAll(ctx, b, "a", "b"); err != nil {
		return err
	}
	many := []objstore.ID{{Key: "a"}, {Key: "b"}}
	for i := range objstore.MaxDelete - 1 {
		many = append(many, objstore.ID{Key: fmt.Sprintf("in/%d", i)})
	}
	for _, batch := range []struct {
		name string
		ids  []objstore.ID
	}{
		{"the same key twice", []objstore.ID{{Key: "a"}, {Key: "b"}, {Key: "a"}}},
		{"the same version twice", []objstore.ID{{Key: "a"}, {Key: "b", Version: "null"}, {Key: "b", Version: "null"}}},
		{"an empty key", []objstore.ID{{Key: "a"}, {Key: "b"}, {}}},
		{"an empty key with a version", []objstore.ID{{Key: "a"}, {Version: "null"}}},
		{"1,001 keys", many},
	} {
		results, err := b.Delete(ctx, batch.ids)
		n.is("delete of "+batch.name, err, objstore.ErrInvalid)
		for _, r := range results {
			if r.Err == nil {
				n.addf("delete of %s acknowledges %s", batch.name, name(r.ID))
			}
		}
	}
	n.shows(ctx, b, "", nil, []string{"a", "b"})
	n.erase(ctx, b, many[:objstore.MaxDelete]...)
	n.absent(ctx, b, objstore.ID{Key: "a"})
	return n.err()
}

func emptyBatch(ctx context.Context, b objstore.Bucket) error {
	var n notes
	n.erase(ctx, b)
	return n.err()
}
