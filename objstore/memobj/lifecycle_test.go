package memobj_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

const day = 24 * time.Hour

// TestApplyLifecycle tells a story, lets days go by, and applies one rule.
func TestApplyLifecycle(t *testing.T) {
	t.Parallel()
	versioned := func(t *testing.T, b *memobj.Bucket) {
		store(t, b, "in/a", "1")
		store(t, b, "in/a", "2")
		store(t, b, "out/a", "1")
	}
	marked := func(t *testing.T, b *memobj.Bucket) {
		hide(t, b, "in/a")
		store(t, b, "in/b", "1")
		hide(t, b, "in/b")
	}
	tests := []struct {
		name    string
		status  objstore.VersioningStatus
		story   func(t *testing.T, b *memobj.Bucket)
		rule    objstore.Rule
		after   time.Duration
		want    []string
		changes int
	}{
		{"too young", objstore.Unversioned, versioned, objstore.Rule{Enabled: true, ExpirationDays: 1}, day, []string{"in/a 2", "out/a 1"}, 0},
		{"expired at midnight", objstore.Unversioned, versioned, objstore.Rule{Enabled: true, ExpirationDays: 1}, day + 12*time.Hour, nil, 2},
		{"under a prefix", objstore.Unversioned, versioned, objstore.Rule{Enabled: true, Prefix: "in/", ExpirationDays: 1}, 3 * day, []string{"out/a 1"}, 1},
		{"disabled", objstore.Unversioned, versioned, objstore.Rule{ExpirationDays: 1}, 3 * day, []string{"in/a 2", "out/a 1"}, 0},
		{"filtered", objstore.Unversioned, versioned, objstore.Rule{Enabled: true, Filtered: true, ExpirationDays: 1}, 3 * day, []string{"in/a 2", "out/a 1"}, 0},
		{"before the date", objstore.Unversioned, versioned, objstore.Rule{Enabled: true, ExpirationDate: epoch.Add(2 * day)}, day, []string{"in/a 2", "out/a 1"}, 0},
		{"at the date", objstore.Unversioned, versioned, objstore.Rule{Enabled: true, ExpirationDate: epoch.Add(2 * day)}, 2 * day, nil, 2},
		{"hidden by markers", objstore.Versioned, versioned, objstore.Rule{Enabled: true, ExpirationDays: 1}, 3 * day,
			[]string{"in/a (marker)", "in/a 2", "in/a 1", "out/a (marker)", "out/a 1"}, 2},
		{"null version replaced", objstore.Suspended, versioned, objstore.Rule{Enabled: true, ExpirationDays: 1}, 3 * day,
			[]string{"in/a (marker)", "out/a (marker)"}, 2},
		{"noncurrent", objstore.Versioned, versioned, objstore.Rule{Enabled: true, NoncurrentDays: 2}, 3 * day, []string{"in/a 2", "out/a 1"}, 1},
		{"noncurrent, too young", objstore.Versioned, versioned, objstore.Rule{Enabled: true, NoncurrentDays: 3}, 3 * day,
			[]string{"in/a 2", "in/a 1", "out/a 1"}, 0},
		{"lone markers", objstore.Versioned, marked, objstore.Rule{Enabled: true, ExpirationDays: 1}, 3 * day, []string{"in/b (marker)", "in/b 1"}, 1},
		{"markers left alone", objstore.Versioned, marked, objstore.Rule{Enabled: true, ExpirationDays: 1, NoncurrentDays: 1}, 3 * day, nil, 3},
		{"nothing to do", objstore.Versioned, marked, objstore.Rule{Enabled: true, AbortMultipartAfterDays: 1}, 3 * day,
			[]string{"in/a (marker)", "in/b (marker)", "in/b 1"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			clock := lifecycletest.NewClock(epoch)
			b := open(t, &memobj.Options{Clock: clock, Versioning: tt.status})
			tt.story(t, b)
			tt.rule.ID = "rule"
			b.SetRules(tt.rule)
			clock.Advance(tt.after)
			equal(t, "changes", tt.changes, b.ApplyLifecycle())
			equal(t, "held", tt.want, held(t, b))
			equal(t, "changes once more", 0, b.ApplyLifecycle())
		})
	}
}

// TestApplyLifecycleLocked: a rule hides a locked version and does not free it.
func TestApplyLifecycleLocked(t *testing.T) {
	t.Parallel()
	clock := lifecycletest.NewClock(epoch)
	b := open(t, &memobj.Options{Clock: clock, ObjectLock: true})
	id := store(t, b, "k", "kept")
	if err := b.SetLock(t.Context(), id, objstore.Lock{Until: epoch.Add(12 * day)}); err != nil {
		t.Fatal(err)
	}
	b.SetRules(objstore.Rule{ID: "rule", Enabled: true, ExpirationDays: 1, NoncurrentDays: 1})
	for _, want := range [][]string{{"k (marker)", "k kept"}, {"k (marker)", "k kept"}, nil} {
		clock.Advance(5 * day)
		b.ApplyLifecycle()
		equal(t, "held", want, held(t, b))
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	b := open(t, nil)
	if rules, err := b.Rules(t.Context()); err != nil || len(rules) != 0 {
		t.Errorf("at first: %+v, %v", rules, err)
	}
	want := []objstore.Rule{
		{ID: "days", Enabled: true, Prefix: "in/", ExpirationDays: 30, NoncurrentDays: 7, AbortMultipartAfterDays: 1},
		{ID: "date", ExpirationDate: epoch.Truncate(day)},
		{ID: "filtered", Enabled: true, Prefix: "tmp/", Filtered: true, ExpirationDays: 1},
	}
	b.SetRules(want...)
	got, err := b.Rules(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "rules", want, got)
	b.SetRules()
	if rules, err := b.Rules(t.Context()); err != nil || len(rules) != 0 {
		t.Errorf("at last: %+v, %v", rules, err)
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		lock objstore.Lock
		want error // of a delete now
		then error // of a delete in two days
	}{
		{"none", objstore.Lock{}, nil, nil},
		{"legal hold", objstore.Lock{LegalHold: true}, objstore.ErrLocked, objstore.ErrLocked},
		{"compliance", objstore.Lock{Until: epoch.Add(day)}, objstore.ErrLocked, nil},
		{"governance", objstore.Lock{Until: epoch.Add(day), Governance: true}, objstore.ErrLocked, nil},
		{"ended", objstore.Lock{Until: epoch}, nil, nil},
		{"both", objstore.Lock{Until: epoch.Add(day), LegalHold: true}, objstore.ErrLocked, objstore.ErrLocked},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			clock := lifecycletest.NewClock(epoch)
			b := open(t, &memobj.Options{Clock: clock, ObjectLock: true})
			id := store(t, b, "k", "bytes")
			if err := b.SetLock(t.Context(), id, tt.lock); err != nil {
				t.Fatal(err)
			}
			lock, err := b.Lock(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "lock", tt.lock, lock)
			for _, want := range []error{tt.want, tt.then} {
				results, err := b.Delete(t.Context(), []objstore.ID{id})
				if err != nil || !errors.Is(results[0].Err, want) {
					t.Errorf("%+v, %v, want %v", results, err, want)
				}
				if want != nil {
					equal(t, "code", "AccessDenied", results[0].Code)
				}
				clock.Advance(2 * day)
			}
		})
	}
}

func TestLockOfWhatHasNone(t *testing.T) {
	t.Parallel()
	plain, locking := open(t, nil), open(t, &memobj.Options{ObjectLock: true})
	store(t, plain, "k", "bytes")
	hide(t, locking, "hidden")
	var marker objstore.ID
	for o := range locking.Versions(t.Context(), "hidden", nil) {
		marker = objstore.ID{Key: o.Key, Version: o.Version}
	}
	tests := []struct {
		name   string
		bucket *memobj.Bucket
		id     objstore.ID
		want   error
	}{
		{"bucket without locks", plain, objstore.ID{Key: "k"}, nil},
		{"delete marker", locking, marker, nil},
		{"hidden key", locking, objstore.ID{Key: "hidden"}, fs.ErrNotExist},
		{"missing key", locking, objstore.ID{Key: "missing"}, fs.ErrNotExist},
		{"missing version", locking, objstore.ID{Key: "hidden", Version: strings.Repeat("0", 32)}, fs.ErrNotExist},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			lock, err := tt.bucket.Lock(t.Context(), tt.id)
			if lock != (objstore.Lock{}) || !errors.Is(err, tt.want) {
				t.Errorf("%+v, %v, want %v", lock, err, tt.want)
			}
			if err := tt.bucket.SetLock(context.Background(), tt.id, objstore.Lock{LegalHold: true}); err == nil {
				t.Error("it could be locked")
			}
		})
	}
}
