package lifecycle

import (
	"slices"
	"time"
)

// Record is what Decide has to know of one row, whatever its table looks like.
type Record struct {
	// State is empty where there is no such row.
	State State
	// DeletedAt is when the row was trashed; zero where it was not, or where
	// the table records only that it was.
	DeletedAt time.Time
	// PurgeAfter is the stored deadline; zero where there is none.
	PurgeAfter time.Time
	// Held says that a legal hold is on the row.
	Held bool
	// Stale says that the caller asked for another version of the row.
	Stale bool
	// ParentTrashed says that a declared parent of the row is not active.
	ParentTrashed bool
	// LiveChildren says that an active row restricts this one.
	LiveChildren bool
}

// Decide says what becomes of a row when an edge is asked for at an instant. It
// is pure: the whole of its answer is in its arguments. Answers are given in a
// fixed order, the most final first: NotFound, Already, Gone, Illegal,
// VersionMismatch, Held, Expired or NotDue, ParentTrashed, Restricted, and
// Transitioned where nothing stands against it.
//
// An edge that the machine does not have is Illegal in every state.
func (m *Machine) Decide(r Record, edge EdgeName, now time.Time, p Policy) Outcome {
	e := m.edge(edge)
	switch {
	case r.State == "":
		return NotFound
	case e == nil:
		return Illegal
	case slices.Contains(e.Repeat, r.State):
		return Already
	case slices.Contains(e.From, r.State):
		return decideNeeds(r, e, now, p)
	case m.Gone(r.State):
		return Gone
	default:
		return Illegal
	}
}

func decideNeeds(r Record, e *Edge, now time.Time, p Policy) Outcome {
	switch {
	case r.Stale:
		return VersionMismatch
	case e.Needs.Has(NotHeld) && r.Held:
		return Held
	case e.Needs.Has(WindowOpen) && p.Closed(r, now):
		return Expired
	case e.Needs.Has(WindowClosed) && !p.Closed(r, now):
		return NotDue
	case e.Needs.Has(ParentsLive) && r.ParentTrashed:
		return ParentTrashed
	case e.Needs.Has(NoLiveChildren) && r.LiveChildren:
		return Restricted
	default:
		return Transitioned
	}
}
