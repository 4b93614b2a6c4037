// Package memstore is a store without a database: the reference model that the
// SQL store is compared with, and a fake for the tests of services that use it.
//
// If a transaction rolls back, nothing of what it did ever happened: no edge, no
// audit entry, no doomed object. The verbs have the signatures, the answers and
// the error texts of store.Store:
//
//	clock := lifecycletest.NewClock(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
//	st, err := memstore.New(Catalog, &memstore.Options{Clock: clock})
//	err = st.Insert(Documents, lifecycle.Key{42}, memstore.Seed{State: lifecycle.Active})
//
//	tx := st.Begin()
//	defer tx.Rollback()
//	result, err := st.Trash(ctx, tx, Documents.Row(42), lifecycle.Cause{By: "user:7"})
//	err = tx.Commit()
//
// Every decision is made by lifecycle.Machine.Decide and nowhere else.
//
// # Transactions
//
// One transaction writes at a time. The first verb makes a transaction the
// writer, and it stays the writer until Commit or Rollback; others wait for it,
// and give up with lifecycle.ErrRetry after Options.LockWait. Reads wait for
// nobody: a transaction sees what is committed and its own changes, the Store
// itself what is committed.
//
// # What it cannot do
//
// There is no SQL here: ExecContext, QueryContext and selections by a condition
// answer with errors.ErrUnsupported. There are no columns but those of the life,
// hence no unique constraints and no ErrConflict. Keys are equal where their
// texts are; a database may hold letter case or trailing spaces for the same.
// Children and objects are found by looking at every row, which is meant for
// tests of some ten thousand rows.
//
// # Errors
//
// As in store: an *lifecycle.Error that wraps a sentinel. A transaction that has
// ended is sql.ErrTxDone; one of another store is lifecycle.ErrInvalid.
//
// # Concurrency
//
// Stores, transactions and ledgers are safe for concurrent use.
package memstore
