package lifecycle

// Outcome is the answer to an asked edge. It never depends on how a driver
// counts affected rows.
type Outcome uint8

const (
	// Transitioned: the edge was taken.
	Transitioned Outcome = iota + 1
	// Already: the row is where the edge leads; success, nothing changed.
	Already
	// NotFound: there is no such row.
	NotFound
	// Expired: the undo window has ended.
	Expired
	// Gone: the row is purged or reclaimed.
	Gone
	// Held: a legal hold forbids it.
	Held
	// Conflict: a live row has the unique values that this one would bring back.
	Conflict
	// ParentTrashed: a parent has to come back first.
	ParentTrashed
	// Restricted: live children forbid it.
	Restricted
	// VersionMismatch: the row is not the version the caller saw.
	VersionMismatch
	// Illegal: the edge does not start in the row's state.
	Illegal
	// NotDue: the deadline has not passed.
	NotDue
)

type outcomeFacts struct {
	name string
	err  error
}

var outcomes = [...]outcomeFacts{
	Transitioned:    {"transitioned", nil},
	Already:         {"already", nil},
	NotFound:        {"not found", ErrNotFound},
	Expired:         {"expired", ErrExpired},
	Gone:            {"gone", ErrGone},
	Held:            {"held", ErrHeld},
	Conflict:        {"conflict", ErrConflict},
	ParentTrashed:   {"parent trashed", ErrParentTrashed},
	Restricted:      {"restricted", ErrRestricted},
	VersionMismatch: {"version mismatch", ErrVersionMismatch},
	Illegal:         {"illegal", ErrIllegal},
	NotDue:          {"not due", ErrNotDue},
}

// OK tells whether the row is now where the edge leads.
func (o Outcome) OK() bool { return o == Transitioned || o == Already }

// Err returns the sentinel of a refusal, and nil for success.
func (o Outcome) Err() error {
	if o == 0 || int(o) >= len(outcomes) {
		return ErrInvalid
	}
	return outcomes[o].err
}

// String returns the outcome's name.
func (o Outcome) String() string {
	if o == 0 || int(o) >= len(outcomes) {
		return "unknown outcome"
	}
	return outcomes[o].name
}
