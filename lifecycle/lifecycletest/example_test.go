package lifecycletest_test

import (
	"fmt"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
)

// A test owns the time: a window of thirty days ends in an instant.
func Example() {
	clock := lifecycletest.NewClock(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	policy := lifecycle.Policy{Window: 30 * lifecycle.Day}
	row := lifecycle.Record{State: lifecycle.Trashed, DeletedAt: clock.Now(), PurgeAfter: policy.Deadline(clock.Now())}

	clock.Advance(30*lifecycle.Day - time.Nanosecond)
	fmt.Println(lifecycle.TwoStage.Decide(row, lifecycle.Restore, clock.Now(), policy))

	clock.Advance(time.Nanosecond)
	fmt.Println(lifecycle.TwoStage.Decide(row, lifecycle.Restore, clock.Now(), policy))
	// Output:
	// transitioned
	// expired
}
