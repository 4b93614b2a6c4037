package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/store/memstore"
)

var doomedAt = start.Truncate(time.Microsecond)

func testDoomed(t *testing.T, v *vault) {
	v.put(t, 1, lifecycle.Active, "a/1", "a/2")
	v.debt(t, objstore.Debt{})
	v.bury(t, 1)
	v.debt(t, objstore.Debt{Objects: 2, Rows: 1, Oldest: doomedAt})
	first := v.claim(t, 1, "a/1")
	second := v.claim(t, 10, "a/2")
	v.claim(t, 10)
	v.done(t, first...)
	v.state(t, 1, lifecycle.Purged)
	v.done(t, second...)
	v.state(t, 1, lifecycle.Reclaimed)
	v.debt(t, objstore.Debt{})
	history, err := v.Store.History(t.Context(), v.DB, row(v.doc, 1))
	if err != nil {
		t.Fatal(err)
	}
	last := history[len(history)-1]
	if last.Edge != lifecycle.Reclaim || last.By == "" {
		t.Errorf("the last entry is %+v, want a reclaim with an actor", last)
	}
}

func testShared(t *testing.T, v *vault) {
	v.put(t, 1, lifecycle.Active, "shared")
	v.put(t, 2, lifecycle.Active, "own", "shared")
	v.bury(t, 1)
	v.claim(t, 10)
	v.settled(t)
	v.state(t, 1, lifecycle.Reclaimed)
	v.debt(t, objstore.Debt{})
	if _, err := v.apply(t.Context(), lifecycle.Trash, row(v.doc, 2), cause); err != nil {
		t.Fatal(err)
	}
	v.claim(t, 10)
	if _, err := v.apply(t.Context(), lifecycle.Purge, row(v.doc, 2), cause); err != nil {
		t.Fatal(err)
	}
	v.done(t, v.claim(t, 10, "own", "shared")...)
	v.state(t, 2, lifecycle.Reclaimed)
}

func testFenced(t *testing.T, v *vault) {
	v.put(t, 1, lifecycle.Active, "k")
	v.bury(t, 1)
	stale := v.claim(t, 1, "k")[0]
	v.clock.Advance(Lease - time.Microsecond)
	v.claim(t, 1)
	v.clock.Advance(time.Millisecond)
	fresh := v.claim(t, 1, "k")[0]
	if fresh.Fence <= stale.Fence || fresh.ID != stale.ID {
		t.Errorf("the second claim is %+v, after %+v", fresh, stale)
	}
	if err := v.Ledger.Done(t.Context(), stale, objstore.Attempt{}); !errors.Is(err, objstore.ErrFenced) {
		t.Errorf("stale done: %v, want ErrFenced", err)
	}
	if err := v.Ledger.Fail(t.Context(), stale, objstore.Attempt{}); !errors.Is(err, objstore.ErrFenced) {
		t.Errorf("stale fail: %v, want ErrFenced", err)
	}
	v.state(t, 1, lifecycle.Purged)
	v.done(t, fresh)
	v.state(t, 1, lifecycle.Reclaimed)
	if err := v.Ledger.Done(t.Context(), fresh, objstore.Attempt{}); !errors.Is(err, objstore.ErrFenced) {
		t.Errorf("done twice: %v, want ErrFenced", err)
	}
}

func testFailed(t *testing.T, v *vault) {
	v.put(t, 1, lifecycle.Active, "k")
	v.bury(t, 1)
	c := v.claim(t, 1, "k")[0]
	later := v.clock.Now().Add(time.Hour)
	if err := v.Ledger.Fail(t.Context(), c, objstore.Attempt{Code: "AccessDenied", NotBefore: later}); err != nil {
		t.Fatal(err)
	}
	if err := v.Ledger.Done(t.Context(), c, objstore.Attempt{}); !errors.Is(err, objstore.ErrFenced) {
		t.Errorf("done after fail: %v, want ErrFenced", err)
	}
	v.debt(t, objstore.Debt{Objects: 1, Waiting: 1, Rows: 1, Oldest: doomedAt})
	v.clock.Set(later.Add(-time.Millisecond))
	v.claim(t, 1)
	v.clock.Set(later.Add(time.Millisecond))
	again := v.claim(t, 1, "k")[0]
	if again.Attempts != 1 {
		t.Errorf("the second claim knows of %d attempts, want 1", again.Attempts)
	}
	v.done(t, again)
	v.state(t, 1, lifecycle.Reclaimed)
}

func testHeldBytes(t *testing.T, v *vault) {
	v.put(t, 1, lifecycle.Active, "k")
	seed := memstore.Seed{State: lifecycle.Purged, DeletedAt: start, PurgeAfter: start.Add(window), Held: true, Objects: []string{"k"}}
	if err := v.Insert(t.Context(), v.doc, key(v.doc, 2), seed); err != nil {
		t.Fatal(err)
	}
	v.bury(t, 1)
	v.claim(t, 10)
	v.state(t, 1, lifecycle.Purged)
	v.debt(t, objstore.Debt{Objects: 1, Waiting: 1, Rows: 1, Oldest: doomedAt})
	v.clock.Advance(2 * Lease)
	v.claim(t, 10)
}

func testUndoomed(t *testing.T, v *vault) {
	v.put(t, 1, lifecycle.Trashed, "k")
	errBack := errors.New("changed my mind")
	err := v.in(t.Context(), func(tx lifecycle.Tx) error {
		if _, err := v.Store.Purge(t.Context(), tx, row(v.doc, 1), cause); err != nil {
			t.Error(err)
		}
		return errBack
	})
	if !errors.Is(err, errBack) {
		t.Fatal(err)
	}
	v.debt(t, objstore.Debt{})
	v.claim(t, 10)
}

func testTechnical(t *testing.T, v *vault) {
	for n := range int64(3) {
		seed := memstore.Seed{State: lifecycle.Active, Objects: []string{fmt.Sprintf("t/%d", n+1)}}
		if err := v.Insert(t.Context(), v.ticket, key(v.ticket, n+1), seed); err != nil {
			t.Fatal(err)
		}
	}
	err := v.in(t.Context(), func(tx lifecycle.Tx) error {
		_, err := v.Store.HardDelete(t.Context(), tx, v.ticket.Rows(key(v.ticket, 1), key(v.ticket, 3)), cause)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	v.debt(t, objstore.Debt{Objects: 2, Oldest: doomedAt})
	v.done(t, v.claim(t, 10, "t/1", "t/3")...)
	v.debt(t, objstore.Debt{})
}

func testNothingToFree(t *testing.T, v *vault) {
	v.put(t, 1, lifecycle.Active)
	v.put(t, 2, lifecycle.Active, "", "")
	v.bury(t, 1, 2)
	v.debt(t, objstore.Debt{})
	v.settled(t)
	v.settled(t)
	v.state(t, 1, lifecycle.Reclaimed)
	v.state(t, 2, lifecycle.Reclaimed)
}

func testCrowd(t *testing.T, v *vault) {
	const crowd = 40
	for n := range int64(crowd) {
		v.put(t, n+1, lifecycle.Active, "shared")
		v.bury(t, n+1)
	}
	v.debt(t, objstore.Debt{Objects: 1, Rows: crowd, Oldest: doomedAt})
	v.done(t, v.claim(t, 10, "shared")...)
	v.settled(t)
	for n := range int64(crowd) {
		v.state(t, n+1, lifecycle.Reclaimed)
	}
}

func testProtection(t *testing.T, v *vault) {
	n, err := v.Ledger.References(t.Context(), bucket)
	if n != 0 || err != nil {
		t.Errorf("references of an empty database: %d, %v", n, err)
	}
	v.put(t, 7, lifecycle.Reclaimed, "freed")
	if n, err := v.Ledger.References(t.Context(), bucket); n != 0 || err != nil {
		t.Errorf("references of reclaimed rows: %d, %v", n, err)
	}
	v.put(t, 1, lifecycle.Active, "active")
	v.put(t, 2, lifecycle.Trashed, "trashed", "second")
	v.put(t, 3, lifecycle.Purged, "purged")
	v.put(t, 4, lifecycle.Reclaimed, "reclaimed")
	v.put(t, 5, lifecycle.Active, "doomed")
	v.put(t, 6, lifecycle.Active, "naïve/ключ 🗝.txt")
	v.bury(t, 5)
	asked := []string{
		"active", "trashed", "second", "purged", "reclaimed", "doomed", "naïve/ключ 🗝.txt", "nobody", "active/", "activ", "Active", "ACTIVE", "a", "%", "_ctive", "'",
	}
	free, err := v.Ledger.Unprotected(t.Context(), bucket, asked)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"reclaimed", "nobody", "active/", "activ", "Active", "ACTIVE", "a", "%", "_ctive", "'"}
	slices.Sort(want)
	slices.Sort(free)
	if diff := cmp.Diff(want, free); diff != "" {
		t.Errorf("unprotected (-want +got):\n%s", diff)
	}
	for _, odd := range []string{"", "a\x00b", "\xff"} {
		if free, err := v.Ledger.Unprotected(t.Context(), bucket, []string{odd}); err != nil || len(free) > 0 {
			t.Errorf("unprotected %q: %q, %v; want nothing", odd, free, err)
		}
	}
	if n, err = v.Ledger.References(t.Context(), bucket); n < 5 || err != nil {
		t.Errorf("references: %d, %v; want at least 5", n, err)
	}
	if n, err = v.Ledger.References(t.Context(), "another bucket"); n != 0 || err != nil {
		t.Errorf("references to another bucket: %d, %v", n, err)
	}
}

func testOrphan(t *testing.T, v *vault) {
	v.put(t, 1, lifecycle.Active, "kept")
	doomed, err := v.Ledger.Doom(t.Context(), bucket, []string{"kept", "lost", "late", "lost"})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(doomed)
	if diff := cmp.Diff([]string{"late", "lost"}, doomed); diff != "" {
		t.Errorf("doomed (-want +got):\n%s", diff)
	}
	if again, err := v.Ledger.Doom(t.Context(), bucket, []string{"lost"}); err != nil || len(again) > 0 {
		t.Errorf("doomed twice: %q, %v", again, err)
	}
	v.put(t, 2, lifecycle.Active, "late")
	claims := v.claim(t, 10, "lost")
	if !claims[0].Orphan {
		t.Errorf("claim %+v is not marked as an orphan", claims[0])
	}
	v.done(t, claims...)
	v.debt(t, objstore.Debt{})
	v.clock.Advance(2 * Lease)
	v.claim(t, 10)
	// The same key written again after its end is an orphan again.
	if doomed, err = v.Ledger.Doom(t.Context(), bucket, []string{"lost"}); err != nil || len(doomed) != 1 {
		t.Errorf("doomed after its end: %q, %v", doomed, err)
	}
	v.done(t, v.claim(t, 10, "lost")...)
}

func testClaims(t *testing.T, v *vault) {
	const objects, workers = 60, 8
	var keys []string
	for n := range int64(objects) {
		keys = append(keys, fmt.Sprintf("k/%02d", n))
		v.put(t, n+1, lifecycle.Active, keys[n])
		v.bury(t, n+1)
	}
	var mu sync.Mutex
	var got []string
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for {
				claims, err := v.Ledger.Claim(t.Context(), bucket, 7)
				mu.Lock()
				for _, c := range claims {
					got = append(got, c.Key)
				}
				finished := len(got) >= objects
				mu.Unlock()
				if err != nil {
					t.Errorf("claim: %v", err)
					return
				}
				for _, c := range claims {
					if err := v.Ledger.Done(t.Context(), c, objstore.Attempt{Versions: 1}); err != nil {
						t.Errorf("done: %v", err)
					}
				}
				if finished {
					return
				}
			}
		})
	}
	group.Wait()
	slices.Sort(got)
	if diff := cmp.Diff(keys, got); diff != "" {
		t.Errorf("claimed (-want +got):\n%s", diff)
	}
	for n := range int64(objects) {
		v.state(t, n+1, lifecycle.Reclaimed)
	}
}

func testOrder(t *testing.T, v *vault) {
	for n, key := range []string{"twice", "once", "twice"} {
		v.put(t, int64(n+1), lifecycle.Active, key)
	}
	v.bury(t, 1)
	v.claim(t, 10) // another row needs the key
	for _, n := range []int64{2, 3} {
		v.clock.Advance(time.Second)
		v.bury(t, n)
	}
	v.claim(t, 1, "once")
	v.claim(t, 1, "twice")
}
