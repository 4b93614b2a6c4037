// Package guarddriver guards a whole connection pool. Everything that is sent
// through it is rewritten first: by database/sql, by sqlx, by squirrel, by code
// that sqlc wrote and by mappers such as gorm, bun and ent.
//
//	db, err := guarddriver.Open("pgx", dsn, g) // in place of sql.Open
//
// [New] does the same to a connector, for sql.OpenDB. sqlx takes either pool with
// sqlx.NewDb.
//
// # What is wrapped
//
// The connection alone. Statements, rows and transactions are the driver's own,
// and so is [database/sql.DB.Driver]. The connection has those optional
// interfaces of database/sql/driver that the driver's has; the two that are
// deprecated, Execer and Queryer, are reached through ExecerContext and
// QueryerContext. A text is rewritten once, when it is sent or prepared.
//
// # Settings
//
// Each new connection is asked once how it splits texts, see
// [guard.Guard.Session]. One that the guard must not be used on is closed.
//
// # Errors
//
// A text that is refused is not sent; the error is a *[guard.Error].
//
// # The store
//
// The store's own statements pass untouched, whichever connection they use.
//
// # Concurrency
//
// As database/sql has it: a connector is safe for concurrent use, a connection
// is used by one goroutine at a time.
//
// # Out of reach
//
// [database/sql.Conn.Raw] gives a value whose method Unwrap returns the
// driver's connection. What is sent through that is not guarded, and neither is a
// pool that bypasses database/sql, such as pgxpool's.
package guarddriver
