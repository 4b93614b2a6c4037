package lifecycle

import (
	"errors"
	"strings"
)

// Sentinels. Every refusal of this module wraps exactly one of them; use
// [errors.Is].
var (
	// ErrInvalid: the call or the declaration is wrong. No SQL was sent.
	ErrInvalid = errors.New("invalid")
	// ErrNotFound: there is no such row.
	ErrNotFound = errors.New("not found")
	// ErrExpired: the undo window has ended.
	ErrExpired = errors.New("window closed")
	// ErrGone: the row was purged.
	ErrGone = errors.New("gone")
	// ErrHeld: a legal hold is on the row.
	ErrHeld = errors.New("under legal hold")
	// ErrConflict: a live twin has the row's unique values.
	ErrConflict = errors.New("a live row has the same unique values")
	// ErrParentTrashed: a parent of the row is not active.
	ErrParentTrashed = errors.New("parent is not active")
	// ErrRestricted: live children keep the row.
	ErrRestricted = errors.New("live children exist")
	// ErrVersionMismatch: the row changed since the caller read it.
	ErrVersionMismatch = errors.New("version mismatch")
	// ErrIllegal: the edge does not start in the row's state.
	ErrIllegal = errors.New("edge does not start here")
	// ErrNotDue: the row's deadline has not passed.
	ErrNotDue = errors.New("not due")
	// ErrNotDeletable: the table's kind does not know this deletion.
	ErrNotDeletable = errors.New("this kind of table is not deleted so")
	// ErrRetry: a lock wait, a deadlock or a serialization failure. The
	// transaction must be rolled back; the same work in a new one may succeed.
	ErrRetry = errors.New("retry in a new transaction")
)

// Error is a refusal or a failure with its facts. It names the key, never
// another column's value.
type Error struct {
	// Op is the edge or the verb that was asked for.
	Op EdgeName
	// Table is the table's name.
	Table string
	// Key is the row's key, nil where the error is not about one row.
	Key Key
	// Detail says more, such as the instant a window closed; may be empty.
	Detail string
	// Err is the cause, and wraps a sentinel.
	Err error
}

// Error reads, for instance,
// "lifecycle: restore document[42]: window closed 2026-11-29T10:00:00Z".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("lifecycle: ")
	b.WriteString(string(e.Op))
	if e.Table != "" {
		b.WriteString(" " + e.Table)
	}
	if e.Key != nil {
		b.WriteString(e.Key.String())
	}
	b.WriteString(": " + e.Err.Error())
	if e.Detail != "" {
		b.WriteString(" " + e.Detail)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// HTTPStatus maps an error to the status a handler should answer with: 200 for
// nil, 404, 405, 409, 410, 412, 423 and 503 for the refusals, 400 for ErrInvalid
// and 500 for everything else.
func HTTPStatus(err error) int {
	if err == nil {
		return 200
	}
	for _, s := range statuses {
		if errors.Is(err, s.err) {
			return s.status
		}
	}
	return 500
}

// Retry comes first: a refusal that also has to be retried says nothing final.
// The statuses are numbers, since net/http would bring TLS and all of its
// cryptography into every service that only reads.
var statuses = []struct {
	err    error
	status int
}{
	{ErrRetry, 503},
	{ErrNotFound, 404},
	{ErrExpired, 410},
	{ErrGone, 410},
	{ErrHeld, 423},
	{ErrConflict, 409},
	{ErrParentTrashed, 409},
	{ErrRestricted, 409},
	{ErrIllegal, 409},
	{ErrNotDue, 409},
	{ErrVersionMismatch, 412},
	{ErrNotDeletable, 405},
	{ErrInvalid, 400},
}
