package retention

import (
	"context"
	"errors"
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/store"
)

// Pass is a configured run: make it once, run it as often as you like. It is
// safe for concurrent use, in this process and beside others.
type Pass struct {
	st      *store.Store
	db      store.Beginner
	opts    Options
	ledger  *store.Ledger
	buckets []bucketPass
}

type bucketPass struct {
	name      string
	reclaimer *objstore.Reclaimer
	sweeper   *objstore.Sweeper // nil where the bucket is never swept
}

// New checks the terms of a pass over a store's tables. The database has to be
// the primary. It asks neither the database nor a bucket anything.
func New(st *store.Store, db store.Beginner, opts *Options) (*Pass, error) {
	if st == nil || db == nil {
		return nil, fmt.Errorf("retention: %w: no store or no database", lifecycle.ErrInvalid)
	}
	o, err := opts.normal(st.Catalog())
	if err != nil {
		return nil, fmt.Errorf("retention: %w", err)
	}
	ledger, err := store.NewLedger(st, db, o.Ledger)
	if err != nil {
		return nil, fmt.Errorf("retention: %w", err)
	}
	p := &Pass{st: st, db: db, opts: o, ledger: ledger}
	for _, b := range o.Buckets {
		bp, err := p.newBucket(b)
		if err != nil {
			return nil, fmt.Errorf("retention: Options.Buckets: %w", err)
		}
		p.buckets = append(p.buckets, bp)
	}
	return p, nil
}

func (p *Pass) newBucket(b Bucket) (bucketPass, error) {
	var bp bucketPass
	reclaimer, err := objstore.NewReclaimer(b.Bucket, p.ledger, b.Reclaim)
	if err != nil {
		return bp, err
	}
	bp.name, bp.reclaimer = b.Bucket.Name(), reclaimer
	if !p.refersTo(bp.name) {
		return bp, fmt.Errorf("%w: no table refers to the bucket %q", lifecycle.ErrInvalid, bp.name)
	}
	for _, other := range p.buckets {
		if other.name == bp.name {
			return bp, fmt.Errorf("%w: bucket %q is listed twice", lifecycle.ErrInvalid, bp.name)
		}
	}
	if b.Sweep != nil {
		bp.sweeper, err = objstore.NewSweeper(b.Bucket, p.ledger, b.Sweep)
	}
	return bp, err
}

func (p *Pass) refersTo(bucket string) bool {
	for _, t := range p.st.Catalog().Tables() {
		for _, o := range t.Objects {
			if o.Bucket == bucket {
				return true
			}
		}
	}
	return false
}

// Plan counts what a run would find, and changes nothing. Errors of one table or
// bucket leave the others' counts in the plan.
func (p *Pass) Plan(ctx context.Context) (*Plan, error) {
	plan, errs := &Plan{}, []error(nil)
	for _, t := range p.opts.Tables {
		due, err := p.st.Due(ctx, p.db, t, p.opts.PlanLimit)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		plan.Tables = append(plan.Tables, TablePlan{Table: t.FullName(), Due: due, More: due.Rows >= p.opts.PlanLimit})
	}
	for _, b := range p.buckets {
		one := BucketPlan{Bucket: b.name}
		var err error
		if one.Debt, err = p.ledger.Debt(ctx, b.name); err != nil {
			errs = append(errs, err)
		}
		if b.sweeper != nil {
			if one.Sweep, err = b.sweeper.Plan(ctx); err != nil {
				errs = append(errs, err)
			}
		}
		plan.Buckets = append(plan.Buckets, one)
	}
	return plan, errors.Join(errs...)
}

// Run purges, reclaims and sweeps, in this order, until nothing is due, the
// budget is spent or ctx ends. The report is never nil. A context's end is an
// error; what was done until then stays done.
func (p *Pass) Run(ctx context.Context) (*Report, error) {
	report, errs := &Report{}, []error(nil)
	report.Tables = p.purge(ctx)
	report.Complete = len(report.Tables) == len(p.opts.Tables)
	for _, one := range report.Tables {
		report.Complete = report.Complete && one.Complete
		errs = append(errs, one.Err)
	}
	for _, b := range p.buckets {
		if ctx.Err() != nil {
			report.Complete = false
			break
		}
		one, complete := p.bucket(ctx, b)
		report.Buckets = append(report.Buckets, one)
		report.Complete = report.Complete && complete
		errs = append(errs, one.Err)
	}
	settled, err := p.ledger.Settle(ctx)
	report.Settled = settled
	if err = errors.Join(append(errs, err, context.Cause(ctx))...); err != nil {
		report.Complete = false
		err = fmt.Errorf("retention: %w", err)
	}
	return report, err
}

// bucket frees what is owed in a bucket, and then looks for orphans.
func (p *Pass) bucket(ctx context.Context, b bucketPass) (BucketReport, bool) {
	report := BucketReport{Bucket: b.name}
	report.Reclaim, report.Err = b.reclaimer.Run(ctx)
	complete := report.Reclaim.Complete
	p.opts.Progress(Progress{StageReclaim, b.name, report.Reclaim.Done})
	if report.Err != nil || b.sweeper == nil {
		return report, complete
	}
	sweep := b.sweeper.Plan
	if p.opts.Sweep {
		sweep = b.sweeper.Run
	}
	report.Sweep, report.Err = sweep(ctx)
	complete = complete && report.Sweep.Complete
	p.opts.Progress(Progress{StageSweep, b.name, report.Sweep.Candidates})
	if report.Err != nil || report.Sweep.Doomed == 0 {
		return report, complete
	}
	report.Orphans, report.Err = b.reclaimer.Run(ctx)
	p.opts.Progress(Progress{StageReclaim, b.name, report.Reclaim.Done + report.Orphans.Done})
	return report, complete && report.Orphans.Complete
}
