package objstoretest

import (
	"context"

	"github.com/softdelete-go/softdelete/objstore"
)

// nullVersion is about puts while versioning is suspended: each replaces the
// null version.
func nullVersion(ctx context.Context, b objstore.Bucket) error {
	var n notes
	null := objstore.ID{Key: "k", Version: objstore.NullVersion}
	n.same("ids of puts", []objstore.ID{null, null}, n.putEach(ctx, b, "k", "one", "two"))
	n.holds(ctx, b, "k", "two")
	n.reads(ctx, b, null, "two")
	n.erase(ctx, b, null)
	n.holds(ctx, b, "k")
	n.erase(ctx, b, null)
	return n.err()
}

// nullMarker is about deletes while versioning is suspended: a null delete
// marker takes the place of the null version.
func nullMarker(ctx context.Context, b objstore.Bucket) error {
	var n notes
	null := objstore.ID{Key: "k", Version: objstore.NullVersion}
	n.putEach(ctx, b, "k", "one")
	n.erase(ctx, b, objstore.ID{Key: "k"})
	n.holds(ctx, b, "k", "marker")
	all, err := entries(ctx, b, "k", nil)
	n.add("versions", err)
	for _, o := range all {
		if o.Version != objstore.NullVersion {
			n.addf("a delete marker while versioning is suspended is %+v, want the null version", o)
		}
	}
	n.erase(ctx, b, null)
	n.holds(ctx, b, "k")
	return n.err()
}

// setVersioning turns the versioning of the bucket under test.
type setVersioning func(context.Context, objstore.Bucket, objstore.VersioningStatus) error

// turnedOn keeps, as the null version, what was there before versioning.
func turnedOn(set setVersioning) func(context.Context, objstore.Bucket) error {
	return func(ctx context.Context, b objstore.Bucket) error {
		var n notes
		null := objstore.ID{Key: "k", Version: objstore.NullVersion}
		n.putEach(ctx, b, "k", "overwritten", "null")
		n.status(ctx, b, set, objstore.Versioned)
		n.holds(ctx, b, "k", "null")
		n.reads(ctx, b, null, "null")
		first := n.putEach(ctx, b, "k", "first")[0]
		n.holds(ctx, b, "k", "first", "null")
		n.erase(ctx, b, null)
		n.holds(ctx, b, "k", "first")
		n.erase(ctx, b, null, first)
		n.holds(ctx, b, "k")
		return n.err()
	}
}

// statuses goes through all that a bucket can be, with one key.
func statuses(set setVersioning) func(context.Context, objstore.Bucket) error {
	return func(ctx context.Context, b objstore.Bucket) error {
		var n notes
		key, null := objstore.ID{Key: "k"}, objstore.ID{Key: "k", Version: objstore.NullVersion}
		n.putEach(ctx, b, "k", "null")
		n.status(ctx, b, set, objstore.Versioned)
		n.holds(ctx, b, "k", "null")
		first := n.putEach(ctx, b, "k", "first")[0]
		n.holds(ctx, b, "k", "first", "null")
		n.status(ctx, b, set, objstore.Suspended)
		n.putEach(ctx, b, "k", "second") // in the place of the null version
		n.holds(ctx, b, "k", "second", "first")
		n.erase(ctx, b, key)
		n.holds(ctx, b, "k", "marker", "first")
		n.erase(ctx, b, null)
		n.holds(ctx, b, "k", "first")
		n.putEach(ctx, b, "k", "third")
		n.status(ctx, b, set, objstore.Versioned)
		last := n.putEach(ctx, b, "k", "fourth")[0]
		n.holds(ctx, b, "k", "fourth", "third", "first")
		n.erase(ctx, b, null)
		n.holds(ctx, b, "k", "fourth", "first")
		n.erase(ctx, b, first, last)
		n.holds(ctx, b, "k")
		return n.err()
	}
}

// status sets the status and wants the bucket to say so, if it says anything.
func (n *notes) status(ctx context.Context, b objstore.Bucket, set setVersioning, want objstore.VersioningStatus) {
	n.add("set versioning to "+string(want), set(ctx, b, want))
	if _, ok := b.(objstore.Versioner); !ok {
		return
	}
	got, err := objstore.VersioningOf(ctx, b)
	n.add("versioning", err)
	if got.Status != want {
		n.addf("versioning is %q, want %q", got.Status, want)
	}
}
