package fault

import (
	"context"
	"database/sql"
	"database/sql/driver"
)

// Open opens a database whose calls follow a plan: statements, begins and
// commits count, rollbacks do not. The driver has to run statements without
// preparing them, as pgx and modernc.org/sqlite do, and go-sql-driver/mysql
// with interpolateParams=true.
func Open(d driver.Driver, dsn string) (*sql.DB, *Plan) {
	p := &Plan{}
	return sql.OpenDB(connector{d: d, dsn: dsn, plan: p}), p
}

type connector struct {
	d    driver.Driver
	dsn  string
	plan *Plan
}

func (c connector) Connect(context.Context) (driver.Conn, error) {
	inner, err := c.d.Open(c.dsn)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: inner, plan: c.plan}, nil
}

func (c connector) Driver() driver.Driver { return c.d }

type conn struct {
	driver.Conn
	plan *Plan
}

func (c *conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	var begun driver.Tx
	inner, err := call(c.plan, func() (driver.Tx, error) {
		inner, err := c.Conn.(driver.ConnBeginTx).BeginTx(ctx, opts)
		if err == nil {
			begun = inner
		}
		return inner, err
	})
	if err != nil && begun != nil {
		begun.Rollback() // as a server does when the connection is gone
	}
	if err != nil {
		return nil, err
	}
	return &tx{Tx: inner, plan: c.plan}, nil
}

func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return call(c.plan, func() (driver.Result, error) {
		return c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
	})
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	var open driver.Rows
	rows, err := call(c.plan, func() (driver.Rows, error) {
		rows, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
		if err == nil {
			open = rows
		}
		return rows, err
	})
	if err != nil && open != nil {
		open.Close()
	}
	return rows, err
}

// CheckNamedValue leaves it to the driver which types it takes.
func (c *conn) CheckNamedValue(v *driver.NamedValue) error {
	if checker, ok := c.Conn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(v)
	}
	return driver.ErrSkip
}

type tx struct {
	driver.Tx
	plan *Plan
}

// Commit that fails leaves a transaction, which the driver has to end: as a
// server does when the connection is gone.
func (t *tx) Commit() error {
	_, err := call(t.plan, func() (struct{}, error) { return struct{}{}, t.Tx.Commit() })
	if err == ErrInjected {
		t.Tx.Rollback()
	}
	return err
}
