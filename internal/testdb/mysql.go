package testdb

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
)

// errNoSuchThread is MySQL's error for a session that ended before its KILL.
const errNoSuchThread = 1094

// MySQL returns a fresh MariaDB or MySQL database, and false if no server is
// configured. Params are parameters of the driver or system variables in the
// form name=value, unescaped, such as "clientFoundRows=true" or
// "time_zone='+09:00'". Without parseTime=true times are scanned as bytes.
func MySQL(tb testing.TB, params ...string) (*Database, bool) {
	tb.Helper()
	server, ok := lookup(tb, envMySQL)
	if !ok {
		return nil, false
	}
	name := uniqueName("_")
	dsn, err := mysqlDSN(server, name, params)
	if err != nil {
		tb.Fatalf("testdb: %s: %v", envMySQL, err)
	}
	err = mysqlConn(tb.Context(), server, func(conn *sql.Conn) error {
		_, err := conn.ExecContext(tb.Context(), "CREATE DATABASE "+name+" CHARACTER SET utf8mb4")
		return err
	})
	if err != nil {
		tb.Fatalf("testdb: create database: %v", err)
	}
	cleanup(tb, func(ctx context.Context) error {
		return mysqlConn(ctx, server, func(conn *sql.Conn) error { return dropDatabase(ctx, conn, name) })
	})
	return &Database{Name: "mariadb", DSN: dsn, Driver: "mysql", DB: Open(tb, "mysql", dsn)}, true
}

// mysqlDSN returns the server's DSN with the database and the params added.
func mysqlDSN(server, name string, params []string) (string, error) {
	config, err := mysql.ParseDSN(server)
	if err != nil {
		return "", err
	}
	config.DBName = name
	dsn := config.FormatDSN()
	separator := "?"
	if strings.Contains(dsn[strings.LastIndex(dsn, "/"):], "?") {
		separator = "&"
	}
	for _, param := range params {
		key, value, _ := strings.Cut(param, "=")
		dsn += separator + key + "=" + url.QueryEscape(value)
		separator = "&"
	}
	_, err = mysql.ParseDSN(dsn)
	return dsn, err
}

// dropDatabase kills the sessions which still use the database, since one with
// an open transaction would block the drop, and drops it.
func dropDatabase(ctx context.Context, conn *sql.Conn, name string) error {
	sessions, err := sessionsOf(ctx, conn, name)
	if err != nil {
		return err
	}
	for _, id := range sessions {
		_, err := conn.ExecContext(ctx, "KILL "+id)
		var mysqlErr *mysql.MySQLError
		if errors.As(err, &mysqlErr) && mysqlErr.Number == errNoSuchThread {
			continue
		}
		if err != nil {
			return err
		}
	}
	_, err = conn.ExecContext(ctx, "DROP DATABASE "+name)
	return err
}

// sessionsOf returns the ids of the sessions whose database it is.
func sessionsOf(ctx context.Context, conn *sql.Conn, name string) ([]string, error) {
	rows, err := conn.QueryContext(ctx, "SELECT id FROM information_schema.processlist WHERE db = '"+name+"'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// mysqlConn calls fn with a session of its own on the server.
func mysqlConn(ctx context.Context, server string, fn func(*sql.Conn) error) error {
	db, err := sql.Open("mysql", server)
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return fn(conn)
}
