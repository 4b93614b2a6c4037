package lifecycle

import "time"

// Entry is one line of the audit: one edge of one row, written in the
// transaction that took it. The entries of a row, by Seq, are its history.
type Entry struct {
	// Seq ascends in the order in which a row's edges were taken.
	Seq int64
	// Op is the operation the edge was part of.
	Op Op
	// Table is the table's full name.
	Table string
	// Key is the row's key.
	Key Key
	// Edge is the edge taken.
	Edge EdgeName
	// From and To are the states on its ends; To is empty where the row was
	// hard-deleted.
	From, To State
	// By and Why are the cause.
	By, Why string
	// At is the instant of the call, in UTC, to the microsecond.
	At time.Time
}
