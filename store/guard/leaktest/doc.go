// Package leaktest shows, in your own tests and on your own tables, that a query
// does not see deleted rows, however it keeps them out.
//
//	leaktest.Check(t, db, guard.Postgres, catalog, "SELECT title FROM documents WHERE owner = $1 AND deleted_at IS NULL", owner)
//
// The query runs twice in one transaction: on the tables as they are, and on
// tables from which the deleted rows have been removed for real. A query that
// leaks one, or that loses a live row because of one, answers differently. The
// transaction is rolled back.
//
// # What it takes
//
// The tables need deleted rows, or nothing can be seen; Check fails where there
// are none. It shows as much as its rows do: put deleted rows where the query
// would find them, on each side of each join.
//
// The query's answer must depend on the rows alone: no now(), no random(), no
// LIMIT without an order that has no ties.
//
// # Rights
//
// The rows are removed without regard to foreign keys. On PostgreSQL that takes
// the right to set session_replication_role, which superusers have; triggers do
// not fire then. On MySQL and SQLite triggers do, within the transaction.
//
// # Errors
//
// [Check] ends the test. [Difference] returns what it found, and for a query that
// fails or removes rows the database's error.
//
// # Concurrency
//
// Safe for concurrent use; each call holds one connection of the pool. Removing
// rows locks them until the end of the call: give tests in parallel a database
// each.
package leaktest
