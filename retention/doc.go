// Package retention runs the background half of a deletion: it purges what is
// past its window, frees the bytes of what was purged, and finds bytes that
// nobody remembers.
//
// Nothing a user sees depends on it. A row whose window has closed is refused by
// Restore whether a pass has run or not; a pass only makes it final.
//
//	pass, err := retention.New(st, db, &retention.Options{
//		Buckets: []retention.Bucket{{
//			Bucket: bucket,
//			Sweep:  &objstore.SweepOptions{Prefixes: []objstore.Prefix{"documents/"}},
//		}},
//	})
//	plan, err := pass.Plan(ctx)  // what would go, and why; changes nothing
//	report, err := pass.Run(ctx) // does it
//
// Run it from whatever runs things where you are: cron, a Kubernetes CronJob, a
// queue, a serverless timer. It stops cleanly when its context ends, and the
// next run goes on from there; several at once share the work.
//
// # A run
//
// First every table's due rows are purged, a batch in a short transaction of its
// own, each row re-checked in the statement that purges it. Then, for each
// bucket, the objects of purged rows are deleted, and rows that wait for nothing
// any more are reclaimed. Deletions that were asked for come before orphans:
// only then a bucket with sweep options is swept, which by default means
// planned. With Options.Sweep the orphans are doomed and deleted as well.
//
// # Transactions
//
// Each batch is one transaction; a run that dies loses at most the batch in
// flight, which the database rolls back. No object store is called inside a
// transaction.
//
// # Errors
//
// The failure of one table or bucket does not keep the others from their turn.
// Run returns every error, joined, and a report of what was done all the same.
// Running again is always safe.
//
// A batch that fails is tried again with half the rows. So a row that the
// database refuses is found and passed over, and all others are purged; it is no
// error of the run, but in TableReport.Failed: look there. More than 100 of them
// in one table are an error.
package retention
