package guarddriver

import (
	"context"
	"database/sql/driver"
	"errors"

	"github.com/softdelete-go/softdelete/internal/own"
	"github.com/softdelete-go/softdelete/store/guard"
)

// wrapped is a guarded connection. Where the driver's connection lacks an
// interface, each method does what database/sql would do.
type wrapped struct {
	conn driver.Conn
	g    *guard.Guard
	// last are the texts that were sent last, and what was sent in their places. A
	// service repeats itself, and the guard's own cache is shared.
	last [4]struct{ text, guarded string }
	next int
}

// Unwrap returns the driver's connection. What is sent through it is not guarded.
func (c *wrapped) Unwrap() driver.Conn { return c.conn }

// wrap returns a connection with the interfaces of the driver's: database/sql
// asks for all others in a way that lets a method answer "not here".
func wrap(conn driver.Conn, g *guard.Guard) driver.Conn {
	c := &wrapped{conn: conn, g: g}
	reset, resets := conn.(driver.SessionResetter)
	valid, validates := conn.(driver.Validator)
	check, checks := conn.(driver.NamedValueChecker)
	switch {
	case resets && validates && checks:
		return struct {
			*wrapped
			driver.SessionResetter
			driver.Validator
			driver.NamedValueChecker
		}{c, reset, valid, check}
	case resets && validates:
		return struct {
			*wrapped
			driver.SessionResetter
			driver.Validator
		}{c, reset, valid}
	case resets && checks:
		return struct {
			*wrapped
			driver.SessionResetter
			driver.NamedValueChecker
		}{c, reset, check}
	case validates && checks:
		return struct {
			*wrapped
			driver.Validator
			driver.NamedValueChecker
		}{c, valid, check}
	case resets:
		return struct {
			*wrapped
			driver.SessionResetter
		}{c, reset}
	case validates:
		return struct {
			*wrapped
			driver.Validator
		}{c, valid}
	case checks:
		return struct {
			*wrapped
			driver.NamedValueChecker
		}{c, check}
	}
	return c
}

// text returns what is sent in a text's place.
func (c *wrapped) text(ctx context.Context, text string) (string, error) {
	if own.Marked(ctx) {
		return text, nil
	}
	for i := range c.last {
		if l := &c.last[i]; l.text == text && text != "" {
			return l.guarded, nil
		}
	}
	guarded, err := c.g.Rewrite(text)
	if err == nil && len(text) < longText {
		c.last[c.next].text, c.last[c.next].guarded = text, guarded
		c.next = (c.next + 1) % len(c.last)
	}
	return guarded, err
}

// longText is the length from which on a text is not worth its memory.
const longText = 4 << 10

// QueryContext rewrites and runs a query.
func (c *wrapped) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	text, err := c.text(ctx, text)
	if err != nil {
		return nil, err
	}
	return c.query(ctx, text, args)
}

func (c *wrapped) query(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if q, ok := c.conn.(driver.QueryerContext); ok {
		return q.QueryContext(ctx, text, args)
	}
	q, ok := c.conn.(driver.Queryer) // drivers may have no other
	if !ok {
		return nil, driver.ErrSkip
	}
	values, err := plain(ctx, args)
	if err != nil {
		return nil, err
	}
	return q.Query(text, values)
}

// ExecContext rewrites and runs a statement.
func (c *wrapped) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	text, err := c.text(ctx, text)
	if err != nil {
		return nil, err
	}
	if e, ok := c.conn.(driver.ExecerContext); ok {
		return e.ExecContext(ctx, text, args)
	}
	e, ok := c.conn.(driver.Execer) // drivers may have no other
	if !ok {
		return nil, driver.ErrSkip
	}
	values, err := plain(ctx, args)
	if err != nil {
		return nil, err
	}
	return e.Exec(text, values)
}

// plain returns arguments for drivers that know no names and no contexts.
func plain(ctx context.Context, args []driver.NamedValue) ([]driver.Value, error) {
	values := make([]driver.Value, len(args))
	for i, a := range args {
		if a.Name != "" {
			return nil, errors.New("guarddriver: the driver has no named arguments")
		}
		values[i] = a.Value
	}
	return values, ctx.Err()
}

// PrepareContext rewrites and prepares a statement, which is the driver's own.
func (c *wrapped) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	text, err := c.text(ctx, text)
	if err != nil {
		return nil, err
	}
	return c.prepare(ctx, text)
}

func (c *wrapped) prepare(ctx context.Context, text string) (driver.Stmt, error) {
	if p, ok := c.conn.(driver.ConnPrepareContext); ok {
		return p.PrepareContext(ctx, text)
	}
	stmt, err := c.conn.Prepare(text)
	if err == nil && ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), stmt.Close())
	}
	return stmt, err
}

// Prepare is PrepareContext without a way to cancel it.
func (c *wrapped) Prepare(text string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), text)
}

// Close closes the driver's connection.
func (c *wrapped) Close() error { return c.conn.Close() }

// Begin is BeginTx with the default options.
func (c *wrapped) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// BeginTx begins a transaction, which is the driver's own.
func (c *wrapped) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if b, ok := c.conn.(driver.ConnBeginTx); ok {
		return b.BeginTx(ctx, o)
	}
	if o != (driver.TxOptions{}) {
		return nil, errors.New("guarddriver: the driver has no options for transactions")
	}
	tx, err := c.conn.Begin() // drivers may have no other
	if err == nil && ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), tx.Rollback())
	}
	return tx, err
}

// Ping asks whether the server is there.
func (c *wrapped) Ping(ctx context.Context) error {
	if p, ok := c.conn.(driver.Pinger); ok {
		return p.Ping(ctx)
	}
	return nil
}
