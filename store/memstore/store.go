package memstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/softdelete-go/softdelete/internal/clock"
	"github.com/softdelete-go/softdelete/lifecycle"
)

// Options are the optional terms of a Store. Nil means every default.
type Options struct {
	// Clock gives the instant of each call. Defaults to the machine's clock.
	Clock lifecycle.Clock
	// Lease is how long a claim of the ledger lasts without an answer, by Clock.
	// Defaults to 5 minutes; negative is refused.
	Lease time.Duration
	// Actor is who takes the reclaim edge for the ledger, as the audit names it.
	// Defaults to "softdelete:reclaimer".
	Actor string
	// LockWait is how long, in real time, a transaction waits for another one to
	// end before it is refused with lifecycle.ErrRetry. Defaults to 10 seconds;
	// negative does not wait at all.
	LockWait time.Duration
}

const (
	defaultLease    = 5 * time.Minute
	defaultActor    = "softdelete:reclaimer"
	defaultLockWait = 10 * time.Second
	// maxKeyText is what the audit of the SQL store holds, in bytes.
	maxKeyText = 512
)

func (o *Options) normal() (Options, error) {
	n := Options{}
	if o != nil {
		n = *o
	}
	if n.Clock == nil {
		n.Clock = clock.System
	}
	if n.Lease == 0 {
		n.Lease = defaultLease
	}
	if n.Actor == "" {
		n.Actor = defaultActor
	}
	if n.LockWait == 0 {
		n.LockWait = defaultLockWait
	}
	if n.Lease < 0 {
		return n, fmt.Errorf("memstore: %w: Options.Lease: %s is negative", lifecycle.ErrInvalid, n.Lease)
	}
	if err := (lifecycle.Cause{By: n.Actor}).Check(); err != nil {
		return n, fmt.Errorf("memstore: Options.Actor: %w", err)
	}
	return n, nil
}

// Store holds rows in memory and takes the edges of the canonical life in the
// tables of a catalog. Safe for concurrent use. Make one with New.
type Store struct {
	catalog *lifecycle.Catalog
	opts    Options
	// writer holds a token while a transaction writes.
	writer chan struct{}

	mu     sync.RWMutex // guards memory
	memory *memory
}

var (
	_ lifecycle.DB = (*Store)(nil)
	_ lifecycle.Tx = (*Tx)(nil)
)

// New returns an empty store of a catalog's tables. The error wraps
// lifecycle.ErrInvalid.
func New(c *lifecycle.Catalog, opts *Options) (*Store, error) {
	if c == nil {
		return nil, fmt.Errorf("memstore: %w: no catalog", lifecycle.ErrInvalid)
	}
	o, err := opts.normal()
	if err != nil {
		return nil, err
	}
	return &Store{catalog: c, opts: o, writer: make(chan struct{}, 1), memory: newMemory(c)}, nil
}

// Catalog returns the catalog the store was made of.
func (m *Store) Catalog() *lifecycle.Catalog { return m.catalog }

// ExecContext always returns errors.ErrUnsupported: there is no SQL here. The
// method lets the Store be passed where a verb reads outside a transaction.
func (m *Store) ExecContext(context.Context, string, ...any) (sql.Result, error) {
	return nil, errNoSQL
}

// QueryContext always returns errors.ErrUnsupported, as ExecContext does.
func (m *Store) QueryContext(context.Context, string, ...any) (*sql.Rows, error) {
	return nil, errNoSQL
}

var errNoSQL = fmt.Errorf("memstore: SQL: %w", errors.ErrUnsupported)

// now is the one instant of a call.
func (m *Store) now() time.Time {
	return m.opts.Clock.Now().UTC().Round(0).Truncate(time.Microsecond)
}

// read runs fn on what db sees: a transaction its own changes, the Store what is
// committed.
func (m *Store) read(ctx context.Context, db lifecycle.DB, fn func(v *view) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if same, ok := db.(*Store); ok && same == m {
		m.mu.RLock()
		defer m.mu.RUnlock()
		return fn(m.memory.view())
	}
	tx, err := m.own(db)
	if err != nil {
		return err
	}
	return tx.read(fn)
}

// own refuses the transactions of anybody else.
func (m *Store) own(db lifecycle.DB) (*Tx, error) {
	tx, ok := db.(*Tx)
	if !ok || tx == nil || tx.m != m {
		return nil, fmt.Errorf("%w: a %T is no transaction of this store (Begin opens one)", lifecycle.ErrInvalid, db)
	}
	return tx, nil
}

// find checks the row of a read.
func (m *Store) find(op lifecycle.EdgeName, r lifecycle.Row) (rowID, lifecycle.Key, error) {
	t, err := m.catalog.Resolve(r.Table)
	if err != nil {
		return rowID{}, nil, &lifecycle.Error{Op: op, Err: err}
	}
	key, err := checkKey(t, r.Key)
	if err != nil {
		return rowID{}, nil, &lifecycle.Error{Op: op, Table: t.FullName(), Key: r.Key, Err: err}
	}
	return idOf(t, key), key, nil
}

// checkKey normalises a key and holds it against the table.
func checkKey(t *lifecycle.Table, key lifecycle.Key) (lifecycle.Key, error) {
	normal, err := key.Normal()
	if err != nil {
		return nil, err
	}
	if len(normal) != len(t.Key) {
		return nil, fmt.Errorf("%w: the key has %d values, the table's has %d", lifecycle.ErrInvalid, len(normal), len(t.Key))
	}
	if n := len(normal.String()); n > maxKeyText {
		return nil, fmt.Errorf("%w: the key's text has %d bytes, more than %d", lifecycle.ErrInvalid, n, maxKeyText)
	}
	return normal, nil
}

// Record reads a row's life: for showing it, not for deciding. A row that does
// not exist is a Record without a state, and no error. db is the Store, for what
// is committed, or one of its transactions.
func (m *Store) Record(ctx context.Context, db lifecycle.DB, r lifecycle.Row) (lifecycle.Record, error) {
	id, key, err := m.find("read", r)
	if err != nil {
		return lifecycle.Record{}, err
	}
	var rec lifecycle.Record
	err = m.read(ctx, db, func(v *view) error {
		if found, ok := v.rows.get(id); ok {
			rec = v.record(id, found)
		}
		return nil
	})
	return rec, wrap("read", id.table, key, err)
}

// History returns a row's audit, the first entry first. The row itself need not
// exist any more. db is as in Record.
func (m *Store) History(ctx context.Context, db lifecycle.DB, r lifecycle.Row) ([]lifecycle.Entry, error) {
	id, key, err := m.find("history", r)
	if err != nil {
		return nil, err
	}
	var entries []lifecycle.Entry
	err = m.read(ctx, db, func(v *view) error {
		entries = v.historyOf(id)
		return nil
	})
	return entries, wrap("history", id.table, key, err)
}

// wrap gives an error its facts.
func wrap(op lifecycle.EdgeName, t *lifecycle.Table, key lifecycle.Key, err error) error {
	if err == nil {
		return nil
	}
	e := &lifecycle.Error{Op: op, Key: key, Err: err}
	if t != nil {
		e.Table = t.FullName()
	}
	return e
}
