package store

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// plan is one table, compiled for one dialect.
type plan struct {
	d     *Dialect
	t     *lifecycle.Table
	from  string // the table, quoted
	name  string // the table, as audits name it
	edges map[lifecycle.EdgeName]*edgePlan
	// read is the whole of a row's life, by key; locked is the same under a lock.
	read, locked prepared
	children     []lifecycle.Child
}

// edgePlan is one edge of the canonical life in one table.
type edgePlan struct {
	lifecycle.Edge
	start lifecycle.State
	// plain is the guarded statement for one row, and one the same that returns
	// the row. The others have a condition on the row's version as well.
	plain, plainVersion, one, oneVersion prepared
	// blind says that taking the edge needs to know nothing of the row but that
	// it took it. Not on MySQL, where a number also finds text that begins with
	// it: the keys found have to be held against the keys asked for.
	blind bool
	// removes says that the edge ends in a state the table cannot show, so that
	// the row is deleted.
	removes bool
	// missing names the column without which the table cannot take the edge.
	missing string
	// related says that other tables' rows have a say.
	related bool
}

func newPlan(d *Dialect, c *lifecycle.Catalog, t *lifecycle.Table) *plan {
	p := &plan{
		d: d, t: t, from: d.qualified(t.Schema, t.Name), name: t.FullName(),
		edges: map[lifecycle.EdgeName]*edgePlan{},
	}
	for _, child := range c.Children(t) {
		if !child.Parent.Independent {
			p.children = append(p.children, child)
		}
	}
	p.read = p.prepareRead("")
	p.locked = p.prepareRead(d.ForUpdate)
	if t.Kind != lifecycle.Asset {
		return p
	}
	for _, e := range lifecycle.TwoStage.Edges() {
		p.edges[e.Name] = p.newEdge(e)
	}
	return p
}

func (p *plan) newEdge(e lifecycle.Edge) *edgePlan {
	ep := &edgePlan{Edge: e, start: e.From[0]}
	ep.removes = e.To == lifecycle.Purged && p.t.Columns.IsDeleted.Name == ""
	if slices.Contains(e.Sets, lifecycle.FieldReclaimedAt) && p.t.Columns.ReclaimedAt.Name == "" {
		ep.missing = "ReclaimedAt"
	}
	ep.related = e.Needs.Has(lifecycle.ParentsLive) && len(p.t.Parents) > 0 ||
		e.Needs.Has(lifecycle.NoLiveChildren) && len(p.children) > 0
	if ep.missing != "" || ep.related {
		return ep
	}
	ep.blind = p.d.Returning && (!ep.ends() || len(p.t.Objects) == 0)
	versioned := p.t.Columns.Version != ""
	if ep.blind {
		ep.plain = p.prepareOne(ep, false, false)
	}
	if ep.blind && versioned {
		ep.plainVersion = p.prepareOne(ep, true, false)
	}
	// A trigger that empties the columns of a purged row would hide from us what
	// has to be freed: such a row is read before it is written.
	hidden := p.d.RewritesRows && ep.ends() && !ep.removes && len(p.t.Objects) > 0
	if p.d.Returning && !hidden {
		ep.one = p.prepareOne(ep, false, true)
	}
	if p.d.Returning && !hidden && versioned {
		ep.oneVersion = p.prepareOne(ep, true, true)
	}
	return ep
}

// ends tells whether the edge is the last that a row's objects hear of it.
func (ep *edgePlan) ends() bool { return ep.To == lifecycle.Purged || ep == hardDelete }

// prepareOne compiles the edge into its guarded statement for one row.
func (p *plan) prepareOne(ep *edgePlan, version, returning bool) prepared {
	w := &writer{d: p.d}
	p.writeEdge(w, ep, func() { p.writeKey(w) })
	if !returning {
		p.writeNumbers(w)
	}
	if version {
		w.put(" AND ", p.d.ident(p.t.Columns.Version), " = ")
		w.arg(func(c *call) any { return c.version })
	}
	if returning {
		w.put(" RETURNING ")
		p.writeKeyColumns(w)
		p.writeObjectColumns(w)
	}
	return w.prepared()
}

// writeEdge writes the guarded UPDATE, or the DELETE where the table has no
// state to show, of the rows that which selects.
func (p *plan) writeEdge(w *writer, ep *edgePlan, which func()) {
	if ep.removes {
		w.put("DELETE FROM ", p.from)
	} else {
		w.put("UPDATE ", p.from, " SET ")
		p.writeSets(w, ep)
	}
	w.put(" WHERE ")
	which()
	p.writeGuard(w, ep, true)
}

// writeGuard writes what the edge needs. A write that may not read its own
// table leaves out what was read under the lock before it.
func (p *plan) writeGuard(w *writer, ep *edgePlan, writing bool) {
	c := columns{writer: w, t: p.t}
	w.put(" AND ")
	c.state(ep.start)
	if ep.Needs.Has(lifecycle.NotHeld) {
		c.unsetIf(p.t.Columns.Hold)
	}
	if ep.Needs.Has(lifecycle.WindowOpen) {
		w.put(" AND NOT ")
		c.closed()
	}
	if ep.Needs.Has(lifecycle.WindowClosed) {
		w.put(" AND ")
		c.closed()
	}
	if ep.Needs.Has(lifecycle.ParentsLive) {
		for _, parent := range p.t.Parents {
			if !writing || p.d.ReadsTarget || parent.Table != p.t {
				w.put(" AND NOT ")
				p.writeParentGone(w, parent)
			}
		}
	}
	if ep.Needs.Has(lifecycle.NoLiveChildren) {
		for _, child := range p.children {
			if !writing || p.d.ReadsTarget || child.Table != p.t {
				w.put(" AND NOT ")
				p.writeLiveChild(w, child)
			}
		}
	}
}

func (p *plan) writeSets(w *writer, ep *edgePlan) {
	cols, first := p.t.Columns, true
	assign := func(column string, value func()) {
		if column == "" {
			return
		}
		if !first {
			w.put(", ")
		}
		first = false
		w.put(p.d.ident(column), " = ")
		value()
	}
	for _, f := range ep.Sets {
		p.assignField(w, f, assign)
	}
	for _, f := range ep.Clears {
		p.clearField(w, f, assign)
	}
	assign(cols.UpdatedAt.Name, func() { w.instant(cols.UpdatedAt.As) })
	assign(cols.UpdatedBy, func() { w.arg(func(c *call) any { return c.by }) })
	assign(cols.Version, func() { w.put(p.d.ident(cols.Version), " + 1") })
}

type assign func(column string, value func())

func (p *plan) assignField(w *writer, f lifecycle.Field, assign assign) {
	cols := p.t.Columns
	switch f {
	case lifecycle.FieldDeletedAt:
		assign(cols.DeletedAt.Name, func() { w.mark(cols.DeletedAt) })
	case lifecycle.FieldIsDeleted:
		assign(cols.IsDeleted.Name, func() { w.mark(cols.IsDeleted) })
	case lifecycle.FieldReclaimedAt:
		assign(cols.ReclaimedAt.Name, func() { w.mark(cols.ReclaimedAt) })
	case lifecycle.FieldDeletedBy:
		assign(cols.DeletedBy, func() { w.arg(func(c *call) any { return c.by }) })
	case lifecycle.FieldOperation:
		assign(cols.Operation, func() { w.arg(func(c *call) any { return string(c.op) }) })
	case lifecycle.FieldPurgeAfter:
		e := cols.PurgeAfter.As
		assign(cols.PurgeAfter.Name, func() {
			w.arg(func(c *call) any { return p.d.bind(e, p.stored(c.at)) })
		})
	}
}

func (p *plan) clearField(w *writer, f lifecycle.Field, assign assign) {
	cols := p.t.Columns
	switch f {
	case lifecycle.FieldDeletedAt:
		assign(cols.DeletedAt.Name, func() { w.clear(cols.DeletedAt) })
	case lifecycle.FieldPurgeAfter:
		assign(cols.PurgeAfter.Name, func() { w.clear(cols.PurgeAfter) })
	case lifecycle.FieldDeletedBy:
		assign(cols.DeletedBy, func() { w.put("NULL") })
	case lifecycle.FieldOperation:
		assign(cols.Operation, func() { w.put("NULL") })
	}
}

// mark writes the value that sets a column; clear the one that unsets it.
func (w *writer) mark(col lifecycle.Column) {
	switch col.As {
	case lifecycle.Flag:
		w.put("1")
	case lifecycle.Boolean:
		w.put("TRUE")
	default:
		w.instant(col.As)
	}
}

func (w *writer) clear(col lifecycle.Column) {
	switch {
	case col.As == lifecycle.Boolean:
		w.put("FALSE")
	case col.As == lifecycle.Flag || col.As.Epoch():
		w.put("0")
	default:
		w.put("NULL")
	}
}

// stored is the deadline that a row trashed at the instant gets.
func (p *plan) stored(at time.Time) time.Time {
	return p.t.Columns.PurgeAfter.As.CutUp(p.t.Policy.Deadline(at))
}

// deadline is the end of the window of a row in the trash; zero without one.
func (p *plan) deadline(r lifecycle.Record) time.Time {
	end := r.PurgeAfter
	if end.IsZero() && !r.DeletedAt.IsZero() {
		end = p.t.Policy.Deadline(r.DeletedAt)
	}
	if !end.Before(lifecycle.FarFuture) {
		return time.Time{}
	}
	return end
}

// trashedAt is the record of a row that is trashed at the instant.
func (p *plan) trashedAt(at time.Time) lifecycle.Record {
	r := lifecycle.Record{State: lifecycle.Trashed}
	if as := p.t.Columns.DeletedAt.As; as.Dated() {
		r.DeletedAt = as.Cut(at)
	}
	if p.t.Columns.PurgeAfter.Name != "" {
		r.PurgeAfter = p.stored(at)
	}
	return r
}

func (p *plan) writeKey(w *writer) {
	w.list(len(p.t.Key), " AND ", func(i int) {
		w.put(p.d.ident(p.t.Key[i]), " = ")
		w.arg(func(c *call) any { return c.key[i] })
	})
}

// writeKeys writes that the row is one of several. prefix qualifies the columns
// where the statement has several tables.
func (p *plan) writeKeys(w *writer, prefix string, keys []lifecycle.Key) {
	if w.d.EachNumber != "" && len(p.t.Key) == 1 && len(keys) > 1 && allExact(keys) {
		before, after, _ := strings.Cut(w.d.EachNumber, "%s")
		w.put(prefix, p.d.ident(p.t.Key[0]), " IN (", before)
		w.value(jsonNumbers(keys))
		w.put(after, ")")
		return
	}
	n := padded(len(keys))
	w.room(n * len(p.t.Key))
	at := func(i int) lifecycle.Key { return keys[min(i, len(keys)-1)] }
	if len(p.t.Key) == 1 {
		w.put(prefix, p.d.ident(p.t.Key[0]), " IN (")
		w.list(n, ", ", func(i int) { w.value(at(i)[0]) })
		w.put(")")
		return
	}
	w.put("(")
	w.list(n, " OR ", func(i int) {
		w.put("(")
		w.list(len(p.t.Key), " AND ", func(j int) {
			w.put(prefix, p.d.ident(p.t.Key[j]), " = ")
			w.value(at(i)[j])
		})
		w.put(")")
	})
	w.put(")")
}

// writeNumbers adds, where a number also finds the same digits as text, that the
// row's key is a number: an audit by the number would not be the row's.
func (p *plan) writeNumbers(w *writer) {
	if w.d.IsNumber == "" {
		return
	}
	for _, k := range p.t.Key {
		w.put(" AND ", strings.ReplaceAll(w.d.IsNumber, "%s", p.d.ident(k)))
	}
}

// padded rounds the length of a list up. The last value fills the rest, so that
// drivers see few texts and can prepare each.
func padded(n int) int {
	if n <= 4 {
		return n
	}
	return (n + 7) / 8 * 8
}

// jsonNumbers writes single integer keys as a JSON array.
func jsonNumbers(keys []lifecycle.Key) string {
	b := make([]byte, 0, 8*len(keys))
	for i, key := range keys {
		sep := byte(',')
		if i == 0 {
			sep = '['
		}
		b = strconv.AppendInt(append(b, sep), key[0].(int64), 10)
	}
	return string(append(b, ']'))
}

func (p *plan) writeKeyColumns(w *writer) {
	w.list(len(p.t.Key), ", ", func(i int) { w.put(p.d.ident(p.t.Key[i])) })
}

func (p *plan) writeObjectColumns(w *writer) {
	for _, o := range p.t.Objects {
		w.put(", ", p.d.ident(o.Key))
	}
}
