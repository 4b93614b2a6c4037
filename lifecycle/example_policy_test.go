package lifecycle_test

import (
	"fmt"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// The deadline is the first instant at which the row can no longer be restored,
// and a stored one outlives a change of the policy.
func ExamplePolicy_Closed() {
	policy := lifecycle.Policy{Window: 7 * lifecycle.Day}
	deadline := policy.Deadline(noon)
	row := lifecycle.Record{State: lifecycle.Trashed, DeletedAt: noon, PurgeAfter: deadline}
	fmt.Println(deadline.Format(time.RFC3339))
	fmt.Println(policy.Closed(row, deadline.Add(-time.Nanosecond)), policy.Closed(row, deadline))

	shorter := lifecycle.Policy{Window: lifecycle.Day}
	fmt.Println(shorter.Closed(row, noon.AddDate(0, 0, 2)))
	// Output:
	// 2026-03-08T12:00:00Z
	// false true
	// false
}
