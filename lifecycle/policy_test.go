package lifecycle_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
)

func TestPolicyDeadline(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		window time.Duration
		want   time.Time
	}{
		{"zero is thirty days", 0, time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)},
		{"a day", lifecycle.Day, time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)},
		{"a second", time.Second, time.Date(2026, 3, 1, 12, 0, 1, 0, time.UTC)},
		{"never", lifecycle.Never, time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)},
		{"a hundred years", 36525 * lifecycle.Day, time.Date(2126, 3, 2, 12, 0, 0, 0, time.UTC)},
		{"as long as a duration can be", math.MaxInt64 - 1, time.Date(2318, 6, 11, 11, 47, 16, 854775806, time.UTC)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := lifecycle.Policy{Window: tt.window}.Deadline(noon)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Deadline (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPolicyClosed is requirement A4 and the cases of odd dates: what cannot be
// undone does not happen on a date that cannot be.
func TestPolicyClosed(t *testing.T) {
	t.Parallel()
	var never time.Time
	epoch := time.Unix(0, 0)
	longAfter := noon.Add(10_000 * lifecycle.Day)
	for _, tt := range []struct {
		name                string
		window              time.Duration
		deleted, purgeAfter time.Time
		now                 time.Time
		want                bool
	}{
		{"stored, just before", window, noon, noon.Add(window), noon.Add(window - tick), false},
		{"stored, at the deadline", window, noon, noon.Add(window), noon.Add(window), true},
		{"stored, just after", window, noon, noon.Add(window), noon.Add(window + tick), true},
		{"computed, just before", window, noon, never, noon.Add(window - tick), false},
		{"computed, at the deadline", window, noon, never, noon.Add(window), true},
		{"computed, just after", window, noon, never, noon.Add(window + tick), true},
		{"computed by the default", 0, noon, never, noon.Add(30 * lifecycle.Day), true},
		{"computed by the default, just before", 0, noon, never, noon.Add(30*lifecycle.Day - tick), false},
		{"a shorter policy does not shorten what is stored", time.Hour, noon, noon.Add(window), noon.Add(window - tick), false},
		{"a longer policy does not lengthen what is stored", 10 * window, noon, noon.Add(window), noon.Add(window), true},
		{"never, nothing stored", lifecycle.Never, noon, never, longAfter, false},
		{"never, its deadline stored", lifecycle.Never, noon, lifecycle.FarFuture, longAfter, false},
		{"never, a deadline stored before the policy", lifecycle.Never, noon, noon.Add(window), noon.Add(window), true},
		{"no end stored, a policy with one", window, noon, lifecycle.FarFuture, longAfter, false},
		{"a huge window", math.MaxInt64 - 1, noon, never, longAfter, false},
		{"in another zone", window, noon.In(time.FixedZone("", 9*3600)), never, noon.Add(window).In(time.FixedZone("", -7*3600)), true},
		{"trashed in the future", window, noon.Add(tick), noon.Add(time.Hour), noon, false},
		{"trashed in the future, its deadline in the past", window, noon.Add(tick), noon.Add(-time.Hour), noon, false},
		{"a deadline at the deletion", window, noon, noon, longAfter, false},
		{"a deadline before the deletion", window, noon, noon.Add(-time.Hour), longAfter, false},
		{"a deadline just after the deletion", window, noon, noon.Add(tick), noon.Add(tick), true},
		{"no date and no deadline", window, never, never, longAfter, false},
		{"no date, a deadline that has passed", window, never, noon, noon, true},
		{"no date, a deadline to come", window, never, noon, noon.Add(-tick), false},
		{"deleted at the epoch", window, epoch, never, longAfter, false},
		{"deleted in year 1", window, time.Time{}.Add(1), never, longAfter, false},
		{"deleted when dates begin to be plausible", window, lifecycle.Implausible(), never, longAfter, true},
		{"a deadline at the epoch", window, never, epoch, longAfter, false},
		{"a deadline when dates begin to be plausible", window, never, lifecycle.Implausible(), longAfter, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := lifecycle.Record{State: lifecycle.Trashed, DeletedAt: tt.deleted, PurgeAfter: tt.purgeAfter}
			if got := (lifecycle.Policy{Window: tt.window}).Closed(r, tt.now); got != tt.want {
				t.Errorf("Closed = %t, want %t", got, tt.want)
			}
		})
	}
}

func TestPolicyOfTable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		window time.Duration
		want   time.Duration // after the defaults
		err    string
	}{
		{"zero", 0, 30 * lifecycle.Day, ""},
		{"a second", time.Second, time.Second, ""},
		{"never", lifecycle.Never, lifecycle.Never, ""},
		{"the longest", math.MaxInt64 - 1, math.MaxInt64 - 1, ""},
		{"negative", -1, 0, "Policy.Window: -1ns is below one second (for a window without an end: lifecycle.Never)"},
		{"the most negative", math.MinInt64, 0, "Policy.Window"},
		{"a number of days taken for nanoseconds", 30, 0, "Policy.Window: 30ns is below one second"},
		{"just below a second", time.Second - 1, 0, "Policy.Window"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, err := lifecycle.NewCatalog(&lifecycle.Table{Name: "doc", Policy: lifecycle.Policy{Window: tt.window}})
			if tt.err != "" {
				wantInvalid(t, err, tt.err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Tables()[0].Policy.Window; got != tt.want {
				t.Errorf("Window = %s, want %s", got, tt.want)
			}
		})
	}
}
