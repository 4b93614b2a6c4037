// Package softdelete is a map of the library; the code is in the packages below
// it.
//
// If your transaction rolls back, nothing happened: no edge, no audit line, no
// doomed object.
//
// # The life of a row
//
// A row is not deleted by one UPDATE. It goes to the trash, where a person can
// bring it back until a deadline that was stored with it; then it is purged, and
// nobody sees it any more; then the bytes it owned in an object store are freed,
// and it is reclaimed.
//
//	active --trash--> trashed --purge--> purged --reclaim--> reclaimed
//	active <-restore- trashed
//
// # Packages
//
//   - lifecycle says what can be deleted, which edges there are and what forbids
//     them. It is pure, and imports the standard library only.
//   - store takes the edges in SQL tables, in the caller's transaction, on
//     PostgreSQL, MySQL, MariaDB and SQLite; writes the DDL; checks a live schema.
//   - objstore frees bytes and finds orphans, in S3 (s3obj), in a directory
//     (fileobj) and in memory (memobj).
//   - retention runs it all in the background: what is due is purged, what was
//     purged is freed, what nobody remembers is found.
//   - lifecycle/lifecycletest, store/memstore, store/storetest and
//     objstore/objstoretest are for the tests of those who use or extend this.
//
// # Goals
//
//   - Each edge is guarded by the statement that takes it, so that the row's lock
//     orders all callers, and no answer depends on a background job having run.
//   - Refusals are typed, and have the HTTP status that a handler needs.
//   - A live byte is never deleted, and a dead one is never forgotten.
//   - What is not understood is refused.
//
// # Non-goals
//
//   - No ORM, and no change to how a service reads and writes its rows.
//   - No server, no scheduler, no daemon: passes are functions to call.
//   - No deletion by a trigger that nobody asked for.
//
// Start with examples/undo and examples/quickstart.
package softdelete
