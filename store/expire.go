package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// ExpireDue purges up to n rows of a table whose window has closed, the longest
// overdue first, each re-checked in the statement that purges it. Rows that
// another transaction has locked are passed over, and so are those with the keys
// in except. It is the step of a background pass: call it in a short transaction
// of its own until it returns no rows.
//
// A row that the database refuses, such as by a trigger, fails the call. Try
// again with half of n, and in the end with 1: the [lifecycle.Error] has the
// row's key then, and except lets the others go.
func (s *Store) ExpireDue(ctx context.Context, tx lifecycle.Tx, t *lifecycle.Table, n int, cause lifecycle.Cause, except ...lifecycle.Key) (lifecycle.Results, error) {
	p, err := s.admit(t, lifecycle.Expire, true, tx, cause)
	if err != nil {
		return lifecycle.Results{}, err
	}
	fail := func(err error) (lifecycle.Results, error) {
		return lifecycle.Results{}, &lifecycle.Error{Op: lifecycle.Expire, Table: p.name, Err: err}
	}
	if n <= 0 {
		return fail(fmt.Errorf("%w: %d rows", lifecycle.ErrInvalid, n))
	}
	b := s.newBatch(tx, p, cause)
	b.ep = p.edges[lifecycle.Expire]
	for _, key := range except {
		normal, err := p.checkKey(key)
		if err != nil {
			return fail(err)
		}
		b.except = append(b.except, normal)
	}
	err = b.due(ctx, min(n, s.opts.Batch))
	return b.results(), s.fault(lifecycle.Expire, p, b.only, err)
}

// Due is how much of a table ExpireDue would find.
type Due struct {
	// Rows is the number of rows whose window has closed, up to the limit asked
	// for.
	Rows int64
	// Held is the number of such rows that a legal hold keeps, up to the limit.
	Held int64
	// Oldest is the earliest deadline among Rows; zero where there is none.
	Oldest time.Time
	// Objects is the number of object keys that Rows hold, and Bytes the sum of
	// their sizes where the table has columns for them: logical bytes, which a
	// key that several rows share adds once for each.
	Objects, Bytes int64
}

// Due counts the rows of a table whose window has closed, up to a limit, without
// a lock: for a plan and for a metric of how far behind the purge is.
func (s *Store) Due(ctx context.Context, db lifecycle.DB, t *lifecycle.Table, limit int64) (Due, error) {
	p, err := s.plan(t)
	if err != nil {
		return Due{}, &lifecycle.Error{Op: lifecycle.Expire, Err: err}
	}
	if err := p.t.Admit(lifecycle.Expire); err != nil {
		return Due{}, err
	}
	if absent(db) {
		return Due{}, &lifecycle.Error{Op: lifecycle.Expire, Table: p.name, Err: fmt.Errorf("%w: no database", lifecycle.ErrInvalid)}
	}
	if limit <= 0 {
		return Due{}, &lifecycle.Error{Op: lifecycle.Expire, Table: p.name, Err: fmt.Errorf("%w: a limit of %d", lifecycle.ErrInvalid, limit)}
	}
	c := &call{at: s.now()}
	var due Due
	for _, l := range p.lanes() {
		free, err := p.countDue(ctx, db, l, c, false, limit-due.Rows)
		if err != nil {
			return due, s.fault(lifecycle.Expire, p, nil, err)
		}
		held, err := p.countDue(ctx, db, l, c, true, limit-due.Held)
		if err != nil {
			return due, s.fault(lifecycle.Expire, p, nil, err)
		}
		due.add(free)
		due.Held += held.Rows
	}
	return due, nil
}

func (d *Due) add(lane Due) {
	d.Rows, d.Objects, d.Bytes = d.Rows+lane.Rows, d.Objects+lane.Objects, d.Bytes+lane.Bytes
	if !lane.Oldest.IsZero() && (d.Oldest.IsZero() || lane.Oldest.Before(d.Oldest)) {
		d.Oldest = lane.Oldest
	}
}

// countDue counts one lane's rows, held or not.
func (p *plan) countDue(ctx context.Context, db lifecycle.DB, l lane, c *call, held bool, limit int64) (Due, error) {
	hold := p.t.Columns.Hold
	if limit <= 0 || held && hold.Name == "" {
		return Due{}, nil
	}
	w := &writer{d: p.d}
	cols := columns{writer: w, t: p.t}
	w.put("SELECT COUNT(*), MIN(d.at), COALESCE(SUM(d.objects), 0), COALESCE(SUM(d.bytes), 0) FROM (SELECT ", p.d.ident(l.col.Name), " AS at, ")
	p.writeObjectSums(w)
	w.put(" FROM ", p.from, " WHERE ")
	l.write(cols)
	w.put(" AND ")
	cols.state(lifecycle.Trashed)
	w.put(" AND ")
	cols.closed()
	if held {
		w.put(" AND ")
		cols.set(hold)
	} else {
		cols.unsetIf(hold)
	}
	w.put(" ORDER BY ", p.d.ident(l.col.Name), " LIMIT ")
	w.value(limit)
	w.put(") d")
	q := w.prepared()
	found, err := query(ctx, db, q.text, q.bind(c), func(rows *sql.Rows) (Due, error) { return p.scanDue(rows, l) })
	if err != nil {
		return Due{}, err
	}
	return found[0], nil
}

// writeObjectSums writes how many object keys a row holds, and their sizes.
func (p *plan) writeObjectSums(w *writer) {
	w.put("0")
	for _, o := range p.t.Objects {
		key := p.d.ident(o.Key)
		w.put(" + CASE WHEN ", key, " IS NULL OR ", key, " = '' THEN 0 ELSE 1 END")
	}
	w.put(" AS objects, 0")
	for _, o := range p.t.Objects {
		if o.Size != "" {
			w.put(" + COALESCE(", p.d.ident(o.Size), ", 0)")
		}
	}
	w.put(" AS bytes")
}

func (p *plan) scanDue(rows *sql.Rows, l lane) (due Due, err error) {
	raw, err := scanAny(rows, 4)
	if err != nil {
		return due, err
	}
	for i, n := range map[int]*int64{0: &due.Rows, 2: &due.Objects, 3: &due.Bytes} {
		if *n, err = number(raw[i]); err != nil {
			return due, err
		}
	}
	due.Oldest, err = p.d.decode(l.col.As, raw[1])
	if err == nil && !due.Oldest.IsZero() {
		due.Oldest = l.deadline(due.Oldest)
	}
	return due, err
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
		if b.only = nil; len(keys) == 1 {
			b.only = keys[0]
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
		lanes = append(lanes, lane{columns.storedLane, cols.PurgeAfter, func(t time.Time) time.Time { return t }})
	}
	if cols.DeletedAt.As.Dated() && p.t.Policy.Window != lifecycle.Never {
		lanes = append(lanes, lane{columns.computedLane, cols.DeletedAt, p.t.Policy.Deadline})
	}
	return lanes
}

type lane struct {
	write    func(columns)
	col      lifecycle.Column
	deadline func(time.Time) time.Time // of what the column holds
}

func (b *batch) dueKeys(ctx context.Context, l lane, n int) ([]lifecycle.Key, error) {
	w := &writer{d: b.s.d}
	w.put("SELECT ")
	b.p.writeKeyColumns(w)
	w.put(" FROM ", b.p.from, " WHERE ")
	l.write(columns{writer: w, t: b.p.t})
	b.p.writeGuard(w, b.ep, false)
	if len(b.except) > 0 {
		w.put(" AND NOT (")
		b.p.writeKeys(w, "", b.except)
		w.put(")")
	}
	w.put(" ORDER BY ", b.s.d.ident(l.col.Name), ", ")
	b.p.writeKeyColumns(w)
	w.put(" LIMIT ")
	w.value(int64(n))
	w.put(b.s.d.ForUpdateSkip)
	return b.keys(ctx, w.prepared())
}
