package retention

import (
	"context"
	"errors"
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
)

const (
	// maxRetries bounds how often in a row the database may ask for a retry. The
	// batch is halved each time, so that in the end single rows are tried.
	maxRetries = 12
	// maxFailed is how many rows of a table a run passes over before it gives
	// the table up: it is not the rows then.
	maxFailed = 100
)

// turn is a table's purge in one run.
type turn struct {
	*Pass
	table   *lifecycle.Table
	report  TableReport
	n       int // rows of the next batch
	retries int // in a row
	passed  []lifecycle.Key
	suspect string          // a row that failed once by itself
	last    map[string]bool // the rows of the batch before
}

// purge gives each table its turn. Without a budget that is one after the other,
// to the end. A budget is shared out evenly, and what a table does not need goes
// to the others: or the first table could keep the last from its turn for ever.
func (p *Pass) purge(ctx context.Context) []TableReport {
	turns := make([]*turn, len(p.opts.Tables))
	for i, t := range p.opts.Tables {
		turns[i] = &turn{Pass: p, table: t, n: p.opts.Batch, report: TableReport{Table: t.FullName()}}
	}
	budget := p.opts.MaxRows
	for open := turns; len(open) > 0; {
		var next []*turn
		for i, r := range open {
			share := int64(0)
			if p.opts.MaxRows > 0 {
				share = max(1, budget/int64(len(open)-i))
			}
			if ctx.Err() != nil || p.opts.MaxRows > 0 && budget <= 0 {
				next = nil
				break
			}
			budget -= r.work(ctx, share)
			if r.report.Err == nil && !r.report.Complete {
				next = append(next, r)
			}
		}
		open = next
	}
	var reports []TableReport
	for _, r := range turns {
		if r.report.Batches > 0 || r.report.Err != nil {
			reports = append(reports, r.report)
		}
	}
	return reports
}

// work takes up to n of a table's due rows, all of them if n is 0, and returns
// how many it took. Fewer than n are the last, or there is an error.
func (r *turn) work(ctx context.Context, n int64) int64 {
	before := r.report.Purged
	for r.report.Err == nil && !r.report.Complete {
		want, taken := r.n, r.report.Purged-before
		if n > 0 {
			want = int(min(int64(want), n-taken))
		}
		if want <= 0 {
			break
		}
		if r.report.Err = ctx.Err(); r.report.Err == nil {
			r.batch(ctx, want)
		}
	}
	return r.report.Purged - before
}

// batch makes one transaction of up to n rows.
func (r *turn) batch(ctx context.Context, n int) {
	r.report.Batches++
	results, err := r.transaction(ctx, n)
	if err != nil {
		r.report.Err = r.recover(ctx, n, results, err)
		return
	}
	r.retries, r.suspect, r.n = 0, "", min(2*n, r.opts.Batch)
	taken := map[string]bool{}
	passed := len(r.passed)
	for _, row := range results.Rows {
		key := row.Key.String()
		switch {
		case row.Err != nil:
			r.report.Err = r.pass(row.Key, row.Err)
		case row.Outcome != lifecycle.Transitioned:
		case r.last[key]:
			r.report.Err = r.pass(row.Key, errComesBack)
		default:
			taken[key] = true
		}
	}
	r.last = taken
	r.report.Purged += int64(len(taken))
	r.opts.Progress(Progress{StagePurge, r.report.Table, r.report.Purged})
	r.report.Complete = len(results.Rows) == 0
	if r.report.Err == nil && !r.report.Complete && len(taken) == 0 && len(r.passed) == passed {
		r.report.Err = fmt.Errorf("no progress in %s", r.report.Table)
	}
}

var errComesBack = errors.New("purged, and in the trash again (a trigger?)")

// recover decides after a batch that failed: nil to go on. Whatever the reason,
// a smaller batch may do: one that is faster than a time-out, or without the row
// that the database refuses. A row that fails by itself twice is passed over.
func (r *turn) recover(ctx context.Context, n int, results lifecycle.Results, err error) error {
	var began *beginError
	retry := r.st.Retryable(err) && r.retries < maxRetries
	switch {
	case ctx.Err() != nil || errors.As(err, &began) && !retry:
		return err
	case retry || n > 1:
		r.retries++
		r.report.Retries++
		r.n = max(1, n/2)
		return nil
	}
	key := keyOf(results, err)
	switch {
	case key == nil:
		return err
	case r.suspect != key.String():
		r.suspect, r.n = key.String(), 1
		r.report.Retries++
		return nil
	}
	r.retries = 0
	return r.pass(key, err)
}

// keyOf is the key of the one row that a transaction was about.
func keyOf(results lifecycle.Results, err error) lifecycle.Key {
	if len(results.Rows) == 1 {
		return results.Rows[0].Key
	}
	var e *lifecycle.Error
	if errors.As(err, &e) {
		return e.Key
	}
	return nil
}

// pass leaves a row out of the rest of the run.
func (r *turn) pass(key lifecycle.Key, err error) error {
	if len(r.report.Failed) == maxFailed {
		return fmt.Errorf("%d rows of %s failed, and another one: %w", maxFailed, r.report.Table, err)
	}
	if e := (*lifecycle.Error)(nil); !errors.As(err, &e) {
		err = &lifecycle.Error{Op: lifecycle.Expire, Table: r.report.Table, Key: key, Err: err}
	}
	r.passed = append(r.passed, key)
	r.report.Failed = append(r.report.Failed, err)
	return nil
}

// beginError says that the database did not even open a transaction.
type beginError struct{ error }

func (e *beginError) Unwrap() error { return e.error }

// transaction purges up to n rows. The results tell of a failed commit's rows too.
func (r *turn) transaction(ctx context.Context, n int) (lifecycle.Results, error) {
	tx, err := r.db.BeginTx(ctx, r.st.TxOptions())
	if err != nil {
		return lifecycle.Results{}, &beginError{err}
	}
	defer tx.Rollback()
	results, err := r.st.ExpireDue(ctx, tx, r.table, n, r.opts.Cause, r.passed...)
	if err != nil {
		return lifecycle.Results{}, err
	}
	return results, tx.Commit()
}
