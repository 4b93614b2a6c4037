package objstoretest

import (
	"context"
	"slices"
	"testing"

	"github.com/softdelete-go/softdelete/objstore"
)

// Features are the differences between products. The zero Features is a store
// that treats objects as S3 does, and of whose versioning and locks nothing is
// to be tried. Each difference costs a user of the product something, which its
// comment says.
type Features struct {
	// SetVersioning turns the versioning of a bucket from open. It may be called
	// for the same bucket several times. Nil: nothing of versions is tried.
	SetVersioning func(ctx context.Context, b objstore.Bucket, status objstore.VersioningStatus) error
	// OpenLocked returns a fresh, empty bucket with object lock and versioning,
	// without a default retention. Nil: nothing of locks is tried.
	OpenLocked func(t *testing.T) objstore.Bucket
	// SetLock replaces the lock of a version in a bucket from OpenLocked: a legal
	// hold, which it also lifts, or a governance retention. Needed with
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
	// Folders: "a/" is a folder and takes the place of the object "a". The suite
	// puts no keys that end in a slash; otherwise it wants "a" and "a/" to be
	// two objects.
	Folders bool
	// ShortNames: no part of a key between two slashes may be longer than 255
	// bytes, as with files. The suite puts no longer ones.
	ShortNames bool
	// RawListings: listings are not encoded, so that a key with a character that
	// XML cannot hold breaks them: who may write such a key stops every sweep.
	// The suite wants those listings to be objstore.ErrIncomplete, and otherwise
	// whole.
	RawListings bool
	// MarkersApart: the order between a version and a delete marker of one key is
	// lost where their instants are the same. The suite then looks at the order
	// among versions alone.
	MarkersApart bool
}

// Run runs the suite. Each part is a parallel subtest with a bucket of its own,
// which open returns fresh, empty and without versioning. The bucket may be used
// until the end of that subtest.
func Run(t *testing.T, open func(t *testing.T) objstore.Bucket, features Features) {
	t.Helper()
	for _, p := range probes(features) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			expect(t, p, open(t))
		})
	}
	t.Run("check", func(t *testing.T) {
		t.Parallel()
		runCheck(t, open(t))
	})
	if features.SetVersioning != nil {
		runVersioned(t, open, features)
	}
	if features.OpenLocked != nil {
		runLocked(t, features)
	}
}

func expect(t *testing.T, p probe, b objstore.Bucket) {
	t.Helper()
	if err := p.run(t.Context(), b); err != nil {
		t.Errorf("%s:\n%v", p.name, err)
	}
}

// probes are those of a bucket without versioning.
func probes(f Features) []probe {
	all := append([]probe{{"many pages", manyPages}}, plain...)
	all = append(all, byStatus[objstore.Unversioned]...)
	if !f.Unconditional {
		all = append(all, conditional...)
	}
	if !f.Folders {
		all = append(all, probe{"keys that end in a slash", slashKeys})
	}
	if !f.ShortNames {
		all = append(all, probe{"long names", longNames})
	}
	return append(all, segmentProbe(f), controlProbe(f))
}

func segmentProbe(f Features) probe {
	if f.NoEmptySegments {
		return probe{"empty segments are refused", refusesSegments}
	}
	return probe{"empty segments", keepsSegments}
}

func controlProbe(f Features) probe {
	if f.RawListings {
		return probe{"control characters in raw listings", controlKeysApart}
	}
	return probe{"control characters", controlKeys}
}

func runVersioned(t *testing.T, open func(t *testing.T) objstore.Bucket, f Features) {
	t.Helper()
	t.Run("statuses", func(t *testing.T) {
		t.Parallel()
		expect(t, probe{"statuses", statuses(f.SetVersioning)}, open(t))
	})
	for _, status := range []objstore.VersioningStatus{objstore.Versioned, objstore.Suspended} {
		opened := func(t *testing.T) objstore.Bucket {
			b := open(t)
			if err := f.SetVersioning(t.Context(), b, status); err != nil {
				t.Fatal(err)
			}
			return b
		}
		for _, p := range versionedProbes(f, status) {
			t.Run(string(status)+" "+p.name, func(t *testing.T) {
				t.Parallel()
				expect(t, p, opened(t))
			})
		}
		t.Run(string(status)+" check", func(t *testing.T) {
			t.Parallel()
			runCheck(t, opened(t))
		})
	}
}

// versionedProbes are those of a status, and once more the plain ones: nothing
// of objects changes with it.
func versionedProbes(f Features, status objstore.VersioningStatus) []probe {
	all := slices.Concat(byStatus[status], plain)
	if !f.Unconditional {
		all = append(all, conditional...)
	}
	if status == objstore.Versioned && f.MarkersApart {
		all = append(all, probe{"delete markers apart", markersApart})
	} else if status == objstore.Versioned {
		all = append(all, probe{"delete markers in order", markersInOrder})
	}
	return all
}

func runLocked(t *testing.T, f Features) {
	t.Helper()
	for _, p := range []probe{
		{"locked by a legal hold", locked(f.SetLock, locks[0])},
		{"locked by a retention", locked(f.SetLock, locks[1])},
		{"lifted lock", lifted(f.SetLock)},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			expect(t, p, f.OpenLocked(t))
		})
	}
}

// runCheck wants Check to find nothing, and to leave alone what it did not make.
func runCheck(t *testing.T, b objstore.Bucket) {
	t.Helper()
	ctx := t.Context()
	if err := putAll(ctx, b, "a", "softdelete", "zz"); err != nil {
		t.Fatal(err)
	}
	if err := Check(ctx, b); err != nil {
		t.Errorf("check:\n%v", err)
	}
	var n notes
	n.shows(ctx, b, "", nil, []string{"a", "softdelete", "zz"})
	if err := n.err(); err != nil {
		t.Errorf("after the check:\n%v", err)
	}
}
