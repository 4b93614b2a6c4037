package objstoretest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
)

// Run runs the suite. Each part is a parallel subtest with a bucket of its own,
// which open returns fresh, empty and without versioning. The bucket may be used
// until the end of that subtest.
func Run(t *testing.T, open func(t *testing.T) objstore.Bucket, features Features) {
	t.Helper()
	for _, p := range suite(features, objstore.Unversioned) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			expect(t, p, open(t))
		})
	}
	t.Run("check", func(t *testing.T) {
		t.Parallel()
		runCheck(t, open(t), features)
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

func runVersioned(t *testing.T, open func(t *testing.T) objstore.Bucket, f Features) {
	t.Helper()
	statuses := []objstore.VersioningStatus{objstore.Versioned, objstore.Suspended}
	if f.Unsuspendable {
		statuses = statuses[:1]
	}
	for _, p := range transitions(f) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			expect(t, p, open(t))
		})
	}
	for _, status := range statuses {
		opened := func(t *testing.T) objstore.Bucket {
			b := open(t)
			if err := f.SetVersioning(t.Context(), b, status); err != nil {
				t.Fatal(err)
			}
			return b
		}
		for _, p := range suite(f, status) {
			t.Run(string(status)+" "+p.name, func(t *testing.T) {
				t.Parallel()
				expect(t, p, opened(t))
			})
		}
		t.Run(string(status)+" check", func(t *testing.T) {
			t.Parallel()
			runCheck(t, opened(t), f)
		})
	}
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
func runCheck(t *testing.T, b objstore.Bucket, f Features) {
	t.Helper()
	ctx := t.Context()
	if err := putAll(ctx, b, "a", "softdelete", "zz"); err != nil {
		t.Fatal(err)
	}
	if err := check(ctx, b, f); err != nil {
		t.Errorf("check:\n%v", err)
	}
	all, err := collect(b.Versions(ctx, "", nil))
	if diff := cmp.Diff([]string{"a", "softdelete", "zz"}, keysOf(all)); diff != "" || err != nil {
		t.Errorf("versions after the check: %v (-want +got):\n%s", err, diff)
	}
}
