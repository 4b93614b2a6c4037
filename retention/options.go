package retention

import (
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/store"
)

// Bucket is one object store of a pass.
type Bucket struct {
	// Bucket is the store. Its name is the one that tables' ObjectRefs have.
	Bucket objstore.Bucket
	// Reclaim has the terms of reclaiming. Nil means every default.
	Reclaim *objstore.ReclaimOptions
	// Sweep has the terms of the sweep, above all its prefixes. Nil means that
	// the bucket is never swept.
	Sweep *objstore.SweepOptions
}

// Options are the optional terms of a Pass. Nil means every default.
type Options struct {
	// Tables are the tables to purge. Defaults to every asset of the catalog.
	Tables []*lifecycle.Table
	// Buckets are the object stores to reclaim and to sweep. Defaults to none:
	// rows are purged, and their objects stay in debt.
	Buckets []Bucket
	// Sweep lets a run doom and delete orphans. Defaults to false: a run only
	// reports them.
	Sweep bool
	// Batch is the number of rows purged in one transaction; it is halved while
	// the database refuses it. At most 1024; negative is refused.
	// Defaults to 256.
	Batch int
	// MaxRows bounds the rows that one run purges in all tables together, which
	// get even shares of it; negative is refused. Defaults to 0, which is no
	// limit.
	MaxRows int64
	// PlanLimit is how far a plan counts the due rows of one table; negative is
	// refused. Defaults to 100,000.
	PlanLimit int64
	// Cause is who purges, as the audit names it.
	// Defaults to "softdelete:retention", "window closed".
	Cause lifecycle.Cause
	// Ledger has the terms of the object ledger. Nil means every default.
	Ledger *store.LedgerOptions
	// Progress is called after each step, from the goroutine of Run. May be nil.
	Progress func(Progress)
}

// Stage is a part of a run.
type Stage string

// The stages, in their order.
const (
	StagePurge   Stage = "purge"
	StageReclaim Stage = "reclaim"
	StageSweep   Stage = "sweep"
)

// Progress says how far a run has come.
type Progress struct {
	// Stage is the part of the run.
	Stage Stage
	// Name is the table's or the bucket's name.
	Name string
	// Done is the number of rows purged, of objects freed, or of orphans found,
	// there and so far.
	Done int64
}

const (
	defaultBatch     = 256
	maxBatch         = 1024
	defaultPlanLimit = 100_000
)

func (o *Options) normal(c *lifecycle.Catalog) (Options, error) {
	n := Options{}
	if o != nil {
		n = *o
	}
	if n.Batch == 0 {
		n.Batch = defaultBatch
	}
	if n.PlanLimit == 0 {
		n.PlanLimit = defaultPlanLimit
	}
	if n.Cause == (lifecycle.Cause{}) {
		n.Cause = lifecycle.Cause{By: "softdelete:retention", Why: "window closed"}
	}
	if n.Progress == nil {
		n.Progress = func(Progress) {}
	}
	switch {
	case n.Batch < 0 || n.Batch > maxBatch:
		return n, fmt.Errorf("%w: Options.Batch: %d is not between 1 and %d", lifecycle.ErrInvalid, n.Batch, maxBatch)
	case n.MaxRows < 0:
		return n, fmt.Errorf("%w: Options.MaxRows: %d is negative", lifecycle.ErrInvalid, n.MaxRows)
	case n.PlanLimit < 0:
		return n, fmt.Errorf("%w: Options.PlanLimit: %d is negative", lifecycle.ErrInvalid, n.PlanLimit)
	}
	if err := n.Cause.Check(); err != nil {
		return n, fmt.Errorf("Options.Cause: %w", err)
	}
	return n, n.resolve(c)
}

// resolve checks the tables against the catalog, and fills in the default.
func (o *Options) resolve(c *lifecycle.Catalog) error {
	if len(o.Tables) == 0 {
		for _, t := range c.Tables() {
			if t.Kind == lifecycle.Asset {
				o.Tables = append(o.Tables, t)
			}
		}
		return nil
	}
	tables := make([]*lifecycle.Table, len(o.Tables))
	for i, t := range o.Tables {
		resolved, err := c.Resolve(t)
		if err != nil {
			return fmt.Errorf("Options.Tables: %w", err)
		}
		if err := resolved.Admit(lifecycle.Expire); err != nil {
			return fmt.Errorf("Options.Tables: %w", err)
		}
		tables[i] = resolved
	}
	o.Tables = tables
	return nil
}
