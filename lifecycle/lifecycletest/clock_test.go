package lifecycletest_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestClock(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		move func(c *lifecycletest.Clock)
		want time.Time
	}{
		{"stands still", func(*lifecycletest.Clock) {}, noon},
		{"forward", func(c *lifecycletest.Clock) { c.Advance(time.Hour) }, noon.Add(time.Hour)},
		{"backward", func(c *lifecycletest.Clock) { c.Advance(-time.Nanosecond) }, noon.Add(-1)},
		{"twice", func(c *lifecycletest.Clock) { c.Advance(time.Hour); c.Advance(lifecycle.Day) }, noon.Add(25 * time.Hour)},
		{"set", func(c *lifecycletest.Clock) { c.Set(noon.AddDate(1, 0, 0)) }, noon.AddDate(1, 0, 0)},
		{"set, then forward", func(c *lifecycletest.Clock) { c.Set(noon.Add(-time.Hour)); c.Advance(time.Minute) }, noon.Add(-59 * time.Minute)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := lifecycletest.NewClock(noon)
			tt.move(c)
			if diff := cmp.Diff(tt.want, c.Now()); diff != "" {
				t.Errorf("Now (-want +got):\n%s", diff)
			}
		})
	}
}

func TestClockAdvanceReturnsThePresent(t *testing.T) {
	t.Parallel()
	c := lifecycletest.NewClock(noon)
	if diff := cmp.Diff(noon.Add(time.Minute), c.Advance(time.Minute)); diff != "" {
		t.Errorf("Advance (-want +got):\n%s", diff)
	}
}

func TestZeroClock(t *testing.T) {
	t.Parallel()
	var c lifecycletest.Clock
	if !c.Now().IsZero() {
		t.Errorf("Now = %s, want the zero time", c.Now())
	}
}

// TestClockConcurrent loses no step, whoever asks meanwhile.
func TestClockConcurrent(t *testing.T) {
	t.Parallel()
	const workers, steps = 16, 100
	c := lifecycletest.NewClock(noon)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for range steps {
				before := c.Now()
				if after := c.Advance(time.Second); !after.After(before) {
					t.Errorf("Advance went from %s to %s", before, after)
				}
			}
		})
	}
	group.Wait()
	if diff := cmp.Diff(noon.Add(workers*steps*time.Second), c.Now()); diff != "" {
		t.Errorf("Now (-want +got):\n%s", diff)
	}
}
