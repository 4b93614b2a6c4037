package memstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// removed is where hard-deleted rows go: a state that no table shows.
const removed lifecycle.State = "removed"

// technical is the life of rows that have none but to exist.
var technical = lifecycle.MustMachine(lifecycle.Spec{
	Name:    "technical",
	Initial: lifecycle.Active,
	Gone:    []lifecycle.State{removed},
	Final:   []lifecycle.State{removed},
	Edges: []lifecycle.Edge{{
		Name: lifecycle.HardDelete, From: []lifecycle.State{lifecycle.Active}, To: removed, Needs: lifecycle.NotHeld,
	}},
})

// TrashAll moves the rows of a selection to the trash under one operation id.
// Refusals of single rows are in the Results; the error is for bad input and for
// the transaction. A selection by a condition is errors.ErrUnsupported.
// Otherwise as Trash.
func (m *Store) TrashAll(ctx context.Context, tx lifecycle.Tx, sel lifecycle.Selection, cause lifecycle.Cause) (lifecycle.Results, error) {
	return m.ApplyAll(ctx, tx, lifecycle.Trash, sel, cause)
}

// RestoreAll restores the rows of a selection. Otherwise as Restore and TrashAll.
func (m *Store) RestoreAll(ctx context.Context, tx lifecycle.Tx, sel lifecycle.Selection, cause lifecycle.Cause) (lifecycle.Results, error) {
	return m.ApplyAll(ctx, tx, lifecycle.Restore, sel, cause)
}

// PurgeAll purges the rows of a selection. Otherwise as Purge and TrashAll.
func (m *Store) PurgeAll(ctx context.Context, tx lifecycle.Tx, sel lifecycle.Selection, cause lifecycle.Cause) (lifecycle.Results, error) {
	return m.ApplyAll(ctx, tx, lifecycle.Purge, sel, cause)
}

// HardDelete removes rows of a Technical table at once: no trash, no way back.
// Rows under legal hold stay (Held). Each removed row has an audit line, and its
// objects are doomed. Otherwise as TrashAll.
func (m *Store) HardDelete(ctx context.Context, tx lifecycle.Tx, sel lifecycle.Selection, cause lifecycle.Cause) (lifecycle.Results, error) {
	return m.all(ctx, tx, technical, lifecycle.HardDelete, sel, cause)
}

// ApplyAll takes an edge of the canonical life for the rows of a selection, as
// Apply does for one. Every row is judged by what was there before the call.
func (m *Store) ApplyAll(ctx context.Context, tx lifecycle.Tx, edge lifecycle.EdgeName, sel lifecycle.Selection, cause lifecycle.Cause) (lifecycle.Results, error) {
	return m.all(ctx, tx, lifecycle.TwoStage, edge, sel, cause)
}

func (m *Store) all(ctx context.Context, tx lifecycle.Tx, machine *lifecycle.Machine, edge lifecycle.EdgeName, sel lifecycle.Selection, cause lifecycle.Cause) (lifecycle.Results, error) {
	c, err := m.admit(machine, sel.Table, edge, tx, cause)
	if err != nil {
		return lifecycle.Results{}, err
	}
	keys, err := sel.Check()
	for i := 0; err == nil && i < len(keys); i++ {
		keys[i], err = checkKey(c.t, keys[i])
	}
	if err == nil && sel.Where != nil {
		err = fmt.Errorf("a selection by a condition: %w", errors.ErrUnsupported)
	}
	if err == nil {
		err = c.run(ctx, tx, keys)
	}
	if err != nil {
		return lifecycle.Results{}, wrap(edge, c.t, nil, err)
	}
	return c.all(), nil
}

func (c *call) all() lifecycle.Results {
	all := lifecycle.Results{At: c.at, Rows: c.results}
	if all.Count(lifecycle.Transitioned) > 0 {
		all.Op = c.op
	}
	return all
}

// ExpireDue purges up to n rows of a table whose window has closed, those first
// that are overdue longest; rows without a stored deadline come last, and those
// with the keys in except stay. It answers in the order of the keys, for each of
// the two. It is the step of a background pass: call it until it returns no
// rows. Otherwise as TrashAll.
func (m *Store) ExpireDue(ctx context.Context, tx lifecycle.Tx, t *lifecycle.Table, n int, cause lifecycle.Cause, except ...lifecycle.Key) (lifecycle.Results, error) {
	c, err := m.admit(lifecycle.TwoStage, t, lifecycle.Expire, tx, cause)
	if err != nil {
		return lifecycle.Results{}, err
	}
	if n <= 0 {
		return lifecycle.Results{}, wrap(c.edge.Name, c.t, nil, fmt.Errorf("%w: %d rows", lifecycle.ErrInvalid, n))
	}
	passed := map[rowID]bool{}
	for _, key := range except {
		normal, err := checkKey(c.t, key)
		if err != nil {
			return lifecycle.Results{}, wrap(c.edge.Name, c.t, nil, err)
		}
		passed[idOf(c.t, normal)] = true
	}
	own, err := m.own(tx)
	if err == nil {
		err = own.write(ctx, func(v *view) error {
			c.apply(v, c.due(v, n, passed))
			return nil
		})
	}
	if err != nil {
		return lifecycle.Results{}, wrap(c.edge.Name, c.t, nil, err)
	}
	return c.all(), nil
}

func (c *call) due(v *view, n int, except map[rowID]bool) []lifecycle.Key {
	var due []row
	for id, r := range v.rows.all() {
		if id.table == c.t && !except[id] && c.machine.Decide(v.record(id, r), c.edge.Name, c.at, c.t.Policy) == lifecycle.Transitioned {
			due = append(due, r)
		}
	}
	slices.SortFunc(due, compareDue)
	due = due[:min(n, len(due))]
	slices.SortFunc(due, func(a, b row) int { return cmp.Or(compareStored(a, b), compareKeys(a.key, b.key)) })
	keys := make([]lifecycle.Key, len(due))
	for i, r := range due {
		keys[i] = r.key
	}
	return keys
}

// compareDue orders rows by their stored deadlines; behind them those without
// one, by the date of their deletion.
func compareDue(a, b row) int {
	if c := compareStored(a, b); c != 0 {
		return c
	}
	if a.purgeAfter.IsZero() {
		return cmp.Or(a.deletedAt.Compare(b.deletedAt), compareKeys(a.key, b.key))
	}
	return cmp.Or(a.purgeAfter.Compare(b.purgeAfter), compareKeys(a.key, b.key))
}

// compareStored puts rows with a stored deadline before those without.
func compareStored(a, b row) int {
	switch {
	case a.purgeAfter.IsZero() == b.purgeAfter.IsZero():
		return 0
	case b.purgeAfter.IsZero():
		return -1
	default:
		return 1
	}
}

// compareKeys orders normal keys of one table, numbers by their value.
func compareKeys(a, b lifecycle.Key) int {
	for i := range a {
		if c := compareParts(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

func compareParts(a, b any) int {
	x, number := a.(int64)
	y, both := b.(int64)
	if number && both {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}
