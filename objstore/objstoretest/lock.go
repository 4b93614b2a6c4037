package objstoretest

import (
	"context"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
)

// setLock gives a version of the bucket under test its lock.
type setLock func(context.Context, objstore.Bucket, objstore.ID, objstore.Lock) error

// locks are what can keep a version. The retention ends long after the test, and
// can be bypassed by whoever tidies up.
var locks = []objstore.Lock{
	{LegalHold: true},
	{Until: time.Date(2099, 1, 2, 3, 4, 5, 0, time.UTC), Governance: true},
}

// locked wants a locked version to stay, and to be told apart from a refused
// permission.
func locked(set setLock, lock objstore.Lock) func(context.Context, objstore.Bucket) error {
	return func(ctx context.Context, b objstore.Bucket) error {
		var n notes
		ids := n.putEach(ctx, b, "k", "free", "kept", "newest")
		n.lock(ctx, b, ids[1], objstore.Lock{})
		n.add("set lock", set(ctx, b, ids[1], lock))
		n.lock(ctx, b, ids[1], lock)
		n.lock(ctx, b, ids[0], objstore.Lock{})
		for range 2 {
			results, err := b.Delete(ctx, ids)
			n.add("delete", err)
			n.answers(results, ids)
			for i, r := range results {
				if i != 1 {
					n.add("delete of "+name(r.ID), r.Err)
					continue
				}
				n.is("delete of a locked version", r.Err, objstore.ErrLocked)
				if r.Code == "" {
					n.addf("delete of a locked version tells no code of the store's")
				}
			}
			n.holds(ctx, b, "k", "kept")
		}
		n.erase(ctx, b, objstore.ID{Key: "k"}) // hides it, which no lock forbids
		n.holds(ctx, b, "k", "marker", "kept")
		return n.err()
	}
}

// lifted wants a version to go when its legal hold has gone.
func lifted(set setLock) func(context.Context, objstore.Bucket) error {
	return func(ctx context.Context, b objstore.Bucket) error {
		var n notes
		id := n.putEach(ctx, b, "k", "held")[0]
		n.add("set lock", set(ctx, b, id, objstore.Lock{LegalHold: true}))
		n.add("lift lock", set(ctx, b, id, objstore.Lock{}))
		n.lock(ctx, b, id, objstore.Lock{})
		n.erase(ctx, b, id)
		n.holds(ctx, b, "k")
		return n.err()
	}
}

// lock wants the bucket to tell the version's lock.
func (n *notes) lock(ctx context.Context, b objstore.Bucket, id objstore.ID, want objstore.Lock) {
	got, err := objstore.LockOf(ctx, b, id)
	n.add("lock", err)
	n.same("lock of "+name(id), want, got)
}
