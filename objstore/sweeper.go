package objstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/softdelete-go/softdelete/internal/clock"
	"github.com/softdelete-go/softdelete/lifecycle"
)

const opSweep = "sweep"

// SweepOptions are the terms of a Sweeper. Prefixes is required; everything else
// may be left out.
type SweepOptions struct {
	// Prefixes are the managed parts of the bucket, all of one ledger: whatever
	// the referee's tables do not refer to is an orphan there. Nothing else is
	// listed. At least one, and none inside another.
	Prefixes []Prefix
	// Grace is how old every version and delete marker of a key has to be. It
	// has to be longer than the longest work between a PUT and the commit of its
	// row. Less than an hour, and negative, is refused with ReasonGrace.
	// Defaults to 24 hours.
	Grace time.Duration
	// MaxCandidates is the number of orphans above which a run refuses to doom
	// any. Negative means no limit. Defaults to 10000.
	MaxCandidates int64
	// MaxShare is the share of orphans among the keys of a prefix, aliens left
	// out, above which a run refuses to doom any. It is judged for each prefix:
	// a kind of reference that nobody registered empties one prefix, and would
	// be lost in a total. At most 1, which is no limit; negative is refused.
	// Defaults to 0.1.
	MaxShare float64
	// ShareFrom is the number of orphans under a prefix from which MaxShare is
	// judged, since a share of a few keys says nothing. Negative means from the
	// first. Defaults to 100.
	ShareFrom int64
	// Keep is the number of candidates and of aliens in a report's samples.
	// Negative means none. Defaults to 100.
	Keep int
	// Page is the number of keys the referee is asked about at once, and of
	// entries asked for in one listing request. At most 1000; negative is
	// refused. Defaults to 1000.
	Page int
	// Clock gives the present. Defaults to the machine's clock.
	Clock lifecycle.Clock
}

const (
	defaultGrace      = 24 * time.Hour
	minGrace          = time.Hour
	defaultCandidates = 10_000
	defaultShare      = 0.1
	defaultShareFrom  = 100
	defaultKeep       = 100
	maxPage           = 1000
)

func (o *SweepOptions) complete() error {
	o.Prefixes = slices.Clone(o.Prefixes)
	setDefault(&o.Grace, defaultGrace)
	setDefault(&o.MaxCandidates, defaultCandidates)
	setDefault(&o.MaxShare, defaultShare)
	setDefault(&o.ShareFrom, defaultShareFrom)
	setDefault(&o.Keep, defaultKeep)
	setDefault(&o.Page, maxPage)
	if o.Clock == nil {
		o.Clock = clock.System
	}
	if err := CheckPrefixes(o.Prefixes); err != nil {
		return fmt.Errorf("SweepOptions.Prefixes: %w", err)
	}
	switch {
	case !(o.MaxShare >= 0 && o.MaxShare <= 1): // NaN too
		return fmt.Errorf("SweepOptions.MaxShare: %v is not within 0 and 1: %w", o.MaxShare, ErrInvalid)
	case o.Page < 0 || o.Page > maxPage:
		return fmt.Errorf("SweepOptions.Page: %d is not within 1 and %d: %w", o.Page, maxPage, ErrInvalid)
	}
	return nil
}

// Sweeper looks for orphans: keys under a managed prefix that no row protects,
// and all of whose versions and delete markers are older than the grace. It
// deletes nothing. A run dooms orphans through the referee, and a Reclaimer
// deletes them; run the Reclaimer first, so that deletions already promised are
// not met again.
//
// Whether a key is protected is asked by equality, after the key was listed, and
// any error of the bucket or the referee ends the pass: what is not known is
// kept. A key is protected whole, not by the version. A key that CheckKey
// refuses is an alien: reported, never doomed.
//
// Safe for use by many goroutines; sweeps that overlap doom a key once.
type Sweeper struct {
	bucket  Bucket
	referee Referee
	opts    SweepOptions
}

// NewSweeper returns a Sweeper. A grace below the safe minimum is a *RefusedError
// with ReasonGrace, any other wrong option ErrInvalid. Neither the bucket nor the
// referee is asked anything yet.
func NewSweeper(bucket Bucket, referee Referee, opts *SweepOptions) (*Sweeper, error) {
	s := &Sweeper{bucket: bucket, referee: referee}
	if opts != nil {
		s.opts = *opts
	}
	if bucket == nil || referee == nil {
		return nil, fmt.Errorf("objstore: sweeper: no bucket or no referee: %w", ErrInvalid)
	}
	if err := s.opts.complete(); err != nil {
		return nil, fmt.Errorf("objstore: %w", err)
	}
	if s.opts.Grace < minGrace {
		return nil, s.refuse(ReasonGrace, fmt.Sprintf("a grace of %s is less than %s", s.opts.Grace, minGrace))
	}
	return s, nil
}

// Plan tells what a Run at this moment would doom, and why. It changes nothing.
//
// Errors are those of Run. Where a breaker would stop a run, the report is whole
// and the error is the *RefusedError that the run would end with.
func (s *Sweeper) Plan(ctx context.Context) (SweepReport, error) {
	return s.PlanEach(ctx, nil)
}

// PlanEach is Plan, and calls visit with every candidate in the order of their
// keys, prefix by prefix. An error of visit ends the plan and is returned.
func (s *Sweeper) PlanEach(ctx context.Context, visit func(Candidate) error) (SweepReport, error) {
	w := s.begin()
	if err := s.preflight(ctx); err != nil {
		return w.report, err
	}
	err := w.count(ctx, visit)
	if err == nil {
		w.report.Complete = true
		err = s.breakers(&w.report)
	}
	return w.report, err
}

// Run dooms the orphans. It lists everything twice: a first pass only counts, so
// that the breakers have spoken before anything is doomed, and a second one,
// against the same cutoff, puts to the referee what is an orphan still. One pass
// that dooms as it goes would notice a lost table of references when it is half
// done, and remembering a pass's candidates would need memory that grows with
// the bucket. The second pass dooms no more keys of a prefix than the first one
// found there.
//
// The report has the first pass's counts, and what the referee made of the
// second one's candidates. A *RefusedError means that nothing was doomed, unless
// Doomed says otherwise: a second pass that finds more than the first stops. On
// any other error, such as ErrIncomplete for a listing that breaks off, what was
// doomed until then was proven, and is reported. Running again is always safe.
func (s *Sweeper) Run(ctx context.Context) (SweepReport, error) {
	w := s.begin()
	if err := s.preflight(ctx); err != nil {
		return w.report, err
	}
	if err := w.count(ctx, nil); err != nil {
		return w.report, err
	}
	if err := s.breakers(&w.report); err != nil {
		return w.report, err
	}
	if w.report.Candidates > 0 {
		if err := w.doom(ctx); err != nil {
			return w.report, err
		}
	}
	w.report.Complete = true
	return w.report, nil
}

// breakers judges the counts of a whole pass.
func (s *Sweeper) breakers(report *SweepReport) error {
	if limit := s.opts.MaxCandidates; limit >= 0 && report.Candidates > limit {
		return s.refuse(ReasonCandidates, fmt.Sprintf("%d orphans, more than %d", report.Candidates, limit))
	}
	for _, p := range s.opts.Prefixes {
		c := report.Prefixes[p]
		keys := c.Keys - c.Aliens
		if c.Candidates < s.opts.ShareFrom || float64(c.Candidates) <= s.opts.MaxShare*float64(keys) {
			continue
		}
		refusal := s.refuse(ReasonShare, fmt.Sprintf("%d of %d keys under %q are orphans, a share above %v",
			c.Candidates, keys, string(p), s.opts.MaxShare))
		refusal.Prefix = p
		return refusal
	}
	return nil
}

// sweep is one plan or run. It holds one page of keys and the page of a listing.
type sweep struct {
	*Sweeper
	report SweepReport
}

// begin fixes the cutoff before anything is read: computed later, it would let
// objects age while references are being read. It is cut to the second, because
// stores cut Modified to the second and so make objects look older.
func (s *Sweeper) begin() *sweep {
	now := s.opts.Clock.Now().UTC()
	return &sweep{Sweeper: s, report: SweepReport{
		Bucket:   s.bucket.Name(),
		Started:  now,
		Cutoff:   now.Add(-s.opts.Grace).Truncate(time.Second),
		Prefixes: map[Prefix]SweepCounts{},
	}}
}

func (w *sweep) fail(p Prefix, err error) error {
	if errors.Is(err, ErrRefused) {
		return err // which names the bucket and the prefix itself
	}
	return fmt.Errorf("objstore: sweep bucket %s under %q: %w", w.report.Bucket, string(p), err)
}

// count is the first pass.
func (w *sweep) count(ctx context.Context, visit func(Candidate) error) error {
	for _, p := range w.opts.Prefixes {
		w.report.Prefixes[p] = SweepCounts{}
		err := w.judged(ctx, p, func(v verdict) error {
			w.book(p, v)
			if visit == nil {
				return nil
			}
			for _, c := range v.candidates {
				if err := visit(c); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return w.fail(p, err)
		}
	}
	return nil
}

func (w *sweep) book(p Prefix, v verdict) {
	counts := w.report.Prefixes[p]
	counts.add(v.SweepCounts)
	w.report.Prefixes[p] = counts
	w.report.SweepCounts.add(v.SweepCounts)
	keep := max(w.opts.Keep, 0)
	w.report.Sample = append(w.report.Sample, v.candidates[:min(len(v.candidates), keep-len(w.report.Sample))]...)
	w.report.AlienSample = append(w.report.AlienSample, v.aliens[:min(len(v.aliens), keep-len(w.report.AlienSample))]...)
}

// doom is the second pass.
func (w *sweep) doom(ctx context.Context) error {
	for _, p := range w.opts.Prefixes {
		left := w.report.Prefixes[p].Candidates
		if left == 0 {
			continue
		}
		err := w.judged(ctx, p, func(v verdict) error {
			n := int64(len(v.candidates))
			if left -= n; left < 0 {
				refusal := w.refuse(ReasonCandidates, fmt.Sprintf("more orphans under %q than the %d counted a moment ago",
					string(p), w.report.Prefixes[p].Candidates))
				refusal.Prefix = p
				return refusal
			}
			if n == 0 {
				return nil
			}
			return w.put(ctx, v.candidates)
		})
		if err != nil {
			return w.fail(p, err)
		}
	}
	return nil
}

// errReferee: the referee answered about keys it was not asked about. Nothing
// else it says can be believed.
var errReferee = errors.New("referee named a key it was not asked about")

// put puts candidates to the referee.
func (w *sweep) put(ctx context.Context, candidates []Candidate) error {
	asked := make([]string, len(candidates))
	for i, c := range candidates {
		asked[i] = c.Key
	}
	doomed, err := w.referee.Doom(ctx, w.report.Bucket, slices.Clone(asked))
	if err != nil {
		w.report.Unknown += int64(len(asked))
		return fmt.Errorf("doom: %w", err)
	}
	accepted, err := subset(asked, doomed)
	if err != nil {
		w.report.Unknown += int64(len(asked))
		return fmt.Errorf("doom: %w", err)
	}
	w.report.Doomed += int64(len(accepted))
	w.report.Spared += int64(len(asked) - len(accepted))
	return nil
}

// subset returns the answer as a set, without repetitions.
func subset(asked, answer []string) (map[string]bool, error) {
	known := make(map[string]bool, len(asked))
	for _, key := range asked {
		known[key] = true
	}
	set := make(map[string]bool, len(answer))
	for _, key := range answer {
		if !known[key] {
			return nil, fmt.Errorf("%q: %w", key, errReferee)
		}
		set[key] = true
	}
	return set, nil
}
