package objstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/softdelete-go/softdelete/internal/clock"
	"github.com/softdelete-go/softdelete/lifecycle"
)

const opReclaim = "reclaim"

// ReclaimOptions are the optional terms of a Reclaimer. Nil means every default.
type ReclaimOptions struct {
	// Batch is the number of keys claimed at once: all of them have to be done
	// within one lease. At most 1000; negative is refused. Defaults to 100.
	Batch int
	// Entries is the largest number of versions and delete markers in one delete
	// request; throttling makes it smaller for a while. At most MaxDelete;
	// negative is refused. Defaults to MaxDelete.
	Entries int
	// MaxObjects is the number of keys that one run claims at most; negative is
	// refused. Defaults to 0, which is no limit.
	MaxObjects int64
	// Margin is how long before the end of its lease work on a claim stops. It
	// has to cover the difference between this machine's clock and the ledger's.
	// A lease that is no longer than it allows no work at all, and the key is
	// left with the code "lease". Negative is refused. Defaults to 30 seconds.
	Margin time.Duration
	// Backoff is the pause after the first failed attempt at a key. It doubles
	// with each further one; up to a quarter is taken off, by the key. Negative
	// is refused. Defaults to 30 seconds.
	Backoff time.Duration
	// MaxBackoff is the longest such pause, and the pause where a legal hold
	// has no end. Less than Backoff is refused. Defaults to 6 hours.
	MaxBackoff time.Duration
	// Clock gives the present. Defaults to the machine's clock.
	Clock lifecycle.Clock
}

const (
	defaultBatch   = 100
	maxBatch       = 1000
	defaultMargin  = 30 * time.Second
	defaultBackoff = 30 * time.Second
	defaultCeiling = 6 * time.Hour
)

func (o *ReclaimOptions) complete() error {
	setDefault(&o.Batch, defaultBatch)
	setDefault(&o.Entries, MaxDelete)
	setDefault(&o.Margin, defaultMargin)
	setDefault(&o.Backoff, defaultBackoff)
	setDefault(&o.MaxBackoff, max(defaultCeiling, o.Backoff))
	if o.Clock == nil {
		o.Clock = clock.System
	}
	switch {
	case o.Batch < 0 || o.Batch > maxBatch:
		return fmt.Errorf("ReclaimOptions.Batch: %d is not within 1 and %d: %w", o.Batch, maxBatch, ErrInvalid)
	case o.Entries < 0 || o.Entries > MaxDelete:
		return fmt.Errorf("ReclaimOptions.Entries: %d is not within 1 and %d: %w", o.Entries, MaxDelete, ErrInvalid)
	case o.MaxObjects < 0:
		return fmt.Errorf("ReclaimOptions.MaxObjects: %d is negative: %w", o.MaxObjects, ErrInvalid)
	case o.Margin < 0:
		return fmt.Errorf("ReclaimOptions.Margin: %s is negative: %w", o.Margin, ErrInvalid)
	case o.Backoff < 0:
		return fmt.Errorf("ReclaimOptions.Backoff: %s is negative: %w", o.Backoff, ErrInvalid)
	case o.MaxBackoff < o.Backoff:
		return fmt.Errorf("ReclaimOptions.MaxBackoff: %s is less than Backoff: %w", o.MaxBackoff, ErrInvalid)
	}
	return nil
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Reclaimer frees the bytes of doomed keys: the only path on which bytes die.
// Safe for use by many goroutines, and any number of Reclaimers may work on the
// same bucket at once: the ledger's claims decide who deletes.
//
// One attempt at a key lists its versions and delete markers, those of the exact
// key and none of its neighbours, deletes each by its version id, and lists
// again. The key is done when, and only when, that listing shows nothing; a key
// that was already gone is done at once. Otherwise it goes back to the ledger
// with a code: the store's own, or one of ours:
//
//	listing         the key's versions could not be listed
//	locked          only retention or a legal hold keeps what is left
//	throttled       the store asked to slow down
//	denied          the store refused for want of a permission and gave no code
//	unacknowledged  the store did not say what became of an entry
//	request         a delete request failed as a whole
//	claim           the claim is another bucket's, or names no key
//	remaining       everything was acknowledged, and something is there
//	lease           the claim was about to end
//	interrupted     the run's context ended
//	unrecorded      the key was seen empty, and the ledger would not say so
//
// Keys that failed several times are deleted in requests of their own, so that
// one that breaks a whole request cannot keep taking others with it.
type Reclaimer struct {
	bucket Bucket
	ledger Ledger
	opts   ReclaimOptions
}

// NewReclaimer returns a Reclaimer of the bucket's doomed keys. A wrong option is
// ErrInvalid. Neither the bucket nor the ledger is asked anything yet.
func NewReclaimer(bucket Bucket, ledger Ledger, opts *ReclaimOptions) (*Reclaimer, error) {
	r := &Reclaimer{bucket: bucket, ledger: ledger}
	if opts != nil {
		r.opts = *opts
	}
	if bucket == nil || ledger == nil {
		return nil, fmt.Errorf("objstore: reclaimer: no bucket or no ledger: %w", ErrInvalid)
	}
	if err := r.opts.complete(); err != nil {
		return nil, fmt.Errorf("objstore: %w", err)
	}
	return r, nil
}

// Run claims and deletes until nothing is due, MaxObjects are claimed, or ctx
// ends, and reports what was done in every case. A context's end is an error
// too; what is known by then is still recorded, for up to ten seconds, and
// another Run goes on from there.
//
// Keys that could not be deleted are no error: the report counts them and the
// ledger keeps them for a later run. Errors are a *RefusedError before anything
// was claimed, a ledger that fails, and a store that answered nothing useful to
// several batches in a row. Running again is always safe.
func (r *Reclaimer) Run(ctx context.Context) (ReclaimReport, error) {
	w := &reclaim{
		Reclaimer: r,
		report:    ReclaimReport{Bucket: r.bucket.Name()},
		window:    window{size: r.opts.Entries, limit: r.opts.Entries},
	}
	status, err := askVersioning(ctx, opReclaim, r.bucket)
	if err != nil {
		return w.report, err
	}
	w.versioned = status == Versioned || status == Suspended

	var stop func()
	w.closing, stop = outlive(ctx, recordGrace)
	defer stop()
	if err := w.loop(ctx); err != nil {
		w.blame(err)
	}
	if w.err != nil {
		w.report.Complete = false
		return w.report, fmt.Errorf("objstore: reclaim bucket %s: %w", w.report.Bucket, w.err)
	}
	return w.report, nil
}

// recordGrace is how long the ledger may still be told after the run's end.
const recordGrace = 10 * time.Second

// outlive returns a context that ends d after its parent. Recording an outcome
// is worth more than a punctual return: without it the key waits for its lease.
func outlive(parent context.Context, d time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(parent))
	stop := context.AfterFunc(parent, func() { time.AfterFunc(d, cancel) })
	return ctx, func() {
		stop()
		cancel()
	}
}

// maxSilent is how many batches in a row may come to nothing because of the
// store before the run ends. Going on would only use up attempts.
const maxSilent = 3

// reclaim is one run. It holds one batch of claims, one request's entries and
// the page of one listing.
type reclaim struct {
	*Reclaimer
	closing   context.Context
	versioned bool // an entry without a version id would only hide its key
	report    ReclaimReport
	window    window
	pending   []entry
	err       error // the first failure that is not one key's
	silent    int
	trouble   error // of the store, in this batch
	progress  bool  // in this batch
}

func (w *reclaim) blame(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *reclaim) loop(ctx context.Context) error {
	due := int64(math.MaxInt64)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := w.room()
		if n == 0 {
			return w.askDebt()
		}
		claims, err := w.ledger.Claim(ctx, w.report.Bucket, n)
		if err != nil {
			return fmt.Errorf("claim: %w", err)
		}
		if len(claims) > 0 {
			due = math.MaxInt64
			if err := w.batch(ctx, claims); err != nil {
				return err
			}
			continue
		}
		if err := w.askDebt(); err != nil {
			return err
		}
		// A claim may come back empty because all it found is protected or
		// held. The ledger has put those aside, so the next claim meets others:
		// go on for as long as the number of due keys falls.
		left := w.report.Debt.Objects - w.report.Debt.Waiting
		if left <= 0 || left >= due {
			w.report.Complete = left <= 0
			return nil
		}
		due = left
	}
}

// room is the number of keys the next claim may take.
func (w *reclaim) room() int {
	if w.opts.MaxObjects == 0 {
		return w.opts.Batch
	}
	return int(min(int64(w.opts.Batch), w.opts.MaxObjects-w.report.Claimed))
}

func (w *reclaim) askDebt() error {
	debt, err := w.ledger.Debt(w.closing, w.report.Bucket)
	if err != nil {
		return fmt.Errorf("debt: %w", err)
	}
	w.report.Debt = debt
	return nil
}

// batch makes one attempt at each claim.
func (w *reclaim) batch(ctx context.Context, claims []Claim) error {
	w.report.Claimed += int64(len(claims))
	w.trouble, w.progress = nil, false
	jobs := make([]*job, len(claims))
	for i, c := range claims {
		jobs[i] = &job{claim: c}
		w.collect(ctx, jobs[i])
	}
	w.flush(ctx)
	for _, j := range jobs {
		w.conclude(ctx, j)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.progress || w.trouble == nil {
		w.silent = 0
		return nil
	}
	if w.silent++; w.silent >= maxSilent {
		return fmt.Errorf("%d batches in a row came to nothing: %w", w.silent, w.trouble)
	}
	return nil
}

// storeFailed notes that a request failed as a whole.
func (w *reclaim) storeFailed(err error) {
	w.trouble = err
	if errors.Is(err, ErrThrottled) {
		w.report.Throttled++
		w.window.shrink()
	}
}
