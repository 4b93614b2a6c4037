package memobj

import (
	"context"
	"fmt"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
)

// defaultRetention is what a bucket gives to versions that bring no retention.
type defaultRetention struct {
	governance  bool
	days, years int
}

func (r defaultRetention) apply(l *objstore.Lock, now time.Time) {
	if r == (defaultRetention{}) {
		return
	}
	l.Governance = r.governance
	l.Until = now.AddDate(r.years, 0, r.days)
}

// locks tells whether the lock keeps its version from being deleted.
func locks(l objstore.Lock, now time.Time, bypass bool) bool {
	return l.LegalHold || l.Until.After(now) && !(bypass && l.Governance)
}

// Lock returns what locks a version. A delete marker is never locked.
func (b *Bucket) Lock(ctx context.Context, id objstore.ID) (objstore.Lock, error) {
	l, err := b.readLock(ctx, id)
	if codeOf(err) == methodNotAllowed {
		return objstore.Lock{}, nil
	}
	return l, b.convert(OpLock, id.Key, err)
}

func (b *Bucket) hasLock() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.objectLock
}

func (b *Bucket) readLock(ctx context.Context, id objstore.ID) (objstore.Lock, error) {
	var l objstore.Lock
	err := b.do(ctx, OpLock, []string{id.Key}, func(Fault) error {
		e, err := b.get(id.Key, id.Version)
		l = e.lock
		return err
	})
	return l, err
}

// SetLock replaces the lock of a version, whatever locks it now: it is the
// test's hand, and no caller of S3. The bucket needs Options.ObjectLock. No
// Fault meets it.
func (b *Bucket) SetLock(_ context.Context, id objstore.ID, l objstore.Lock) error {
	err := b.locked(func() error {
		return b.changeLock(id, func(old *objstore.Lock) error {
			*old = l
			return nil
		})
	})
	if err != nil {
		return fmt.Errorf("memobj: set lock of %s/%q: %w", b.name, id.Key, err)
	}
	return nil
}

func (b *Bucket) changeLock(id objstore.ID, change func(*objstore.Lock) error) error {
	if !b.objectLock {
		return fmt.Errorf("bucket has no object lock: %w", invalidRequest)
	}
	e, err := b.get(id.Key, id.Version)
	if err != nil {
		return err
	}
	return change(&b.chains[id.Key].find(e.version).lock)
}

// retain sets a retention as S3 lets a caller do it: a compliance retention
// only gets longer, and a governance one too without the bypass.
func retain(old *objstore.Lock, until time.Time, governance bool, now time.Time, bypass bool) error {
	weaker := until.Before(old.Until) || governance && !old.Governance
	if old.Until.After(now) && weaker && !(old.Governance && bypass) {
		return fmt.Errorf("retention cannot be shortened: %w", AccessDenied)
	}
	old.Until, old.Governance = until, governance
	return nil
}
