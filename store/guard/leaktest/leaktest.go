package leaktest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/own"
	"github.com/softdelete-go/softdelete/internal/rowstate"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
)

// ErrNothingDeleted is a database in which no query could leak.
var ErrNothingDeleted = errors.New("leaktest: no table of the catalog has a deleted row")

// Check fails the test if a query's answer depends on deleted rows. The pool may
// be a guarded one; the arguments are the query's.
func Check(t testing.TB, db *sql.DB, d *guard.Dialect, c *lifecycle.Catalog, query string, args ...any) {
	t.Helper()
	difference, err := Difference(t.Context(), db, d, c, query, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	if difference != "" {
		t.Fatalf("the answer depends on deleted rows (-without them +as it is)\n%s\n%s", query, difference)
	}
}

// Difference returns how a query's answer differs from the one it gives without
// the deleted rows; empty if it does not. It is Check for what is no test. The
// error is ErrNothingDeleted, that the query returns no columns, or the
// database's.
func Difference(ctx context.Context, db *sql.DB, d *guard.Dialect, c *lifecycle.Catalog, query string, args ...any) (_ string, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	restore, err := ignoreForeignKeys(ctx, conn, d)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, restore()) }()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()

	is, err := read(ctx, tx, query, args)
	if err != nil {
		return "", err
	}
	if err := remove(ctx, tx, d, c); err != nil {
		return "", err
	}
	should, err := read(ctx, tx, query, args)
	if err != nil {
		return "", err
	}
	return cmp.Diff(should, is), nil
}

// ignoreForeignKeys lets rows be removed to which others refer. What it returns
// makes the session as it was.
func ignoreForeignKeys(ctx context.Context, conn *sql.Conn, d *guard.Dialect) (restore func() error, err error) {
	none := func() error { return nil }
	ask, set := "SELECT @@SESSION.foreign_key_checks", "SET SESSION foreign_key_checks = %d"
	switch d {
	case guard.Postgres: // set in the transaction
		return none, nil
	case guard.SQLite: // which knows no change in a transaction
		ask, set = "PRAGMA foreign_keys", "PRAGMA foreign_keys = %d"
	}
	var before int
	if err := conn.QueryRowContext(own.Mark(ctx), ask).Scan(&before); err != nil {
		return nil, err
	}
	if before == 0 {
		return none, nil
	}
	if _, err := conn.ExecContext(own.Mark(ctx), fmt.Sprintf(set, 0)); err != nil {
		return nil, err
	}
	return func() error {
		// The session goes back to the pool, whatever became of the test's time.
		_, err := conn.ExecContext(own.Mark(context.WithoutCancel(ctx)), fmt.Sprintf(set, before))
		return err
	}, nil
}

// remove removes what is not live.
func remove(ctx context.Context, tx *sql.Tx, d *guard.Dialect, c *lifecycle.Catalog) error {
	if d == guard.Postgres {
		if _, err := tx.ExecContext(own.Mark(ctx), "SET LOCAL session_replication_role = replica"); err != nil {
			return err
		}
	}
	var all int64
	for _, t := range c.Tables() {
		live, some := rowstate.AppendScope(nil, t, lifecycle.Live, "", d.AppendName)
		if !some {
			continue
		}
		text := []byte("DELETE FROM ")
		if t.Schema != "" {
			text = append(d.AppendName(text, t.Schema), '.')
		}
		text = d.AppendName(text, t.Name)
		text = append(append(append(text, " WHERE ("...), live...), ") IS NOT TRUE"...)
		done, err := tx.ExecContext(own.Mark(ctx), string(text))
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if err != nil {
			return err
		}
		all += n
	}
	if all == 0 {
		return ErrNothingDeleted
	}
	return nil
}

// answer is what a query returns: the rows in an order of their own, since
// without ORDER BY they have none.
type answer struct {
	Columns []string
	Rows    []string
}

func read(ctx context.Context, tx *sql.Tx, query string, args []any) (a answer, err error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if a.Columns, err = rows.Columns(); err != nil {
		return a, err
	}
	if len(a.Columns) == 0 {
		return a, errors.New("leaktest: the statement returns no columns: it is no query")
	}
	values, into := make([]any, len(a.Columns)), make([]any, len(a.Columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return a, err
		}
		a.Rows = append(a.Rows, line(values))
	}
	slices.Sort(a.Rows)
	return a, rows.Err()
}

// line writes a row so that different rows differ.
func line(values []any) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		switch v := v.(type) {
		case nil:
			b.WriteString("NULL")
		case string, []byte:
			fmt.Fprintf(&b, "%q", v)
		case time.Time:
			b.WriteString(v.UTC().Format(time.RFC3339Nano))
		default:
			fmt.Fprint(&b, v)
		}
	}
	return b.String()
}
