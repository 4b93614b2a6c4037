package store

import (
	"fmt"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// DDL is what a new table needs for its life.
type DDL struct {
	// Columns are the definitions of the life's columns, to put between the
	// parentheses of a CREATE TABLE: after the key and the table's own columns,
	// which include those of parents and objects.
	Columns []string
	// Indexes are statements to run after the CREATE TABLE.
	Indexes []string
}

// Alter is how a database changes a table that is in use.
type Alter struct {
	// Single says that a statement can add only one column.
	Single bool
	// Instant ends an ALTER TABLE that adds columns, so that the server refuses
	// where it would have to rewrite the table. May be empty.
	Instant string
	// Online follows CREATE INDEX, and OnlineTail ends it, so that others can
	// write meanwhile. Either may be empty.
	Online, OnlineTail string
	// DropIndex, ChangeType, Restate, DropNotNull, SetNotNull, SetDefault and
	// DropDefault mend one thing of a column or an index; empty where the
	// database cannot. %t stands for the table, %c for the column or the index,
	// %y for the type, %d for the definition and %v for the default. Where
	// ChangeType or the two on NULL are empty, Restate does their work.
	DropIndex, ChangeType, Restate, DropNotNull, SetNotNull, SetDefault, DropDefault string
	// Zoned changes a local instant, in UTC, into one with a zone; empty where
	// the two are the same.
	Zoned string
	// InUTC puts the session into UTC, for a Restate of a column that follows
	// the session's zone; empty where no column does.
	InUTC string
}

// DDL returns what a new table needs for its life: the columns it maps, and
// indexes on what is due, on what waits for its objects, on the columns that
// refer to parents and on those that hold objects' keys. It sends nothing. For
// a table that exists use Adopt.
//
// Names and types are as declared, each identifier quoted. An index is named
// after its table and what it is for, at most 63 bytes long: a longer name ends
// in a checksum instead.
//
// On MySQL an index holds at most 3072 bytes of a row: declare object keys as
// VARBINARY(1024), or as text of up to 768 characters.
func (s *Store) DDL(t *lifecycle.Table) (*DDL, error) {
	p, err := s.plan(t)
	if err != nil {
		return nil, fmt.Errorf("store: ddl: %w", err)
	}
	ddl := &DDL{}
	for _, c := range p.life() {
		ddl.Columns = append(ddl.Columns, p.d.definition(c))
	}
	for _, i := range p.indexes() {
		if !i.keyed {
			ddl.Indexes = append(ddl.Indexes, p.createIndex(i, false))
		}
	}
	return ddl, nil
}

// nulls says whether a column may be, must be or must not be nullable.
type nulls uint8

const (
	anyNull nulls = iota
	mustNull
	neverNull
)

// lifeColumn is a mapped column with what the store needs of it.
type lifeColumn struct {
	role, name, typ string
	as              lifecycle.Encoding
	width           int64 // the characters of a plain text, 0 for what is encoded
	counter         bool  // a plain integer
	null            nulls
	preset          string // the default of a new column
	written         bool   // every edge writes it, so that its default does not matter
}

// life lists the mapped columns in the order of their declaration.
func (p *plan) life() []lifeColumn {
	cols, types := p.t.Columns, p.d.Types
	var all []lifeColumn
	add := func(c lifeColumn) {
		if c.name != "" {
			all = append(all, c)
		}
	}
	add(p.encoded("DeletedAt", cols.DeletedAt, false))
	add(lifeColumn{role: "DeletedBy", name: cols.DeletedBy, typ: types.Actor, width: lifecycle.MaxActor, null: mustNull})
	add(p.encoded("PurgeAfter", cols.PurgeAfter, false))
	add(p.encoded("IsDeleted", cols.IsDeleted, false))
	add(p.encoded("ReclaimedAt", cols.ReclaimedAt, false))
	add(p.encoded("UpdatedAt", cols.UpdatedAt, true))
	add(lifeColumn{role: "UpdatedBy", name: cols.UpdatedBy, typ: types.Actor, width: lifecycle.MaxActor, written: true})
	add(lifeColumn{role: "Operation", name: cols.Operation, typ: types.Op, width: opLength, null: mustNull})
	add(p.encoded("Hold", cols.Hold, false))
	add(lifeColumn{role: "Version", name: cols.Version, typ: types.Int, counter: true, null: neverNull, preset: "0"})
	return all
}

// opLength is the number of characters of an operation's id.
const opLength = 32

// encoded is a column that says "set", and perhaps since when.
func (p *plan) encoded(role string, col lifecycle.Column, written bool) lifeColumn {
	c := lifeColumn{role: role, name: col.Name, as: col.As, written: written}
	switch {
	case col.As == lifecycle.Flag:
		c.typ, c.preset, c.null = p.d.Types.Flag, "0", neverNull
	case col.As == lifecycle.Boolean:
		c.typ, c.preset, c.null = p.d.Types.Boolean, "FALSE", neverNull
	case col.As.Epoch():
		c.typ, c.preset = p.d.Types.Instants[col.As], "0"
	default:
		c.typ, c.null = p.d.Types.Instants[col.As], mustNull
	}
	if written || col.Nullable {
		c.null = anyNull
	}
	return c
}

// definition is the column as CREATE TABLE and ADD COLUMN take it. A constant
// default lets every database fill existing rows without touching them.
func (d *Dialect) definition(c lifeColumn) string {
	text := d.ident(c.name) + " " + c.typ
	if c.null == neverNull || c.null == anyNull && c.as.Epoch() {
		text += " NOT NULL"
	}
	if c.preset != "" {
		text += " DEFAULT " + c.preset
	}
	return text
}

// template fills in a statement of Alter; empty where there is none.
func (p *plan) template(text, column string, more ...string) []string {
	if text == "" {
		return nil
	}
	pairs := append([]string{"%t", p.from, "%c", p.d.ident(column)}, more...)
	return []string{strings.NewReplacer(pairs...).Replace(text)}
}
