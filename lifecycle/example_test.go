package lifecycle_test

import (
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// One instant decides whether a row can come back, whatever ran meanwhile.
func ExampleMachine_Decide() {
	policy := lifecycle.Policy{Window: 30 * lifecycle.Day}
	row := lifecycle.Record{State: lifecycle.Trashed, DeletedAt: noon, PurgeAfter: policy.Deadline(noon)}
	for _, days := range []int{1, 29, 30} {
		now := noon.AddDate(0, 0, days)
		fmt.Printf("day %d: %s\n", days, lifecycle.TwoStage.Decide(row, lifecycle.Restore, now, policy))
	}
	// Output:
	// day 1: transitioned
	// day 29: transitioned
	// day 30: expired
}
