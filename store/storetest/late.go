package storetest

import (
	"testing"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
)

// testLate has a row that begins to refer to a key while its deletion is under
// way. The deletion is not given out again while the row lives, and it does not
// count as undone either: some bytes may be gone.
func testLate(t *testing.T, v *vault) {
	v.put(t, 1, lifecycle.Active, "k")
	v.bury(t, 1)
	v.claim(t, 1, "k") // this worker is never heard of again
	v.put(t, 2, lifecycle.Active, "k")
	v.clock.Advance(Lease)
	v.claim(t, 10)
	v.debt(t, objstore.Debt{Objects: 1, Waiting: 1, Rows: 1, Oldest: doomedAt})
	v.state(t, 1, lifecycle.Purged)
	v.bury(t, 2)
	v.clock.Advance(Lease)
	v.done(t, v.claim(t, 10, "k")...)
	v.settled(t)
	v.state(t, 1, lifecycle.Reclaimed)
	v.state(t, 2, lifecycle.Reclaimed)
	v.debt(t, objstore.Debt{})
}

// testPurgedMeanwhile purges a late row while the worker is still at the key.
// The worker's claim holds, and its answer is good for both rows.
func testPurgedMeanwhile(t *testing.T, v *vault) {
	v.put(t, 1, lifecycle.Active, "k")
	v.bury(t, 1)
	claims := v.claim(t, 1, "k")
	v.put(t, 2, lifecycle.Active, "k")
	v.bury(t, 2)
	v.claim(t, 10)
	v.done(t, claims...)
	v.settled(t)
	v.state(t, 1, lifecycle.Reclaimed)
	v.state(t, 2, lifecycle.Reclaimed)
	v.debt(t, objstore.Debt{})
}

// testOrphanThatBelongs has orphans that turn out to be rows'. One is a purged
// row's, which nobody asked to free; the other's row is purged by a verb, which
// asks for it.
func testOrphanThatBelongs(t *testing.T, v *vault) {
	if _, err := v.Ledger.Doom(t.Context(), bucket, []string{"kept", "owed"}); err != nil {
		t.Fatal(err)
	}
	v.put(t, 1, lifecycle.Purged, "kept")
	v.put(t, 2, lifecycle.Active, "owed")
	v.bury(t, 2)
	claims := v.claim(t, 10, "owed")
	if claims[0].Orphan {
		t.Errorf("claim %+v is marked as an orphan, and a row asked for it", claims[0])
	}
	v.debt(t, objstore.Debt{Objects: 1, Rows: 1, Waiting: 1, Oldest: doomedAt})
	v.done(t, claims...)
	v.settled(t)
	v.state(t, 1, lifecycle.Purged)
	v.state(t, 2, lifecycle.Reclaimed)
}
