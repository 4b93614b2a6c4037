package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
)

// The rows of the race share keys: each has one of its own and one with others.
const (
	objectRows    = 48
	objectShared  = 12
	objectWorkers = 16
	objectSteps   = 60
)

func ownKey(n int64) string    { return fmt.Sprintf("own/%d", n) }
func sharedKey(n int64) string { return fmt.Sprintf("shared/%d", n%objectShared) }

// testObjectRace lets goroutines trash, restore and purge rows while others
// claim, fail and finish the objects of those rows, and doom what they believe
// to be orphans. No key may be given out that a living row needs; in the end
// each key was freed once, each row was reclaimed once, and nothing is owed.
func testObjectRace(t *testing.T, v *vault) {
	for n := range int64(objectRows) {
		v.put(t, n+1, lifecycle.Active, ownKey(n+1), sharedKey(n+1))
	}
	race := &objectRace{vault: v, t: t, freed: map[string]int{}, orphans: map[string]int{}}
	seed := seedOf(t)
	var group sync.WaitGroup
	for w := range objectWorkers {
		group.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(w)))
			for range objectSteps {
				if err := race.step(t.Context(), rng); err != nil {
					t.Errorf("worker %d: %v", w, err)
					return
				}
			}
		})
	}
	group.Wait()
	race.finish(t)
}

type objectRace struct {
	*vault
	t       *testing.T
	mu      sync.Mutex
	freed   map[string]int
	orphans map[string]int // how often they were taken for orphans
}

// step does one thing, again where the database asks for it.
func (r *objectRace) step(ctx context.Context, rng *rand.Rand) error {
	r.clock.Advance(time.Duration(rng.IntN(int(Lease / 8))))
	n, dice, verb := 1+rng.Int64N(objectRows), rng.IntN(12), r.claimSome
	switch {
	case dice < 6:
		edge := []lifecycle.EdgeName{
			lifecycle.Trash, lifecycle.Trash, lifecycle.Trash, lifecycle.Restore, lifecycle.Purge, lifecycle.Purge,
		}[dice]
		keys := []lifecycle.Key{{n}, {1 + rng.Int64N(objectRows)}, {1 + rng.Int64N(objectRows)}}
		verb = func(ctx context.Context, _ int) error { return r.edge(ctx, edge, keys) }
	case dice == 6:
		verb = func(ctx context.Context, _ int) error { return r.doom(ctx, n) }
	case dice == 7 && r.Settle != nil:
		verb = func(ctx context.Context, _ int) error { return r.Settle(ctx) }
	}
	var err error
	for range raceRetries {
		if err = verb(ctx, rng.IntN(4)); !errors.Is(err, lifecycle.ErrRetry) {
			return err
		}
	}
	return err
}

func (r *objectRace) edge(ctx context.Context, edge lifecycle.EdgeName, keys []lifecycle.Key) error {
	return r.in(ctx, func(tx lifecycle.Tx) error {
		_, err := r.Store.ApplyAll(ctx, tx, edge, r.vault.doc.Rows(keys...), cause)
		return err
	})
}

// claimSome is a worker's turn, with every way it can end.
func (r *objectRace) claimSome(ctx context.Context, fate int) error {
	claims, err := r.Ledger.Claim(ctx, bucket, 5)
	if err != nil {
		return err
	}
	for _, c := range claims {
		r.only(ctx, c.Key, lifecycle.Purged, lifecycle.Reclaimed)
		switch fate {
		case 0: // killed
		case 1:
			err = r.Ledger.Fail(ctx, c, objstore.Attempt{Code: "SlowDown", NotBefore: r.clock.Now()})
		default:
			err = r.free(ctx, c)
		}
		if err != nil && !errors.Is(err, objstore.ErrFenced) {
			return err
		}
	}
	return nil
}

func (r *objectRace) free(ctx context.Context, c objstore.Claim) error {
	for {
		err := r.Ledger.Done(ctx, c, objstore.Attempt{Versions: 1})
		if errors.Is(err, lifecycle.ErrRetry) {
			continue
		}
		if err == nil {
			r.count(r.freed, c.Key)
		}
		return err
	}
}

// doom takes the keys of a row for orphans, which they are only once every row
// that had them is reclaimed. Such a key may be freed once more.
func (r *objectRace) doom(ctx context.Context, n int64) error {
	accepted, err := r.Ledger.Doom(ctx, bucket, []string{ownKey(n), sharedKey(n)})
	for _, key := range accepted {
		r.only(ctx, key, lifecycle.Reclaimed)
		r.count(r.orphans, key)
	}
	return err
}

func (r *objectRace) count(in map[string]int, key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in[key]++
}

// only checks the states of the rows that have a key. Purged and reclaimed rows
// never come back, so that the look may be late.
func (r *objectRace) only(ctx context.Context, key string, states ...lifecycle.State) {
	for n := int64(1); n <= objectRows; n++ {
		if key != ownKey(n) && key != sharedKey(n) {
			continue
		}
		record, err := r.Store.Record(ctx, r.DB, row(r.vault.doc, n))
		if err != nil || !slices.Contains(states, record.State) {
			r.t.Errorf("%s was given out, and row %d, which has it, is %s (%v)", key, n, record.State, err)
		}
	}
}

// finish buries what is left and frees what is owed.
func (r *objectRace) finish(t *testing.T) {
	ctx := t.Context()
	for n := int64(1); n <= objectRows; n++ {
		for _, edge := range []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Purge} {
			if err := r.edge(ctx, edge, []lifecycle.Key{{n}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 100 {
		r.clock.Advance(2 * Lease)
		if err := r.claimSome(ctx, 2); err != nil {
			t.Fatal(err)
		}
	}
	r.settled(t)
	r.debt(t, objstore.Debt{})
	for n := int64(1); n <= objectRows; n++ {
		for _, key := range []string{ownKey(n), sharedKey(n)} {
			if freed := r.freed[key]; freed < 1 || freed > 1+r.orphans[key] {
				t.Errorf("%s was freed %d times, and %d times taken for an orphan", key, freed, r.orphans[key])
			}
		}
		r.state(t, n, lifecycle.Reclaimed)
		replay(t, r.Harness, row(r.vault.doc, n), map[string]int{})
	}
}
