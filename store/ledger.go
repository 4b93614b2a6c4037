package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
)

// Beginner opens transactions: *sql.DB, *sqlx.DB and *sql.Conn do.
type Beginner interface {
	lifecycle.DB
	BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error)
}

// LedgerOptions are the optional terms of a Ledger. Nil means every default.
type LedgerOptions struct {
	// Lease is how long a claim lasts without an answer. It has to outlast the
	// deletion of one batch. Defaults to 5 minutes; negative is refused.
	Lease time.Duration
	// Actor is who takes the reclaim edge, as the audit names it.
	// Defaults to "softdelete:reclaimer".
	Actor string
}

const (
	defaultLease = 5 * time.Minute
	defaultActor = "softdelete:reclaimer"
)

// Ledger is the object ledger of a Store, in the database that holds the rows:
// the [objstore.Ledger] and the [objstore.Referee] of a Reclaimer and a Sweeper.
// Each method opens and ends one short transaction of its own, and tries again
// a few times where the database asks for it. Safe for concurrent use by many
// goroutines and processes.
//
// # What it cannot protect
//
// Rows are asked under the lock of a key's ledger entry, not under a lock that
// writers take: a row that begins to refer to a key while its deletion is under
// way is not stopped, nor is a legal hold that is put on then. Give each upload a
// key that was never used before.
//
// Only the tables of the catalog are asked. A key to which another table, another
// service or another database refers is an orphan to it: give what the catalog
// does not know a prefix that no Sweeper manages.
//
// Deadlines and leases go by the store's clock. A machine whose clock is ahead
// purges early by as much; keep the clocks of those that run passes in step.
type Ledger struct {
	s     *Store
	db    Beginner
	lease time.Duration
	cause lifecycle.Cause
}

var (
	_ objstore.Ledger  = (*Ledger)(nil)
	_ objstore.Referee = (*Ledger)(nil)
)

// NewLedger returns the ledger of a store. The database has to be the primary:
// a replica that lags behind does not know of the youngest references.
func NewLedger(s *Store, db Beginner, opts *LedgerOptions) (*Ledger, error) {
	o := LedgerOptions{}
	if opts != nil {
		o = *opts
	}
	if o.Lease == 0 {
		o.Lease = defaultLease
	}
	if o.Actor == "" {
		o.Actor = defaultActor
	}
	l := &Ledger{s: s, db: db, lease: o.Lease, cause: lifecycle.Cause{By: o.Actor}}
	switch {
	case s == nil || absent(db):
		return nil, fmt.Errorf("store: %w: no store or no database", lifecycle.ErrInvalid)
	case o.Lease < 0:
		return nil, fmt.Errorf("store: %w: LedgerOptions.Lease: %s is negative", lifecycle.ErrInvalid, o.Lease)
	}
	if err := l.cause.Check(); err != nil {
		return nil, fmt.Errorf("store: LedgerOptions.Actor: %w", err)
	}
	return l, nil
}

// retries bounds how often a ledger's transaction is tried.
const retries = 5

// in runs fn in a transaction, again where a deadlock or a lock wait ended it.
func (l *Ledger) in(ctx context.Context, verb lifecycle.EdgeName, fn func(tx *sql.Tx) error) error {
	for try := 1; ; try++ {
		err := l.once(ctx, fn)
		if err == nil || errors.Is(err, objstore.ErrFenced) {
			return err
		}
		err = l.s.fault(verb, nil, nil, err)
		if !errors.Is(err, lifecycle.ErrRetry) || try == retries || ctx.Err() != nil {
			return err
		}
	}
}

func (l *Ledger) once(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := l.db.BeginTx(ctx, l.s.TxOptions())
	if err != nil {
		return err
	}
	err = l.s.takeLock(ctx, tx, l.s.own.object)
	if err == nil {
		err = fn(tx)
	}
	if err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	return tx.Commit()
}

// ignoreDone drops the complaint of a rollback after the driver rolled back.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// Done implements [objstore.Ledger]. Up to a batch of the rows that waited for
// the key is reclaimed in the same transaction, unless the database refuses one
// of them; Settle finds the rest.
func (l *Ledger) Done(ctx context.Context, c objstore.Claim, a objstore.Attempt) error {
	return l.in(ctx, "done", func(tx *sql.Tx) error {
		at := l.s.now()
		err := l.close(ctx, tx, c, func(w *writer) {
			w.put("state = '", objectReclaimed, "', last_code = '', attempts = attempts + 1")
		})
		if err != nil {
			return err
		}
		if err := l.attempt(ctx, tx, c, a, at); err != nil {
			return err
		}
		return l.settleAside(ctx, tx, c.ID)
	})
}

// Fail implements [objstore.Ledger]. The key stays in reclaiming, which no key
// leaves but for reclaimed.
func (l *Ledger) Fail(ctx context.Context, c objstore.Claim, a objstore.Attempt) error {
	return l.in(ctx, "fail", func(tx *sql.Tx) error {
		at := l.s.now()
		err := l.close(ctx, tx, c, func(w *writer) {
			w.put("attempts = attempts + 1, fence = fence + 1, last_code = ")
			w.value(clip(a.Code, maxCode))
			w.put(", next_at = ")
			w.value(l.s.own.bind(later(a.NotBefore, at)))
		})
		if err != nil {
			return err
		}
		return l.attempt(ctx, tx, c, a, at)
	})
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// close ends a claim that is still the caller's.
func (l *Ledger) close(ctx context.Context, tx *sql.Tx, c objstore.Claim, set func(w *writer)) error {
	w := &writer{d: l.s.d}
	w.put("UPDATE ", l.s.own.object, " SET ")
	set(w)
	w.put(" WHERE id = ")
	w.value(c.ID)
	w.put(" AND state = '", objectReclaiming, "' AND fence = ")
	w.value(c.Fence)
	q := w.prepared()
	result, err := exec(ctx, tx, q.text, q.bind(nil)...)
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err == nil && n == 0 {
		err = fmt.Errorf("store: %s in bucket %s: %w", c.Key, c.Bucket, objstore.ErrFenced)
	}
	return err
}

// maxCode is what the code columns hold, in bytes.
const maxCode = 64

// clip makes a store's word fit for a column, whatever the store sent.
func clip(s string, n int) string {
	if len(s) > n {
		s = s[:n]
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
}

func (l *Ledger) attempt(ctx context.Context, tx *sql.Tx, c objstore.Claim, a objstore.Attempt, at time.Time) error {
	w := &writer{d: l.s.d}
	w.put("INSERT INTO ", l.s.own.attempt, " (object_id, fence, at, versions, markers, bytes, code) VALUES ")
	w.tuple(c.ID, c.Fence, l.s.own.bind(at), int64(a.Versions), int64(a.Markers), a.Bytes, clip(a.Code, maxCode))
	return l.s.exec(ctx, tx, w, nil)
}

// Debt implements [objstore.Ledger].
func (l *Ledger) Debt(ctx context.Context, bucket string) (objstore.Debt, error) {
	var debt objstore.Debt
	w := &writer{d: l.s.d}
	w.put("SELECT COUNT(*), COALESCE(SUM(CASE WHEN next_at > ")
	w.value(l.s.own.bind(l.s.now()))
	w.put(" THEN 1 ELSE 0 END), 0), MIN(doomed_at) FROM ", l.s.own.object, " WHERE bucket = ")
	w.value(bucket)
	w.put(" AND state IN ('", objectDoomed, "', '", objectReclaiming, "')")
	if err := l.one(ctx, w, func(raw []any) (err error) {
		if debt.Objects, err = number(raw[0]); err != nil {
			return err
		}
		if debt.Waiting, err = number(raw[1]); err != nil {
			return err
		}
		debt.Oldest, err = l.s.d.decode(lifecycle.Timestamp, raw[2])
		return err
	}, 3); err != nil {
		return debt, l.s.fault("debt", nil, nil, err)
	}
	w = &writer{d: l.s.d}
	w.put("SELECT COUNT(*) FROM (SELECT DISTINCT w.table_name, w.row_key FROM ", l.s.own.waiting, " w JOIN ", l.s.own.object,
		" o ON o.id = w.object_id WHERE o.bucket = ")
	w.value(bucket)
	w.put(" AND o.state IN ('", objectDoomed, "', '", objectReclaiming, "')) d")
	err := l.one(ctx, w, func(raw []any) (err error) {
		debt.Rows, err = number(raw[0])
		return err
	}, 1)
	return debt, l.s.fault("debt", nil, nil, err)
}

// one reads the single row of an aggregate.
func (l *Ledger) one(ctx context.Context, w *writer, read func(raw []any) error, n int) error {
	q := w.prepared()
	_, err := query(ctx, l.db, q.text, q.bind(nil), func(rows *sql.Rows) (struct{}, error) {
		raw, err := scanAny(rows, n)
		if err == nil {
			err = read(raw)
		}
		return struct{}{}, err
	})
	return err
}
