package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/store/memstore"
)

const bucket = "files"

// vault is a harness seen from its objects.
type vault struct {
	*fixture
	*Harness
	clock *lifecycletest.Clock
}

func testLedger(t *testing.T, open Open) {
	probe := newFixture()
	if open(t, probe.catalog, lifecycletest.NewClock(start)).Ledger == nil {
		return
	}
	for _, part := range []struct {
		name string
		run  func(t *testing.T, v *vault)
	}{
		{"a purge dooms and the last object reclaims", testDoomed},
		{"bytes go with the last reference", testShared},
		{"a stale worker records nothing", testFenced},
		{"a failure waits its turn", testFailed},
		{"a hold keeps the bytes", testHeldBytes},
		{"a purge that is rolled back dooms nothing", testUndoomed},
		{"technical rows leave no debt of rows", testTechnical},
		{"rows without objects are settled", testNothingToFree},
		{"many rows wait for one object", testCrowd},
		{"who protects a key", testProtection},
		{"an orphan that finds a row lives", testOrphan},
		{"claims never overlap", testClaims},
		{"the longest overdue comes first", testOrder},
		{"a row that comes too late", testLate},
		{"a late row that is purged meanwhile", testPurgedMeanwhile},
		{"orphans that belong to rows", testOrphanThatBelongs},
		{"verbs race with the ledger", testObjectRace},
	} {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel()
			f, clock := newFixture(), lifecycletest.NewClock(start)
			part.run(t, &vault{fixture: f, clock: clock, Harness: open(t, f.catalog, clock)})
		})
	}
}

func (v *vault) put(t *testing.T, n int64, state lifecycle.State, objects ...string) {
	t.Helper()
	seed := memstore.Seed{State: state, Objects: objects}
	if state != lifecycle.Active {
		seed.DeletedAt, seed.PurgeAfter = start, start.Add(window)
	}
	if err := v.Insert(t.Context(), v.doc, key(v.doc, n), seed); err != nil {
		t.Fatal(err)
	}
}

func (v *vault) bury(t *testing.T, ns ...int64) {
	t.Helper()
	for _, n := range ns {
		for _, edge := range []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Purge} {
			if _, err := v.apply(t.Context(), edge, row(v.doc, n), cause); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func (v *vault) claim(t *testing.T, n int, want ...string) []objstore.Claim {
	t.Helper()
	claims, err := v.Ledger.Claim(t.Context(), bucket, n)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range claims {
		got = append(got, c.Key)
		if c.Bucket != bucket || c.Fence == 0 || !c.Lease.Equal(v.clock.Now().Truncate(time.Microsecond).Add(Lease)) {
			t.Errorf("claim %+v at %s", c, v.clock.Now())
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("claimed keys (-want +got):\n%s", diff)
	}
	return claims
}

func (v *vault) done(t *testing.T, claims ...objstore.Claim) {
	t.Helper()
	for _, c := range claims {
		if err := v.Ledger.Done(t.Context(), c, objstore.Attempt{Versions: 1, Bytes: 7}); err != nil {
			t.Errorf("done %s: %v", c.Key, err)
		}
	}
}

func (v *vault) settled(t *testing.T) {
	t.Helper()
	if v.Settle == nil {
		return
	}
	if err := v.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (v *vault) state(t *testing.T, n int64, want lifecycle.State) {
	t.Helper()
	record, err := v.Store.Record(t.Context(), v.DB, row(v.doc, n))
	if err != nil {
		t.Fatal(err)
	}
	if record.State != want {
		t.Errorf("row %d is %s, want %s", n, record.State, want)
	}
}

func (v *vault) debt(t *testing.T, want objstore.Debt) {
	t.Helper()
	got, err := v.Ledger.Debt(t.Context(), bucket)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("debt (-want +got):\n%s", diff)
	}
}
