package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// ExpireDue purges up to n rows of a table whose window has closed, each
// re-checked in the statement that purges it. Rows that another transaction has
// locked are passed over. It is the step of a background pass: call it in a
// short transaction of its own until it returns no rows.
func (s *Store) ExpireDue(ctx context.Context, tx lifecycle.Tx, t *lifecycle.Table, n int, cause lifecycle.Cause) (lifecycle.Results, error) {
	p, err := s.admit(t, lifecycle.Expire, tx, cause)
	if err != nil {
		return lifecycle.Results{}, err
	}
	if n <= 0 {
		return lifecycle.Results{}, &lifecycle.Error{Op: lifecycle.Expire, Table: p.name, Err: fmt.Errorf("%w: %d rows", lifecycle.ErrInvalid, n)}
	}
	b := s.newBatch(tx, p, cause)
	b.ep = p.edges[lifecycle.Expire]
	return b.results(), s.fault(lifecycle.Expire, p, nil, b.due(ctx, min(n, s.opts.Batch)))
}

// due takes the edge for rows that are due. Stored deadlines and computed ones
// are two queries: together they could use no index.
func (b *batch) due(ctx context.Context, n int) error {
	if err := b.s.takeLock(ctx, b.tx, b.p.from); err != nil {
		return err
	}
	for _, lane := range b.p.lanes() {
		keys, err := b.dueKeys(ctx, lane, n)
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			continue
		}
		slices.SortFunc(keys, compareKeys)
		found, err := b.read(ctx, keys, false)
		if err != nil {
			return err
		}
		answers := newAnswers(keys)
		if err := b.decideAll(ctx, found, answers); err != nil {
			return err
		}
		b.out = append(b.out, answers.list(b.c, b.ep.Name, b.p.name)...)
		if n -= len(keys); n <= 0 {
			return nil
		}
	}
	return nil
}

// lanes are the ways in which a row of the table can be due, each with the
// column that drives it.
func (p *plan) lanes() []lane {
	var lanes []lane
	cols := p.t.Columns
	if cols.PurgeAfter.Name != "" {
		lanes = append(lanes, lane{columns.storedLane, cols.PurgeAfter.Name})
	}
	if cols.DeletedAt.As.Dated() && p.t.Policy.Window != lifecycle.Never {
		lanes = append(lanes, lane{columns.computedLane, cols.DeletedAt.Name})
	}
	return lanes
}

type lane struct {
	write func(columns)
	order string
}

func (b *batch) dueKeys(ctx context.Context, l lane, n int) ([]lifecycle.Key, error) {
	w := &writer{d: b.s.d}
	w.put("SELECT ")
	b.p.writeKeyColumns(w)
	w.put(" FROM ", b.p.from, " WHERE ")
	l.write(columns{writer: w, t: b.p.t})
	b.p.writeGuard(w, b.ep, false)
	w.put(" ORDER BY ", b.s.d.ident(l.order), ", ")
	b.p.writeKeyColumns(w)
	w.put(" LIMIT ")
	w.value(int64(n))
	w.put(b.s.d.ForUpdateSkip)
	return b.keys(ctx, w.prepared())
}
