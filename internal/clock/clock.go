package clock

import "time"

// System is the machine's clock, in UTC.
var System system

type system struct{}

// Now returns the present instant in UTC, without the monotonic reading: the
// instants of this library are stored and compared with stored ones.
func (system) Now() time.Time { return time.Now().UTC().Round(0) }
