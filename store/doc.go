// Package store takes the edges of the two-stage life in SQL tables: trash,
// restore, purge and reclaim, in the caller's transaction.
//
// If your transaction rolls back, nothing happened: no edge, no audit line, no
// doomed object. No verb begins, commits or rolls back, and none calls an object
// store.
//
//	var Documents = &lifecycle.Table{Name: "document"}
//
//	st, err := store.New(lifecycle.MustCatalog(Documents), postgres.Dialect, nil)
//	…
//	tx, err := db.BeginTx(ctx, nil)
//	…
//	_, err = st.Restore(ctx, tx, Documents.Row(42), lifecycle.Cause{By: "user:7"})
//	switch lifecycle.HTTPStatus(err) {
//	case http.StatusGone: // the window has closed, whether or not a purge ran
//	…
//	}
//	err = tx.Commit()
//
// Install makes the store's own tables, DDL and Adopt write the columns and
// indexes of yours, and Check compares the declaration with a live schema. Call
// Check when the service starts.
//
// Views makes views of live rows and of the trash for people who write their own
// SQL, Policies keeps the trash to the store's role on PostgreSQL, and Readers
// lists what reads the tables inside the database, where no guard can filter.
//
// # How an edge is taken
//
// The edge's whole precondition (the state it starts from, the deadline, a legal
// hold, parents, children) is in the statement that changes the row, with one
// instant from one clock. Where it did not apply, the same transaction reads the
// row under its lock and asks the machine why: the answer is never a guess from
// a number of affected rows. Where other tables have a say, or the database
// cannot return what it changed, the row is locked and read first, and the
// statement still repeats everything.
//
// # Transactions
//
// Verbs work at every isolation level. Relations are judged by what is committed
// when the row's lock was had, which a snapshot that is older (REPEATABLE READ,
// after an earlier read) does not show. On SQLite the first verb makes the
// transaction a writer; begin it with BEGIN IMMEDIATE.
//
// # Errors
//
// A refusal is in the Result and comes as an *lifecycle.Error too: errors.Is
// finds the sentinel, lifecycle.HTTPStatus the status. It leaves the transaction
// usable. Bad input is lifecycle.ErrInvalid before any SQL is sent. A deadlock,
// a lock wait or a serialization failure is lifecycle.ErrRetry: roll back, and
// do the same work in a new transaction. Every other error of the database
// comes as it is, and says nothing of the row.
//
// # Concurrency
//
// A Store holds no connection and is safe for concurrent use. The row lock
// orders callers. Bulk verbs lock the rows of a batch in the order of their keys
// as far as the database lets them; two that overlap may still be told to retry.
//
// # Objects
//
// A purge writes the keys of the row's objects into a ledger in the same
// transaction. NewLedger makes that ledger the work list of an
// objstore.Reclaimer and the judge of an objstore.Sweeper.
package store
