package objstore_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

const day = 24 * time.Hour

// sweeper sweeps "in/" and "derived/" unless the options say otherwise.
func (w *world) sweeper(opts objstore.SweepOptions) *objstore.Sweeper {
	w.t.Helper()
	if opts.Prefixes == nil {
		opts.Prefixes = []objstore.Prefix{"in/", "derived/"}
	}
	opts.Clock = w.clock
	s, err := objstore.NewSweeper(w.bucket, w.book, &opts)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// counted checks that a report counts every key once.
func counted(t *testing.T, r objstore.SweepReport) {
	t.Helper()
	if got := r.Protected + r.Young + r.Candidates + r.Aliens; got != r.Keys {
		t.Errorf("%d keys in classes, %d listed: %+v", got, r.Keys, r)
	}
	var sum objstore.SweepCounts
	for _, c := range r.Prefixes {
		sum.Keys += c.Keys
		sum.Candidates += c.Candidates
	}
	if sum.Keys != r.Keys || sum.Candidates != r.Candidates {
		t.Errorf("prefixes sum up to %+v, the report says %+v", sum, r.SweepCounts)
	}
	if r.Doomed+r.Spared+r.Unknown > r.Candidates {
		t.Errorf("more keys were put to the referee than counted: %+v", r)
	}
}

// TestSweepJudges puts each kind of key into its class.
func TestSweepJudges(t *testing.T) {
	t.Parallel()
	w := newWorld(t, versioned)
	// What is old by the time of the sweep.
	w.put("in/live", "in/orphan", "in/orphan", "in/revived", "in/hidden", "in/busy", "in/gone")
	w.put("derived/orphan", "in/", "in/a\x01b", "in//x", "in/../y", "in/\uFFFD")
	w.put("incoming/orphan", "in-2/orphan", "in", "orphan", "Derived/orphan")
	w.hide("in/hidden")
	w.book.refer("in/live")
	w.book.promise("in/busy", "in/gone")
	w.clock.Advance(2 * day)
	w.put("in/young", "in/revived") // one young version protects the key

	s := w.sweeper(objstore.SweepOptions{ShareFrom: 1000})
	var visited []objstore.Candidate
	plan, err := s.PlanEach(t.Context(), func(c objstore.Candidate) error {
		visited = append(visited, c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	counted(t, plan)
	in := objstore.SweepCounts{
		Keys: 12, Versions: 14, Markers: 1, Bytes: 56,
		Protected: 3, Young: 2, Candidates: 2, CandidateBytes: 12, Aliens: 5,
	}
	derived := objstore.SweepCounts{Keys: 1, Versions: 1, Bytes: 4, Candidates: 1, CandidateBytes: 4}
	candidates := []objstore.Candidate{
		{Key: "in/hidden", Prefix: "in/", Versions: 1, Markers: 1, Bytes: 4, Newest: epoch},
		{Key: "in/orphan", Prefix: "in/", Versions: 2, Bytes: 8, Newest: epoch},
		{Key: "derived/orphan", Prefix: "derived/", Versions: 1, Bytes: 4, Newest: epoch},
	}
	want := objstore.SweepReport{
		Bucket: "files", Started: epoch.Add(2 * day), Cutoff: epoch.Add(day),
		SweepCounts: objstore.SweepCounts{
			Keys: 13, Versions: 15, Markers: 1, Bytes: 60,
			Protected: 3, Young: 2, Candidates: 3, CandidateBytes: 16, Aliens: 5,
		},
		Prefixes:    map[objstore.Prefix]objstore.SweepCounts{"in/": in, "derived/": derived},
		Sample:      candidates,
		AlienSample: []string{"in/", "in/../y", "in//x", "in/a\x01b", "in/\uFFFD"},
		Complete:    true,
	}
	equal(t, "plan", want, plan)
	equal(t, "visited", candidates, visited)
	equal(t, "states after the plan", map[string]string{"in/busy": doomed, "in/gone": doomed}, w.book.states())

	run, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want.Doomed = 3
	equal(t, "run", want, run)
	equal(t, "states after the run", map[string]string{
		"in/busy": doomed, "in/gone": doomed, "in/hidden": doomed, "in/orphan": doomed, "derived/orphan": doomed,
	}, w.book.states())

	before := w.stored()
	w.mustReclaim(nil)
	for _, key := range []string{"in/busy", "in/gone", "in/hidden", "in/orphan", "derived/orphan"} {
		delete(before, key)
	}
	equal(t, "stored after the reclaimer", before, w.stored())
}

// TestSweepGrace is about the last instant that protects.
func TestSweepGrace(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		now    time.Duration // after the PUT
		orphan bool
	}{
		{"younger", day - time.Nanosecond, false},
		{"exactly the grace", day, false},
		{"a moment older, within the store's second", day + 999*time.Millisecond, false},
		{"older by a second", day + time.Second, true},
		{"the store's clock is ahead", -time.Hour, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.book.refer("in/live")
			w.put("in/a")
			w.clock.Advance(tt.now)
			report, err := w.sweeper(objstore.SweepOptions{}).Run(t.Context())
			if err != nil || report.Doomed != b2i(tt.orphan) || report.Young != b2i(!tt.orphan) {
				t.Errorf("report: %+v, %v", report, err)
			}
		})
	}
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// TestSweepCutoffStands: a sweep that takes long does not age what it reads.
func TestSweepCutoffStands(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.book.refer("in/live")
	w.put("in/a")
	w.clock.Advance(day)
	w.fault = func(memobj.Call) memobj.Fault {
		w.clock.Advance(3 * time.Hour)
		return memobj.Fault{}
	}
	report, err := w.sweeper(objstore.SweepOptions{}).Run(t.Context())
	if err != nil || report.Doomed != 0 || report.Young != 1 {
		t.Errorf("report: %+v, %v", report, err)
	}
}

// TestSweepUndated: an entry without an instant may be young, whatever stands
// before and behind it.
func TestSweepUndated(t *testing.T) {
	t.Parallel()
	for undated := range 3 {
		w := newWorld(t, versioned)
		w.book.refer("in/live")
		w.put("in/a", "in/a", "in/a")
		w.clock.Advance(30 * day)
		id := w.versions("in/a")[undated].Version
		b := odd{Bucket: w.bucket, listed: func(o objstore.Object) objstore.Object {
			if o.Version == id {
				o.Modified = time.Time{}
			}
			return o
		}}
		s, err := objstore.NewSweeper(b, w.book, &objstore.SweepOptions{Prefixes: []objstore.Prefix{"in/"}, Clock: w.clock})
		if err != nil {
			t.Fatal(err)
		}
		report, err := s.Run(t.Context())
		if err != nil || report.Doomed != 0 || report.Young != 1 {
			t.Errorf("report: %+v, %v", report, err)
		}
	}
}

// TestSweepCutOff: a listing that the context's end cuts off is no whole one,
// even where the adapter does not say so.
func TestSweepCutOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.book.refer("in/live")
	w.put("in/a", "in/b")
	w.clock.Advance(2 * day)
	ctx, cancel := context.WithCancel(t.Context())
	s, err := objstore.NewSweeper(mute{w.bucket}, w.book, &objstore.SweepOptions{Prefixes: []objstore.Prefix{"in/", "derived/"}, Clock: w.clock})
	if err != nil {
		t.Fatal(err)
	}
	w.fault = func(c memobj.Call) memobj.Fault {
		if c.Op == memobj.OpListVersions && c.Keys[0] == "derived/" {
			cancel()
		}
		return memobj.Fault{}
	}
	if plan, err := s.Plan(ctx); !errors.Is(err, context.Canceled) || plan.Complete {
		t.Errorf("plan: %+v, %v", plan, err)
	}
}

// TestSweepPages: neither the questions nor the samples grow with the bucket,
// and versions of a key are judged together wherever a page ends.
func TestSweepPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, versioned)
	const keys = 1000
	for i := range keys {
		key := fmt.Sprintf("in/%04d", i)
		w.put(key, key)
		if i%10 == 0 {
			w.book.refer(key)
		}
	}
	w.clock.Advance(2 * day)
	for i := 0; i < keys; i += 100 {
		w.put(fmt.Sprintf("in/%04d", i+1)) // now with one young version
	}
	s := w.sweeper(objstore.SweepOptions{Page: 7, MaxShare: 1, Keep: 3})
	report, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	counted(t, report)
	if report.Doomed != 890 || report.Young != 10 || report.Protected != 100 || len(report.Sample) != 3 {
		t.Errorf("report: %+v", report)
	}
	pages := (keys + 6) / 7
	if w.book.asked > 7 || w.book.questions != 2*pages {
		t.Errorf("%d questions of up to %d keys, want %d of 7", w.book.questions, w.book.asked, 2*pages)
	}
}

func TestSweepSampleOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.book.refer("in/live")
	w.put("in/a", "in//alien")
	w.clock.Advance(2 * day)
	plan, err := w.sweeper(objstore.SweepOptions{Keep: -1}).Plan(t.Context())
	if err != nil || plan.Candidates != 1 || plan.Aliens != 1 || len(plan.Sample)+len(plan.AlienSample) != 0 {
		t.Errorf("plan: %+v, %v", plan, err)
	}
}

func TestSweepVisitEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.book.refer("in/live")
	w.put("in/a", "in/b")
	w.clock.Advance(2 * day)
	n := 0
	plan, err := w.sweeper(objstore.SweepOptions{}).PlanEach(t.Context(), func(objstore.Candidate) error {
		n++
		return errInjected
	})
	if !errors.Is(err, errInjected) || n != 1 || plan.Complete {
		t.Errorf("%d visits, plan %+v, %v", n, plan, err)
	}
}

func TestSweeperOptions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	of := func(prefixes ...objstore.Prefix) objstore.SweepOptions {
		return objstore.SweepOptions{Prefixes: prefixes}
	}
	with := func(change func(*objstore.SweepOptions)) objstore.SweepOptions {
		o := of("in/")
		change(&o)
		return o
	}
	tests := []struct {
		name string
		opts objstore.SweepOptions
		want error
	}{
		{"defaults", of("in/"), nil},
		{"neighbours", of("in/", "in-2/", "incoming/"), nil},
		{"shortest grace", with(func(o *objstore.SweepOptions) { o.Grace = time.Hour }), nil},
		{"no limits", with(func(o *objstore.SweepOptions) { o.MaxCandidates, o.ShareFrom, o.MaxShare = -1, -1, 1 }), nil},
		{"no prefix", of(), objstore.ErrInvalid},
		{"empty prefix", of(""), objstore.ErrInvalid},
		{"prefix without a slash", of("in"), objstore.ErrInvalid},
		{"prefix that is a slash", of("/"), objstore.ErrInvalid},
		{"prefixes that overlap", of("in/", "derived/", "in/a/"), objstore.ErrInvalid},
		{"the same prefix twice", of("in/", "in/"), objstore.ErrInvalid},
		{"negative grace", with(func(o *objstore.SweepOptions) { o.Grace = -1 }), objstore.ErrRefused},
		{"grace of a second", with(func(o *objstore.SweepOptions) { o.Grace = time.Second }), objstore.ErrRefused},
		{"grace just below", with(func(o *objstore.SweepOptions) { o.Grace = time.Hour - 1 }), objstore.ErrRefused},
		{"negative share", with(func(o *objstore.SweepOptions) { o.MaxShare = -0.1 }), objstore.ErrInvalid},
		{"share above one", with(func(o *objstore.SweepOptions) { o.MaxShare = 1.1 }), objstore.ErrInvalid},
		{"share that is no number", with(func(o *objstore.SweepOptions) { o.MaxShare = math.NaN() }), objstore.ErrInvalid},
		{"negative page", with(func(o *objstore.SweepOptions) { o.Page = -1 }), objstore.ErrInvalid},
		{"large page", with(func(o *objstore.SweepOptions) { o.Page = 1001 }), objstore.ErrInvalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := objstore.NewSweeper(w.bucket, w.book, &tt.opts)
			if !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
	for _, opts := range []*objstore.SweepOptions{nil, {Prefixes: []objstore.Prefix{"in/"}}} {
		if _, err := objstore.NewSweeper(nil, w.book, opts); !errors.Is(err, objstore.ErrInvalid) {
			t.Errorf("without a bucket: %v", err)
		}
		if _, err := objstore.NewSweeper(w.bucket, nil, opts); !errors.Is(err, objstore.ErrInvalid) {
			t.Errorf("without a referee: %v", err)
		}
	}
	prefixes := []objstore.Prefix{"in/"}
	s := w.sweeper(objstore.SweepOptions{Prefixes: prefixes})
	w.book.refer("in/live")
	prefixes[0] = ""
	if plan, err := s.Plan(t.Context()); err != nil || !slices.Equal(planned(plan), []objstore.Prefix{"in/"}) {
		t.Errorf("the caller's slice changed the prefixes: %+v, %v", plan, err)
	}
}

func planned(r objstore.SweepReport) (prefixes []objstore.Prefix) {
	for p := range r.Prefixes {
		prefixes = append(prefixes, p)
	}
	return prefixes
}
