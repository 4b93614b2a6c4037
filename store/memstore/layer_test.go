package memstore

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLayer compares a layer with a plain map under random changes.
func TestLayer(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	base := map[int]int{}
	for round := range 200 {
		before, want := maps.Clone(base), maps.Clone(base)
		l := layer[int, int]{base: base}
		for range rng.IntN(20) {
			k := rng.IntN(10)
			if rng.IntN(3) == 0 {
				l.remove(k)
				delete(want, k)
			} else {
				l.set(k, rng.Int())
				want[k], _ = l.get(k)
			}
		}
		if diff := cmp.Diff(before, base); diff != "" {
			t.Fatalf("round %d: the base changed before the merge (-before +after):\n%s", round, diff)
		}
		if diff := cmp.Diff(want, maps.Collect(l.all())); diff != "" {
			t.Fatalf("round %d: all (-want +got):\n%s", round, diff)
		}
		for k := range 10 {
			got, ok := l.get(k)
			if v, is := want[k]; got != v || ok != is {
				t.Fatalf("round %d: get(%d) = %d, %t; want %d, %t", round, k, got, ok, v, is)
			}
		}
		if rng.IntN(3) > 0 {
			l.merge()
			if diff := cmp.Diff(want, base); diff != "" {
				t.Fatalf("round %d: merge (-want +got):\n%s", round, diff)
			}
		}
	}
}

func TestLayerStops(t *testing.T) {
	t.Parallel()
	l := layer[int, int]{base: map[int]int{1: 1, 2: 2}}
	l.set(3, 3)
	l.set(4, 4)
	for stop := range 4 {
		n := 0
		for range l.all() {
			if n == stop {
				break
			}
			n++
		}
		if n != stop {
			t.Errorf("stopped after %d, want %d", n, stop)
		}
	}
}
