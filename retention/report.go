package retention

import (
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/store"
)

// Plan is what a run would find. It was made without a lock: a run looks again.
type Plan struct {
	// Tables has an entry for each table of the pass.
	Tables []TablePlan
	// Buckets has an entry for each bucket of the pass.
	Buckets []BucketPlan
}

// TablePlan is what is due in a table.
type TablePlan struct {
	// Table is the table's full name.
	Table string
	// Due is what a purge would take: rows whose deadline has passed.
	store.Due
	// More says that counting stopped at Options.PlanLimit.
	More bool
}

// BucketPlan is what is owed in a bucket, and what nobody remembers.
type BucketPlan struct {
	// Bucket is the bucket's name.
	Bucket string
	// Debt is what earlier purges have promised and not yet freed. The objects of
	// rows that are due come on top.
	Debt objstore.Debt
	// Sweep is the plan of the sweep; zero where the bucket is not swept.
	Sweep objstore.SweepReport
}

// Report is what a run did.
type Report struct {
	// Tables has an entry for each table that had its turn.
	Tables []TableReport
	// Buckets has an entry for each bucket that had its turn.
	Buckets []BucketReport
	// Settled counts the rows that were reclaimed beside those that a freed
	// object settled at once: rows without objects, for the most part.
	Settled store.Settled
	// Complete says that nothing that was due is left but what a hold, a lock or
	// a failure keeps.
	Complete bool
}

// TableReport is what became of a table's due rows.
type TableReport struct {
	// Table is the table's full name.
	Table string
	// Purged is the number of rows that took the edge.
	Purged int64
	// Batches is the number of transactions, Retries that of those that failed
	// and were tried again, most of them with fewer rows.
	Batches, Retries int64
	// Failed has an error for each row that the database refused to purge, such
	// as by a trigger, or gave back after it was purged. It names the row's key.
	// The others were purged, and the next run tries these again.
	Failed []error
	// Complete says that the last batch found nothing more but such rows.
	Complete bool
	// Err is what ended the table's turn early; nil where nothing did.
	Err error
}

// BucketReport is what became of a bucket's objects.
type BucketReport struct {
	// Bucket is the bucket's name.
	Bucket string
	// Reclaim is the run that freed what was asked for.
	Reclaim objstore.ReclaimReport
	// Sweep is the sweep, or its plan where Options.Sweep is false; zero where
	// the bucket is not swept.
	Sweep objstore.SweepReport
	// Orphans is the run that freed the orphans of Sweep; zero without any.
	Orphans objstore.ReclaimReport
	// Err is what went wrong; nil where nothing did.
	Err error
}

// Purged is the number of rows purged in all tables.
func (r *Report) Purged() int64 {
	var n int64
	for _, t := range r.Tables {
		n += t.Purged
	}
	return n
}

// Freed is the number of bytes, as stored, that the object stores said are gone.
func (r *Report) Freed() int64 {
	var n int64
	for _, b := range r.Buckets {
		n += b.Reclaim.Bytes + b.Orphans.Bytes
	}
	return n
}
