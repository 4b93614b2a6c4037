package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/store/memstore"
)

const (
	raceWorkers = 64
	raceRows    = 100
	raceCalls   = 25
	raceRetries = 1000
)

// tally counts the edges that callers were told they had taken.
type tally struct {
	mu    sync.Mutex
	taken map[string]int
}

func (c *tally) add(key lifecycle.Key, edge lifecycle.EdgeName) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken[key.String()+" "+string(edge)]++
}

// testRace lets many goroutines trash, restore and purge the same rows, one by
// one and in bulk. Each row's audit must be one history that the machine
// accepts, and must tell of exactly those edges that callers were told of.
func testRace(t *testing.T, open Open) {
	f, clock := newFixture(), lifecycletest.NewClock(start)
	h := open(t, f.catalog, clock)
	for n := range int64(raceRows) {
		if err := h.Insert(t.Context(), f.doc, key(f.doc, n+1), memstore.Seed{State: lifecycle.Active}); err != nil {
			t.Fatal(err)
		}
	}
	workers := h.Workers
	if workers == 0 {
		workers = raceWorkers
	}
	seed := seedOf(t)
	counts := &tally{taken: map[string]int{}}
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			r := racer{h: h, f: f, clock: clock, counts: counts, rng: rand.New(rand.NewPCG(seed, uint64(w)))}
			for range raceCalls {
				if err := r.step(t.Context()); err != nil {
					t.Errorf("worker %d: %v", w, err)
					return
				}
			}
		})
	}
	group.Wait()
	told := map[string]int{}
	for n := range int64(raceRows) {
		replay(t, h, row(f.doc, n+1), told)
	}
	if diff := cmp.Diff(counts.taken, told); diff != "" {
		t.Errorf("edges (-told to callers +in the audit):\n%s", diff)
	}
}

type racer struct {
	h      *Harness
	f      *fixture
	clock  *lifecycletest.Clock
	counts *tally
	rng    *rand.Rand
}

func (r *racer) step(ctx context.Context) error {
	edge := []lifecycle.EdgeName{
		lifecycle.Trash, lifecycle.Trash, lifecycle.Trash, lifecycle.Restore, lifecycle.Restore, lifecycle.Restore, lifecycle.Purge, lifecycle.Expire,
	}[r.rng.IntN(8)]
	if edge == lifecycle.Purge && r.rng.IntN(8) > 0 {
		edge = lifecycle.Restore // or soon no row is left to race for
	}
	keys := []lifecycle.Key{{1 + r.rng.Int64N(raceRows)}}
	for r.rng.IntN(4) == 0 && len(keys) < 5 {
		keys = append(keys, lifecycle.Key{1 + r.rng.Int64N(raceRows)})
	}
	r.clock.Advance(time.Duration(r.rng.IntN(int(lifecycle.Day / 20))))
	for range raceRetries {
		results, err := r.once(ctx, edge, keys)
		if errors.Is(err, lifecycle.ErrRetry) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s %v: %w", edge, keys, err)
		}
		for _, result := range results {
			if result.Outcome == lifecycle.Transitioned {
				r.counts.add(result.Key, edge)
			}
		}
		return nil
	}
	return fmt.Errorf("%s %v: retried %d times", edge, keys, raceRetries)
}

func (r *racer) once(ctx context.Context, edge lifecycle.EdgeName, keys []lifecycle.Key) (results []lifecycle.Result, err error) {
	err = r.h.in(ctx, func(tx lifecycle.Tx) error {
		if len(keys) == 1 {
			result, err := r.h.Store.Apply(ctx, tx, edge, r.f.doc.Row(keys[0]...), cause)
			results = []lifecycle.Result{result}
			if result.Outcome != 0 {
				return nil
			}
			return err
		}
		all, err := r.h.Store.ApplyAll(ctx, tx, edge, r.f.doc.Rows(keys...), cause)
		results = all.Rows
		return err
	})
	return results, err
}

// replay follows a row's audit from the state in which it was born.
func replay(t *testing.T, h *Harness, row lifecycle.Row, told map[string]int) {
	t.Helper()
	history, err := h.Store.History(t.Context(), h.DB, row)
	if err != nil {
		t.Fatal(err)
	}
	r := lifecycle.Record{State: lifecycle.Active}
	for i, e := range history {
		told[row.Key.String()+" "+string(e.Edge)]++
		if e.From != r.State {
			t.Errorf("%s: entry %d starts in %s, the one before ended in %s", row.Key, i, e.From, r.State)
		}
		if got := lifecycle.TwoStage.Decide(r, e.Edge, e.At, row.Table.Policy); got != lifecycle.Transitioned {
			t.Errorf("%s: the machine answers entry %d (%s at %s) with %s", row.Key, i, e.Edge, e.At, got)
		}
		r = lifecycle.Record{State: e.To}
		if e.To == lifecycle.Trashed {
			r.DeletedAt, r.PurgeAfter = e.At, row.Table.Policy.Deadline(e.At)
		}
	}
	record, err := h.Store.Record(t.Context(), h.DB, row)
	if err != nil {
		t.Fatal(err)
	}
	if record.State != r.State {
		t.Errorf("%s: the row is %s, its audit ends in %s", row.Key, record.State, r.State)
	}
}
