package clock_test

import (
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/internal/clock"
	"github.com/softdelete-go/softdelete/lifecycle"
)

var _ lifecycle.Clock = clock.System

func TestSystem(t *testing.T) {
	t.Parallel()
	before := time.Now().Round(0)
	now := clock.System.Now()
	after := time.Now().Round(0)
	if now.Before(before) || now.After(after) {
		t.Errorf("%v is not between %v and %v", now, before, after)
	}
	if now.Location() != time.UTC {
		t.Errorf("the location is %v, want UTC", now.Location())
	}
	// == would be false with a monotonic reading, as it would for an instant
	// that was stored and read.
	if stored := now.Round(0); now != stored {
		t.Errorf("%v differs from itself without the monotonic reading", now)
	}
}
