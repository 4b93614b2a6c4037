// Package postgres has what the store has to know of PostgreSQL 15 and later. It
// imports no driver: pgx (through database/sql) and lib/pq both work.
//
//	st, err := store.New(Catalog, postgres.Dialect, nil)
//
// A refusal leaves the caller's transaction usable, a unique violation on a
// restore included: it is met inside a savepoint. Any other error of the server
// ends the transaction, as always here.
//
// Relations (parents, children) are judged exactly at READ COMMITTED and at
// SERIALIZABLE. At REPEATABLE READ a parent that was trashed after the snapshot
// is not seen.
package postgres
