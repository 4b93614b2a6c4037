package objstore_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

// versioned and lockable are buckets of those kinds.
var (
	versioned = &memobj.Options{Versioning: objstore.Versioned}
	lockable  = &memobj.Options{ObjectLock: true}
)

// TestReclaimKinds meets every mixture of versions that one key can have.
func TestReclaimKinds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		opts    *memobj.Options
		prepare func(w *world)
		want    objstore.Attempt
	}{
		{"unversioned", nil, func(w *world) { w.put("a") }, objstore.Attempt{Versions: 1, Bytes: 4}},
		{"gone already", nil, func(*world) {}, objstore.Attempt{}},
		{"gone already, versioned", versioned, func(*world) {}, objstore.Attempt{}},
		{"one version", versioned, func(w *world) { w.put("a") }, objstore.Attempt{Versions: 1, Bytes: 4}},
		{"versions and markers", versioned, func(w *world) {
			w.put("a", "a")
			w.hide("a")
			w.put("a")
			w.hide("a")
		}, objstore.Attempt{Versions: 3, Markers: 2, Bytes: 12}},
		{"a marker alone", versioned, func(w *world) { w.hide("a") }, objstore.Attempt{Markers: 1}},
		{"markers only", versioned, func(w *world) { w.hide("a"); w.hide("a"); w.hide("a") }, objstore.Attempt{Markers: 3}},
		{"null version under versions", nil, func(w *world) {
			w.put("a")
			w.setVersioning(objstore.Versioned)
			w.put("a", "a")
		}, objstore.Attempt{Versions: 3, Bytes: 12}},
		{"null version after suspension", versioned, func(w *world) {
			w.put("a", "a")
			w.setVersioning(objstore.Suspended)
			w.put("a", "a")
		}, objstore.Attempt{Versions: 3, Bytes: 12}},
		{"null marker after suspension", versioned, func(w *world) {
			w.put("a")
			w.setVersioning(objstore.Suspended)
			w.hide("a")
		}, objstore.Attempt{Versions: 1, Markers: 1, Bytes: 4}},
		{"enabled again", versioned, func(w *world) {
			w.put("a")
			w.setVersioning(objstore.Suspended)
			w.put("a")
			w.setVersioning(objstore.Versioned)
			w.put("a")
			w.hide("a")
		}, objstore.Attempt{Versions: 3, Markers: 1, Bytes: 12}},
		{"2500 versions", versioned, func(w *world) {
			for range 2500 {
				w.put("a")
			}
		}, objstore.Attempt{Versions: 2500, Bytes: 10000}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, tt.opts)
			tt.prepare(w)
			w.book.promise("a")
			report := w.mustReclaim(nil)
			equal(t, "stored", map[string]int{}, w.stored())
			equal(t, "attempt", tt.want, w.book.last("a"))
			equal(t, "states", map[string]string{"a": reclaimed}, w.book.states())
			if !report.Complete || report.Done != 1 || report.Debt != (objstore.Debt{}) {
				t.Errorf("report: %+v", report)
			}
		})
	}
}

// TestReclaimNeighbours: the key is a prefix of all the others.
func TestReclaimNeighbours(t *testing.T) {
	t.Parallel()
	neighbours := []string{"a\x00", "a ", "a!", "a/", "a/b", "a0", "aa", "ab", "a\uFFFD", "a\U0001F600", "A", "b"}
	for _, opts := range []*memobj.Options{nil, versioned} {
		w := newWorld(t, opts)
		want := map[string]int{}
		w.put("a")
		w.put(neighbours...)
		for _, key := range neighbours {
			want[key] = 1
		}
		w.book.promise("a", "a\x01", "a/c")
		w.mustReclaim(nil)
		equal(t, "stored", want, w.stored())
		equal(t, "states", map[string]string{"a": reclaimed, "a\x01": reclaimed, "a/c": reclaimed}, w.book.states())
	}
}

// TestReclaimUnsafeKeys: what no batch can carry is deleted where a row names it
// exactly, and nothing else is.
func TestReclaimUnsafeKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t, versioned)
	w.put("p/a\x01b", "p/a\uFFFDb", "p/../x")
	w.book.promise("p/a\x01b", "p/../x")
	w.mustReclaim(nil)
	equal(t, "stored", map[string]int{"p/a\uFFFDb": 1}, w.stored())
}

// TestReclaimShares packs the entries of many keys into full requests.
func TestReclaimShares(t *testing.T) {
	t.Parallel()
	w := newWorld(t, versioned)
	for i := range 30 {
		key := fmt.Sprintf("k/%02d", i)
		w.put(key, key, key)
		w.book.promise(key)
	}
	report := w.mustReclaim(&objstore.ReclaimOptions{Batch: 20, Entries: 40})
	equal(t, "stored", map[string]int{}, w.stored())
	equal(t, "requests", []int{40, 20, 30}, w.spy.sizes)
	if report.Requests != 3 || report.Acknowledged != 90 || report.Done != 30 {
		t.Errorf("report: %+v", report)
	}
}

func TestReclaimMaxObjects(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for i := range 7 {
		key := fmt.Sprintf("k/%d", i)
		w.put(key)
		w.book.promise(key)
	}
	report := w.mustReclaim(&objstore.ReclaimOptions{Batch: 2, MaxObjects: 5})
	if report.Claimed != 5 || report.Done != 5 || report.Complete || report.Debt.Objects != 2 {
		t.Errorf("report: %+v", report)
	}
	report = w.mustReclaim(&objstore.ReclaimOptions{Batch: 2, MaxObjects: 5})
	if report.Claimed != 2 || !report.Complete {
		t.Errorf("second report: %+v", report)
	}
}

// TestReclaimProtected: what a row refers to is not claimed, and does not end
// the run for the keys behind it.
func TestReclaimProtected(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for i := range 6 {
		key := fmt.Sprintf("k/%d", i)
		w.put(key)
		w.book.promise(key)
		if i < 5 {
			w.book.refer(key)
		}
	}
	// A ledger may put protected keys aside one claim at a time.
	ledger := &asideLedger{worker: w.spy.w}
	report, err := newReclaimer(t, w.spy, ledger, w.clock, &objstore.ReclaimOptions{Batch: 2}).Run(t.Context())
	if err != nil || !report.Complete || report.Done != 1 {
		t.Errorf("report: %+v, %v", report, err)
	}
	if got := len(w.stored()); got != 5 {
		t.Errorf("%d keys stored, want 5", got)
	}
}

func TestReclaimMFADelete(t *testing.T) {
	t.Parallel()
	w := newWorld(t, versioned)
	w.put("a")
	w.book.promise("a")
	w.bucket.SetMFADelete(true)
	_, err := w.reclaim(nil)
	var refused *objstore.RefusedError
	if !errors.Is(err, objstore.ErrRefused) || !errors.As(err, &refused) || refused.Reason != objstore.ReasonMFADelete {
		t.Fatalf("error %v, want a refusal for MFA delete", err)
	}
	equal(t, "states", map[string]string{"a": doomed}, w.book.states())
}

func TestReclaimLocked(t *testing.T) {
	t.Parallel()
	until := epoch.Add(72 * time.Hour)
	tests := []struct {
		name string
		lock objstore.Lock
		want time.Time
	}{
		{"retention", objstore.Lock{Until: until}, until},
		{"governance", objstore.Lock{Until: until, Governance: true}, until},
		{"legal hold", objstore.Lock{LegalHold: true}, epoch.Add(6 * time.Hour)},
		{"both", objstore.Lock{LegalHold: true, Until: until}, until},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, lockable)
			w.put("a", "a", "b")
			newest := w.versions("a")[0]
			id := objstore.ID{Key: "a", Version: newest.Version}
			if err := w.bucket.SetLock(t.Context(), id, tt.lock); err != nil {
				t.Fatal(err)
			}
			w.book.promise("a", "b")
			report := w.mustReclaim(nil)
			equal(t, "stored", map[string]int{"a": 1}, w.stored())
			equal(t, "attempt", objstore.Attempt{Versions: 1, Bytes: 4, Code: "locked", NotBefore: tt.want}, w.book.last("a"))
			equal(t, "failed", map[string]int64{"locked": 1}, report.Failed)
			if report.Locked != 1 || report.Done != 1 || report.Debt.Waiting != 1 || !report.Complete {
				t.Errorf("report: %+v", report)
			}

			if report := w.mustReclaim(nil); report.Claimed != 0 {
				t.Errorf("the locked key was claimed again at once: %+v", report)
			}
			if err := w.bucket.SetLock(t.Context(), id, objstore.Lock{}); err != nil {
				t.Fatal(err)
			}
			w.clock.Set(tt.want)
			w.mustReclaim(nil)
			equal(t, "stored at last", map[string]int{}, w.stored())
		})
	}
}

func TestReclaimerOptions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	tests := []struct {
		name string
		opts objstore.ReclaimOptions
		ok   bool
	}{
		{"zero", objstore.ReclaimOptions{}, true},
		{"largest", objstore.ReclaimOptions{Batch: 1000, Entries: 1000}, true},
		{"a long back-off", objstore.ReclaimOptions{Backoff: 24 * time.Hour}, true},
		{"negative batch", objstore.ReclaimOptions{Batch: -1}, false},
		{"large batch", objstore.ReclaimOptions{Batch: 1001}, false},
		{"negative entries", objstore.ReclaimOptions{Entries: -1}, false},
		{"too many entries", objstore.ReclaimOptions{Entries: objstore.MaxDelete + 1}, false},
		{"negative limit", objstore.ReclaimOptions{MaxObjects: -1}, false},
		{"negative margin", objstore.ReclaimOptions{Margin: -1}, false},
		{"negative back-off", objstore.ReclaimOptions{Backoff: -1}, false},
		{"ceiling below back-off", objstore.ReclaimOptions{Backoff: 2, MaxBackoff: 1}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := objstore.NewReclaimer(w.bucket, w.book, &tt.opts)
			if (err == nil) != tt.ok || err != nil && !errors.Is(err, objstore.ErrInvalid) {
				t.Errorf("error %v, want none: %v", err, tt.ok)
			}
		})
	}
	if _, err := objstore.NewReclaimer(nil, w.book, nil); !errors.Is(err, objstore.ErrInvalid) {
		t.Errorf("without a bucket: %v", err)
	}
	if _, err := objstore.NewReclaimer(w.bucket, nil, nil); !errors.Is(err, objstore.ErrInvalid) {
		t.Errorf("without a ledger: %v", err)
	}
}
