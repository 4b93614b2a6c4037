// Package lifecycle says what can be deleted, through which states it goes and
// what is forbidden on the way. It is pure: it imports the standard library
// only, sends no SQL and reads no clock.
//
// If the caller's transaction rolls back, nothing of what this package decided
// ever happened: a decision is a value, and only an adapter's statement in the
// caller's transaction makes it true.
//
// A row's life has four states and five edges:
//
//	active --trash--> trashed --purge, expire--> purged --reclaim--> reclaimed
//	active <--restore-- trashed
//
// Trash is the user's deletion: undo is possible until a deadline that is
// stored with the row. Purge is the system's: the row is invisible for good.
// Expire is a purge that also demands that the deadline has passed. Reclaim
// says that the row's bytes in the object store are gone.
//
// Edges are data (Edge): a name, where they start and end, what they need and
// what they write. Decide is the one place where an edge, a row and an instant
// become an Outcome. SQL adapters compile the same data into the WHERE clause
// of a guarded UPDATE, and their tests hold them against Decide.
//
//	var Documents = &lifecycle.Table{
//		Name:    "document",
//		Policy:  lifecycle.Policy{Window: 30 * lifecycle.Day},
//		Objects: []lifecycle.ObjectRef{{Bucket: "files", Key: "storage_key"}},
//	}
//	var Catalog = lifecycle.MustCatalog(Documents)
//
//	row := Documents.Row(42)
//	out := lifecycle.TwoStage.Decide(record, lifecycle.Restore, now, Documents.Policy)
//
// # Three kinds of deletion
//
// A Table declares what deleting one of its rows means. An Asset goes through
// the trash. A Status table is never deleted from: someone who leaves is not a
// deleted employee, and every verb refuses with the declaration's own reason.
// A Technical table is hard-deleted in batches and has no trash.
//
// # Errors
//
// Each refusal is an *Error that wraps one sentinel (ErrExpired, ErrGone, …).
// HTTPStatus maps them. ErrRetry marks what a new transaction may cure.
//
// # Concurrency
//
// Machines and catalogs are immutable once made, and everything here is safe
// for concurrent use.
package lifecycle
