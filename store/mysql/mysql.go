package mysql

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

// Dialect is MySQL and MariaDB. Do not change it.
var Dialect = &store.Dialect{
	Name:            "mysql",
	Quote:           '`',
	Text:            sqltext.Mode{Quote: '`', Backslash: true, HashComment: true, DoubleString: true},
	Schemas:         true,
	ForUpdate:       " FOR UPDATE",
	ForUpdateSkip:   " FOR UPDATE SKIP LOCKED",
	ForShare:        " LOCK IN SHARE MODE",
	Exact:           "CAST(%s AS BINARY)",
	AuditEach:       "SELECT ?, ?, ?, ?, ?, ?, k.v FROM JSON_TABLE(?, '$[*]' COLUMNS (v VARCHAR(512) CHARACTER SET utf8mb4 PATH '$')) k",
	IgnoreDuplicate: " ON DUPLICATE KEY UPDATE %s = %s",
	MaxParams:       65535,
	WallClock:       true,
	TimeLayout:      "2006-01-02 15:04:05",
	WellFormed:      "%s LIKE '____-__-__T__:__:__.______Z'",
	Migrations:      []string{step1},
	Isolation:       sql.LevelReadCommitted,
	Introspection:   introspection,
	Alter:           alter,
	Views:           views,
	FoldsColumns:    true,
	IndexWidth:      3072,
	Types: store.Types{
		Instants: map[lifecycle.Encoding]string{
			lifecycle.Timestamp:        "DATETIME(6)",
			lifecycle.TimestampMillis:  "DATETIME(3)",
			lifecycle.TimestampSeconds: "DATETIME",
			lifecycle.UnixSeconds:      "BIGINT",
			lifecycle.UnixMillis:       "BIGINT",
			lifecycle.UnixMicros:       "BIGINT",
			lifecycle.RFC3339:          "VARCHAR(27) CHARACTER SET ascii COLLATE ascii_bin",
		},
		Flag:    "TINYINT",
		Boolean: "BOOLEAN",
		Int:     "BIGINT",
		Actor:   "VARCHAR(255)",
		Op:      "VARCHAR(32)",
	},
	Classify: classify,
}

// The numbers are the server's: lock wait, deadlock, NOWAIT, and MariaDB's
// "record has changed since last read".
func classify(err error) store.Fault {
	switch dberr.Number(err, "Number") {
	case 1205, 1213, 3572, 1020:
		return store.Retryable
	case 1062, 1586:
		return store.Duplicate
	}
	return store.Other
}
