package memstore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// TestReclaimAndSweep lets the library's own workers run on the ledger, with a
// bucket in memory: rows end, orphans go, and what rows rely on stays.
func TestReclaimAndSweep(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	w := newWorld(t, memstore.Options{})
	bucket, err := memobj.New("files", &memobj.Options{Clock: w.clock})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"in/kept", "in/shared", "in/own", "in/orphan"} {
		if _, err := bucket.Put(ctx, key, strings.NewReader("bytes"), 5, nil); err != nil {
			t.Fatal(err)
		}
	}
	w.insert(t, w.doc, memstore.Seed{Objects: []string{"in/kept", "in/shared"}}, 1)
	w.insert(t, w.doc, memstore.Seed{Objects: []string{"in/own", "in/shared"}}, 2)
	w.bury(t, 2)
	w.clock.Advance(2 * lifecycle.Day)

	sweeper, err := objstore.NewSweeper(bucket, w.Ledger(), &objstore.SweepOptions{Prefixes: []objstore.Prefix{"in/"}, Clock: w.clock})
	if err != nil {
		t.Fatal(err)
	}
	swept, err := sweeper.Run(ctx)
	if err != nil || swept.Doomed != 1 {
		t.Errorf("sweep: %+v, %v; want one orphan", swept, err)
	}
	reclaimer, err := objstore.NewReclaimer(bucket, w.Ledger(), &objstore.ReclaimOptions{Clock: w.clock, Batch: 1})
	if err != nil {
		t.Fatal(err)
	}
	report, err := reclaimer.Run(ctx)
	if err != nil || report.Done != 2 || !report.Complete {
		t.Errorf("reclaim: %+v, %v; want two keys done", report, err)
	}

	left := map[string]bool{}
	for _, key := range []string{"in/kept", "in/shared", "in/own", "in/orphan"} {
		_, err := bucket.Head(ctx, objstore.ID{Key: key})
		left[key] = err == nil
	}
	want := map[string]bool{"in/kept": true, "in/shared": true, "in/own": false, "in/orphan": false}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("what is left in the bucket (-want +got):\n%s", diff)
	}
	if got := w.state(t, w.Store, w.doc.Row(2)); got != lifecycle.Reclaimed {
		t.Errorf("the buried row is %s, want reclaimed", got)
	}
	attempts := w.Ledger().Attempts("files", "in/own")
	if len(attempts) != 1 || attempts[0].Bytes != 5 || attempts[0].NotBefore.After(w.clock.Now().Add(time.Hour)) {
		t.Errorf("attempts %+v", attempts)
	}
}
