package postgres

import (
	"database/sql"
	_ "embed"

	"github.com/softdelete-go/softdelete/internal/dberr"
	"github.com/softdelete-go/softdelete/internal/sqltext"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
)

//go:embed 0001.sql
var step1 string

// Dialect is PostgreSQL. Do not change it.
var Dialect = &store.Dialect{
	Name:          "postgres",
	Quote:         '"',
	Numbered:      true,
	Text:          sqltext.Mode{Quote: '"', Dollar: true, NestedComment: true},
	Schemas:       true,
	Returning:     true,
	RewritesRows:  true,
	ReadsTarget:   true,
	PartialIndex:  true,
	AbortsOnError: true,
	ForUpdate:     " FOR UPDATE",
	ForUpdateSkip: " FOR UPDATE SKIP LOCKED",
	ForShare:      " FOR SHARE",
	Exact:         `CAST(%s AS text) COLLATE "C"`,
	AuditEach: "SELECT CAST(? AS varchar), CAST(? AS varchar), CAST(? AS varchar), CAST(? AS varchar), CAST(? AS varchar), CAST(? AS timestamptz), k.v" +
		" FROM jsonb_array_elements_text(CAST(? AS jsonb)) AS k(v)",
	IgnoreDuplicate: " ON CONFLICT DO NOTHING",
	MaxParams:       65535,
	WellFormed:      "%s LIKE '____-__-__T__:__:__.______Z'",
	Migrations:      []string{step1},
	Isolation:       sql.LevelReadCommitted,
	Introspection:   introspection,
	Alter:           alter,
	Views:           views,
	RowSecurity:     true,
	Types: store.Types{
		Instants: map[lifecycle.Encoding]string{
			lifecycle.Timestamp:        "timestamptz",
			lifecycle.TimestampMillis:  "timestamptz(3)",
			lifecycle.TimestampSeconds: "timestamptz(0)",
			lifecycle.UnixSeconds:      "bigint",
			lifecycle.UnixMillis:       "bigint",
			lifecycle.UnixMicros:       "bigint",
			lifecycle.RFC3339:          `varchar(27) COLLATE "C"`,
		},
		Flag:    "smallint",
		Boolean: "boolean",
		Int:     "bigint",
		Actor:   "varchar(255)",
		Op:      "varchar(32)",
	},
	Classify: classify,
}

func classify(err error) store.Fault {
	switch dberr.SQLState(err) {
	case "40001", "40P01", "55P03":
		return store.Retryable
	case "23505", "23P01":
		return store.Duplicate
	}
	return store.Other
}
