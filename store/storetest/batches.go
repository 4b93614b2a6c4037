package storetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// testBatches has calls of more rows than a store works on at a time, in which
// one batch could be taken for another's.
func testBatches(t *testing.T, open Open) {
	const many = 150
	t.Run("all take the edge", func(t *testing.T) {
		w := newTwin(t, open)
		var keys []lifecycle.Key
		for n := range int64(many) {
			w.insert(t, w.keeper, key(w.keeper, n+1), active)
			keys = append(keys, key(w.keeper, n+1))
		}
		for _, edge := range []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Restore, lifecycle.Trash, lifecycle.Purge} {
			w.applyAll(t, edge, w.keeper.Rows(keys...))
		}
		for _, k := range keys {
			w.same(t, w.keeper.Row(k...))
		}
	})
	t.Run("children come before their parents", func(t *testing.T) {
		w := newTwin(t, open)
		var keys []lifecycle.Key
		for n := range int64(many) {
			seed := memstore.Seed{State: lifecycle.Active, Parents: map[string]lifecycle.Key{}}
			if n < many/2 {
				seed.Parents["tree"] = lifecycle.Key{n + 1 + many/2}
			}
			w.insert(t, w.tree, key(w.tree, n+1), seed)
			keys = append(keys, key(w.tree, n+1))
		}
		for _, edge := range []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Trash, lifecycle.Restore} {
			w.applyAll(t, edge, w.tree.Rows(keys...))
		}
	})
	t.Run("a condition goes on behind what it was refused", func(t *testing.T) {
		w := newTwin(t, open)
		if !w.real.Conditions {
			return
		}
		var keys []lifecycle.Key
		for n := range int64(many) {
			seed := trashSeed(w.doc, w.doc.Columns)
			seed.Held = n < many-10
			w.insert(t, w.doc, key(w.doc, n+1), seed)
			keys = append(keys, key(w.doc, n+1))
		}
		var got []string
		err := w.real.in(t.Context(), func(tx lifecycle.Tx) error {
			results, err := w.real.Store.ApplyAll(t.Context(), tx, lifecycle.Purge, w.doc.Where(clause{"id > ?", []any{0}}, 2*many), cause)
			for _, r := range results.Rows {
				got = append(got, r.Key.String()+" "+r.Outcome.String())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for i, k := range keys {
			outcome := lifecycle.Held
			if i >= many-10 {
				outcome = lifecycle.Transitioned
			}
			want = append(want, k.String()+" "+outcome.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("rows (-want +got):\n%s", diff)
		}
	})
}
