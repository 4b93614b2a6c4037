package testdb

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib" // driver "pgx"
)

// Postgres returns a fresh PostgreSQL database, and false if no server is
// configured. Params are run-time or driver parameters in the form name=value,
// unescaped, such as "TimeZone=Asia/Tokyo".
func Postgres(tb testing.TB, params ...string) (*Database, bool) {
	tb.Helper()
	server, ok := lookup(tb, envPostgres)
	if !ok {
		return nil, false
	}
	schema := uniqueName("_")
	dsn, err := postgresDSN(server, schema, params)
	if err != nil {
		tb.Fatalf("testdb: %s: %v", envPostgres, err)
	}
	if err := postgresExec(tb.Context(), server, "CREATE SCHEMA "+schema); err != nil {
		tb.Fatalf("testdb: create schema: %v", err)
	}
	cleanup(tb, func(ctx context.Context) error { return dropSchema(ctx, server, schema) })
	return &Database{Name: "postgres", DSN: dsn, Driver: "pgx", DB: Open(tb, "pgx", dsn)}, true
}

// postgresDSN returns the server's URL with the schema as its search path, and
// as its application name, by which dropSchema finds the sessions.
func postgresDSN(server, schema string, params []string) (string, error) {
	u, err := url.Parse(server)
	if err != nil {
		return "", err
	}
	if u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return "", fmt.Errorf("not a postgres:// URL")
	}
	query := u.Query()
	for _, param := range params {
		name, value, _ := strings.Cut(param, "=")
		query.Set(name, value)
	}
	query.Set("search_path", schema)
	query.Set("application_name", schema)
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// dropSchema ends the sessions which still use the schema, since one with an
// open transaction would block the drop, and drops it.
func dropSchema(ctx context.Context, server, schema string) error {
	return postgresExec(ctx, server,
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '"+schema+"'",
		"DROP SCHEMA "+schema+" CASCADE")
}

// postgresExec runs the statements one by one in a session of its own.
func postgresExec(ctx context.Context, server string, statements ...string) error {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
