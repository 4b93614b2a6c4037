package store

import (
	"database/sql"
	"time"

	"github.com/softdelete-go/softdelete/internal/sqltext"
	"github.com/softdelete-go/softdelete/lifecycle"
)

// Fault is what a database error means to a caller.
type Fault uint8

const (
	// Other errors are passed on as they are.
	Other Fault = iota
	// Retryable: a lock wait, a deadlock or a serialization failure.
	Retryable
	// Duplicate: a unique constraint was hit.
	Duplicate
)

// Types are the column types of generated DDL.
type Types struct {
	// Instants has the type of each dated encoding.
	Instants map[lifecycle.Encoding]string
	// Flag and Boolean are the types of the two without a date.
	Flag, Boolean string
	// Int is a 64-bit integer.
	Int string
	// Actor holds what lifecycle.Cause.By permits, Op an operation id.
	Actor, Op string
}

// ViewTexts are the statements for a view. %v stands for the view, %t for its
// table and %p for the predicate of its rows.
type ViewTexts struct {
	// Create makes the view, whether or not there is one.
	Create []string
	// Drop removes it where there is one.
	Drop string
}

// Dialect is what the store has to know of a database: strings and a few facts,
// no driver. The packages postgres, mysql and sqlite have one each. A Dialect
// is never changed once it is in use.
type Dialect struct {
	// Name is the database's name, as errors and golden files show it.
	Name string
	// Quote is the character around identifiers.
	Quote byte
	// Numbered says that placeholders are $1, $2, … rather than ?.
	Numbered bool
	// Text is how the server splits the text of a condition.
	Text sqltext.Mode
	// Schemas says that tables can be qualified by a schema when they are made.
	Schemas bool
	// Returning says that UPDATE and DELETE can return the rows they changed.
	Returning bool
	// RewritesRows says that a trigger may change a row before an UPDATE writes
	// it, so that Returning does not tell what was there.
	RewritesRows bool
	// ReadsTarget says that an UPDATE may read its own table in a sub-select.
	ReadsTarget bool
	// PartialIndex says that an index can be limited to some rows.
	PartialIndex bool
	// AbortsOnError says that a statement's error ends the transaction, unless a
	// savepoint was set before it.
	AbortsOnError bool
	// ForUpdate, ForUpdateSkip and ForShare end a locking SELECT. They are empty
	// where the database locks as a whole.
	ForUpdate, ForUpdateSkip, ForShare string
	// TakeLock is a statement that takes the write lock of a database without
	// row locks and changes nothing; %s is a table. Without it a transaction
	// that reads first may be unable to write later.
	TakeLock string
	// EachNumber is the SELECT of the numbers of a JSON array, %s, for lists of
	// keys. Empty binds each key by itself, which servers plan better.
	EachNumber string
	// Exact is an expression for a text column that is equal only where every
	// byte is; %s is the column.
	Exact string
	// AuditEach is the SELECT that makes audit lines: six values that all lines
	// have in common, and one row for each string of a JSON array, which is the
	// seventh argument. One text serves any number of rows.
	AuditEach string
	// IgnoreDuplicate ends an INSERT that leaves an existing row alone; %s is a
	// column of the table.
	IgnoreDuplicate string
	// MaxParams is the largest number of arguments of one statement.
	MaxParams int
	// WallClock says that the driver may label stored times with a zone of its
	// own: what was stored are the clock's figures, in UTC.
	WallClock bool
	// Textual says that the database has no type for instants and stores the
	// RFC3339 encoding for the Timestamp encodings too.
	Textual bool
	// TimeLayout formats an instant as a bound string; empty binds a time.Time.
	// The fraction is cut to the column's precision by the store.
	TimeLayout string
	// WellFormed is a predicate that tells whether a text instant has the one
	// form that sorts by time; %s is the column. Rows that fail it are never due.
	WellFormed string
	// Migrations are the steps of the store's own schema, in order. Statements
	// end with a semicolon at the end of a line; names stand in braces.
	Migrations []string
	// Introspection are the queries that read a live schema.
	Introspection Introspection
	// Alter is how a table in use is changed.
	Alter Alter
	// Views make and drop views.
	Views ViewTexts
	// RowSecurity says that the server knows row-level security.
	RowSecurity bool
	// FoldsColumns says that the names of columns are compared without letter
	// case.
	FoldsColumns bool
	// IndexWidth is how many bytes of a column an index can hold; 0 where a
	// column of any width can be indexed.
	IndexWidth int64
	// TypeOf is an expression for the type of a value, where columns hold values
	// of any type; %s is the column.
	TypeOf string
	// IsNumber is a predicate that tells whether a value is an integer, where
	// columns hold values of any type; %s is the column.
	IsNumber string
	// Isolation is the level of the transactions that the store's background
	// passes open.
	Isolation sql.IsolationLevel
	// Types are the column types of generated DDL.
	Types Types
	// Classify tells what a driver's error means.
	Classify func(error) Fault
}

// textual tells whether the encoding is stored as text in this database.
func (d *Dialect) textual(e lifecycle.Encoding) bool {
	return e == lifecycle.RFC3339 || d.Textual && e.Dated() && !e.Epoch()
}

// bind returns an instant as the driver gets it. It is already cut.
func (d *Dialect) bind(e lifecycle.Encoding, t time.Time) any {
	switch {
	case e == lifecycle.UnixSeconds:
		return t.Unix()
	case e == lifecycle.UnixMillis:
		return t.UnixMilli()
	case e == lifecycle.UnixMicros:
		return t.UnixMicro()
	case d.textual(e):
		return t.UTC().Format(lifecycle.RFC3339Layout)
	case d.TimeLayout != "":
		return t.UTC().Format(d.TimeLayout + fraction(e))
	default:
		return t.UTC()
	}
}

// fraction is the layout of the digits a column keeps: binding more than it
// keeps would leave the rounding to the server, and MySQL rounds up.
func fraction(e lifecycle.Encoding) string {
	switch e.Precision() {
	case time.Microsecond:
		return ".000000"
	case time.Millisecond:
		return ".000"
	default:
		return ""
	}
}
