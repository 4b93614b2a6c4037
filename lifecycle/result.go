package lifecycle

import (
	"errors"
	"time"
)

// Result is what became of one row.
type Result struct {
	// Outcome is the answer.
	Outcome Outcome
	// Key is the row's key, as the database holds it where the row exists.
	Key Key
	// State is the row's state after the call; empty where there is no row.
	State State
	// Op is the operation that the call recorded; empty where nothing changed.
	Op Op
	// At is the instant of the call, to the microsecond.
	At time.Time
	// Deadline is the end of the undo window of a row that is in the trash and
	// has one; zero otherwise.
	Deadline time.Time
	// Err is the refusal; nil where Outcome.OK.
	Err error
}

// Results is what became of the rows of a selection.
type Results struct {
	// Op is the operation of all rows that changed; empty where none did.
	Op Op
	// At is the instant of the call, to the microsecond.
	At time.Time
	// Rows has one entry for each key asked for, in that order and each key once,
	// or one for each row that a condition selected, in the order of the keys.
	Rows []Result
}

// Count returns the number of rows with the outcome.
func (r Results) Count(o Outcome) int {
	n := 0
	for i := range r.Rows {
		if r.Rows[i].Outcome == o {
			n++
		}
	}
	return n
}

// Err joins the refusals of all rows; nil where every row is OK.
func (r Results) Err() error {
	var errs []error
	for i := range r.Rows {
		errs = append(errs, r.Rows[i].Err)
	}
	return errors.Join(errs...)
}
