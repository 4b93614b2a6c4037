package memstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
)

// objectName names an object: its key in its bucket.
type objectName struct{ bucket, key string }

// phase is where an object is in the ledger. Bytes are deleted in reclaiming
// only, which leads to reclaimed and nowhere else.
type phase uint8

const (
	live phase = iota
	doomed
	reclaiming
	reclaimed
)

// object is one entry of the ledger.
type object struct {
	id       int64
	phase    phase
	orphan   bool
	fence    int64
	attempts int
	doomedAt time.Time
	nextAt   time.Time
}

// owed tells whether the object's bytes are promised to go and not yet gone.
func (o object) owed() bool { return o.phase == doomed || o.phase == reclaiming }

// nothing is the number of no object: a row waits for it that has none.
const nothing int64 = 0

// doom writes that an object has to go. One whose deletion is under way stays as
// it is; one that was reclaimed or kept before is doomed again.
func (v *view) doom(name objectName, orphan bool, at time.Time) int64 {
	o, known := v.objects.get(name)
	if !known {
		v.numbers++
		o.id = v.numbers
	}
	if o.phase == reclaiming || o.phase == doomed && !o.orphan {
		return o.id
	}
	o.phase, o.orphan, o.attempts, o.doomedAt, o.nextAt = doomed, orphan, 0, at, at
	v.objects.set(name, o)
	return o.id
}

// doomRow dooms the objects of a row whose life ended, and lets it wait for them
// where the table can show that they are gone.
func (v *view) doomRow(id rowID, r row, at time.Time) {
	var waits []int64
	for i, key := range r.objects {
		if key != "" {
			waits = append(waits, v.doom(objectName{id.table.Objects[i].Bucket, key}, false, at))
		}
	}
	if id.table.Columns.ReclaimedAt.Name == "" {
		return
	}
	if len(waits) == 0 {
		waits = []int64{nothing}
	}
	v.waiting.set(id, waits)
}

// Ledger is the object ledger of a Store: the objstore.Ledger and the
// objstore.Referee of a Reclaimer and a Sweeper. Each method is one transaction
// of its own. Safe for concurrent use.
type Ledger struct{ m *Store }

var (
	_ objstore.Ledger  = (*Ledger)(nil)
	_ objstore.Referee = (*Ledger)(nil)
)

// Ledger returns the store's ledger, over the same memory.
func (m *Store) Ledger() *Ledger { return &Ledger{m} }

// in runs fn in a transaction of its own.
func (l *Ledger) in(ctx context.Context, verb lifecycle.EdgeName, fn func(v *view) error) error {
	return wrap(verb, nil, nil, l.m.in(ctx, fn))
}

// Claim implements [objstore.Ledger]. Keys that turn out to be kept or held do
// not count toward n.
func (l *Ledger) Claim(ctx context.Context, bucket string, n int) ([]objstore.Claim, error) {
	var claims []objstore.Claim
	err := l.in(ctx, "claim", func(v *view) error {
		at := l.m.now()
		for _, name := range v.dueIn(bucket, at) {
			if len(claims) >= n {
				break
			}
			if c, ok := l.claim(v, name, at); ok {
				claims = append(claims, c)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return claims, nil
}

// dueIn lists the objects whose time has come: first those whose worker has
// vanished or failed, then new ones.
func (v *view) dueIn(bucket string, at time.Time) []objectName {
	due := map[objectName]object{}
	var names []objectName
	for name, o := range v.objects.all() {
		if name.bucket == bucket && o.owed() && !o.nextAt.After(at) {
			due[name] = o
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b objectName) int {
		x, y := due[a], due[b]
		return cmp.Or(cmp.Compare(y.phase, x.phase), x.nextAt.Compare(y.nextAt), cmp.Compare(x.id, y.id))
	})
	return names
}

// claim gives out one object that is due, unless rows still rely on it.
func (l *Ledger) claim(v *view, name objectName, at time.Time) (objstore.Claim, bool) {
	o, _ := v.objects.get(name)
	r := v.refersTo(name)
	needed := r.living || o.orphan && r.purged
	switch {
	case needed && o.phase == doomed:
		o.phase, o.orphan = live, false
		v.objects.set(name, o)
		l.settle(v, func(waits []int64) bool { return slices.Contains(waits, o.id) })
		return objstore.Claim{}, false
	case needed || r.held:
		o.nextAt = at.Add(l.m.opts.Lease)
		v.objects.set(name, o)
		return objstore.Claim{}, false
	}
	o.phase, o.nextAt = reclaiming, at.Add(l.m.opts.Lease)
	o.fence++
	v.objects.set(name, o)
	return objstore.Claim{
		ID: o.id, Bucket: name.bucket, Key: name.key, Fence: o.fence, Attempts: o.attempts, Lease: o.nextAt, Orphan: o.orphan,
	}, true
}

// claimed returns the object of a claim that is still the caller's.
func (v *view) claimed(c objstore.Claim) (objectName, object, error) {
	name := objectName{c.Bucket, c.Key}
	o, ok := v.objects.get(name)
	if !ok || o.id != c.ID || o.phase != reclaiming || o.fence != c.Fence {
		return name, o, fmt.Errorf("%s in bucket %s: %w", c.Key, c.Bucket, objstore.ErrFenced)
	}
	return name, o, nil
}

func (v *view) attempt(name objectName, a objstore.Attempt) {
	before, _ := v.attempts.get(name)
	v.attempts.set(name, append(slices.Clip(before), a))
}

// Done implements [objstore.Ledger].
func (l *Ledger) Done(ctx context.Context, c objstore.Claim, a objstore.Attempt) error {
	return l.in(ctx, "done", func(v *view) error {
		name, o, err := v.claimed(c)
		if err != nil {
			return err
		}
		o.phase = reclaimed
		o.attempts++
		v.objects.set(name, o)
		v.attempt(name, a)
		l.settle(v, func(waits []int64) bool { return slices.Contains(waits, o.id) })
		return nil
	})
}

// Fail implements [objstore.Ledger]. The key stays in reclaiming, which no key
// leaves but for the end.
func (l *Ledger) Fail(ctx context.Context, c objstore.Claim, a objstore.Attempt) error {
	return l.in(ctx, "fail", func(v *view) error {
		name, o, err := v.claimed(c)
		if err != nil {
			return err
		}
		o.attempts++
		o.fence++
		o.nextAt = l.m.now()
		if a.NotBefore.After(o.nextAt) {
			o.nextAt = lifecycle.Timestamp.Cut(a.NotBefore)
		}
		v.objects.set(name, o)
		v.attempt(name, a)
		return nil
	})
}

// Attempts returns what workers have recorded of a key, the first attempt first:
// for assertions.
func (l *Ledger) Attempts(bucket, key string) []objstore.Attempt {
	l.m.mu.RLock()
	defer l.m.mu.RUnlock()
	return slices.Clone(l.m.memory.attempts[objectName{bucket, key}])
}

// Debt implements [objstore.Ledger].
func (l *Ledger) Debt(ctx context.Context, bucket string) (objstore.Debt, error) {
	var debt objstore.Debt
	err := l.m.read(ctx, l.m, func(v *view) error {
		owed, at := map[int64]bool{}, l.m.now()
		for name, o := range v.objects.all() {
			if name.bucket != bucket || !o.owed() {
				continue
			}
			owed[o.id] = true
			debt.Objects++
			if o.nextAt.After(at) {
				debt.Waiting++
			}
			if debt.Oldest.IsZero() || o.doomedAt.Before(debt.Oldest) {
				debt.Oldest = o.doomedAt
			}
		}
		for _, waits := range v.waiting.all() {
			if slices.ContainsFunc(waits, func(id int64) bool { return owed[id] }) {
				debt.Rows++
			}
		}
		return nil
	})
	return debt, wrap("debt", nil, nil, err)
}
