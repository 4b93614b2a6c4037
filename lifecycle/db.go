package lifecycle

import (
	"context"
	"database/sql"
	"time"
)

// DB is what reads need: *sql.DB, *sql.Tx, *sql.Conn and their sqlx forms.
type DB interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Tx is what writes need: a transaction of the caller's, such as *sql.Tx or
// *sqlx.Tx. A *sql.DB does not fit, on purpose. Commit and Rollback are part of
// the interface to tell the two apart, and are never called by this module.
type Tx interface {
	DB
	Commit() error
	Rollback() error
}

// Clock gives the present. One operation asks it once. Implementations are safe
// for concurrent use.
type Clock interface {
	Now() time.Time
}
