package objstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

// orphans is a world in which ten keys of each prefix are old, and n of "in/"
// and m of "derived/" are orphans.
func orphans(t *testing.T, n, m int) *world {
	w := newWorld(t, versioned)
	for i := range 10 {
		in, derived := fmt.Sprintf("in/%d", i), fmt.Sprintf("derived/%d", i)
		w.put(in, derived)
		if i >= n {
			w.book.refer(in)
		}
		if i >= m {
			w.book.refer(derived)
		}
	}
	w.clock.Advance(2 * day)
	return w
}

func TestSweepRefuses(t *testing.T) {
	t.Parallel()
	expire := objstore.Rule{ID: "clean-up", Enabled: true, Prefix: "in/tmp/", ExpirationDays: 1}
	rule := func(change func(*objstore.Rule)) func(*world) {
		r := expire
		change(&r)
		return func(w *world) {
			w.bucket.SetRules(objstore.Rule{ID: "other", Enabled: true, Prefix: "logs/", ExpirationDays: 1}, r)
		}
	}
	conflict := objstore.RefusedError{Op: "sweep", Bucket: "files", Reason: objstore.ReasonRule, Rule: "clean-up", Prefix: "in/"}
	tests := []struct {
		name    string
		prepare func(w *world)
		want    objstore.RefusedError // the zero value where it is not refused
	}{
		{"nothing wrong", func(*world) {}, objstore.RefusedError{}},
		{"no references", func(w *world) { clear(w.book.refs) },
			objstore.RefusedError{Op: "sweep", Bucket: "files", Reason: objstore.ReasonNoReferences}},
		{"MFA delete", func(w *world) { w.bucket.SetMFADelete(true) },
			objstore.RefusedError{Op: "sweep", Bucket: "files", Reason: objstore.ReasonMFADelete}},
		{"rule inside a prefix", rule(func(*objstore.Rule) {}), conflict},
		{"rule around a prefix", rule(func(r *objstore.Rule) { r.Prefix = "i" }), conflict},
		{"rule for the bucket", rule(func(r *objstore.Rule) { r.Prefix = "" }), conflict},
		{"rule by date", rule(func(r *objstore.Rule) { r.ExpirationDays, r.ExpirationDate = 0, epoch.Truncate(day) }), conflict},
		{"rule for some objects", rule(func(r *objstore.Rule) { r.Filtered = true }), conflict},
		{"rule beside the prefixes", rule(func(r *objstore.Rule) { r.Prefix = "in-2/" }), objstore.RefusedError{}},
		{"rule that is off", rule(func(r *objstore.Rule) { r.Enabled = false }), objstore.RefusedError{}},
		{"rule for old versions", rule(func(r *objstore.Rule) { r.ExpirationDays, r.NoncurrentDays = 0, 3 }), objstore.RefusedError{}},
		{"rule for uploads", rule(func(r *objstore.Rule) { r.ExpirationDays, r.AbortMultipartAfterDays = 0, 3 }), objstore.RefusedError{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := orphans(t, 1, 0)
			tt.prepare(w)
			s := w.sweeper(objstore.SweepOptions{})
			_, err := s.Plan(t.Context())
			checkRefusal(t, tt.want, err)
			report, err := s.Run(t.Context())
			checkRefusal(t, tt.want, err)
			if refused := tt.want.Reason != ""; refused != (report.Doomed == 0) || refused == report.Complete {
				t.Errorf("report: %+v", report)
			}
		})
	}
}

// checkRefusal compares a refusal without its detail, which has to be there.
func checkRefusal(t *testing.T, want objstore.RefusedError, err error) {
	t.Helper()
	if want.Reason == "" {
		if err != nil {
			t.Error(err)
		}
		return
	}
	var refused *objstore.RefusedError
	if !errors.As(err, &refused) || !errors.Is(err, objstore.ErrRefused) {
		t.Fatalf("error %v, want a refusal", err)
	}
	got := *refused
	if got.Detail == "" {
		t.Error("no detail")
	}
	got.Detail = ""
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("refusal (-want +got):\n%s", diff)
	}
}

// TestSweepBreakers: a plan shows what a run refuses, and a run dooms nothing.
func TestSweepBreakers(t *testing.T) {
	t.Parallel()
	share := objstore.RefusedError{Op: "sweep", Bucket: "files", Reason: objstore.ReasonShare, Prefix: "derived/"}
	tests := []struct {
		name        string
		in, derived int
		opts        objstore.SweepOptions
		want        objstore.RefusedError
	}{
		{"share of one prefix", 0, 4, objstore.SweepOptions{MaxShare: 0.3, ShareFrom: 2}, share},
		{"share exactly", 0, 3, objstore.SweepOptions{MaxShare: 0.3, ShareFrom: 2}, objstore.RefusedError{}},
		{"too few to judge", 1, 1, objstore.SweepOptions{MaxShare: 0.01, ShareFrom: 2}, objstore.RefusedError{}},
		{"judged from the first", 0, 1, objstore.SweepOptions{MaxShare: 0.01, ShareFrom: -1}, share},
		{"none with the strictest share", 0, 0, objstore.SweepOptions{MaxShare: 0.01, ShareFrom: -1}, objstore.RefusedError{}},
		{"a whole prefix", 0, 10, objstore.SweepOptions{MaxShare: 0.99, ShareFrom: 1}, share},
		{"a whole prefix, allowed", 0, 10, objstore.SweepOptions{MaxShare: 1, ShareFrom: 1}, objstore.RefusedError{}},
		{"number", 2, 2, objstore.SweepOptions{MaxCandidates: 3},
			objstore.RefusedError{Op: "sweep", Bucket: "files", Reason: objstore.ReasonCandidates}},
		{"number exactly", 2, 2, objstore.SweepOptions{MaxCandidates: 4}, objstore.RefusedError{}},
		{"no number", 5, 5, objstore.SweepOptions{MaxCandidates: -1}, objstore.RefusedError{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := orphans(t, tt.in, tt.derived)
			for i := range 5 {
				w.put(fmt.Sprintf("derived//%d", i)) // aliens make no share smaller
			}
			s := w.sweeper(tt.opts)
			plan, err := s.Plan(t.Context())
			checkRefusal(t, tt.want, err)
			if n := int64(tt.in + tt.derived); !plan.Complete || plan.Candidates != n || int64(len(plan.Sample)) != n {
				t.Errorf("plan: %+v", plan)
			}
			report, err := s.Run(t.Context())
			checkRefusal(t, tt.want, err)
			counted(t, report)
			if want := int64(tt.in + tt.derived); tt.want.Reason == "" && report.Doomed != want || tt.want.Reason != "" && report.Doomed != 0 {
				t.Errorf("report: %+v", report)
			}
		})
	}
}

// TestSweepGrows: the second pass finds an orphan that the first one did not
// count, because a row has gone meanwhile.
func TestSweepGrows(t *testing.T) {
	t.Parallel()
	w := orphans(t, 2, 0)
	w.book.fault = func(op string) (error, error) {
		if op == "unprotected" && w.book.questions == 2 { // both prefixes are counted
			w.book.mu.Lock()
			delete(w.book.refs, "in/5")
			w.book.mu.Unlock()
		}
		return nil, nil
	}
	report, err := w.sweeper(objstore.SweepOptions{}).Run(t.Context())
	checkRefusal(t, objstore.RefusedError{Op: "sweep", Bucket: "files", Reason: objstore.ReasonCandidates, Prefix: "in/"}, err)
	if report.Doomed != 0 || report.Complete {
		t.Errorf("report: %+v", report)
	}
}

// TestSweepSpares: a row that begins to refer to a candidate between the passes,
// or between the question and the doom, protects it.
func TestSweepSpares(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"unprotected", "doom"} {
		w := orphans(t, 3, 0)
		w.book.fault = func(op string) (error, error) {
			if op == at && w.book.questions >= 2 {
				w.book.refer("in/1")
			}
			return nil, nil
		}
		report, err := w.sweeper(objstore.SweepOptions{MaxShare: 1}).Run(t.Context())
		if err != nil || report.Candidates != 3 || report.Doomed != 2 || report.Spared != b2i(at == "doom") {
			t.Errorf("at %s: %+v, %v", at, report, err)
		}
		equal(t, "states", map[string]string{"in/0": doomed, "in/2": doomed}, w.book.states())
	}
}

// TestSweepBrokenListing: what does not appear in a listing that broke off is
// not absent, and what was not proven by a whole pass is not doomed.
func TestSweepBrokenListing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		at    int // the listing request that breaks
		fault memobj.Fault
		want  error
		plan  bool // the plan breaks too
	}{
		{"first page", 0, memobj.Fault{Before: errInjected}, errInjected, true},
		{"midway", 2, memobj.Fault{Before: errInjected}, errInjected, true},
		{"answer lost", 2, memobj.Fault{After: errInjected}, errInjected, true},
		{"no token", 2, memobj.Fault{NoToken: true}, objstore.ErrIncomplete, true},
		{"out of order", 1, memobj.Fault{Unordered: true}, objstore.ErrIncomplete, true},
		{"second pass", 8, memobj.Fault{NoToken: true}, objstore.ErrIncomplete, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := orphans(t, 2, 0)
			s := w.sweeper(objstore.SweepOptions{Page: 3, MaxShare: 1})
			fault := func() func(memobj.Call) memobj.Fault {
				n := -1
				return func(c memobj.Call) memobj.Fault {
					if c.Op != memobj.OpListVersions {
						return memobj.Fault{}
					}
					if n++; n != tt.at {
						return memobj.Fault{}
					}
					return tt.fault
				}
			}
			w.fault = fault()
			if plan, err := s.Plan(t.Context()); (err != nil) != tt.plan || plan.Complete == tt.plan {
				t.Errorf("plan: %+v, %v", plan, err)
			}
			w.fault = fault()
			report, err := s.Run(t.Context())
			if !errors.Is(err, tt.want) || report.Complete || tt.plan && report.Doomed != 0 {
				t.Errorf("report: %+v, %v", report, err)
			}
			for key := range w.book.states() {
				if !slices.Contains([]string{"in/0", "in/1"}, key) {
					t.Errorf("%q was doomed", key)
				}
			}
			w.disarm()
			if _, err := s.Run(t.Context()); err != nil {
				t.Error(err)
			}
			equal(t, "states", map[string]string{"in/0": doomed, "in/1": doomed}, w.book.states())
		})
	}
}

// TestSweepEveryFault fails call i of bucket and referee, for each i.
func TestSweepEveryFault(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		for i := 0; ; i++ {
			w := orphans(t, 4, 2)
			s := w.sweeper(objstore.SweepOptions{Page: 3, MaxShare: 1})
			p := &trip{left: i, after: after}
			p.arm(w)
			report, err := s.Run(t.Context())
			w.disarm()
			counted(t, report)
			// A lost answer leaves doomed keys beyond those reported, never fewer.
			states := w.book.states()
			if n := int64(len(states)); n < report.Doomed || n > report.Doomed+report.Unknown {
				t.Errorf("call %d: %d keys doomed, report: %+v", i, n, report)
			}
			if p.fired && (!errors.Is(err, errInjected) || report.Complete) {
				t.Errorf("call %d: %+v, %v", i, report, err)
			}
			if _, err := s.Run(t.Context()); err != nil {
				t.Errorf("call %d: %v", i, err)
			}
			equal(t, "states", map[string]string{
				"in/0": doomed, "in/1": doomed, "in/2": doomed, "in/3": doomed, "derived/0": doomed, "derived/1": doomed,
			}, w.book.states())
			if !p.fired {
				break
			}
		}
	}
}

// liar is a referee that names keys nobody asked about.
type liar struct {
	*book
	unprotected, doom []string
}

func (l *liar) Unprotected(ctx context.Context, bucket string, keys []string) ([]string, error) {
	free, err := l.book.Unprotected(ctx, bucket, keys)
	return append(free, l.unprotected...), err
}

func (l *liar) Doom(context.Context, string, []string) ([]string, error) { return l.doom, nil }

func TestSweepOddReferee(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		referee liar
		ok      bool
	}{
		{"names a key of another page", liar{unprotected: []string{"derived/9"}}, false},
		{"dooms another key", liar{doom: []string{"in/0", "in/9"}}, false},
		{"repeats itself", liar{unprotected: []string{"in/0"}, doom: []string{"in/0", "in/0"}}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := orphans(t, 1, 0)
			tt.referee.book = w.book
			s, err := objstore.NewSweeper(w.bucket, &tt.referee, &objstore.SweepOptions{Prefixes: []objstore.Prefix{"in/"}, Clock: w.clock})
			if err != nil {
				t.Fatal(err)
			}
			report, err := s.Run(t.Context())
			if (err == nil) != tt.ok || report.Doomed != b2i(tt.ok) {
				t.Errorf("report: %+v, %v", report, err)
			}
		})
	}
}

func TestSweepInterrupted(t *testing.T) {
	t.Parallel()
	w := orphans(t, 4, 2)
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	w.fault = func(c memobj.Call) memobj.Fault {
		if c.Op == memobj.OpListVersions && c.Keys[0] == "derived/" {
			cancel()
		}
		return memobj.Fault{}
	}
	report, err := w.sweeper(objstore.SweepOptions{}).Run(ctx)
	if !errors.Is(err, context.Canceled) || report.Complete || report.Doomed != 0 {
		t.Errorf("report: %+v, %v", report, err)
	}
}

// TestSweepLeavesPrefix: an adapter that lists beyond the prefix is not believed.
func TestSweepLeavesPrefix(t *testing.T) {
	t.Parallel()
	w := orphans(t, 1, 0)
	b := odd{Bucket: w.bucket, listed: func(o objstore.Object) objstore.Object {
		if o.Key == "in/9" {
			o.Key = "incoming/9"
		}
		return o
	}}
	s, err := objstore.NewSweeper(b, w.book, &objstore.SweepOptions{Prefixes: []objstore.Prefix{"in/"}, Clock: w.clock})
	if err != nil {
		t.Fatal(err)
	}
	report, err := s.Run(t.Context())
	if !errors.Is(err, objstore.ErrIncomplete) || report.Doomed != 0 {
		t.Errorf("report: %+v, %v", report, err)
	}
}
