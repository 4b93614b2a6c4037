package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Settled is what one Settle came to.
type Settled struct {
	// Rows is the number of rows that took the reclaim edge.
	Rows int64
	// Held is the number of rows that a legal hold keeps from it.
	Held int64
	// Failed has an error for each row that the database refused, such as by a
	// trigger, and that was passed over. The next Settle tries it again.
	Failed []error
}

// maxFailed is how many rows may be refused before Settle gives up: it is not
// the rows then.
const maxFailed = 100

// Settle takes the reclaim edge for every purged row whose objects are all gone,
// and for rows that had none: in short transactions of a batch each, until no
// row is left that can be settled. A batch that fails is halved until the row
// at fault is known; the others are settled. A Reclaimer's Done settles most
// rows at once; a pass calls Settle for the rest. Idempotent and safe to run in
// many processes.
func (l *Ledger) Settle(ctx context.Context) (Settled, error) {
	var total Settled
	next := settlement{n: l.s.opts.Batch}
	for {
		var page settled
		err := l.in(ctx, "settle", func(tx *sql.Tx) (err error) {
			page, err = l.settle(ctx, tx, next)
			return err
		})
		switch {
		case err != nil && (page.found == 0 || ctx.Err() != nil || len(total.Failed) == maxFailed):
			return total, err
		case err != nil && page.found > 1:
			next.n = page.found / 2
			continue
		case err != nil:
			total.Failed = append(total.Failed, fmt.Errorf("%s%s: %w", page.last.table, page.last.key, err))
		default:
			total.Rows, total.Held = total.Rows+page.rows, total.Held+page.held
			if page.found < next.n {
				return total, nil
			}
		}
		next.after, next.n = page.last, min(2*next.n, l.s.opts.Batch)
	}
}

const aside = "softdelete_settle"

// settleAside settles rows that waited for an object, as far as the database
// lets it: what became of the object has to be recorded in any case.
func (l *Ledger) settleAside(ctx context.Context, tx *sql.Tx, object int64) error {
	if _, err := exec(ctx, tx, "SAVEPOINT "+aside); err != nil {
		return err
	}
	_, err := l.settle(ctx, tx, settlement{object: object, n: l.s.opts.Batch})
	if l.s.Retryable(err) && !errors.Is(err, errUnstable) {
		return err
	}
	if err != nil {
		if back := undo(ctx, tx, aside); back != nil {
			return errors.Join(err, back)
		}
		return nil
	}
	_, err = exec(ctx, tx, "RELEASE SAVEPOINT "+aside)
	return err
}

// settlement is one page of rows to settle.
type settlement struct {
	object int64 // only rows that wait for this object, 0 for all
	after  waiter
	n      int
}

type settled struct {
	found      int
	rows, held int64
	last       waiter
}

// waiter is a purged row that waits for objects.
type waiter struct{ table, key string }

// settle reclaims rows that wait for nothing any more. The edge is taken under
// the row's lock, before the entries go, in the order in which a purge locks.
func (l *Ledger) settle(ctx context.Context, tx *sql.Tx, page settlement) (settled, error) {
	waiters, err := l.ready(ctx, tx, page)
	if err != nil || len(waiters) == 0 {
		return settled{}, err
	}
	out := settled{found: len(waiters), last: waiters[len(waiters)-1]}
	for len(waiters) > 0 {
		n := 1
		for n < len(waiters) && waiters[n].table == waiters[0].table {
			n++
		}
		if err := l.reclaim(ctx, tx, waiters[:n], &out); err != nil {
			return out, err
		}
		waiters = waiters[n:]
	}
	return out, nil
}

// ready finds rows all of whose objects are gone, or are needed elsewhere.
func (l *Ledger) ready(ctx context.Context, tx *sql.Tx, page settlement) ([]waiter, error) {
	own := l.s.own
	w := &writer{d: l.s.d}
	w.put("SELECT DISTINCT w.table_name, w.row_key FROM ", own.waiting, " w WHERE NOT EXISTS (SELECT 1 FROM ", own.waiting, " p JOIN ",
		own.object, " o ON o.id = p.object_id WHERE p.table_name = w.table_name AND p.row_key = w.row_key AND o.state IN ('",
		objectDoomed, "', '", objectReclaiming, "'))")
	if page.object != noObject {
		w.put(" AND w.object_id = ")
		w.value(page.object)
	}
	if page.after.table != "" {
		w.put(" AND (w.table_name > ")
		w.value(page.after.table)
		w.put(" OR w.table_name = ")
		w.value(page.after.table)
		w.put(" AND w.row_key > ")
		w.value(page.after.key)
		w.put(")")
	}
	w.put(" ORDER BY w.table_name, w.row_key LIMIT ")
	w.value(int64(page.n))
	q := w.prepared()
	return query(ctx, tx, q.text, q.bind(nil), func(rows *sql.Rows) (waiter, error) {
		raw, err := scanAny(rows, 2)
		return waiter{text(raw[0]), text(raw[1])}, err
	})
}

// reclaim takes the edge for rows of one table, and forgets those that need it
// no more. A table that left the catalog keeps its rows waiting.
func (l *Ledger) reclaim(ctx context.Context, tx *sql.Tx, waiters []waiter, out *settled) error {
	p := l.s.planNamed(waiters[0].table)
	if p == nil {
		return nil
	}
	keys := make([]lifecycle.Key, len(waiters))
	for i, w := range waiters {
		key, err := lifecycle.ParseKey(w.key)
		if err != nil {
			return err
		}
		keys[i] = key
	}
	results, err := l.s.ApplyAll(ctx, tx, lifecycle.Reclaim, p.t.Rows(keys...), l.cause)
	if err != nil {
		return err
	}
	var over []string
	for i, r := range results.Rows {
		switch r.Outcome {
		case lifecycle.Transitioned:
			out.rows++
			over = append(over, waiters[i].key)
		case lifecycle.Already, lifecycle.NotFound:
			over = append(over, waiters[i].key)
		case lifecycle.Held:
			out.held++
		}
	}
	return l.forget(ctx, tx, waiters[0].table, over)
}

func (l *Ledger) forget(ctx context.Context, tx *sql.Tx, table string, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	w := &writer{d: l.s.d}
	w.put("DELETE FROM ", l.s.own.waiting, " WHERE table_name = ")
	w.value(table)
	w.put(" AND ")
	w.in("row_key", keys)
	return l.s.exec(ctx, tx, w, nil)
}

// planNamed returns the plan of the table that audits call by this name.
func (s *Store) planNamed(name string) *plan {
	for _, p := range s.plans {
		if p.name == name {
			return p
		}
	}
	return nil
}
