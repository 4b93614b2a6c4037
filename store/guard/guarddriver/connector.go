package guarddriver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"

	"github.com/softdelete-go/softdelete/store/guard"
)

// connector connects and wraps.
type connector struct {
	inner driver.Connector
	g     *guard.Guard
}

// New returns a connector for sql.OpenDB whose connections are guarded.
func New(c driver.Connector, g *guard.Guard) driver.Connector {
	return &connector{c, g}
}

// Open is sql.Open with a guard: the driver by the name it is registered under,
// and a data source name. It does not connect. The error is the driver's, or that
// there is none of this name.
func Open(name, dsn string, g *guard.Guard) (*sql.DB, error) {
	db, err := sql.Open(name, dsn)
	if err != nil {
		return nil, err
	}
	d := db.Driver()
	if err := db.Close(); err != nil {
		return nil, err
	}
	var c driver.Connector = named{d, dsn}
	if d, ok := d.(driver.DriverContext); ok {
		if c, err = d.OpenConnector(dsn); err != nil {
			return nil, err
		}
	}
	return sql.OpenDB(New(c, g)), nil
}

// named is the connector of a driver that has none.
type named struct {
	d   driver.Driver
	dsn string
}

func (n named) Connect(context.Context) (driver.Conn, error) { return n.d.Open(n.dsn) }

func (n named) Driver() driver.Driver { return n.d }

// Driver returns the driver's own.
func (c *connector) Driver() driver.Driver { return c.inner.Driver() }

// Close closes a connector that wants it, when the pool is closed.
func (c *connector) Close() error {
	if closer, ok := c.inner.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// Connect opens a connection and asks for its settings.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.inner.Connect(ctx)
	if err != nil {
		return nil, err
	}
	g, err := session(ctx, conn, c.g)
	if err != nil {
		// The reason for closing it matters more than how that went.
		_ = conn.Close()
		return nil, err
	}
	return wrap(conn, g), nil
}
