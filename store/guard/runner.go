package guard

import (
	"context"
	"database/sql"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Runner sends guarded texts to a database. It fits squirrel's RunWith. A text
// that is refused is not sent.
type Runner struct {
	g  *Guard
	db lifecycle.DB
}

// Runner returns a runner over a *sql.DB, *sql.Tx, *sql.Conn or sqlx's of them. It
// begins and commits nothing, and is as safe for concurrent use as the database
// given.
func (g *Guard) Runner(db lifecycle.DB) *Runner { return &Runner{g, db} }

// ExecContext rewrites and runs a statement. The error is an *Error or the
// database's.
func (r *Runner) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	text, err := r.g.Rewrite(query)
	if err != nil {
		return nil, err
	}
	return r.db.ExecContext(ctx, text, args...)
}

// QueryContext rewrites and runs a query. The error is an *Error or the
// database's.
func (r *Runner) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	text, err := r.g.Rewrite(query)
	if err != nil {
		return nil, err
	}
	return r.db.QueryContext(ctx, text, args...)
}

// Exec is ExecContext without a way to cancel it, as squirrel wants it.
func (r *Runner) Exec(query string, args ...any) (sql.Result, error) {
	return r.ExecContext(context.Background(), query, args...)
}

// Query is QueryContext without a way to cancel it, as squirrel wants it.
func (r *Runner) Query(query string, args ...any) (*sql.Rows, error) {
	return r.QueryContext(context.Background(), query, args...)
}
