package lifecycletest

import (
	"sync"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Clock is a clock that stands still until a test moves it. It is safe for
// concurrent use. Make one with NewClock; the zero Clock shows the zero time.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

var _ lifecycle.Clock = (*Clock)(nil)

// NewClock returns a clock that shows the instant.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now returns the instant that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock by d, backwards where d is negative, and returns the
// instant that it shows then.
func (c *Clock) Advance(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return c.now
}

// Set makes the clock show the instant.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}
