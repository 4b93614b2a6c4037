package guarddriver

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/softdelete-go/softdelete/store/guard"
)

// session returns the guard for a connection.
func session(ctx context.Context, c driver.Conn, g *guard.Guard) (*guard.Guard, error) {
	text := g.SessionQuery()
	if text == "" {
		return g, nil
	}
	value, err := value(ctx, c, text)
	if err != nil {
		return nil, fmt.Errorf("guarddriver: settings: %w", err)
	}
	return g.Session(value)
}

// value runs a query that has no arguments and one value.
func value(ctx context.Context, c driver.Conn, text string) (_ string, err error) {
	bare := &wrapped{conn: c}
	rows, err := bare.query(ctx, text, nil)
	if errors.Is(err, driver.ErrSkip) {
		var stmt driver.Stmt
		if stmt, err = bare.prepare(ctx, text); err != nil {
			return "", err
		}
		defer func() { err = errors.Join(err, stmt.Close()) }()
		rows, err = queryStmt(ctx, stmt)
	}
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	row := make([]driver.Value, 1)
	if err := rows.Next(row); err != nil {
		return "", err
	}
	switch v := row[0].(type) {
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	}
	return "", fmt.Errorf("a value of type %T", row[0])
}

// queryStmt runs a prepared query without arguments.
func queryStmt(ctx context.Context, stmt driver.Stmt) (driver.Rows, error) {
	if s, ok := stmt.(driver.StmtQueryContext); ok {
		return s.QueryContext(ctx, nil)
	}
	return stmt.Query(nil) // drivers may have no other
}
