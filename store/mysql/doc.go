// Package mysql has what the store has to know of MySQL 8 and of MariaDB 10.6
// and later. It imports no driver.
//
//	st, err := store.New(Catalog, mysql.Dialect, nil)
//
// Outcomes are the same with and without clientFoundRows, with and without
// parseTime, and whatever loc says: instants are bound as text in UTC and read
// back by their figures. Map life columns to DATETIME, not to TIMESTAMP, whose
// meaning changes with the session's time zone.
//
// # Where the two differ
//
// MySQL cannot read the target of an UPDATE in a sub-select. For a table that is
// its own parent the relation is therefore judged in the locking read before the
// write, and not once more in the write. MySQL rounds instants that have more
// digits than their column, MariaDB cuts them: the store cuts before it binds.
// MariaDB has no functional index and no row alias; nothing here uses them.
package mysql
