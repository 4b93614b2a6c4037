package rowstate

import "github.com/softdelete-go/softdelete/lifecycle"

// Quote appends an identifier as the database quotes it.
type Quote = func(b []byte, name string) []byte

// AppendScope appends to b the predicate that a row of t is visible in the
// scope; columns are written as the prefix and the quoted name. It appends
// nothing and returns false where every row is visible: in Everything, and in a
// table without the trash, whose rows are all live. The trash of such a table,
// and a scope that does not exist, show no row.
func AppendScope(b []byte, t *lifecycle.Table, s lifecycle.Scope, prefix string, quote Quote) ([]byte, bool) {
	c := columns{b: b, prefix: prefix, quote: quote}
	asset := t.Kind == lifecycle.Asset
	switch {
	case s == lifecycle.Everything, !asset && (s == lifecycle.Live || s == lifecycle.WithTrashed):
		return b, false
	case s == lifecycle.Live:
		c.state(t, lifecycle.Active)
	case s == lifecycle.OnlyTrashed && asset:
		c.state(t, lifecycle.Trashed)
	case s == lifecycle.WithTrashed && t.Columns.IsDeleted.Name == "":
		return b, false
	case s == lifecycle.WithTrashed:
		c.unset(t.Columns.IsDeleted)
	default:
		c.put("1 = 0")
	}
	return c.b, true
}

// AppendLiveOrAbsent appends to b the predicate that a row of t is live, or that
// an outer join has put NULL in the place of all its columns. A column that the
// catalog says is never NULL tells the two apart.
func AppendLiveOrAbsent(b []byte, t *lifecycle.Table, prefix string, quote Quote) []byte {
	c := columns{b: b, prefix: prefix, quote: quote, absent: true}
	c.state(t, lifecycle.Active)
	return c.b
}

// AppendState appends to b the predicate that a row of t is in the state. It is
// never empty: a state that every row has is 1 = 1, one that none has 1 = 0.
func AppendState(b []byte, t *lifecycle.Table, s lifecycle.State, prefix string, quote Quote) []byte {
	c := columns{b: b, prefix: prefix, quote: quote}
	c.state(t, s)
	return c.b
}

// AppendSet appends to b that a column is set; AppendUnset that it is not. The
// two are never both true, and for a declared column never both unknown.
func AppendSet(b []byte, col lifecycle.Column, prefix string, quote Quote) []byte {
	c := columns{b: b, prefix: prefix, quote: quote}
	c.set(col)
	return c.b
}

// AppendUnset is the other half of AppendSet.
func AppendUnset(b []byte, col lifecycle.Column, prefix string, quote Quote) []byte {
	c := columns{b: b, prefix: prefix, quote: quote}
	c.unset(col)
	return c.b
}

// columns writes predicates on columns.
type columns struct {
	b      []byte
	prefix string
	quote  Quote
	// absent lets each column be NULL.
	absent bool
}

func (c *columns) put(text string) { c.b = append(c.b, text...) }

// name writes a column and what it is compared with.
func (c *columns) name(column, is string) {
	c.put(c.prefix)
	c.b = c.quote(c.b, column)
	c.put(is)
}

func (c *columns) set(col lifecycle.Column) {
	switch {
	case col.As == lifecycle.Boolean:
		c.name(col.Name, " <> FALSE")
	case col.As == lifecycle.Flag || col.As.Epoch():
		c.name(col.Name, " <> 0")
	default:
		c.name(col.Name, " IS NOT NULL")
	}
}

func (c *columns) unset(col lifecycle.Column) {
	switch {
	case col.As.Epoch(), col.As == lifecycle.Flag && (col.Nullable || c.absent):
		c.nullOr(col.Name, " = 0)")
	case col.As == lifecycle.Boolean && (col.Nullable || c.absent):
		c.nullOr(col.Name, " = FALSE)")
	case col.As == lifecycle.Boolean:
		c.name(col.Name, " = FALSE")
	case col.As == lifecycle.Flag:
		c.name(col.Name, " = 0")
	default:
		c.name(col.Name, " IS NULL")
	}
}

func (c *columns) nullOr(column, is string) {
	c.put("(")
	c.name(column, " IS NULL OR ")
	c.name(column, is)
}

// unsetIf adds a condition on a column that the table may lack.
func (c *columns) unsetIf(col lifecycle.Column) {
	if col.Name != "" {
		c.put(" AND ")
		c.unset(col)
	}
}

func (c *columns) state(t *lifecycle.Table, s lifecycle.State) {
	cols := &t.Columns
	switch {
	case t.Kind != lifecycle.Asset && s == lifecycle.Active:
		c.put("1 = 1")
	case s == lifecycle.Active:
		c.unset(cols.DeletedAt)
		c.unsetIf(cols.IsDeleted)
	case s == lifecycle.Trashed && cols.DeletedAt.Name != "":
		c.set(cols.DeletedAt)
		c.unsetIf(cols.IsDeleted)
	case s == lifecycle.Purged && cols.IsDeleted.Name != "":
		c.set(cols.IsDeleted)
		c.unsetIf(cols.ReclaimedAt)
	case s == lifecycle.Reclaimed && cols.ReclaimedAt.Name != "":
		c.set(cols.IsDeleted)
		c.put(" AND ")
		c.set(cols.ReclaimedAt)
	default:
		c.put("1 = 0")
	}
}
