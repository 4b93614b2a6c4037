package memstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Settled is what one Settle came to.
type Settled struct {
	// Rows is the number of rows that took the reclaim edge.
	Rows int64
	// Held is the number of rows that a legal hold keeps from it.
	Held int64
}

// Settle takes the reclaim edge for every purged row whose objects are all gone,
// and for rows that had none. Done settles the rows that waited for its key.
// Idempotent.
func (l *Ledger) Settle(ctx context.Context) (Settled, error) {
	var out Settled
	err := l.in(ctx, "settle", func(v *view) error {
		out = l.settle(v, func([]int64) bool { return true })
		return nil
	})
	return out, err
}

// settle reclaims the rows, among those that are asked for, which wait for
// nothing any more. Rows that have come back to life in some other way go on
// waiting.
func (l *Ledger) settle(v *view, asked func(waits []int64) bool) Settled {
	var out Settled
	reclaim, _ := lifecycle.TwoStage.Edge(lifecycle.Reclaim)
	for t, ids := range v.ready(asked) {
		c := l.m.newCall(t, lifecycle.TwoStage, reclaim, lifecycle.Cause{By: l.m.opts.Actor})
		keys := make([]lifecycle.Key, len(ids))
		for i, id := range ids {
			keys[i], _ = lifecycle.ParseKey(id.key) // String wrote it
		}
		c.apply(v, keys)
		for i, r := range c.results {
			switch r.Outcome {
			case lifecycle.Transitioned:
				out.Rows++
				v.waiting.remove(ids[i])
			case lifecycle.Already, lifecycle.NotFound:
				v.waiting.remove(ids[i])
			case lifecycle.Held:
				out.Held++
			}
		}
	}
	return out
}

// ready lists, by table and key, rows none of whose objects is owed any more.
func (v *view) ready(asked func(waits []int64) bool) map[*lifecycle.Table][]rowID {
	owed := map[int64]bool{}
	for _, o := range v.objects.all() {
		owed[o.id] = o.owed()
	}
	ready := map[*lifecycle.Table][]rowID{}
	for id, waits := range v.waiting.all() {
		if asked(waits) && !slices.ContainsFunc(waits, func(id int64) bool { return owed[id] }) {
			ready[id.table] = append(ready[id.table], id)
		}
	}
	for _, ids := range ready {
		slices.SortFunc(ids, func(a, b rowID) int { return cmp.Compare(a.key, b.key) })
	}
	return ready
}
