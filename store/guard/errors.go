package guard

import (
	"errors"
	"strconv"
)

var (
	// ErrNotUnderstood is a text that may mean more than the guard can tell.
	ErrNotUnderstood = errors.New("not understood")
	// ErrWrite is a write that would remove rows around the life of its table.
	ErrWrite = errors.New("removes rows (use the store's Trash and Purge)")
	// ErrUpsert is an INSERT that may meet a row nobody sees.
	ErrUpsert = errors.New("may change or keep a hidden row")
	// ErrUnconditional is an UPDATE of all rows.
	ErrUnconditional = errors.New("has no condition")
	// ErrScope is a scope that a query cannot be shown in.
	ErrScope = errors.New("scope does not fit")
	// ErrUnregistered is a table that is neither in the catalog nor allowed.
	ErrUnregistered = errors.New("not in the catalog")
	// ErrDerived is a reference that only a derived table could filter, where none
	// can stand.
	ErrDerived = errors.New("cannot be filtered in its place")
)

// Error says which part of a text was refused, and why.
type Error struct {
	// Offset is the byte of the text at which it starts.
	Offset int
	// Table is the table as written, and empty where it is no table's matter.
	Table string
	// Reason is the detail, and may be empty.
	Reason string
	// Err is one of the package's sentinels.
	Err error
}

// Error reads "guard: at byte 12: documents: has no condition".
func (e *Error) Error() string {
	text := "guard: at byte " + strconv.Itoa(e.Offset) + ": "
	if e.Table != "" {
		text += e.Table + ": "
	}
	text += e.Err.Error()
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Err }
