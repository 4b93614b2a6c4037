package objstore_test

import (
	"context"
	"errors"
	"iter"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

// TestReclaimLease: a worker that was held up past its lease sends nothing more.
func TestReclaimLease(t *testing.T) {
	t.Parallel()
	w := newWorld(t, versioned)
	w.put("a", "a", "a", "b")
	w.book.promise("a", "b")
	w.fault = onDelete(func(memobj.Call) memobj.Fault {
		w.clock.Advance(lease - 30*time.Second)
		return memobj.Fault{}
	})
	report := w.mustReclaim(&objstore.ReclaimOptions{Entries: 2})
	equal(t, "left", map[string]int64{"lease": 2}, report.Left)
	equal(t, "sizes", []int{2}, w.spy.sizes)
	equal(t, "attempt", objstore.Attempt{Versions: 2, Bytes: 8, Code: "lease"}, withoutPause(w.book.last("a")))
	w.disarm()
	w.clock.Advance(time.Hour)
	w.mustReclaim(nil)
	equal(t, "stored", map[string]int{}, w.stored())
}

func withoutPause(a objstore.Attempt) objstore.Attempt {
	a.NotBefore = time.Time{}
	return a
}

// TestReclaimFenced: the first worker stalls in its request, and the second one
// takes over and finishes. The first one's word counts for nothing.
func TestReclaimFenced(t *testing.T) {
	t.Parallel()
	for _, fails := range []bool{false, true} {
		w := newWorld(t, nil)
		w.put("a", "b")
		w.book.promise("a", "b")
		second := &spy{Bucket: w.bucket, t: t, w: &worker{book: w.book}}
		stalled := false
		w.fault = onDelete(func(memobj.Call) memobj.Fault {
			if stalled {
				return memobj.Fault{}
			}
			stalled = true
			w.clock.Advance(lease)
			report, err := newReclaimer(t, second, second.w, w.clock, nil).Run(t.Context())
			if err != nil || report.Done != 2 {
				t.Errorf("second worker: %+v, %v", report, err)
			}
			w.put("b") // a late PUT, which only another sweep may take
			if fails {
				return memobj.Fault{Before: errInjected}
			}
			return memobj.Fault{Entries: map[string]memobj.Code{"b": memobj.InternalError}}
		})
		report := w.mustReclaim(nil)
		if report.Fenced != 2 || report.Done != 0 || total(report.Left) != 0 {
			t.Errorf("first worker: %+v", report)
		}
		equal(t, "states", map[string]string{"a": reclaimed, "b": reclaimed}, w.book.states())
	}
}

// TestReclaimLedgerFails: what was done and what was not is reported, whatever
// the ledger answers.
func TestReclaimLedgerFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		op   string
		want objstore.ReclaimReport
	}{
		{"claim", "claim", objstore.ReclaimReport{}},
		{"done", "done", objstore.ReclaimReport{Claimed: 2, Unrecorded: 1, Left: map[string]int64{"InternalError": 1}}},
		{"fail", "fail", objstore.ReclaimReport{Claimed: 2, Unrecorded: 1, Done: 1}},
		{"debt", "debt", objstore.ReclaimReport{Claimed: 2, Done: 1, Left: map[string]int64{"InternalError": 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.put("a", "b")
			w.book.promise("a", "b")
			w.fault = entryFault(map[string]memobj.Code{"b": memobj.InternalError})
			w.book.fault = func(op string) (error, error) {
				if op == tt.op {
					return errInjected, nil
				}
				return nil, nil
			}
			report, err := w.reclaim(nil)
			if !errors.Is(err, errInjected) || report.Complete {
				t.Errorf("complete: %v, error: %v", report.Complete, err)
			}
			got := objstore.ReclaimReport{Claimed: report.Claimed, Done: report.Done, Left: report.Left, Unrecorded: report.Unrecorded}
			equal(t, "report", tt.want, got)

			w.disarm()
			w.clock.Advance(time.Hour)
			w.mustReclaim(nil)
			equal(t, "stored", map[string]int{}, w.stored())
		})
	}
}

// odd is a bucket that breaks its contract.
type odd struct {
	objstore.Bucket
	status  objstore.VersioningStatus
	listed  func(objstore.Object) objstore.Object
	deleted func(ids []objstore.ID) ([]objstore.DeleteResult, error)
}

func (o odd) Versioning(context.Context) (objstore.Versioning, error) {
	return objstore.Versioning{Status: o.status}, nil
}

func (o odd) Versions(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return func(yield func(objstore.Object, error) bool) {
		for e, err := range o.Bucket.Versions(ctx, prefix, opts) {
			if o.listed != nil {
				e = o.listed(e)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (o odd) Delete(ctx context.Context, ids []objstore.ID) ([]objstore.DeleteResult, error) {
	if o.deleted != nil {
		return o.deleted(ids)
	}
	return o.Bucket.Delete(ctx, ids)
}

// TestReclaimOddBuckets: whatever an adapter gets wrong, nothing is claimed that
// did not happen.
func TestReclaimOddBuckets(t *testing.T) {
	t.Parallel()
	results := func(ids []objstore.ID) (all []objstore.DeleteResult) {
		for _, id := range ids {
			all = append(all, objstore.DeleteResult{ID: id})
		}
		return all
	}
	tests := []struct {
		name string
		odd  odd
		code string
		ack  int64
	}{
		{"acknowledges and keeps", odd{deleted: func(ids []objstore.ID) ([]objstore.DeleteResult, error) {
			return results(ids), nil
		}}, "remaining", 2},
		{"says nothing", odd{deleted: func([]objstore.ID) ([]objstore.DeleteResult, error) { return nil, nil }}, "unacknowledged", 0},
		{"answers another entry", odd{deleted: func(ids []objstore.ID) ([]objstore.DeleteResult, error) {
			all := results(ids)
			all[0].Key = "c"
			return all, nil
		}}, "", 1},
		{"acknowledges and fails", odd{deleted: func(ids []objstore.ID) ([]objstore.DeleteResult, error) {
			return results(ids), errInjected
		}}, "request", 0},
		{"lists no version ids", odd{status: objstore.Versioned, listed: func(o objstore.Object) objstore.Object {
			o.Version = ""
			return o
		}}, "listing", 0},
		{"lists another prefix", odd{listed: func(o objstore.Object) objstore.Object {
			o.Key = "x" + o.Key
			return o
		}}, "listing", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.put("a", "b")
			w.book.promise("a", "b")
			tt.odd.Bucket = w.spy
			report, err := newReclaimer(t, tt.odd, w.spy.w, w.clock, nil).Run(t.Context())
			checkReport(t, report)
			if err != nil || report.Done != 0 || report.Acknowledged != tt.ack {
				t.Errorf("report: %+v, %v", report, err)
			}
			if tt.code != "" {
				equal(t, "left", map[string]int64{tt.code: 2}, report.Left)
			}
			equal(t, "stored", map[string]int{"a": 1, "b": 1}, w.stored())
		})
	}
}

// foreign hands out claims that are not of the bucket.
type foreign struct {
	*worker
	claims []objstore.Claim
}

func (f *foreign) Claim(context.Context, string, int) (claims []objstore.Claim, err error) {
	claims, f.claims = f.claims, nil
	return claims, nil
}

func (f *foreign) Fail(context.Context, objstore.Claim, objstore.Attempt) error { return nil }

func TestReclaimForeignClaim(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.put("a", "b")
	ledger := &foreign{worker: w.spy.w, claims: []objstore.Claim{
		{ID: 1, Bucket: "elsewhere", Key: "a", Fence: 1, Lease: epoch.Add(lease)},
		{ID: 2, Bucket: "files", Key: "", Fence: 1, Lease: epoch.Add(lease)},
		{ID: 3, Bucket: "files", Key: "b", Fence: 1},
	}}
	report, err := newReclaimer(t, w.spy, ledger, w.clock, nil).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "left", map[string]int64{"claim": 2, "lease": 1}, report.Left)
	equal(t, "stored", map[string]int{"a": 1, "b": 1}, w.stored())
}
