package memobj

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
)

// ApplyLifecycle does once what S3 does about once a day: it expires objects,
// noncurrent versions and lone delete markers, and aborts uploads, as the rules
// say for the clock's present instant. It returns the number of changes.
func (b *Bucket) ApplyLifecycle() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, changes := b.clock.Now(), 0
	for _, r := range b.rules {
		// Backwards, since a key that loses its last entry leaves the slice.
		for i := len(b.keys) - 1; i >= 0; i-- {
			key := b.keys[i]
			changes += b.expireNoncurrent(r, key, now) + b.expireCurrent(r, key, now)
		}
		changes += b.abortStale(r, now)
	}
	return changes
}

// expireCurrent hides the current object, or removes a delete marker that has
// no version left to hide.
func (b *Bucket) expireCurrent(r lifecycleRule, key string, now time.Time) int {
	c := b.chains[key]
	e := c.latest()
	if r.Expiration == nil || e == nil || !r.covers(key, len(e.data)) {
		return 0
	}
	x := r.Expiration
	due := x.Days > 0 && past(e.modified, x.Days, now) || x.Date != nil && !now.Before(*x.Date)
	switch {
	case !e.marker && due:
		// Hiding needs no lock's permission: the version stays.
		if b.status != objstore.Unversioned {
			b.add(key, &entry{marker: true, modified: now})
		} else {
			b.drop(key, e.version)
		}
		return 1
	case e.marker && len(c.entries) == 1 && (x.Markers || due):
		b.drop(key, e.version)
		return 1
	}
	return 0
}

func (b *Bucket) expireNoncurrent(r lifecycleRule, key string, now time.Time) (changes int) {
	c := b.chains[key]
	if r.Noncurrent == nil || c == nil {
		return 0
	}
	entries := slices.Clone(c.entries)
	for i, e := range entries[:max(len(entries)-1, 0)] {
		newer := len(entries) - 2 - i // noncurrent versions that came after
		// A version is noncurrent since its successor was made.
		if !r.covers(key, len(e.data)) || newer < r.Noncurrent.Newer ||
			!past(entries[i+1].modified, r.Noncurrent.Days, now) || locks(e.lock, now, false) {
			continue
		}
		b.drop(key, e.version)
		changes++
	}
	return changes
}

func (b *Bucket) abortStale(r lifecycleRule, now time.Time) (changes int) {
	if r.Abort == nil || r.Status != ruleEnabled {
		return 0
	}
	prefix := ""
	if f := r.flat(); f.Prefix != nil {
		prefix = *f.Prefix
	}
	for _, id := range slices.Sorted(maps.Keys(b.uploads)) {
		u := b.uploads[id]
		if strings.HasPrefix(u.key, prefix) && past(u.initiated, r.Abort.Days, now) {
			delete(b.uploads, id)
			changes++
		}
	}
	return changes
}

// past tells whether the days have gone by since from, rounded up to the next
// midnight in UTC as S3 does.
func past(from time.Time, days int, now time.Time) bool {
	day := 24 * time.Hour
	due := from.UTC().Add(time.Duration(days) * day)
	if midnight := due.Truncate(day); midnight.Before(due) {
		due = midnight.Add(day)
	}
	return !now.Before(due)
}
