package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/internal/clock"
	"github.com/softdelete-go/softdelete/internal/dberr"
	"github.com/softdelete-go/softdelete/lifecycle"
)

// Options are the optional terms of a Store. Nil means every default.
type Options struct {
	// Clock gives the instant of each call. Defaults to the machine's clock.
	Clock lifecycle.Clock
	// Schema holds the store's own tables. Defaults to the connection's.
	Schema string
	// Prefix starts the names of the store's own tables.
	// Defaults to "softdelete_".
	Prefix string
	// Batch is the number of rows that one statement of a bulk verb takes; at
	// most 1024. Defaults to 256.
	Batch int
	// NoAudit leaves out the operation and the audit lines: History knows
	// nothing then, and who did it is known only where the table maps it. Objects
	// are doomed all the same. Defaults to false.
	NoAudit bool
}

const (
	defaultBatch = 256
	maxBatch     = 1024
	// maxKeyText is what the audit's row_key column holds, in bytes.
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
	if n.Prefix == "" {
		n.Prefix = "softdelete_"
	}
	if n.Batch == 0 {
		n.Batch = defaultBatch
	}
	switch {
	case n.Batch < 0 || n.Batch > maxBatch:
		return n, fmt.Errorf("store: %w: Options.Batch: %d is not between 1 and %d", lifecycle.ErrInvalid, n.Batch, maxBatch)
	case len(n.Prefix) > 32 || strings.IndexByte(n.Prefix+n.Schema, 0) >= 0:
		return n, fmt.Errorf("store: %w: Options.Prefix: %q has more than 32 bytes or a NUL byte", lifecycle.ErrInvalid, n.Prefix)
	}
	return n, nil
}

// Store takes the edges of the canonical life in the tables of a catalog. It is
// immutable and safe for concurrent use; it holds no connection.
type Store struct {
	d       *Dialect
	catalog *lifecycle.Catalog
	opts    Options
	plans   map[*lifecycle.Table]*plan
	own     ownTables
}

// New compiles a catalog for a database: postgres.Dialect, mysql.Dialect or
// sqlite.Dialect. It sends nothing; Check looks at a live schema.
func New(c *lifecycle.Catalog, d *Dialect, opts *Options) (*Store, error) {
	if c == nil || d == nil {
		return nil, fmt.Errorf("store: %w: no catalog or no dialect", lifecycle.ErrInvalid)
	}
	o, err := opts.normal()
	if err != nil {
		return nil, err
	}
	if o.Schema != "" && !d.Schemas {
		return nil, fmt.Errorf("store: %w: Options.Schema: %s has no schemas", lifecycle.ErrInvalid, d.Name)
	}
	s := &Store{d: d, catalog: c, opts: o, plans: map[*lifecycle.Table]*plan{}}
	s.own = newOwnTables(d, o)
	for _, t := range c.Tables() {
		s.plans[t] = newPlan(d, c, t)
	}
	return s, nil
}

// Catalog returns the catalog the store was made of.
func (s *Store) Catalog() *lifecycle.Catalog { return s.catalog }

// TxOptions returns how a background pass should open its transactions: at READ
// COMMITTED where the database has it, so that a batch neither fails for what
// others did nor blocks inserts beside the rows it takes.
func (s *Store) TxOptions() *sql.TxOptions { return &sql.TxOptions{Isolation: s.d.Isolation} }

// Retryable tells whether an error of a statement, a begin or a commit of the
// caller's own is a lock wait, a deadlock or a serialization failure, as
// lifecycle.ErrRetry says of a verb's.
func (s *Store) Retryable(err error) bool {
	return errors.Is(err, lifecycle.ErrRetry) || err != nil && s.d.Classify(err) == Retryable
}

// now is the one instant of a call.
func (s *Store) now() time.Time {
	return s.opts.Clock.Now().UTC().Round(0).Truncate(time.Microsecond)
}

func (s *Store) plan(t *lifecycle.Table) (*plan, error) {
	resolved, err := s.catalog.Resolve(t)
	if err != nil {
		return nil, err
	}
	return s.plans[resolved], nil
}

// admit checks everything about a call that can be checked without SQL. A verb
// that takes edges of the life knows no hard delete.
func (s *Store) admit(t *lifecycle.Table, edge lifecycle.EdgeName, life bool, tx lifecycle.DB, cause lifecycle.Cause) (*plan, error) {
	p, err := s.plan(t)
	if err != nil {
		return nil, &lifecycle.Error{Op: edge, Err: err}
	}
	fail := func(err error) (*plan, error) {
		return nil, &lifecycle.Error{Op: edge, Table: p.name, Err: err}
	}
	if absent(tx) {
		return fail(fmt.Errorf("%w: no transaction", lifecycle.ErrInvalid))
	}
	if err := cause.Check(); err != nil {
		return fail(err)
	}
	if err := p.t.Admit(edge); err != nil {
		return nil, err
	}
	if edge == lifecycle.HardDelete && !life {
		return p, nil
	}
	ep := p.edges[edge]
	if ep == nil {
		return fail(fmt.Errorf("%w: no such edge", lifecycle.ErrInvalid))
	}
	if ep.missing != "" {
		return fail(fmt.Errorf("%w: the table maps no %s", lifecycle.ErrInvalid, ep.missing))
	}
	return p, nil
}

// absent tells whether there is no database to ask, a nil pointer included.
func absent(db lifecycle.DB) bool {
	if db == nil {
		return true
	}
	v := reflect.ValueOf(db)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// checkRead checks everything about a read that can be checked without SQL.
func (s *Store) checkRead(verb lifecycle.EdgeName, db lifecycle.DB, r lifecycle.Row) (*plan, lifecycle.Key, error) {
	p, err := s.plan(r.Table)
	if err != nil {
		return nil, nil, &lifecycle.Error{Op: verb, Err: err}
	}
	key, err := p.checkKey(r.Key)
	if err == nil && absent(db) {
		err = fmt.Errorf("%w: no database", lifecycle.ErrInvalid)
	}
	if err != nil {
		return nil, nil, &lifecycle.Error{Op: verb, Table: p.name, Key: r.Key, Err: err}
	}
	return p, key, nil
}

// checkKey normalises a key and holds it against the table.
func (p *plan) checkKey(key lifecycle.Key) (lifecycle.Key, error) {
	normal, err := key.Normal()
	if err != nil {
		return nil, err
	}
	return normal, p.fits(normal)
}

// fits holds a normal key against the table.
func (p *plan) fits(normal lifecycle.Key) error {
	if len(normal) != len(p.t.Key) {
		return fmt.Errorf("%w: the key has %d values, the table's has %d", lifecycle.ErrInvalid, len(normal), len(p.t.Key))
	}
	if exact(normal) {
		return nil
	}
	if n := len(normal.String()); n > maxKeyText {
		return fmt.Errorf("%w: the key's text has %d bytes, more than %d", lifecycle.ErrInvalid, n, maxKeyText)
	}
	return nil
}

// conflict is a unique violation. Its text leaves out the database's, which
// shows the values of other columns; the cause is there for errors.As.
type conflict struct{ cause error }

func (*conflict) Error() string     { return lifecycle.ErrConflict.Error() }
func (c *conflict) Unwrap() []error { return []error{lifecycle.ErrConflict, c.cause} }

// fault wraps a database error so that callers see what it means.
func (s *Store) fault(edge lifecycle.EdgeName, p *plan, key lifecycle.Key, err error) error {
	if err == nil {
		return nil
	}
	e := &lifecycle.Error{Op: edge, Key: key, Err: err}
	switch s.d.Classify(err) {
	case Retryable:
		e.Err = fmt.Errorf("%w: %w", lifecycle.ErrRetry, err)
	case Duplicate:
		e.Err = &conflict{err}
		if name := dberr.Constraint(err); name != "" {
			e.Detail = "(" + name + ")"
		}
	}
	if p != nil {
		e.Table = p.name
	}
	return e
}

// Record reads a row's life without a lock: for showing it, not for deciding. A
// row that does not exist is a Record without a state, and no error. It may run
// inside or outside a transaction.
func (s *Store) Record(ctx context.Context, db lifecycle.DB, r lifecycle.Row) (lifecycle.Record, error) {
	p, key, err := s.checkRead("read", db, r)
	if err != nil {
		return lifecycle.Record{}, err
	}
	c := &call{key: key, at: s.now()}
	found, err := p.readOne(ctx, db, p.read, c)
	return found.rec, s.fault("read", p, key, err)
}
