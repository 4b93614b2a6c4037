// Package lifecycletest helps consumers' go test: a clock that a test moves.
//
//	clock := lifecycletest.NewClock(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
//	st, err := store.New(Catalog, sqlite.Dialect, &store.Options{Clock: clock})
//	// trash a row …
//	clock.Advance(30 * lifecycle.Day)
//	// … and restoring it is refused with lifecycle.ErrExpired
//
// For a store without a database see store/memstore.
package lifecycletest
