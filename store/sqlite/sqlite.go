package sqlite

import (
	_ "embed"

	"github.com/softdelete-go/softdelete/internal/dberr"
	"github.com/softdelete-go/softdelete/internal/sqltext"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
)

//go:embed 0001.sql
var step1 string

// Dialect is SQLite. Do not change it.
var Dialect = &store.Dialect{
	Name: "sqlite",
	// A double-quoted name that is no column is a string to SQLite, and a guard
	// on it is simply false; a name in backticks is an error.
	// In a condition it is refused.
	Quote:        '`',
	Text:         sqltext.Mode{Quote: '`'},
	Returning:    true,
	ReadsTarget:  true,
	PartialIndex: true,
	TakeLock:     "DELETE FROM %s WHERE 0",
	// The plus takes the value its affinity, so that the column lends its own.
	EachNumber:      "SELECT +value FROM json_each(%s)",
	Exact:           "CAST(%s AS BLOB)",
	AuditEach:       "SELECT ?, ?, ?, ?, ?, ?, k.value FROM json_each(?) k",
	IgnoreDuplicate: " ON CONFLICT DO NOTHING",
	MaxParams:       32766,
	Textual:         true,
	WellFormed:      "%s GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]Z'",
	Migrations:      []string{step1},
	Introspection:   introspection,
	Alter:           alter,
	Views:           views,
	FoldsColumns:    true,
	TypeOf:          "typeof(%s)",
	IsNumber:        "typeof(%s) = 'integer'",
	Types: store.Types{
		Instants: map[lifecycle.Encoding]string{
			lifecycle.Timestamp:        "TEXT",
			lifecycle.TimestampMillis:  "TEXT",
			lifecycle.TimestampSeconds: "TEXT",
			lifecycle.UnixSeconds:      "INTEGER",
			lifecycle.UnixMillis:       "INTEGER",
			lifecycle.UnixMicros:       "INTEGER",
			lifecycle.RFC3339:          "TEXT",
		},
		Flag:    "INTEGER",
		Boolean: "INTEGER",
		Int:     "INTEGER",
		Actor:   "TEXT",
		Op:      "TEXT",
	},
	Classify: classify,
}

// The primary code is in the low byte: BUSY and LOCKED, and CONSTRAINT, whose
// extended codes tell unique and primary keys.
func classify(err error) store.Fault {
	code := dberr.Number(err, "ExtendedCode", "Code")
	switch {
	case code&0xff == 5, code&0xff == 6:
		return store.Retryable
	case code == 2067, code == 1555:
		return store.Duplicate
	}
	return store.Other
}
