package store

import "github.com/softdelete-go/softdelete/lifecycle"

// The inner table of a relation is always called r, so that a table can be its
// own parent; the outer one goes by its full name.

// writeParentGone writes that the row has this parent and that it is not active.
func (p *plan) writeParentGone(w *writer, parent lifecycle.Parent) {
	w.put("(")
	w.list(len(parent.Columns), " AND ", func(i int) {
		w.put(p.from, ".", p.d.ident(parent.Columns[i]), " IS NOT NULL")
	})
	w.put(" AND NOT EXISTS (SELECT 1 FROM ", p.d.qualified(parent.Table.Schema, parent.Table.Name), " r WHERE ")
	w.list(len(parent.Columns), " AND ", func(i int) {
		w.put("r.", p.d.ident(parent.Table.Key[i]), " = ", p.from, ".", p.d.ident(parent.Columns[i]))
	})
	w.put(" AND ")
	columns{writer: w, t: parent.Table, prefix: "r."}.state(lifecycle.Active)
	w.put("))")
}

// writeLiveChild writes that an active row of the child table refers to the row.
func (p *plan) writeLiveChild(w *writer, child lifecycle.Child) {
	w.put("EXISTS (SELECT 1 FROM ", p.d.qualified(child.Table.Schema, child.Table.Name), " r WHERE ")
	w.list(len(p.t.Key), " AND ", func(i int) {
		w.put("r.", p.d.ident(child.Parent.Columns[i]), " = ", p.from, ".", p.d.ident(p.t.Key[i]))
	})
	w.put(" AND ")
	columns{writer: w, t: child.Table, prefix: "r."}.state(lifecycle.Active)
	w.put(")")
}

// writeParentLock writes the query that keeps the parents of rows as they are
// until the transaction ends.
func (p *plan) writeParentLock(w *writer, parent lifecycle.Parent, keys []lifecycle.Key) {
	w.put("SELECT 1 FROM ", p.from, " JOIN ", p.d.qualified(parent.Table.Schema, parent.Table.Name), " r ON ")
	w.list(len(parent.Columns), " AND ", func(i int) {
		w.put("r.", p.d.ident(parent.Table.Key[i]), " = ", p.from, ".", p.d.ident(parent.Columns[i]))
	})
	w.put(" WHERE ")
	p.writeKeys(w, p.from+".", keys)
	w.put(p.d.ForShare)
}

// writeAny writes a flag that is 1 where any of n predicates holds.
func (w *writer) writeAny(n int, predicate func(i int)) {
	if n == 0 {
		w.put("0")
		return
	}
	w.put("CASE WHEN ")
	w.list(n, " OR ", predicate)
	w.put(" THEN 1 ELSE 0 END")
}
