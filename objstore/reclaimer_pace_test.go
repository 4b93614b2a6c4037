package objstore

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBackoff(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name        string
		least, most time.Duration
		attempts    int
		spread      uint32
		want        time.Duration
	}{
		{"first", time.Minute, time.Hour, 0, 0, time.Minute},
		{"second", time.Minute, time.Hour, 1, 0, 2 * time.Minute},
		{"sixth", time.Minute, time.Hour, 5, 0, 32 * time.Minute},
		{"ceiling", time.Minute, time.Hour, 6, 0, time.Hour},
		{"far beyond", time.Minute, time.Hour, math.MaxInt, 0, time.Hour},
		{"ceiling of its own", time.Hour, time.Minute, 0, 0, time.Minute},
		{"no overflow", time.Minute, math.MaxInt64, 200, 0, math.MaxInt64},
		{"a quarter less", 1024 * time.Second, time.Hour, 0, 256, 768 * time.Second},
		{"spread wraps", 1024 * time.Second, time.Hour, 0, 257, 1024 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, backoff(tt.least, tt.most, tt.attempts, tt.spread)); diff != "" {
				t.Errorf("backoff (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWindow(t *testing.T) {
	t.Parallel()
	w := window{size: 5, limit: 5}
	var got []int
	for _, shrink := range []bool{true, true, true, false, false, false, false, false} {
		if shrink {
			w.shrink()
		} else {
			w.grow()
		}
		got = append(got, w.size)
	}
	if diff := cmp.Diff([]int{2, 1, 1, 2, 3, 4, 5, 5}, got); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
}

// TestCount: a report does not grow with the words a store makes up.
func TestCount(t *testing.T) {
	t.Parallel()
	var m map[string]int64
	for i := range 1000 {
		count(&m, string(rune('A'+i)))
	}
	count(&m, "A")
	if len(m) != maxCodes+1 || m["A"] != 2 || m[codeOther] != 1000-maxCodes {
		t.Errorf("%d codes, A %d, others %d", len(m), m["A"], m[codeOther])
	}
}
