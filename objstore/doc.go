// Package objstore frees the bytes of purged rows, provably, and finds the
// bytes that no row ever owned.
//
// A purge in the database leaves durable intent: a doomed object in the
// ledger. The Reclaimer acts on it apart from the business transaction. It
// claims the object's ledger row, lists every version and delete marker of
// the exact key, deletes each one, reads the answer of every entry, lists
// again, and only when the store shows nothing does it write "reclaimed". A
// Sweeper lists managed prefixes and looks for orphans: keys that no row
// protects and that are older than a grace. It never deletes; it claims, and
// the Reclaimer is the only path on which bytes die.
//
//	rec, err := objstore.NewReclaimer(bucket, ledger, nil)
//	report, err := rec.Run(ctx) // claims, deletes, verifies, records
//
//	sw, err := objstore.NewSweeper(bucket, ledger, &objstore.SweepOptions{
//		Prefixes: []objstore.Prefix{"in/", "derived/"},
//	})
//	plan, err := sw.Plan(ctx) // what would go, and why; deletes nothing
//
// The store itself is met through small interfaces. Bucket has what the two
// passes cannot do without; what only some stores have (Versioner, RuleReader,
// LockReader) is a second interface, asked for in one place. Adapters: s3obj
// (aws-sdk-go-v2), memobj (memory, and an S3 handler over it), fileobj (a
// directory). objstoretest is their conformance suite, and its Check runs on a
// live bucket.
//
// # Transactions
//
// No call to an object store is ever made inside a database transaction. The
// ledger's methods each open one short transaction of their own.
//
// # Errors
//
// A missing object is [io/fs.ErrNotExist]. A batch delete reports per entry:
// an entry without an acknowledgement did not happen. A refused preflight is
// a *RefusedError wrapping one of the sentinels of this package.
//
// # Concurrency
//
// Every type of this package is safe for use by many goroutines, and many
// processes may run the same pass at once: the ledger's unique key and its
// fence decide who deletes.
package objstore
