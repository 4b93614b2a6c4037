package store

import (
	"context"
	"database/sql"
	"strings"

	"github.com/softdelete-go/softdelete/internal/sqltext"
	"github.com/softdelete-go/softdelete/lifecycle"
)

// Introspection are the queries that read a live schema. Each one has a schema
// and a table as its two arguments; an empty schema means the connection's.
type Introspection struct {
	// Relations finds what has the table's name in any letter case: the name;
	// "table", "partitioned table" or what else it is; 1 where statements find it
	// in any letter case too.
	Relations string
	// Columns lists a table's columns: the name; YES or NO for nullable; the
	// type's name; the type's family, which is one of the words below; the size,
	// which is the digits of a second, the bits of an integer or the characters
	// of a text, -1 where there is no limit; the collation; the default; 1 where
	// the database computes the value.
	//
	// Families: instant, local (an instant without a zone), session (an instant
	// that the session's zone changes), int, bool, text, char (padded text),
	// numeric (a value keeps its type, or becomes a number), binary, uuid. Any
	// other word fits nothing.
	Columns string
	// Indexes lists the columns of a table's indexes in their order: the index's
	// name; 1 where it is unique; 1 where it is the primary key; the condition
	// of a partial index, or the statement that made it; the column, empty for
	// an expression; 1 where only the start of the column is indexed; 1 where
	// the index is complete and in use.
	Indexes string
	// Foreign lists the foreign keys that refer to the table and do more than
	// refuse when a row is deleted: the other table, and what it does.
	Foreign string
	// View describes a view: its definition; 1 where it runs with the reader's
	// rights and checks what is written through it. A definition that the user
	// may not see is NULL.
	View string
	// Policy describes a policy, whose name is a third argument: what it admits;
	// what it lets be written; 1 where it restricts every command of everybody; 1
	// where row-level security is switched on. Empty where there are none.
	Policy string
	// Stored list, without arguments, what a database holds that has rows or
	// code: an id; "table", "view", "function" or what else it is; the schema; the
	// name; what follows the name where messages show it; 1 where the name needs
	// no schema in this session; the text of the code, which is NULL where the
	// user may not see it and empty where Uses tells what it reads; 1 where the
	// server wrote the text and qualifies every table in it.
	Stored []string
	// Uses lists, without arguments, which of these things reads which other, by
	// their ids, where the database keeps a record of it. May be empty.
	Uses string
	// SearchPath says that code looks up a name without a schema where its
	// caller's session does, not in the schema that holds the code.
	SearchPath bool
}

// liveTable is a table as the database has it.
type liveTable struct {
	name    string
	kind    string   // "table", or what it is; empty where there is none
	similar []string // what else has the name in another letter case
	columns []liveColumn
	indexes []liveIndex
	fold    bool // the database compares column names without letter case
}

type liveColumn struct {
	name, typ, family    string
	size                 int64
	collation, preset    string
	nullable, calculated bool
}

type liveIndex struct {
	name                   string
	unique, primary, valid bool
	where                  string
	parts                  []livePart
}

type livePart struct {
	column string // empty for an expression
	prefix bool
}

// live reads a table's schema.
func (s *Store) live(ctx context.Context, db lifecycle.DB, schema, name string) (*liveTable, error) {
	t := &liveTable{name: name, fold: s.d.FoldsColumns}
	args := []any{schema, name}
	_, err := query(ctx, db, s.d.Introspection.Relations, args, func(rows *sql.Rows) (struct{}, error) {
		raw, err := scanAny(rows, 3)
		if err != nil {
			return struct{}{}, err
		}
		fold, err := number(raw[2])
		if found := text(raw[0]); found == name || fold != 0 {
			t.kind = text(raw[1])
		} else {
			t.similar = append(t.similar, found)
		}
		return struct{}{}, err
	})
	if err != nil || t.kind == "" {
		return t, err
	}
	if t.columns, err = query(ctx, db, s.d.Introspection.Columns, args, scanColumn); err != nil {
		return t, err
	}
	_, err = query(ctx, db, s.d.Introspection.Indexes, args, t.scanIndex)
	return t, err
}

func scanColumn(rows *sql.Rows) (liveColumn, error) {
	raw, err := scanAny(rows, 8)
	if err != nil {
		return liveColumn{}, err
	}
	c := liveColumn{
		name: text(raw[0]), nullable: text(raw[1]) == "YES", typ: text(raw[2]), family: text(raw[3]),
		collation: text(raw[5]), preset: text(raw[6]),
	}
	if strings.EqualFold(c.preset, "NULL") {
		c.preset = ""
	}
	if c.size, err = number(raw[4]); err != nil {
		return c, err
	}
	calculated, err := number(raw[7])
	c.calculated = calculated != 0
	return c, err
}

// scanIndex adds a column to the index it belongs to.
func (t *liveTable) scanIndex(rows *sql.Rows) (struct{}, error) {
	raw, err := scanAny(rows, 7)
	if err != nil {
		return struct{}{}, err
	}
	var flags [4]bool
	for i, at := range [...]int{1, 2, 5, 6} {
		n, err := number(raw[at])
		if err != nil {
			return struct{}{}, err
		}
		flags[i] = n != 0
	}
	name := text(raw[0])
	if n := len(t.indexes); n == 0 || t.indexes[n-1].name != name {
		t.indexes = append(t.indexes, liveIndex{
			name: name, unique: flags[0], primary: flags[1], where: text(raw[3]), valid: flags[3],
		})
	}
	last := &t.indexes[len(t.indexes)-1]
	last.parts = append(last.parts, livePart{column: text(raw[4]), prefix: flags[2]})
	return struct{}{}, nil
}

func (t *liveTable) same(a, b string) bool {
	return a == b || t.fold && strings.EqualFold(a, b)
}

// column finds a column; nil where the table has none of that name.
func (t *liveTable) column(name string) *liveColumn {
	for i := range t.columns {
		if t.same(t.columns[i].name, name) {
			return &t.columns[i]
		}
	}
	return nil
}

func (t *liveTable) index(name string) *liveIndex {
	for i := range t.indexes {
		if strings.EqualFold(t.indexes[i].name, name) {
			return &t.indexes[i]
		}
	}
	return nil
}

// starts tells whether the index begins with the columns, whole.
func (t *liveTable) starts(i *liveIndex, columns []string, prefix bool) bool {
	if len(i.parts) < len(columns) {
		return false
	}
	for n, c := range columns {
		if p := i.parts[n]; p.column == "" || !t.same(p.column, c) || p.prefix && !prefix {
			return false
		}
	}
	return true
}

// identifies tells whether at most one row has given values in the columns,
// none of them NULL: some unique index of the whole table covers no others.
func (t *liveTable) identifies(columns []string) bool {
	for _, i := range t.indexes {
		if !i.unique || !i.valid || i.where != "" {
			continue
		}
		covered := true
		for _, p := range i.parts {
			covered = covered && p.column != "" && !p.prefix && t.among(columns, p.column)
		}
		if covered {
			return true
		}
	}
	return false
}

func (t *liveTable) among(columns []string, name string) bool {
	for _, c := range columns {
		if t.same(c, name) {
			return true
		}
	}
	return false
}

// samePredicate compares the condition of a live partial index with ours.
// Databases print it anew: parentheses, quotes and letter case do not count.
func (d *Dialect) samePredicate(live, ours string) bool {
	a, okA := d.predicateWords(live)
	b, okB := d.predicateWords(ours)
	return okA && okB && a == b
}

// predicateWords returns a condition's tokens. What stands before a WHERE of
// the outermost level is the rest of a CREATE INDEX.
func (d *Dialect) predicateWords(predicate string) (string, bool) {
	mode := d.Text
	mode.DoubleName = !mode.DoubleString
	tokens, err := sqltext.Lex(predicate, mode)
	if err != nil {
		return "", false
	}
	var words []string
	depth := 0
	for _, t := range tokens {
		word := predicate[t.Start:t.End]
		switch {
		case word == "(":
			depth++
		case word == ")":
			depth--
		case t.Kind == sqltext.Comment:
		case t.Kind == sqltext.Word && depth == 0 && strings.EqualFold(word, "WHERE"):
			words = nil
		default:
			words = append(words, plainWord(word, t.Kind))
		}
	}
	return strings.Join(words, " "), true
}
