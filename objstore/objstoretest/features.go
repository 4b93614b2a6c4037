package objstoretest

import (
	"context"
	"slices"
	"testing"

	"github.com/softdelete-go/softdelete/objstore"
)

// Features are the differences between products. The zero Features is a store
// that treats objects as S3 does, and of whose versioning and locks nothing is
// to be tried. Each difference costs the users of a product something, which
// its comment says.
type Features struct {
	// SetVersioning turns the versioning of a bucket from open. It may be called
	// for the same bucket several times. Nil: nothing of versions is tried.
	SetVersioning func(ctx context.Context, b objstore.Bucket, status objstore.VersioningStatus) error
	// OpenLocked returns a fresh, empty bucket with object lock and versioning,
	// without a default retention. Nil: nothing of locks is tried.
	OpenLocked func(t *testing.T) objstore.Bucket
	// SetLock replaces the lock of a version in a bucket from OpenLocked: by a
	// legal hold, which it also lifts, or by a governance retention. Needed with
	// OpenLocked.
	SetLock func(ctx context.Context, b objstore.Bucket, id objstore.ID, lock objstore.Lock) error

	// Unconditional: the store overwrites where IfAbsent should refuse. Two
	// writers of a key can then both believe that the bytes are theirs. The
	// suite tries nothing of conditional writes.
	Unconditional bool
	// NoEmptySegments: keys with an empty, "." or ".." segment are refused, since
	// clients and proxies make other requests of them. The suite wants
	// objstore.ErrInvalid for each, and otherwise that each is a key of its own.
	NoEmptySegments bool
	// Folders: "a/" is a folder, which is there where "a/b" is, and which put as
	// an object takes the place of the object "a". The suite leaves keys that
	// end in a slash alone; otherwise "a" and "a/" are two objects. SeaweedFS.
	Folders bool
	// ShortNames: no part of a key between two slashes may be longer than 255
	// bytes, as with files. The suite puts no longer ones. SeaweedFS.
	ShortNames bool
	// RawListings: listings are not encoded, so that a key with a character that
	// XML cannot hold breaks them: who may write such a key stops every sweep.
	// The suite wants those listings to be objstore.ErrIncomplete, and otherwise
	// whole; with versioning it puts no such keys, since nobody could list what
	// is left of them. SeaweedFS, where it lists versions.
	RawListings bool
	// OpaqueMissing: the answer that a key with a character that XML cannot hold
	// is missing cannot be read, since it repeats the key. The suite wants any
	// error of Head and Open there, and otherwise io/fs.ErrNotExist. S3.
	OpaqueMissing bool
	// MarkersApart: the order between a version and a delete marker of one key is
	// lost where their instants are the same. The suite then looks at the order
	// among versions alone. S3 through the SDK, which hands them out in two
	// lists.
	MarkersApart bool
	// UnorderedObjects: in a bucket that has versioning, Objects is out of order,
	// or lacks keys without saying so. Only Versions can be trusted there, and
	// the suite asks Versions for what Objects should show. SeaweedFS.
	UnorderedObjects bool
	// Unsuspendable: while versioning is suspended, puts and listings do not tell
	// the null version's place, and a null delete marker cannot be deleted: the
	// bucket can never be emptied again. The suite suspends nothing. SeaweedFS.
	Unsuspendable bool
}

// suite returns the probes of Run for a versioning status. The plain ones are
// asked in each: nothing of objects changes with it.
func suite(f Features, status objstore.VersioningStatus) []probe {
	all := append(common(f, status), segmentProbe(f))
	if status == objstore.Unversioned {
		all = append(all, probe{"many pages", manyPages})
	}
	if status == objstore.Unversioned || !f.RawListings {
		all = append(all, controlProbe(f))
	}
	if !f.Folders {
		all = append(all, probe{"keys that end in a slash", slashKeys})
	}
	if !f.ShortNames {
		all = append(all, probe{"long names", longNames})
	}
	return f.adapt(all, status)
}

// common are the probes that Check has too.
func common(f Features, status objstore.VersioningStatus) []probe {
	all := slices.Concat(plain, byStatus[status])
	if !f.Unconditional {
		all = append(all, conditional...)
	}
	if !f.Folders {
		all = append(all, probe{"missing folder", missingFolder})
	}
	if status == objstore.Versioned {
		all = append(all, markerProbe(f))
	}
	return all
}

// adapt makes probes ask Versions where Objects cannot be trusted.
func (f Features) adapt(all []probe, status objstore.VersioningStatus) []probe {
	if !f.UnorderedObjects || status == objstore.Unversioned {
		return all
	}
	adapted := slices.Clone(all)
	for i, p := range all {
		adapted[i].run = func(ctx context.Context, b objstore.Bucket) error { return p.run(ctx, currents{b}) }
	}
	return adapted
}

func segmentProbe(f Features) probe {
	if f.NoEmptySegments {
		return probe{"empty segments are refused", refusesSegments}
	}
	return probe{"empty segments", keepsSegments}
}

func controlProbe(f Features) probe {
	switch {
	case f.RawListings:
		return probe{"control characters in raw listings", controlKeysApart}
	case f.OpaqueMissing:
		return probe{"control characters, opaquely missing", controlKeysOpaque}
	}
	return probe{"control characters", controlKeys}
}

func markerProbe(f Features) probe {
	if f.MarkersApart {
		return probe{"delete markers apart", markersApart}
	}
	return probe{"delete markers in order", markersInOrder}
}

// transitions are the probes that turn versioning themselves. They are not
// adapted: SetVersioning wants the bucket that open returned.
func transitions(f Features) []probe {
	all := []probe{{"versioning turned on", turnedOn(f.SetVersioning)}}
	if !f.Unsuspendable {
		all = append(all, probe{"statuses", statuses(f.SetVersioning)})
	}
	return all
}
