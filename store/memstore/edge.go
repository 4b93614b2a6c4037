package memstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Trash moves an active row to the trash and stores the deadline of its undo
// window. A row in the trash is left as it is (Already, with the first date); a
// purged one is Gone.
//
// tx is a transaction of this store and is neither committed nor rolled back. A
// refusal is in the Result and is returned as an *lifecycle.Error as well; it
// leaves the transaction usable. Safe for concurrent use with other
// transactions: one of them writes at a time.
func (m *Store) Trash(ctx context.Context, tx lifecycle.Tx, row lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error) {
	return m.Apply(ctx, tx, lifecycle.Trash, row, cause)
}

// Restore brings a row back from the trash while its window is open. A row that
// is active is Already; past the deadline the answer is ErrExpired, after the
// purge ErrGone. Otherwise as Trash.
func (m *Store) Restore(ctx context.Context, tx lifecycle.Tx, row lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error) {
	return m.Apply(ctx, tx, lifecycle.Restore, row, cause)
}

// Purge ends a row that is in the trash and dooms its objects in the same
// transaction. A row that was never in the trash is ErrIllegal, a held one
// ErrHeld. Otherwise as Trash.
func (m *Store) Purge(ctx context.Context, tx lifecycle.Tx, row lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error) {
	return m.Apply(ctx, tx, lifecycle.Purge, row, cause)
}

// Apply takes any edge of the canonical life for one row: the verbs are names
// for it. It adds Expire, the purge that demands a closed window, and Reclaim.
func (m *Store) Apply(ctx context.Context, tx lifecycle.Tx, edge lifecycle.EdgeName, r lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error) {
	c, err := m.admit(lifecycle.TwoStage, r.Table, edge, tx, cause)
	if err != nil {
		return lifecycle.Result{}, err
	}
	key, err := checkKey(c.t, r.Key)
	if err == nil && c.t.Columns.Version == "" {
		if _, conditional := r.Version(); conditional {
			err = fmt.Errorf("%w: the table maps no Version", lifecycle.ErrInvalid)
		}
	}
	if err != nil {
		return lifecycle.Result{}, wrap(edge, c.t, r.Key, err)
	}
	c.row = r
	if err := c.run(ctx, tx, []lifecycle.Key{key}); err != nil {
		return lifecycle.Result{}, wrap(edge, c.t, key, err)
	}
	return c.results[0], c.results[0].Err
}

// call is one call of a verb.
type call struct {
	m       *Store
	t       *lifecycle.Table
	machine *lifecycle.Machine
	edge    lifecycle.Edge
	cause   lifecycle.Cause
	at      time.Time
	op      lifecycle.Op
	row     lifecycle.Row // carries IfVersion for a single row
	results []lifecycle.Result
}

// admit checks everything about a call that can be checked without the rows.
func (m *Store) admit(machine *lifecycle.Machine, t *lifecycle.Table, edge lifecycle.EdgeName, tx lifecycle.Tx, cause lifecycle.Cause) (*call, error) {
	resolved, err := m.catalog.Resolve(t)
	if err != nil {
		return nil, wrap(edge, nil, nil, err)
	}
	if tx == nil {
		return nil, wrap(edge, resolved, nil, fmt.Errorf("%w: no transaction", lifecycle.ErrInvalid))
	}
	if err := cause.Check(); err != nil {
		return nil, wrap(edge, resolved, nil, err)
	}
	if err := resolved.Admit(edge); err != nil {
		return nil, err
	}
	e, ok := machine.Edge(edge)
	if !ok {
		return nil, wrap(edge, resolved, nil, fmt.Errorf("%w: no such edge", lifecycle.ErrInvalid))
	}
	if e.To == lifecycle.Reclaimed && resolved.Columns.ReclaimedAt.Name == "" {
		return nil, wrap(edge, resolved, nil, fmt.Errorf("%w: the table maps no ReclaimedAt", lifecycle.ErrInvalid))
	}
	return m.newCall(resolved, machine, e, cause), nil
}

func (m *Store) newCall(t *lifecycle.Table, machine *lifecycle.Machine, e lifecycle.Edge, cause lifecycle.Cause) *call {
	at := m.now()
	return &call{m: m, t: t, machine: machine, edge: e, cause: cause, at: at, op: lifecycle.NewOp(at)}
}

// run works through keys in the transaction.
func (c *call) run(ctx context.Context, tx lifecycle.Tx, keys []lifecycle.Key) error {
	own, err := c.m.own(tx)
	if err != nil {
		return err
	}
	return own.write(ctx, func(v *view) error {
		c.apply(v, keys)
		return nil
	})
}

// apply decides for every row before it changes one: the rows of one call are
// judged by what was there before it.
func (c *call) apply(v *view, keys []lifecycle.Key) {
	var take []rowID
	for _, key := range keys {
		id := idOf(c.t, key)
		found, rec := row{key: key}, lifecycle.Record{}
		if r, ok := v.rows.get(id); ok {
			found, rec = r, v.record(id, r)
		}
		if version, ok := c.row.Version(); ok {
			rec.Stale = found.version != version
		}
		outcome := c.machine.Decide(rec, c.edge.Name, c.at, c.t.Policy)
		if outcome != lifecycle.Transitioned {
			c.results = append(c.results, c.refused(found.key, rec, outcome))
			continue
		}
		c.results = append(c.results, c.taken(found))
		take = append(take, id)
	}
	for _, id := range take {
		c.take(v, id)
	}
}

// take makes the edge true: the row, its audit and the fate of its objects.
func (c *call) take(v *view, id rowID) {
	before, _ := v.rows.get(id)
	if c.removes() {
		v.rows.remove(id)
	} else {
		v.rows.set(id, c.after(before))
	}
	v.audit(id, lifecycle.Entry{
		Op: c.op, Table: c.t.FullName(), Key: before.key, Edge: c.edge.Name,
		From: before.state, To: c.ends(), By: c.cause.By, Why: c.cause.Why, At: c.at,
	})
	if c.edge.To == lifecycle.Purged || c.edge.To == removed {
		v.doomRow(id, before, c.at)
	}
}

// removes tells whether the edge ends in a state that the table cannot show.
func (c *call) removes() bool {
	return c.edge.To == removed || c.edge.To == lifecycle.Purged && c.t.Columns.IsDeleted.Name == ""
}

// ends is the state in which answers and audits say that the row is.
func (c *call) ends() lifecycle.State {
	if c.edge.To == removed {
		return ""
	}
	return c.edge.To
}

// after is the row once the edge was taken, as the edge's own data say.
func (c *call) after(r row) row {
	cols := c.t.Columns
	if slices.Contains(c.edge.Sets, lifecycle.FieldDeletedAt) && cols.DeletedAt.As.Dated() {
		r.deletedAt = cols.DeletedAt.As.Cut(c.at)
	}
	if slices.Contains(c.edge.Sets, lifecycle.FieldPurgeAfter) && cols.PurgeAfter.Name != "" {
		r.purgeAfter = cols.PurgeAfter.As.CutUp(c.t.Policy.Deadline(c.at))
	}
	if slices.Contains(c.edge.Clears, lifecycle.FieldDeletedAt) {
		r.deletedAt = time.Time{}
	}
	if slices.Contains(c.edge.Clears, lifecycle.FieldPurgeAfter) {
		r.purgeAfter = time.Time{}
	}
	r.state = c.edge.To
	r.version++
	return r
}
