package storetest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// applyAll takes an edge for a selection in both and compares the answers.
func (w *twin) applyAll(t *testing.T, edge lifecycle.EdgeName, sel lifecycle.Selection) lifecycle.Results {
	t.Helper()
	var answers [2][]seen
	var last lifecycle.Results
	for i, h := range []*Harness{w.model, w.real} {
		err := h.in(t.Context(), func(tx lifecycle.Tx) (err error) {
			verb := h.Store.HardDelete
			if edge != lifecycle.HardDelete {
				last, err = h.Store.ApplyAll(t.Context(), tx, edge, sel, cause)
				return err
			}
			last, err = verb(t.Context(), tx, sel, cause)
			return err
		})
		if err != nil {
			answers[i] = append(answers[i], seenOf(lifecycle.Result{}, err))
		}
		for _, r := range last.Rows {
			answers[i] = append(answers[i], seenOf(r, r.Err))
		}
	}
	if diff := cmp.Diff(answers[0], answers[1]); diff != "" {
		t.Errorf("%s of %d keys (-model +store):\n%s", edge, len(sel.Keys), diff)
	}
	return last
}

// manyKeys is more than any database takes in one statement.
const manyKeys = 70_000

func testBulk(t *testing.T, open Open) {
	w := newTwin(t, open)
	for _, table := range []*lifecycle.Table{w.doc, w.note, w.pair, w.ticket} {
		for n := range int64(20) {
			w.insert(t, table, key(table, n+1), memstore.Seed{State: lifecycle.Active, Held: n == 3 && table != w.note})
		}
	}
	for _, table := range []*lifecycle.Table{w.doc, w.note, w.pair} {
		t.Run("each row has its answer: "+table.Name, func(t *testing.T) {
			keys := []lifecycle.Key{key(table, 7), key(table, 99), key(table, 2), key(table, 4), key(table, 19), key(table, 2)}
			for _, edge := range []lifecycle.EdgeName{
				lifecycle.Restore, lifecycle.Trash, lifecycle.Trash, lifecycle.Expire, lifecycle.Restore,
				lifecycle.Purge, lifecycle.Trash, lifecycle.Purge,
			} {
				results := w.applyAll(t, edge, table.Rows(keys...))
				for i := range results.Rows {
					if diff := cmp.Diff(keys[i].String(), results.Rows[i].Key.String()); diff != "" {
						t.Errorf("%s: answer %d is for another key (-asked +got):\n%s", edge, i, diff)
					}
				}
			}
			for _, k := range keys {
				w.same(t, table.Row(k...))
			}
		})
	}
	t.Run("hard delete", func(t *testing.T) {
		w.applyAll(t, lifecycle.HardDelete, w.ticket.Rows(key(w.ticket, 1), key(w.ticket, 4), key(w.ticket, 77)))
		for _, n := range []int64{1, 2, 4} {
			w.same(t, row(w.ticket, n))
		}
	})
	t.Run("parents and children in one call", func(t *testing.T) {
		// Each row's parent has the next key. Whatever is written first, all are
		// judged by what was there before.
		const chain = 100
		var keys []lifecycle.Key
		for n := range int64(chain) {
			seed := memstore.Seed{State: lifecycle.Active, Parents: map[string]lifecycle.Key{"tree": {n + 2}}}
			w.insert(t, w.tree, key(w.tree, n+1), seed)
			keys = append(keys, key(w.tree, n+1))
		}
		for range 3 {
			w.applyAll(t, lifecycle.Trash, w.tree.Rows(keys...))
		}
		w.applyAll(t, lifecycle.Restore, w.tree.Rows(keys...))
		for _, k := range keys {
			w.same(t, w.tree.Row(k...))
		}
	})
	t.Run("70,000 keys", func(t *testing.T) {
		keys := make([]lifecycle.Key, manyKeys)
		for i := range keys {
			keys[i] = key(w.doc, int64(manyKeys-i))
		}
		var results lifecycle.Results
		err := w.real.in(t.Context(), func(tx lifecycle.Tx) (err error) {
			results, err = w.real.Store.ApplyAll(t.Context(), tx, lifecycle.Trash, w.doc.Rows(keys...), cause)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		// Three of the twenty were purged above; the held one is in the trash.
		want := map[lifecycle.Outcome]int{lifecycle.Transitioned: 16, lifecycle.Gone: 3, lifecycle.Already: 1, lifecycle.NotFound: manyKeys - 20}
		got := map[lifecycle.Outcome]int{}
		for o := range want {
			got[o] = results.Count(o)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("outcomes (-want +got):\n%s", diff)
		}
	})
}

// clause is a condition.
type clause struct {
	text string
	args []any
}

func (c clause) ToSql() (string, []any, error) { return c.text, c.args, nil }

// keyTexts are the texts of the keys from one number to another.
func keyTexts(from, to int) []string {
	var texts []string
	for n := from; n <= to; n++ {
		texts = append(texts, fmt.Sprintf("[%d]", n))
	}
	return texts
}

func testConditions(t *testing.T, open Open) {
	w := newTwin(t, open)
	ctx := t.Context()
	if !w.real.Conditions {
		err := w.real.in(ctx, func(tx lifecycle.Tx) error {
			_, err := w.real.Store.ApplyAll(ctx, tx, lifecycle.Trash, w.doc.Where(clause{"id > ?", []any{1}}, 5), cause)
			return err
		})
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("a condition: %v, want errors.ErrUnsupported", err)
		}
		return
	}
	for n := range int64(90) {
		w.insert(t, w.doc, key(w.doc, n+1), active)
	}
	for _, c := range []struct {
		name  string
		edge  lifecycle.EdgeName
		where clause
		limit int
		want  []string
	}{
		{"bounded, in the order of the keys", lifecycle.Trash, clause{"id > ?", []any{3}}, 4, []string{"[4]", "[5]", "[6]", "[7]"}},
		{"rows elsewhere in their life do not count", lifecycle.Trash, clause{"id > ?", []any{3}}, 2, []string{"[8]", "[9]"}},
		{"an OR does not escape the guard", lifecycle.Trash, clause{"id = ? OR id = ?", []any{4, 10}}, 9, []string{"[10]"}},
		{"more than a batch", lifecycle.Trash, clause{"id > ? AND id < ?", []any{10, 88}}, 100, keyTexts(11, 87)},
		{"nothing", lifecycle.Purge, clause{"id > ?", []any{1000}}, 10, nil},
		{"the other way", lifecycle.Restore, clause{"id < ?", []any{6}}, 10, []string{"[4]", "[5]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			err := w.real.in(ctx, func(tx lifecycle.Tx) error {
				results, err := w.real.Store.ApplyAll(ctx, tx, c.edge, w.doc.Where(c.where, c.limit), cause)
				for _, r := range results.Rows {
					got = append(got, r.Key.String())
					if r.Outcome != lifecycle.Transitioned {
						t.Errorf("%s: %s", r.Key, r.Outcome)
					}
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}
