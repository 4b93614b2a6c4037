package store

import (
	"strings"

	"github.com/softdelete-go/softdelete/internal/rowstate"
	"github.com/softdelete-go/softdelete/lifecycle"
)

// columns writes the states of one table as predicates. prefix qualifies the
// columns where a statement has several tables.
type columns struct {
	*writer
	t      *lifecycle.Table
	prefix string
}

func (c columns) name(column string) string { return c.prefix + c.d.ident(column) }

// set writes that a column is set; unset that it is not. The two are never
// both true, and for a declared column never both unknown.
func (c columns) set(col lifecycle.Column) {
	c.put(string(rowstate.AppendSet(nil, col, c.prefix, c.d.appendIdent)))
}

func (c columns) unset(col lifecycle.Column) {
	c.put(string(rowstate.AppendUnset(nil, col, c.prefix, c.d.appendIdent)))
}

// unsetIf adds a condition on a column that the table may lack.
func (c columns) unsetIf(col lifecycle.Column) {
	if col.Name != "" {
		c.put(" AND ")
		c.unset(col)
	}
}

// state writes that a row is in a state.
func (c columns) state(s lifecycle.State) {
	c.put(string(rowstate.AppendState(nil, c.t, s, c.prefix, c.d.appendIdent)))
}

// stateCase writes an expression that is the name of the row's state, and empty
// where the columns fit none.
func (c columns) stateCase() {
	c.put("CASE")
	for _, s := range []lifecycle.State{lifecycle.Reclaimed, lifecycle.Purged, lifecycle.Trashed, lifecycle.Active} {
		c.put(" WHEN ")
		c.state(s)
		c.put(" THEN '", string(s), "'")
	}
	c.put(" ELSE '' END")
}

// closed writes what lifecycle.Policy.Closed says, for a row in the trash. It
// is never unknown: its negation opens the window. What settles most rows comes
// first.
func (c columns) closed() {
	deleted, after := c.t.Columns.DeletedAt, c.t.Columns.PurgeAfter
	c.put("((")
	if after.Name != "" {
		c.storedLane()
		c.put(" OR ")
	}
	c.computedLane()
	c.put(")")
	if deleted.As.Dated() {
		c.put(" AND ", c.name(deleted.Name), " <= ")
		c.instant(deleted.As)
		c.comparable(deleted)
	}
	c.put(")")
}

// storedLane writes that a stored deadline has passed.
func (c columns) storedLane() {
	deleted, after := c.t.Columns.DeletedAt, c.t.Columns.PurgeAfter
	name := c.name(after.Name)
	c.put("(", name, " IS NOT NULL AND ", name, " <= ")
	c.instant(after.As)
	c.put(" AND ", name, " >= ")
	c.value(c.d.bind(after.As, lifecycle.Implausible()))
	if deleted.As.Dated() {
		c.put(" AND ", name, " > ", c.name(deleted.Name))
	}
	c.comparable(after)
	c.put(")")
}

// computedLane writes that the window of a row without a stored deadline has
// passed, by the policy in force.
func (c columns) computedLane() {
	deleted, after, policy := c.t.Columns.DeletedAt, c.t.Columns.PurgeAfter, c.t.Policy
	if !deleted.As.Dated() || policy.Window == lifecycle.Never {
		c.put("1 = 0")
		return
	}
	d := c.d
	c.put("(")
	if after.Name != "" {
		c.unset(after)
		c.put(" AND ")
	}
	c.put(c.name(deleted.Name), " <= ")
	c.arg(func(c *call) any { return d.bind(deleted.As, deleted.As.Cut(c.at.Add(-policy.Window))) })
	c.put(" AND ", c.name(deleted.Name), " >= ")
	c.value(c.d.bind(deleted.As, lifecycle.Implausible()))
	c.put(")")
}

// comparable adds that a text instant has the one form that sorts by time. It
// comes last, since it is dear and mostly not needed.
func (c columns) comparable(col lifecycle.Column) {
	if c.d.WellFormed != "" && c.d.textual(col.As) {
		c.put(" AND ", strings.ReplaceAll(c.d.WellFormed, "%s", c.name(col.Name)))
	}
}
