package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Trash moves an active row to the trash: it stamps when and by whom, and stores
// the deadline of the undo window. A row in the trash is left as it is (Already,
// with the first date); a purged one is Gone.
//
// It runs in the caller's transaction and neither begins nor ends one. A refusal
// is in the Result and is returned as an *lifecycle.Error as well; it leaves the
// transaction usable. Safe for concurrent use with other transactions: the row
// lock orders them.
func (s *Store) Trash(ctx context.Context, tx lifecycle.Tx, row lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error) {
	return s.Apply(ctx, tx, lifecycle.Trash, row, cause)
}

// Restore brings a row back from the trash while its window is open. A row that
// is active is Already; past the deadline the answer is ErrExpired whether or
// not a purge has run; after the purge ErrGone. Otherwise as Trash. A unique
// constraint that a newer row holds is ErrConflict; the transaction stays
// usable and the row stays in the trash.
func (s *Store) Restore(ctx context.Context, tx lifecycle.Tx, row lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error) {
	return s.Apply(ctx, tx, lifecycle.Restore, row, cause)
}

// Purge ends a row that is in the trash, before its deadline or after it, and
// dooms its objects in the same transaction. A row that was never in the trash
// is ErrIllegal, a held one ErrHeld. Otherwise as Trash.
func (s *Store) Purge(ctx context.Context, tx lifecycle.Tx, row lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error) {
	return s.Apply(ctx, tx, lifecycle.Purge, row, cause)
}

// Apply takes any edge of the canonical life for one row: the verbs are names
// for it. It adds Expire, the purge that demands a closed window, and Reclaim,
// which a reclaimer records.
func (s *Store) Apply(ctx context.Context, tx lifecycle.Tx, edge lifecycle.EdgeName, r lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error) {
	p, err := s.admit(r.Table, edge, true, tx, cause)
	if err != nil {
		return lifecycle.Result{}, err
	}
	c, err := s.call(p, r, cause)
	if err != nil {
		return lifecycle.Result{}, &lifecycle.Error{Op: edge, Table: p.name, Key: r.Key, Err: err}
	}
	ep := p.edges[edge]
	var result lifecycle.Result
	if ep.one.text != "" || ep.blind && exact(c.key) {
		result, err = s.direct(ctx, tx, p, ep, c, r, cause)
	} else {
		result, err = s.lockedOne(ctx, tx, p, ep, c, r, cause)
	}
	if err != nil {
		err = s.fault(edge, p, c.key, err)
		if edge == lifecycle.Restore && errors.Is(err, lifecycle.ErrConflict) {
			result = lifecycle.Result{Outcome: lifecycle.Conflict, Key: c.key, State: ep.start, At: c.at, Err: err}
		}
		return result, err
	}
	return result, result.Err
}

func (s *Store) call(p *plan, r lifecycle.Row, cause lifecycle.Cause) (*call, error) {
	key, err := p.checkKey(r.Key)
	if err != nil {
		return nil, err
	}
	c := &call{at: s.now(), by: cause.By, key: key}
	if v, ok := r.Version(); ok {
		if p.t.Columns.Version == "" {
			return nil, fmt.Errorf("%w: the table maps no Version", lifecycle.ErrInvalid)
		}
		c.version = v
	}
	c.op = lifecycle.NewOp(c.at)
	return c, nil
}

// tries bounds how often a row may change between the guarded statement and the
// look at why it did not apply. The look takes the row's lock, so that one
// repetition is enough; a second one means that the statement and Decide differ.
const tries = 3

var errUnstable = errors.New("the guarded statement and the row's state do not agree (a trigger?)")

// direct takes the edge in one statement and asks for a reason only where it
// did not apply.
func (s *Store) direct(ctx context.Context, tx lifecycle.Tx, p *plan, ep *edgePlan, c *call, r lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error) {
	for try := range tries {
		taken, err := s.take(ctx, tx, p, ep, c, r, try > 0)
		if err != nil {
			return lifecycle.Result{}, err
		}
		if len(taken) > 0 {
			result, err := p.taken(ep, taken[0].key, c), s.record(ctx, tx, p, ep, taken, c, cause)
			return result, err
		}
		found, err := p.readOne(ctx, tx, p.locked, c)
		if err != nil {
			return lifecycle.Result{}, err
		}
		if outcome := p.decide(ep, &found, r, c); outcome != lifecycle.Transitioned {
			return p.refused(ep, found, outcome, c), nil
		}
	}
	return lifecycle.Result{}, errUnstable
}

// exact tells whether a database that finds a row by the key holds the key as
// it was asked for. Text has other spellings: letter case, padding, a UUID's.
func exact(key lifecycle.Key) bool {
	for _, v := range key {
		if _, ok := v.(int64); !ok {
			return false
		}
	}
	return true
}

// take runs the guarded statement and returns the row, if it was taken. Where
// the row need not be read back the number of affected rows tells: since each
// edge changes its row, drivers that count changed rows and drivers that count
// found ones agree. With look it is read back all the same.
func (s *Store) take(ctx context.Context, tx lifecycle.Tx, p *plan, ep *edgePlan, c *call, r lifecycle.Row, look bool) ([]row, error) {
	one, plain := ep.one, ep.plain
	if _, ok := r.Version(); ok {
		one, plain = ep.oneVersion, ep.plainVersion
	}
	var taken []row
	n := int64(0)
	err := s.guarded(ctx, tx, ep, func() (err error) {
		if ep.blind && exact(c.key) && !look {
			n, err = affected(ctx, tx, plain, c)
			taken = []row{{key: c.key}}
			return err
		}
		taken, err = query(ctx, tx, one.text, one.bind(c), p.scanTaken)
		n = int64(len(taken))
		return err
	})
	switch {
	case err != nil || n == 0:
		return nil, err
	case n > 1:
		return nil, fmt.Errorf("%w: %d rows have the key (Table.Key is not the primary key)", lifecycle.ErrInvalid, n)
	}
	return taken, nil
}

// affected runs a statement and returns the number of rows it changed.
func affected(ctx context.Context, tx lifecycle.DB, q prepared, c *call) (int64, error) {
	result, err := exec(ctx, tx, q.text, q.bind(c)...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// savepoint keeps a unique violation from ending the caller's transaction, in
// databases where any error does. Only a restore can meet one.
const savepoint = "softdelete_restore"

// undo goes back to a savepoint and gives it up: one left open would be the
// caller's to carry until the transaction ends.
func undo(ctx context.Context, tx lifecycle.DB, name string) error {
	if _, err := exec(ctx, tx, "ROLLBACK TO SAVEPOINT "+name); err != nil {
		return err
	}
	_, err := exec(ctx, tx, "RELEASE SAVEPOINT "+name)
	return err
}

func (s *Store) guarded(ctx context.Context, tx lifecycle.Tx, ep *edgePlan, write func() error) error {
	if !s.d.AbortsOnError || ep.Name != lifecycle.Restore {
		return write()
	}
	if _, err := exec(ctx, tx, "SAVEPOINT "+savepoint); err != nil {
		return err
	}
	err := write()
	if err != nil && s.d.Classify(err) == Duplicate {
		return errors.Join(err, undo(ctx, tx, savepoint))
	}
	if err != nil {
		return err
	}
	_, err = exec(ctx, tx, "RELEASE SAVEPOINT "+savepoint)
	return err
}

func (p *plan) scanTaken(rows *sql.Rows) (row, error) {
	raw, err := scanAny(rows, len(p.t.Key)+len(p.t.Objects))
	if err != nil {
		return row{}, err
	}
	key, err := p.scanKey(rows, raw[:len(p.t.Key)])
	return row{key: key, objects: objectKeys(raw[len(p.t.Key):])}, err
}

// decide asks the machine about a row that was read under its lock.
func (p *plan) decide(ep *edgePlan, found *row, r lifecycle.Row, c *call) lifecycle.Outcome {
	if v, ok := r.Version(); ok {
		found.rec.Stale = found.version != v
	}
	if ep == hardDelete {
		return removable(found.rec)
	}
	return lifecycle.TwoStage.Decide(found.rec, ep.Name, c.at, p.t.Policy)
}

func (p *plan) taken(ep *edgePlan, key lifecycle.Key, c *call) lifecycle.Result {
	result := lifecycle.Result{
		Outcome: lifecycle.Transitioned, Key: key, State: ep.To, Op: c.op, At: c.at,
	}
	if ep.To == lifecycle.Trashed {
		result.Deadline = p.deadline(p.trashedAt(c.at))
	}
	return result
}

func (p *plan) refused(ep *edgePlan, found row, outcome lifecycle.Outcome, c *call) lifecycle.Result {
	result := lifecycle.Result{Outcome: outcome, Key: found.key, State: found.rec.State, At: c.at}
	if found.rec.State == lifecycle.Trashed {
		result.Deadline = p.deadline(found.rec)
	}
	if err := outcome.Err(); err != nil {
		result.Err = &lifecycle.Error{
			Op: ep.Name, Table: p.name, Key: found.key, Err: err, Detail: detail(outcome, result, ep),
		}
	}
	return result
}

func detail(outcome lifecycle.Outcome, r lifecycle.Result, ep *edgePlan) string {
	switch outcome {
	case lifecycle.Expired:
		return r.Deadline.Format(time.RFC3339Nano)
	case lifecycle.NotDue:
		if !r.Deadline.IsZero() {
			return "before " + r.Deadline.Format(time.RFC3339Nano)
		}
	case lifecycle.Illegal:
		return fmt.Sprintf("(the row is %s, the edge starts in %s)", r.State, ep.start)
	}
	return ""
}
