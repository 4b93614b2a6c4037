package lifecycle

import (
	"fmt"
	"math"
	"time"
)

// Day is 24 hours. Windows are elapsed time, not calendar days.
const Day = 24 * time.Hour

// Never is a window that does not end. It is a value of its own, so that zero
// never has to mean it.
const Never = time.Duration(math.MaxInt64)

// DefaultWindow is the undo window of a policy that names none.
const DefaultWindow = 30 * Day

// FarFuture is the deadline stored for a window that never ends. Stored, it
// keeps its promise when the policy is shortened later.
var FarFuture = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)

// implausible ends the range of instants that no real deletion can have: zero
// times and epochs written by mistake lie before it. A row dated there is
// restorable and never due, since purging on a bad date cannot be undone.
var implausible = time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC)

// Implausible returns the instant before which a stored date is not believed.
// SQL adapters compare with it so that they agree with Decide.
func Implausible() time.Time { return implausible }

// Policy says how long a trashed row can be restored.
type Policy struct {
	// Window is the time between trash and deadline. Zero means DefaultWindow;
	// Never means no deadline; a negative one, or one below a second, is
	// refused by NewCatalog. Defaults to 30 days.
	Window time.Duration
}

func (p Policy) normal() Policy {
	if p.Window == 0 {
		p.Window = DefaultWindow
	}
	return p
}

func (p Policy) check() error {
	if p.Window < time.Second {
		return fmt.Errorf("Policy.Window: %s is below one second (for a window without an end: lifecycle.Never)", p.Window)
	}
	return nil
}

// Deadline returns the end of the window of a row that is trashed at the given
// instant: the first instant at which it can no longer be restored.
func (p Policy) Deadline(at time.Time) time.Time {
	p = p.normal()
	if p.Window == Never {
		return FarFuture
	}
	return at.Add(p.Window)
}

// Closed tells whether the undo window of a trashed row has ended. The stored
// deadline decides; a row without one is judged by the policy from its date of
// deletion. A date in the future, an implausible one and a deadline that does
// not follow its deletion keep the window open: they are errors of somebody's
// clock or code, and a purge cannot be undone.
func (p Policy) Closed(r Record, now time.Time) bool {
	p = p.normal()
	if r.DeletedAt.After(now) {
		return false
	}
	if !r.PurgeAfter.IsZero() {
		return !r.PurgeAfter.Before(implausible) && r.PurgeAfter.After(r.DeletedAt) && !r.PurgeAfter.After(now)
	}
	if p.Window == Never || r.DeletedAt.Before(implausible) {
		return false
	}
	return !r.DeletedAt.Add(p.Window).After(now)
}
