package storetest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// seedOf is the seed of this run, or the one in the environment.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv("SOFTDELETE_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("SOFTDELETE_SEED: %v", err)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("repeat with SOFTDELETE_SEED=%d", seed)
		}
	})
	return seed
}

const (
	walkRows  = 6
	walkSteps = 400
)

// testWalk takes random edges in every table of the catalog, alone and in bulk,
// while time passes, and compares each answer with the model's.
func testWalk(t *testing.T, open Open) {
	w := newTwin(t, open)
	rng := rand.New(rand.NewPCG(seedOf(t), 1))
	tables := append(w.assets(), w.folder, w.file, w.comment, w.tree)
	for _, table := range tables {
		for n := range int64(walkRows) {
			w.insert(t, table, key(table, n+1), walkSeed(table, n, rng))
		}
	}
	for i := range walkSteps {
		table := tables[rng.IntN(len(tables))]
		if rng.IntN(3) == 0 {
			table = tables[len(tables)-1-rng.IntN(4)] // relations are the hard part
		}
		t.Run(fmt.Sprintf("step %d, %s", i, table.Name), func(t *testing.T) { w.step(t, table, rng) })
		if t.Failed() {
			return
		}
	}
	for _, table := range tables {
		for n := range int64(walkRows) {
			w.same(t, row(table, n+1))
		}
	}
}

func walkSeed(table *lifecycle.Table, n int64, rng *rand.Rand) memstore.Seed {
	seed := memstore.Seed{State: lifecycle.Active, Parents: map[string]lifecycle.Key{}}
	for _, p := range table.Parents {
		if parent := rng.Int64N(walkRows); p.Table != table || parent < n {
			seed.Parents[p.Table.Name] = lifecycle.Key{parent + 1}
		}
	}
	return seed
}

func (w *twin) step(t *testing.T, table *lifecycle.Table, rng *rand.Rand) {
	if rng.IntN(3) == 0 {
		w.clock.Advance([]time.Duration{1, time.Second, time.Minute, lifecycle.Day, 20 * lifecycle.Day}[rng.IntN(5)])
	}
	edge := allEdges[rng.IntN(len(allEdges))]
	if rng.IntN(2) == 0 {
		edge = []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Restore}[rng.IntN(2)]
	}
	if rng.IntN(4) > 0 {
		n := 1 + rng.Int64N(walkRows)
		w.apply(t, edge, row(table, n))
		w.same(t, row(table, n))
		return
	}
	var keys []lifecycle.Key
	for range 1 + rng.IntN(4) {
		keys = append(keys, key(table, 1+rng.Int64N(walkRows+1)))
	}
	w.applyAll(t, edge, table.Rows(keys...))
	for _, k := range keys {
		w.same(t, table.Row(k...))
	}
}
