package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// TrashAll moves the rows of a selection to the trash under one operation id.
// Refusals of single rows are in the Results; the error is for bad input and
// for the database, and then the transaction should be rolled back. Rows are
// locked in the order of their keys. Otherwise as Trash.
func (s *Store) TrashAll(ctx context.Context, tx lifecycle.Tx, sel lifecycle.Selection, cause lifecycle.Cause) (lifecycle.Results, error) {
	return s.ApplyAll(ctx, tx, lifecycle.Trash, sel, cause)
}

// RestoreAll restores the rows of a selection. A unique violation fails the
// whole statement it meets, with ErrConflict. Otherwise as Restore and TrashAll.
func (s *Store) RestoreAll(ctx context.Context, tx lifecycle.Tx, sel lifecycle.Selection, cause lifecycle.Cause) (lifecycle.Results, error) {
	return s.ApplyAll(ctx, tx, lifecycle.Restore, sel, cause)
}

// PurgeAll purges the rows of a selection. Otherwise as Purge and TrashAll.
func (s *Store) PurgeAll(ctx context.Context, tx lifecycle.Tx, sel lifecycle.Selection, cause lifecycle.Cause) (lifecycle.Results, error) {
	return s.ApplyAll(ctx, tx, lifecycle.Purge, sel, cause)
}

// ApplyAll takes an edge for the rows of a selection, as Apply does for one. A
// condition selects among the rows from which the edge starts.
func (s *Store) ApplyAll(ctx context.Context, tx lifecycle.Tx, edge lifecycle.EdgeName, sel lifecycle.Selection, cause lifecycle.Cause) (lifecycle.Results, error) {
	p, keys, where, err := s.admitAll(tx, edge, true, sel, cause)
	if err != nil {
		return lifecycle.Results{}, err
	}
	b := s.newBatch(tx, p, cause)
	b.ep = p.edges[edge]
	return b.run(ctx, keys, where, sel.Limit)
}

// run works through the rows of a selection that was admitted.
func (b *batch) run(ctx context.Context, keys []lifecycle.Key, where *condition, limit int) (lifecycle.Results, error) {
	var err error
	if where != nil {
		err = b.selected(ctx, where, limit)
	} else {
		err = b.keyed(ctx, keys)
	}
	return b.results(), b.s.fault(b.ep.Name, b.p, nil, err)
}

func (s *Store) admitAll(tx lifecycle.Tx, edge lifecycle.EdgeName, life bool, sel lifecycle.Selection, cause lifecycle.Cause) (*plan, []lifecycle.Key, *condition, error) {
	p, err := s.admit(sel.Table, edge, life, tx, cause)
	if err != nil {
		return nil, nil, nil, err
	}
	fail := func(err error) (*plan, []lifecycle.Key, *condition, error) {
		return nil, nil, nil, &lifecycle.Error{Op: edge, Table: p.name, Err: err}
	}
	keys, err := sel.Check()
	if err != nil {
		return fail(err)
	}
	for _, key := range keys {
		if err := p.fits(key); err != nil {
			return fail(err)
		}
	}
	if sel.Where == nil {
		return p, keys, nil, nil
	}
	where, err := s.d.condition(sel.Where)
	if err != nil {
		return fail(err)
	}
	return p, nil, where, nil
}

// batch is one bulk call.
type batch struct {
	s     *Store
	tx    lifecycle.Tx
	p     *plan
	ep    *edgePlan
	c     *call
	cause lifecycle.Cause
	row   lifecycle.Row // carries IfVersion for a single row
	out   []lifecycle.Result
	took  bool
	// except are the keys of due rows to pass over; only is that of the row in
	// hand where there is just one.
	except []lifecycle.Key
	only   lifecycle.Key
	// careful is set once a batch held a row that did not take the edge: it is
	// dearer then to hope than to look.
	careful bool
}

func (s *Store) newBatch(tx lifecycle.Tx, p *plan, cause lifecycle.Cause) *batch {
	at := s.now()
	return &batch{
		s: s, tx: tx, p: p, cause: cause,
		c: &call{at: at, by: cause.By, op: lifecycle.NewOp(at)},
	}
}

func (b *batch) results() lifecycle.Results {
	r := lifecycle.Results{At: b.c.at, Rows: b.out}
	if b.took {
		r.Op = b.c.op
	}
	return r
}

// lockedOne takes an edge for one row under its lock, where one statement
// cannot do it.
func (s *Store) lockedOne(ctx context.Context, tx lifecycle.Tx, p *plan, ep *edgePlan, c *call, r lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error) {
	b := &batch{s: s, tx: tx, p: p, ep: ep, c: c, cause: cause, row: r}
	if err := b.keyed(ctx, []lifecycle.Key{c.key}); err != nil {
		return lifecycle.Result{}, err
	}
	return b.out[0], nil
}

// keyed works through known keys in the order of the locks and answers in the
// order of the question.
func (b *batch) keyed(ctx context.Context, keys []lifecycle.Key) error {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return compareKeys(keys[i], keys[j]) })
	answers := newAnswers(keys)
	var take []row
	for places := range slices.Chunk(order, b.s.opts.Batch) {
		chunk := make([]lifecycle.Key, len(places))
		for i, place := range places {
			chunk[i] = keys[place]
		}
		took, err := b.hope(ctx, chunk)
		if err != nil {
			return err
		}
		if took {
			answers.taken(places, b.p.taken(b.ep, nil, b.c))
			continue
		}
		found, err := b.lockKeys(ctx, chunk)
		if err != nil {
			return err
		}
		ready, err := b.judge(found, answers)
		if err != nil {
			return err
		}
		take = append(take, ready...)
		if b.ep.related {
			// What is written here may be another row's parent or child: all
			// are judged by what was there before the call.
			continue
		}
		if err := b.takeAll(ctx, take); err != nil {
			return err
		}
		take = nil
	}
	if err := b.takeAll(ctx, take); err != nil {
		return err
	}
	b.out = answers.list(b.c, b.ep.Name, b.p.name)
	return nil
}

// hope takes the edge for a whole batch in one statement, without a look at the
// rows, where every row takes it. Otherwise nothing is done: the answers differ
// from row to row then, and each needs its reason.
func (b *batch) hope(ctx context.Context, keys []lifecycle.Key) (bool, error) {
	if b.careful || !b.ep.blind || len(keys) < 2 || !allExact(keys) {
		return false, nil
	}
	all, err := b.tryAndUndo(ctx, keys)
	if err != nil || !all {
		b.careful = true
		return false, err
	}
	b.took = true
	if !b.ep.ends() {
		return true, b.s.audit(ctx, b.tx, b.p, b.ep, keys, b.c, b.cause)
	}
	rows := make([]row, len(keys))
	for i := range rows {
		rows[i].key = keys[i]
	}
	return true, b.s.record(ctx, b.tx, b.p, b.ep, rows, b.c, b.cause)
}

// attempt is the savepoint to which a batch returns that was not all taken.
const attempt = "softdelete_batch"

// tryAndUndo looks at how many rows took the edge, and undoes it where some did
// not.
func (b *batch) tryAndUndo(ctx context.Context, keys []lifecycle.Key) (bool, error) {
	if _, err := exec(ctx, b.tx, "SAVEPOINT "+attempt); err != nil {
		return false, err
	}
	w := &writer{d: b.s.d}
	b.p.writeEdge(w, b.ep, func() { b.p.writeKeys(w, "", keys) })
	b.p.writeNumbers(w)
	n, err := affected(ctx, b.tx, w.prepared(), b.c)
	if err != nil && b.s.d.Classify(err) != Duplicate {
		return false, err
	}
	if err != nil || n != int64(len(keys)) {
		return false, errors.Join(err, undo(ctx, b.tx, attempt))
	}
	_, err = exec(ctx, b.tx, "RELEASE SAVEPOINT "+attempt)
	return true, err
}

func allExact(keys []lifecycle.Key) bool {
	return !slices.ContainsFunc(keys, func(k lifecycle.Key) bool { return !exact(k) })
}

// selected works through the rows that meet a condition.
func (b *batch) selected(ctx context.Context, where *condition, limit int) error {
	var after lifecycle.Key
	for limit > 0 {
		n := min(limit, b.s.opts.Batch)
		keys, err := b.lockWhere(ctx, where, after, n)
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			return nil
		}
		found, err := b.readLocked(ctx, keys)
		if err != nil {
			return err
		}
		answers := newAnswers(keys)
		if err := b.decideAll(ctx, found, answers); err != nil {
			return err
		}
		b.out = append(b.out, answers.list(b.c, b.ep.Name, b.p.name)...)
		if len(keys) < n {
			return nil
		}
		limit, after = limit-n, keys[len(keys)-1]
	}
	return nil
}

// judge answers for rows that are locked, and returns those nothing stands
// against.
func (b *batch) judge(found []row, answers *answers) (take []row, err error) {
	for _, r := range found {
		outcome := b.p.decide(b.ep, &r, b.row, b.c)
		result := b.p.refused(b.ep, r, outcome, b.c)
		if outcome == lifecycle.Transitioned {
			take = append(take, r)
			result = b.p.taken(b.ep, r.key, b.c)
		}
		if err := answers.put(result); err != nil {
			return nil, err
		}
	}
	return take, nil
}

// takeAll takes the edge for rows that were judged.
func (b *batch) takeAll(ctx context.Context, rows []row) error {
	for take := range slices.Chunk(rows, b.s.opts.Batch) {
		if err := b.write(ctx, take); err != nil {
			return err
		}
		b.took = true
		if err := b.s.record(ctx, b.tx, b.p, b.ep, take, b.c, b.cause); err != nil {
			return err
		}
	}
	return nil
}

// decideAll judges and takes at once.
func (b *batch) decideAll(ctx context.Context, found []row, answers *answers) error {
	take, err := b.judge(found, answers)
	if err != nil {
		return err
	}
	return b.takeAll(ctx, take)
}

// write runs the guarded statement on locked rows. It repeats every
// precondition; the number of rows has to come out right, which it does whether
// the driver counts found rows or changed ones, since each edge changes its row.
func (b *batch) write(ctx context.Context, take []row) error {
	w := &writer{d: b.s.d}
	b.p.writeEdge(w, b.ep, func() { b.p.writeKeys(w, "", keysOf(take)) })
	if v, ok := b.row.Version(); ok {
		w.put(" AND ", b.s.d.ident(b.p.t.Columns.Version), " = ")
		w.value(v)
	}
	q := w.prepared()
	return b.s.guarded(ctx, b.tx, b.ep, func() error {
		n, err := affected(ctx, b.tx, q, b.c)
		if err == nil && n != int64(len(take)) {
			err = fmt.Errorf("%w: %d of %d locked rows changed: %w", lifecycle.ErrRetry, n, len(take), errUnstable)
		}
		return err
	})
}

func keysOf(rows []row) []lifecycle.Key {
	keys := make([]lifecycle.Key, len(rows))
	for i := range rows {
		keys[i] = rows[i].key
	}
	return keys
}
