package objstore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

var errInjected = errors.New("injected fault")

// trip makes one call fail, of those to the bucket and the book together.
type trip struct {
	left  int
	after bool // the work is done and the answer lost
	fired bool
}

func (p *trip) next() (before, after error) {
	if p.left--; p.left != -1 {
		return nil, nil
	}
	p.fired = true
	if p.after {
		return nil, errInjected
	}
	return errInjected, nil
}

func (p *trip) arm(w *world) {
	w.book.fault = func(string) (error, error) { return p.next() }
	w.fault = func(memobj.Call) memobj.Fault {
		before, after := p.next()
		return memobj.Fault{Before: before, After: after}
	}
}

func (w *world) disarm() { w.book.fault, w.fault = nil, nil }

// checkInvariants looks at the world between two runs.
func (w *world) checkInvariants(before map[string]string) {
	w.t.Helper()
	stored := w.stored()
	for key, state := range w.book.states() {
		if state == reclaimed && stored[key] > 0 {
			w.t.Errorf("I5: %q is reclaimed and has %d entries", key, stored[key])
		}
		if was := before[key]; was == reclaiming && state != reclaiming && state != reclaimed || was == reclaimed && state != reclaimed {
			w.t.Errorf("I3: %q went from %s to %s", key, was, state)
		}
	}
	for _, key := range []string{"k/a!", "k/b/c", "other"} {
		if stored[key] != 1 {
			w.t.Errorf("I7: %q has %d entries", key, stored[key])
		}
	}
}

// TestReclaimEveryFault fails call i, for each i, before its work and after it;
// then lets the faults stop and the reclaimer run again.
func TestReclaimEveryFault(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		for i := 0; ; i++ {
			w := newWorld(t, versioned)
			w.put("k/a", "k/a", "k/b", "k/c", "k/a!", "k/b/c", "other")
			w.hide("k/c")
			w.book.promise("k/a", "k/b", "k/c", "k/gone")
			p := &trip{left: i, after: after}
			for runs := 0; ; runs++ {
				before := w.book.states()
				if runs == 0 {
					p.arm(w)
				}
				report, err := w.reclaim(&objstore.ReclaimOptions{Batch: 3, Entries: 2})
				w.disarm()
				w.checkInvariants(before)
				if err == nil && report.Complete && report.Debt.Objects == 0 {
					break
				}
				if runs == 5 {
					t.Fatalf("I8: call %d failed (after: %v), and after %d more runs: %+v, %v", i, after, runs, report, err)
				}
				w.clock.Advance(lease)
			}
			equal(t, "stored", map[string]int{"k/a!": 1, "k/b/c": 1, "other": 1}, w.stored())
			if t.Failed() {
				t.Fatalf("call %d, after: %v", i, after)
			}
			if !p.fired {
				t.Logf("%d calls", i)
				break
			}
		}
	}
}

// onDelete is a fault of delete requests only.
func onDelete(fault func(memobj.Call) memobj.Fault) func(memobj.Call) memobj.Fault {
	return func(c memobj.Call) memobj.Fault {
		if c.Op != memobj.OpDeleteBatch {
			return memobj.Fault{}
		}
		return fault(c)
	}
}

// entryFault answers entries of every delete request with a code.
func entryFault(codes map[string]memobj.Code) func(memobj.Call) memobj.Fault {
	return onDelete(func(memobj.Call) memobj.Fault { return memobj.Fault{Entries: codes} })
}

// TestReclaimAnswers: three keys in one request, and what the store answers.
func TestReclaimAnswers(t *testing.T) {
	t.Parallel()
	one := func(code string) map[string]int64 { return map[string]int64{code: 1} }
	tests := []struct {
		name  string
		fault func(memobj.Call) memobj.Fault
		want  objstore.ReclaimReport
	}{
		{"one is refused", entryFault(map[string]memobj.Code{"b": memobj.InternalError}), objstore.ReclaimReport{
			Done: 2, Left: one("InternalError"), Acknowledged: 2, Failed: one("InternalError"),
		}},
		{"one is denied", entryFault(map[string]memobj.Code{"b": memobj.AccessDenied}), objstore.ReclaimReport{
			Done: 2, Left: one("AccessDenied"), Acknowledged: 2, Failed: one("AccessDenied"),
		}},
		{"one is throttled", entryFault(map[string]memobj.Code{"b": memobj.SlowDown}), objstore.ReclaimReport{
			Done: 2, Left: one("throttled"), Acknowledged: 2, Failed: one("throttled"), Throttled: 1,
		}},
		{"one is deleted in silence", entryFault(map[string]memobj.Code{"b": memobj.NoAnswer}), objstore.ReclaimReport{
			Done: 3, Acknowledged: 2, Unknown: 1,
		}},
		{"the answer is lost", onDelete(func(memobj.Call) memobj.Fault { return memobj.Fault{After: errInjected} }), objstore.ReclaimReport{
			Done: 3, Unknown: 3,
		}},
		{"the request fails", onDelete(func(memobj.Call) memobj.Fault { return memobj.Fault{Before: errInjected} }), objstore.ReclaimReport{
			Left: map[string]int64{"request": 3}, Unknown: 3,
		}},
		{"the request is throttled", onDelete(func(memobj.Call) memobj.Fault { return memobj.Fault{Before: memobj.SlowDown} }), objstore.ReclaimReport{
			Left: map[string]int64{"throttled": 3}, Unknown: 3, Throttled: 1,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.put("a", "b", "c")
			w.book.promise("a", "b", "c")
			w.fault = tt.fault
			report := w.mustReclaim(nil)
			want := tt.want
			want.Bucket, want.Claimed, want.Requested, want.Requests, want.Complete = "files", 3, 3, 1, true
			want.Versions, want.Bytes = want.Acknowledged, 4*want.Acknowledged
			left := total(want.Left)
			want.Debt = objstore.Debt{Objects: left, Waiting: left}
			equal(t, "report", want, report)

			w.disarm()
			w.clock.Advance(time.Minute)
			w.mustReclaim(nil)
			equal(t, "stored when the fault is over", map[string]int{}, w.stored())
		})
	}
}

// TestReclaimBackoff: the pauses double to the ceiling, and no run comes early.
func TestReclaimBackoff(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.put("a")
	w.book.promise("a")
	w.fault = entryFault(map[string]memobj.Code{"a": memobj.InternalError})
	opts := &objstore.ReclaimOptions{Backoff: time.Minute, MaxBackoff: 10 * time.Minute}
	for _, most := range []time.Duration{1, 2, 4, 8, 10, 10} {
		most *= time.Minute
		w.mustReclaim(opts)
		pause := w.book.last("a").NotBefore.Sub(w.clock.Now())
		if pause > most || pause < most*3/4 {
			t.Errorf("pause of %s, want at most %s and at least three quarters of it", pause, most)
		}
		w.clock.Advance(pause - 1)
		if report := w.mustReclaim(opts); report.Claimed != 0 {
			t.Errorf("claimed before its time: %+v", report)
		}
		w.clock.Advance(1)
	}
}

// TestReclaimPoison: one key breaks every request that names it.
func TestReclaimPoison(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	var keys []string
	for i := range 20 {
		keys = append(keys, fmt.Sprintf("k/%02d", i))
	}
	w.put(keys...)
	w.book.promise(keys...)
	w.fault = onDelete(func(c memobj.Call) memobj.Fault {
		if slices.Contains(c.Keys, "k/07") {
			return memobj.Fault{Before: errInjected}
		}
		return memobj.Fault{}
	})
	for range 4 {
		w.mustReclaim(nil)
		w.clock.Advance(time.Hour)
	}
	equal(t, "stored", []string{"k/07"}, slices.Sorted(maps.Keys(w.stored())))
}

// TestReclaimWindow: requests get smaller while the store throttles, and larger
// again when it does not.
func TestReclaimWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, versioned)
	for range 500 {
		w.put("a")
	}
	w.book.promise("a")
	n := 0
	w.fault = onDelete(func(memobj.Call) memobj.Fault {
		if n++; n <= 3 {
			return memobj.Fault{Before: memobj.SlowDown}
		}
		return memobj.Fault{}
	})
	w.mustReclaim(&objstore.ReclaimOptions{Entries: 80})
	equal(t, "sizes", []int{80, 40, 20, 10, 18, 26, 34, 42, 50, 58, 66, 56}, w.spy.sizes)
}

// TestReclaimSilentStore: a run does not use up an attempt of every key while
// the store does not answer.
func TestReclaimSilentStore(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		fault func(memobj.Call) memobj.Fault
		want  error
	}{
		{"down", func(memobj.Call) memobj.Fault { return memobj.Fault{Before: errInjected} }, errInjected},
		{"throttling", onDelete(func(memobj.Call) memobj.Fault { return memobj.Fault{Before: memobj.SlowDown} }), objstore.ErrThrottled},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			for i := range 50 {
				key := fmt.Sprintf("k/%02d", i)
				w.put(key)
				w.book.promise(key)
			}
			w.fault = func(c memobj.Call) memobj.Fault {
				if c.Op == memobj.OpVersioning {
					return memobj.Fault{}
				}
				return tt.fault(c)
			}
			report, err := w.reclaim(&objstore.ReclaimOptions{Batch: 5})
			if !errors.Is(err, tt.want) || report.Claimed != 15 || report.Complete {
				t.Errorf("report: %+v, %v", report, err)
			}
			w.disarm()
			w.clock.Advance(time.Hour)
			w.mustReclaim(nil)
			equal(t, "stored", map[string]int{}, w.stored())
		})
	}
}

// TestReclaimStammer: a store that answers now and then is not a silent one.
func TestReclaimStammer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for i := range 12 {
		key := fmt.Sprintf("k/%02d", i)
		w.put(key)
		w.book.promise(key)
	}
	n := 0
	w.fault = onDelete(func(memobj.Call) memobj.Fault {
		if n++; n%3 != 0 {
			return memobj.Fault{Before: errInjected}
		}
		return memobj.Fault{}
	})
	report := w.mustReclaim(&objstore.ReclaimOptions{Batch: 1})
	if report.Claimed != 12 || report.Done != 4 || !report.Complete {
		t.Errorf("report: %+v", report)
	}
}

// TestReclaimBrokenListing: a listing without its end proves nothing, and only
// that key waits.
func TestReclaimBrokenListing(t *testing.T) {
	t.Parallel()
	for _, skip := range []int{0, 1} { // the first listing, or the one that verifies
		w := newWorld(t, versioned)
		w.put("a", "a", "b")
		w.book.promise("a", "b")
		n := 0
		w.fault = func(c memobj.Call) memobj.Fault {
			if c.Op != memobj.OpListVersions || c.Keys[0] != "a" {
				return memobj.Fault{}
			}
			n++
			return memobj.Fault{NoToken: n > skip}
		}
		report := w.mustReclaim(nil)
		equal(t, "left", map[string]int64{"listing": 1}, report.Left)
		equal(t, "listings of the key", skip+1, n)
		equal(t, "states", map[string]string{"a": reclaiming, "b": reclaimed}, w.book.states())
		w.disarm()
		w.clock.Advance(time.Minute)
		w.mustReclaim(nil)
		equal(t, "stored", map[string]int{}, w.stored())
	}
}

// TestReclaimInterrupted: the context ends while a request is under way.
func TestReclaimInterrupted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.put("a", "b", "c", "d")
	w.book.promise("a", "b", "c", "d")
	ctx, cancel := context.WithCancel(t.Context())
	w.fault = onDelete(func(memobj.Call) memobj.Fault {
		cancel()
		return memobj.Fault{}
	})
	report, err := newReclaimer(t, w.spy, w.spy.w, w.clock, &objstore.ReclaimOptions{Batch: 3}).Run(ctx)
	checkReport(t, report)
	if !errors.Is(err, context.Canceled) || report.Complete || report.Claimed != 3 {
		t.Errorf("report: %+v, %v", report, err)
	}
	equal(t, "left", map[string]int64{"interrupted": 3}, report.Left)
	w.disarm()
	if report := w.mustReclaim(nil); report.Done != 4 {
		t.Errorf("the next run did not get the keys at once: %+v", report)
	}

	report, err = newReclaimer(t, w.spy, w.spy.w, w.clock, nil).Run(ctx)
	if !errors.Is(err, context.Canceled) || report.Claimed != 0 {
		t.Errorf("with an ended context: %+v, %v", report, err)
	}
}

// TestReclaimTwoWorkers: both work through the same debt, with entries failing
// here and there.
func TestReclaimTwoWorkers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, versioned)
	for i := range 200 {
		key := fmt.Sprintf("k/%03d", i)
		w.put(key, key)
		w.book.promise(key)
	}
	w.fault = onDelete(func(c memobj.Call) memobj.Fault {
		if c.N%3 == 0 {
			return memobj.Fault{Entries: map[string]memobj.Code{c.Keys[0]: memobj.InternalError}}
		}
		return memobj.Fault{}
	})
	for range 10 {
		var group sync.WaitGroup
		for range 2 {
			s := &spy{Bucket: w.bucket, t: t, w: &worker{book: w.book}}
			group.Go(func() {
				report, err := newReclaimer(t, s, s.w, w.clock, &objstore.ReclaimOptions{Batch: 7, Entries: 10}).Run(t.Context())
				checkReport(t, report)
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		w.clock.Advance(6 * time.Hour)
	}
	w.disarm()
	w.mustReclaim(nil)
	equal(t, "stored", map[string]int{}, w.stored())
	for key, state := range w.book.states() {
		if state != reclaimed {
			t.Errorf("%q is %s", key, state)
		}
	}
}
