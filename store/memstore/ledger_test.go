package memstore_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// bury trashes and purges rows.
func (w *world) bury(t *testing.T, ids ...int) {
	t.Helper()
	for _, id := range ids {
		w.take(t, lifecycle.Trash, w.doc.Row(id))
		w.take(t, lifecycle.Purge, w.doc.Row(id))
	}
}

func keysOf(claims []objstore.Claim) (keys []string) {
	for _, c := range claims {
		keys = append(keys, c.Key)
	}
	return keys
}

// TestClaimLooksPastWhatIsKept wants a claim to be empty only where nothing is
// due: a worker that met kept keys must not believe that it is done.
func TestClaimLooksPastWhatIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.doc, memstore.Seed{Objects: []string{"shared"}}, 1, 2)
	w.insert(t, w.doc, memstore.Seed{Objects: []string{"own"}}, 3)
	w.bury(t, 1, 3)
	claims, err := w.Ledger().Claim(t.Context(), "files", 1)
	if diff := cmp.Diff([]string{"own"}, keysOf(claims)); diff != "" || err != nil {
		t.Errorf("Claim: %v (-want +got):\n%s", err, diff)
	}
	if got := w.state(t, w.Store, w.doc.Row(1)); got != lifecycle.Reclaimed {
		t.Errorf("the row whose object is kept is %s, want reclaimed", got)
	}
}

func TestClaimOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{Lease: time.Minute})
	l := w.Ledger()
	for i, key := range []string{"first", "second", "third"} {
		w.insert(t, w.doc, memstore.Seed{Objects: []string{key}}, i+1)
		w.bury(t, i+1)
		w.clock.Advance(time.Second)
	}
	want := [][]string{{"first", "second"}, {"third"}, nil}
	for _, keys := range want {
		claims, err := l.Claim(t.Context(), "files", 2)
		if diff := cmp.Diff(keys, keysOf(claims)); diff != "" || err != nil {
			t.Errorf("Claim: %v (-want +got):\n%s", err, diff)
		}
	}
	w.insert(t, w.doc, memstore.Seed{Objects: []string{"fourth"}}, 4)
	w.bury(t, 4)
	w.clock.Advance(time.Minute)
	claims, err := l.Claim(t.Context(), "files", 4)
	if diff := cmp.Diff([]string{"first", "second", "third", "fourth"}, keysOf(claims)); diff != "" || err != nil {
		t.Errorf("after the leases have ended: %v (-want +got):\n%s", err, diff)
	}
	for _, n := range []int{0, -1} {
		if claims, err := l.Claim(t.Context(), "files", n); len(claims) > 0 || err != nil {
			t.Errorf("Claim of %d: %v, %v", n, claims, err)
		}
	}
}

func TestAttempts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{Actor: "cleaner"})
	l := w.Ledger()
	w.insert(t, w.doc, memstore.Seed{Objects: []string{"k"}}, 1)
	w.bury(t, 1)
	failed := objstore.Attempt{Versions: 1, Bytes: 7, Code: "AccessDenied"}
	done := objstore.Attempt{Versions: 1, Markers: 1, Bytes: 5}
	for _, step := range []struct {
		record func(objstore.Claim) error
	}{
		{func(c objstore.Claim) error { return l.Fail(t.Context(), c, failed) }},
		{func(c objstore.Claim) error { return l.Done(t.Context(), c, done) }},
	} {
		claims, err := l.Claim(t.Context(), "files", 1)
		if err != nil || len(claims) != 1 {
			t.Fatalf("Claim: %v, %v", claims, err)
		}
		if err := step.record(claims[0]); err != nil {
			t.Fatal(err)
		}
		if err := step.record(claims[0]); !errors.Is(err, objstore.ErrFenced) {
			t.Errorf("recorded twice: %v, want ErrFenced", err)
		}
	}
	if diff := cmp.Diff([]objstore.Attempt{failed, done}, l.Attempts("files", "k")); diff != "" {
		t.Errorf("Attempts (-want +got):\n%s", diff)
	}
	if got := l.Attempts("files", "other"); got != nil {
		t.Errorf("Attempts of another key: %v", got)
	}
	history, err := w.History(t.Context(), w.Store, w.doc.Row(1))
	if err != nil || len(history) != 3 || history[2].Edge != lifecycle.Reclaim || history[2].By != "cleaner" {
		t.Errorf("history %+v, %v", history, err)
	}
}

func TestStrangeClaim(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.doc, memstore.Seed{Objects: []string{"k"}}, 1)
	w.bury(t, 1)
	claims, err := w.Ledger().Claim(t.Context(), "files", 1)
	if err != nil || len(claims) != 1 {
		t.Fatalf("Claim: %v, %v", claims, err)
	}
	good := claims[0]
	for name, spoil := range map[string]func(c *objstore.Claim){
		"another key":    func(c *objstore.Claim) { c.Key = "x" },
		"another bucket": func(c *objstore.Claim) { c.Bucket = "x" },
		"another number": func(c *objstore.Claim) { c.ID++ },
		"another fence":  func(c *objstore.Claim) { c.Fence++ },
	} {
		c := good
		spoil(&c)
		if err := w.Ledger().Done(t.Context(), c, objstore.Attempt{}); !errors.Is(err, objstore.ErrFenced) {
			t.Errorf("%s: %v, want ErrFenced", name, err)
		}
	}
	if err := w.Ledger().Done(t.Context(), good, objstore.Attempt{}); err != nil {
		t.Errorf("the claim itself: %v", err)
	}
}

// TestSettle reclaims rows that wait for nothing, and tells of those on hold.
func TestSettle(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.doc, active, 1, 2, 3)
	w.bury(t, 1, 2, 3)
	w.insert(t, w.doc, memstore.Seed{State: lifecycle.Purged, Held: true}, 2)
	for _, want := range []memstore.Settled{{Rows: 2, Held: 1}, {Held: 1}} {
		got, err := w.Ledger().Settle(t.Context())
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("Settle: %v (-want +got):\n%s", err, diff)
		}
	}
	w.insert(t, w.doc, memstore.Seed{State: lifecycle.Reclaimed}, 2)
	if got, err := w.Ledger().Settle(t.Context()); got != (memstore.Settled{}) || err != nil {
		t.Errorf("a row that is reclaimed already: %+v, %v", got, err)
	}
	if got := w.edges(t, w.doc.Row(2)); len(got) != 2 {
		t.Errorf("the held row's history is %v", got)
	}
}

// TestRowAgain purges a row twice that other software has brought back: it waits
// for its new object only.
func TestRowAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	for _, key := range []string{"old", "new"} {
		w.insert(t, w.doc, memstore.Seed{Objects: []string{key}}, 1)
		w.bury(t, 1)
	}
	l := w.Ledger()
	if debt, err := l.Debt(t.Context(), "files"); debt.Objects != 2 || debt.Rows != 1 || err != nil {
		t.Errorf("debt %+v, %v", debt, err)
	}
	claims, err := l.Claim(t.Context(), "files", 10)
	if err != nil || len(claims) != 2 {
		t.Fatalf("Claim: %v, %v", claims, err)
	}
	if err := l.Done(t.Context(), claims[1], objstore.Attempt{}); err != nil {
		t.Fatal(err)
	}
	if got := w.state(t, w.Store, w.doc.Row(1)); got != lifecycle.Reclaimed {
		t.Errorf("the row is %s once its new object is gone", got)
	}
}
