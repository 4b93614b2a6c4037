// Package sqlite has what the store has to know of SQLite 3.38 and later. It
// imports no driver: modernc.org/sqlite, ncruces and mattn all work.
//
//	st, err := store.New(Catalog, sqlite.Dialect, nil)
//
// SQLite has no row locks: the database has one writer. Each verb makes the
// transaction a writer before it reads, so that an edge is judged by what it
// will change. A transaction that has read before may be refused then with
// ErrRetry; open transactions with BEGIN IMMEDIATE (_txlock=immediate) and set a
// busy_timeout to avoid that.
//
// Instants are text of one width, in UTC, whatever the column is declared as.
// Rows that another program dated in another form can be restored and are never
// due: they do not sort by time.
package sqlite
