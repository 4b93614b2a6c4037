package lifecycle

import "time"

// Encoding is how a column says "set", and since when.
type Encoding uint8

const (
	// Timestamp is the database's own type to the microsecond, NULL where unset:
	// timestamptz or timestamp, DATETIME(6), and on SQLite the text of RFC3339.
	Timestamp Encoding = iota
	// TimestampMillis is DATETIME(3) or timestamp(3).
	TimestampMillis
	// TimestampSeconds is DATETIME or timestamp(0). Adopt it as it is: instants
	// are cut before they are bound, since MySQL would round them up.
	TimestampSeconds
	// UnixSeconds counts seconds since 1970; 0 is unset, and NULL too.
	UnixSeconds
	// UnixMillis counts milliseconds since 1970; 0 is unset, and NULL too.
	UnixMillis
	// UnixMicros counts microseconds since 1970; 0 is unset, and NULL too.
	UnixMicros
	// RFC3339 is text of one width, 2006-01-02T15:04:05.000000Z, NULL where
	// unset. Only this width sorts by time.
	RFC3339
	// Flag is an integer, 0 unset and 1 set. It has no instant.
	Flag
	// Boolean is the database's own boolean. It has no instant.
	Boolean
)

// RFC3339Layout is the layout of the RFC3339 encoding.
const RFC3339Layout = "2006-01-02T15:04:05.000000Z"

var encodings = [...]struct {
	name      string
	precision time.Duration
}{
	Timestamp:        {"timestamp", time.Microsecond},
	TimestampMillis:  {"timestamp in ms", time.Millisecond},
	TimestampSeconds: {"timestamp in s", time.Second},
	UnixSeconds:      {"unix seconds", time.Second},
	UnixMillis:       {"unix milliseconds", time.Millisecond},
	UnixMicros:       {"unix microseconds", time.Microsecond},
	RFC3339:          {"RFC 3339 text", time.Microsecond},
	Flag:             {"flag", 0},
	Boolean:          {"boolean", 0},
}

// Dated tells whether the encoding holds an instant.
func (e Encoding) Dated() bool { return e.Precision() > 0 }

// Epoch tells whether the encoding is a count since 1970, with 0 for unset.
func (e Encoding) Epoch() bool { return e == UnixSeconds || e == UnixMillis || e == UnixMicros }

// Precision is the smallest step the encoding can hold; 0 for flags.
func (e Encoding) Precision() time.Duration {
	if int(e) >= len(encodings) {
		return 0
	}
	return encodings[e].precision
}

// Cut rounds an instant down to the encoding's precision, in UTC: what is
// stored never lies later than what happened.
func (e Encoding) Cut(t time.Time) time.Time {
	if p := e.Precision(); p > 0 {
		return floor(t, p)
	}
	return t.UTC()
}

// CutUp rounds an instant up to the encoding's precision, in UTC. Deadlines are
// stored so, since a promised window must not shrink.
func (e Encoding) CutUp(t time.Time) time.Time {
	cut := e.Cut(t)
	if cut.Before(t) {
		return cut.Add(e.Precision())
	}
	return cut
}

// floor truncates by the Unix epoch. time.Time.Truncate counts from year 1,
// which agrees for whole seconds and below.
func floor(t time.Time, p time.Duration) time.Time { return t.UTC().Round(0).Truncate(p) }

// String returns the encoding's name.
func (e Encoding) String() string {
	if int(e) < len(encodings) {
		return encodings[e].name
	}
	return "unknown encoding"
}

// Column maps one fact of the life to a column of the table.
type Column struct {
	// Name is the column's name; empty where the table has none.
	Name string
	// As is how the column encodes the fact. Defaults to Timestamp.
	As Encoding
	// Nullable says that a Flag or Boolean column may hold NULL, which then
	// means unset. Defaults to false, which lets partial indexes match.
	Nullable bool
}

// Columns maps the life to a table. A table whose Columns is zero has the
// canonical ones (CanonicalColumns). Each may be missing; the comment says what
// is lost then.
type Columns struct {
	// DeletedAt is set in the trash. An Asset cannot do without it. With a flag
	// the date of deletion is unknown: only a stored PurgeAfter can then end
	// the window.
	DeletedAt Column
	// DeletedBy is who trashed the row. Missing: only the audit knows.
	DeletedBy string
	// PurgeAfter is the stored deadline. Missing: the deadline is computed from
	// DeletedAt and the policy in force, so that a shorter policy shortens it.
	PurgeAfter Column
	// IsDeleted is set by the purge. Missing: the purge deletes the row, and
	// later answers are NotFound, not Gone.
	IsDeleted Column
	// ReclaimedAt is set when the bytes are gone. Missing: purged is the last
	// state the row itself shows; the object ledger knows more.
	ReclaimedAt Column
	// UpdatedAt is written by every edge. Missing: it is not.
	UpdatedAt Column
	// UpdatedBy is written by every edge. Missing: it is not.
	UpdatedBy string
	// Operation holds the id of the operation that trashed the row. Missing:
	// the row cannot be brought back by operation.
	Operation string
	// Hold is the legal hold. Missing: rows of the table cannot be held.
	Hold Column
	// Version is an integer that every edge raises by one. Missing: IfVersion
	// is refused.
	Version string
}

// CanonicalColumns returns the mapping of a table that softdelete's own DDL
// made. Change single fields of the copy to map a table that differs.
func CanonicalColumns() Columns {
	return Columns{
		DeletedAt:   Column{Name: "deleted_at"},
		DeletedBy:   "deleted_by",
		PurgeAfter:  Column{Name: "purge_after"},
		IsDeleted:   Column{Name: "is_deleted", As: Flag},
		ReclaimedAt: Column{Name: "reclaimed_at"},
		UpdatedAt:   Column{Name: "updated_at"},
		UpdatedBy:   "updated_by",
		Operation:   "delete_op",
		Hold:        Column{Name: "legal_hold", As: Flag},
	}
}
