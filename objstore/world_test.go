package objstore_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

// worker is one reclaimer's view of the book: it knows the claims it was given.
type worker struct {
	*book
	held sync.Map // key → fence
}

func (w *worker) Claim(ctx context.Context, bucket string, n int) ([]objstore.Claim, error) {
	claims, err := w.book.Claim(ctx, bucket, n)
	for _, c := range claims {
		w.held.Store(c.Key, c.Fence)
	}
	return claims, err
}

// illegal tells why the worker must not delete the key now (invariant I1).
func (w *worker) illegal(key string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	fence, held := w.held.Load(key)
	l := w.lines[key]
	switch {
	case !held || l == nil:
		return "never claimed"
	case l.state != reclaiming || !l.claimed || l.fence != fence.(int64):
		return "the claim is not this worker's"
	case !l.next.After(w.clock.Now()):
		return "the lease has ended"
	case w.refs[key] > 0:
		return "a row refers to it"
	}
	return ""
}

// spy is a bucket that lets only the worker's own claims be deleted.
type spy struct {
	*memobj.Bucket
	t *testing.T
	w *worker

	mu    sync.Mutex
	sizes []int // of the delete requests
}

func (s *spy) Delete(ctx context.Context, ids []objstore.ID) ([]objstore.DeleteResult, error) {
	s.mu.Lock()
	s.sizes = append(s.sizes, len(ids))
	s.mu.Unlock()
	for _, id := range ids {
		if why := s.w.illegal(id.Key); why != "" {
			s.t.Errorf("delete of %q %q: %s", id.Key, id.Version, why)
			return nil, errors.New(why)
		}
	}
	return s.Bucket.Delete(ctx, ids)
}

// world is a clock, a bucket and a book.
type world struct {
	t      *testing.T
	clock  *lifecycletest.Clock
	bucket *memobj.Bucket
	book   *book
	spy    *spy
	fault  func(memobj.Call) memobj.Fault
}

func newWorld(t *testing.T, opts *memobj.Options) *world {
	t.Helper()
	w := &world{t: t, clock: lifecycletest.NewClock(epoch)}
	var o memobj.Options
	if opts != nil {
		o = *opts
	}
	o.Clock = w.clock
	o.Fault = func(_ context.Context, c memobj.Call) memobj.Fault {
		if w.fault == nil {
			return memobj.Fault{}
		}
		return w.fault(c)
	}
	bucket, err := memobj.New("files", &o)
	if err != nil {
		t.Fatal(err)
	}
	w.bucket, w.book = bucket, newBook(w.clock)
	w.spy = &spy{Bucket: bucket, t: t, w: &worker{book: w.book}}
	return w
}

// put stores an object of four bytes at each key.
func (w *world) put(keys ...string) {
	w.t.Helper()
	for _, key := range keys {
		if _, err := w.bucket.Put(w.t.Context(), key, strings.NewReader("data"), 4, nil); err != nil {
			w.t.Fatal(err)
		}
	}
}

// hide puts a delete marker on the key.
func (w *world) hide(key string) {
	w.t.Helper()
	if _, err := w.bucket.Delete(w.t.Context(), []objstore.ID{{Key: key}}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) setVersioning(s objstore.VersioningStatus) {
	w.t.Helper()
	if err := w.bucket.SetVersioning(w.t.Context(), s); err != nil {
		w.t.Fatal(err)
	}
}

// versions returns all that is stored at the key.
func (w *world) versions(key string) (all []objstore.Object) {
	w.t.Helper()
	for o, err := range w.bucket.Versions(w.t.Context(), key, nil) {
		if err != nil {
			w.t.Fatal(err)
		}
		if o.Key == key {
			all = append(all, o)
		}
	}
	return all
}

// stored counts the entries under each key.
func (w *world) stored() map[string]int {
	w.t.Helper()
	n := map[string]int{}
	for o, err := range w.bucket.Versions(w.t.Context(), "", nil) {
		if err != nil {
			w.t.Fatal(err)
		}
		n[o.Key]++
	}
	return n
}

func newReclaimer(t *testing.T, bucket objstore.Bucket, ledger objstore.Ledger, clock lifecycle.Clock, opts *objstore.ReclaimOptions) *objstore.Reclaimer {
	t.Helper()
	var o objstore.ReclaimOptions
	if opts != nil {
		o = *opts
	}
	o.Clock = clock
	r, err := objstore.NewReclaimer(bucket, ledger, &o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// reclaim runs once and checks the report against itself.
func (w *world) reclaim(opts *objstore.ReclaimOptions) (objstore.ReclaimReport, error) {
	w.t.Helper()
	report, err := newReclaimer(w.t, w.spy, w.spy.w, w.clock, opts).Run(w.t.Context())
	checkReport(w.t, report)
	return report, err
}

// mustReclaim is reclaim that ends without an error.
func (w *world) mustReclaim(opts *objstore.ReclaimOptions) objstore.ReclaimReport {
	w.t.Helper()
	report, err := w.reclaim(opts)
	if err != nil {
		w.t.Fatal(err)
	}
	return report
}

// checkReport is invariant I6.
func checkReport(t *testing.T, r objstore.ReclaimReport) {
	t.Helper()
	if got := r.Acknowledged + total(r.Failed) + r.Unknown; got != r.Requested {
		t.Errorf("acknowledged, failed and unknown are %d, requested %d: %+v", got, r.Requested, r)
	}
	if got := r.Done + total(r.Left) + r.Fenced + r.Unrecorded; got != r.Claimed {
		t.Errorf("outcomes of %d keys, claimed %d: %+v", got, r.Claimed, r)
	}
	if r.Versions+r.Markers != r.Acknowledged {
		t.Errorf("%d versions and %d markers of %d acknowledged", r.Versions, r.Markers, r.Acknowledged)
	}
}

func total(m map[string]int64) (n int64) {
	for _, v := range m {
		n += v
	}
	return n
}

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
