package objstore_test

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

// TestReclaimPlainBucket: a bucket that has nothing but what every bucket has.
func TestReclaimPlainBucket(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.put("a")
	w.book.promise("a")
	plain := struct{ objstore.Bucket }{w.spy}
	report, err := newReclaimer(t, plain, w.spy.w, w.clock, nil).Run(t.Context())
	if err != nil || report.Done != 1 {
		t.Errorf("report: %+v, %v", report, err)
	}
}

// TestReclaimUnknownStatus: a bucket that should know its status and fails to
// tell is not worked on.
func TestReclaimUnknownStatus(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.put("a")
	w.book.promise("a")
	w.fault = func(c memobj.Call) memobj.Fault {
		if c.Op == memobj.OpVersioning {
			return memobj.Fault{Before: errInjected}
		}
		return memobj.Fault{}
	}
	if report, err := w.reclaim(nil); !errors.Is(err, errInjected) || report.Claimed != 0 {
		t.Errorf("report: %+v, %v", report, err)
	}
	equal(t, "states", map[string]string{"a": doomed}, w.book.states())
}

// TestReclaimCodes: what is recorded where the store gives no code of its own.
func TestReclaimCodes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"permission", fs.ErrPermission, "denied"},
		{"a lock that cannot be read", objstore.ErrLocked, "locked"},
		{"anything else", errInjected, "request"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.put("a")
			w.book.promise("a")
			b := odd{Bucket: w.spy, deleted: func(ids []objstore.ID) ([]objstore.DeleteResult, error) {
				return []objstore.DeleteResult{{ID: ids[0], Err: tt.err}}, nil
			}}
			report, err := newReclaimer(t, b, w.spy.w, w.clock, nil).Run(t.Context())
			checkReport(t, report)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "left", map[string]int64{tt.want: 1}, report.Left)
			if pause := w.book.last("a").NotBefore.Sub(epoch); pause > 30*time.Second || pause < 20*time.Second {
				t.Errorf("pause of %s, want the first back-off", pause)
			}
		})
	}
}

// TestReclaimLockBesideFailure: a key with a locked version is not put off until
// the end of the lock where something else went wrong too.
func TestReclaimLockBesideFailure(t *testing.T) {
	t.Parallel()
	for _, locked := range []int{0, 1} { // the newest version, or the one before
		w := newWorld(t, lockable)
		w.put("a", "a")
		versions := w.versions("a")
		if err := w.bucket.SetLock(t.Context(), objstore.ID{Key: "a", Version: versions[locked].Version}, objstore.Lock{Until: epoch.Add(90 * day)}); err != nil {
			t.Fatal(err)
		}
		w.book.promise("a")
		other := versions[1-locked].Version
		b := fails{spy: w.spy, version: other}
		report, err := newReclaimer(t, b, w.spy.w, w.clock, nil).Run(t.Context())
		checkReport(t, report)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "left", map[string]int64{"InternalError": 1}, report.Left)
		equal(t, "failed", map[string]int64{"InternalError": 1, "locked": 1}, report.Failed)
	}
}

// fails is a bucket that refuses one version.
type fails struct {
	*spy
	version string
}

func (f fails) Delete(ctx context.Context, ids []objstore.ID) ([]objstore.DeleteResult, error) {
	results, err := f.spy.Delete(ctx, ids)
	for i := range results {
		if results[i].Version == f.version {
			results[i].Err, results[i].Code = errInjected, "InternalError"
		}
	}
	return results, err
}

// TestReclaimThrottledListing is no failed listing: the store wants a pause.
func TestReclaimThrottledListing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.put("a", "b")
	w.book.promise("a", "b")
	w.fault = func(c memobj.Call) memobj.Fault {
		if c.Op == memobj.OpListVersions && c.Keys[0] == "a" {
			return memobj.Fault{Before: memobj.SlowDown}
		}
		return memobj.Fault{}
	}
	report := w.mustReclaim(nil)
	equal(t, "left", map[string]int64{"throttled": 1}, report.Left)
	if report.Throttled != 2 || report.Done != 1 {
		t.Errorf("report: %+v", report)
	}
}

// TestReclaimInterruptedListing: the context ends between the pages of a key.
func TestReclaimInterruptedListing(t *testing.T) {
	t.Parallel()
	for _, at := range []int{0, 1, 2} {
		w := newWorld(t, versioned)
		for range 1500 {
			w.put("a")
		}
		w.book.promise("a")
		ctx, cancel := context.WithCancel(t.Context())
		n := -1
		w.fault = func(c memobj.Call) memobj.Fault {
			if c.Op == memobj.OpListVersions {
				if n++; n == at {
					cancel()
				}
			}
			return memobj.Fault{}
		}
		report, err := newReclaimer(t, w.spy, w.spy.w, w.clock, &objstore.ReclaimOptions{Entries: 400}).Run(ctx)
		checkReport(t, report)
		if !errors.Is(err, context.Canceled) || report.Done != 0 {
			t.Errorf("at listing %d: %+v, %v", at, report, err)
		}
		equal(t, "left", map[string]int64{"interrupted": 1}, report.Left)
		w.disarm()
		w.mustReclaim(nil)
		equal(t, "stored", map[string]int{}, w.stored())
	}
}

// TestReclaimRequestBound: a delete request does not outlast the first of its
// leases.
func TestReclaimRequestBound(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.put("a", "b", "c")
	ledger := &foreign{worker: w.spy.w, claims: []objstore.Claim{
		{ID: 1, Bucket: "files", Key: "a", Fence: 1, Lease: epoch.Add(time.Hour)},
		{ID: 2, Bucket: "files", Key: "b", Fence: 1, Lease: epoch.Add(20 * time.Millisecond)},
		{ID: 3, Bucket: "files", Key: "c", Fence: 1, Lease: epoch.Add(time.Hour)},
	}}
	report, err := newReclaimer(t, hangs{w.bucket}, ledger, w.clock, &objstore.ReclaimOptions{Margin: time.Millisecond}).Run(t.Context())
	checkReport(t, report)
	if err != nil || report.Unknown != 3 {
		t.Errorf("report: %+v, %v", report, err)
	}
	equal(t, "left", map[string]int64{"request": 3}, report.Left)
}

// hangs is a bucket whose deletes answer nothing.
type hangs struct{ objstore.Bucket }

func (hangs) Delete(ctx context.Context, _ []objstore.ID) ([]objstore.DeleteResult, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestReclaimFencedDone: the key was taken over after it was seen empty.
func TestReclaimFencedDone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.book.promise("gone")
	w.book.fault = func(op string) (error, error) {
		if op == "done" {
			w.book.mu.Lock()
			w.book.lines["gone"].fence++
			w.book.mu.Unlock()
		}
		return nil, nil
	}
	report := w.mustReclaim(nil)
	if report.Fenced != 1 || report.Done != 0 {
		t.Errorf("report: %+v", report)
	}
}

// TestReclaimAlone: a key that failed often shares no request with those before
// and behind it.
func TestReclaimAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, versioned)
	w.put("a", "b", "b", "c", "d")
	claim := func(id int64, key string, attempts int) objstore.Claim {
		return objstore.Claim{ID: id, Bucket: "files", Key: key, Fence: 1, Attempts: attempts, Lease: epoch.Add(lease)}
	}
	ledger := &foreign{worker: w.spy.w, claims: []objstore.Claim{claim(1, "a", 2), claim(2, "b", 3), claim(3, "c", 0), claim(4, "d", 0)}}
	var sizes []int
	b := odd{Bucket: w.bucket, deleted: func(ids []objstore.ID) ([]objstore.DeleteResult, error) {
		sizes = append(sizes, len(ids))
		return nil, nil
	}}
	if _, err := newReclaimer(t, b, ledger, w.clock, nil).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "sizes", []int{1, 2, 2}, sizes)
}

// mute is a bucket that does not heed the context, but for its listings, which
// end without a word when the context does.
type mute struct{ objstore.Bucket }

func (m mute) Versions(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return func(yield func(objstore.Object, error) bool) {
		for o, err := range m.Bucket.Versions(context.WithoutCancel(ctx), prefix, opts) {
			if ctx.Err() != nil || !yield(o, err) {
				return
			}
		}
	}
}

func (m mute) Delete(ctx context.Context, ids []objstore.ID) ([]objstore.DeleteResult, error) {
	return m.Bucket.Delete(context.WithoutCancel(ctx), ids)
}

// TestReclaimCutOff: when the context has ended, nothing more is sent, and a
// listing without entries proves nothing.
func TestReclaimCutOff(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		op       memobj.Op
		nth      int // call of the op, from 1, that the context ends in
		entries  int
		requests int64
		done     int64
	}{
		{"first listing", memobj.OpListVersions, 1, 1, 0, 0},
		{"last listing before the request", memobj.OpListVersions, 3, 1000, 0, 0},
		{"first request", memobj.OpDeleteBatch, 1, 1, 1, 0},
		{"only request", memobj.OpDeleteBatch, 1, 1000, 1, 0},
		{"first listing that verifies", memobj.OpListVersions, 4, 1000, 1, 0},
		{"second listing that verifies", memobj.OpListVersions, 5, 1000, 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.put("a", "b", "c")
			w.book.promise("a", "b", "c")
			ctx, cancel := context.WithCancel(t.Context())
			n := 0
			w.fault = func(c memobj.Call) memobj.Fault {
				if c.Op == tt.op {
					if n++; n == tt.nth {
						cancel()
					}
				}
				return memobj.Fault{}
			}
			report, err := newReclaimer(t, mute{w.spy}, w.spy.w, w.clock, &objstore.ReclaimOptions{Entries: tt.entries}).Run(ctx)
			checkReport(t, report)
			if !errors.Is(err, context.Canceled) || report.Requests != tt.requests || report.Done != tt.done {
				t.Errorf("report: %+v, %v", report, err)
			}
			equal(t, "left", map[string]int64{"interrupted": 3 - tt.done}, report.Left)
		})
	}
}

// TestReclaimUnrecorded: a key that the ledger cannot close gets a pause, so that
// it is not claimed at the end of every lease.
func TestReclaimUnrecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.put("a")
	w.book.promise("a")
	w.book.fault = func(op string) (error, error) {
		if op == "done" {
			return errInjected, nil
		}
		return nil, nil
	}
	report, err := w.reclaim(nil)
	if !errors.Is(err, errInjected) || report.Unrecorded != 1 {
		t.Errorf("report: %+v, %v", report, err)
	}
	equal(t, "attempt", objstore.Attempt{Versions: 1, Bytes: 4, Code: "unrecorded"}, withoutPause(w.book.last("a")))
}
