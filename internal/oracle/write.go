package oracle

import (
	"slices"
	"strconv"
)

// writable are the tables that rows can be deleted from without the trash.
var writable = []*table{jobs, places}

// write writes a statement that changes a table.
func (g *gen) write() *node {
	own := g.d.name == "mysql"
	pg := g.d.name == "postgres"
	return choose(g,
		choice[*node]{20, func() *node { return g.insert() }},
		choice[*node]{26, func() *node { return g.update() }},
		choice[*node]{when(!own, 14), func() *node { return g.updateFrom() }},
		choice[*node]{when(own, 20), func() *node { return g.updateJoin() }},
		choice[*node]{14, func() *node { return g.delete() }},
		choice[*node]{when(pg, 12), func() *node { return g.deleteUsing() }},
		choice[*node]{when(own, 16), func() *node { return g.deleteJoin() }},
		choice[*node]{when(pg, 10), func() *node { return g.mergeInto() }},
		choice[*node]{when(pg, 10), func() *node { return g.writingCTE() }},
	)
}

// front writes a WITH clause in front of a write. The target's own name is left
// alone: no query can be written to.
func (g *gen) front(target *table) (*node, *ctes) {
	if !g.d.withWrites || !g.chance(25) {
		return maybe(), nil
	}
	g.use("WITH before a write")
	return g.with(nil, target.name)
}

// target writes the table that is written to.
func (g *gen) target(c *ctes, taken []*source, pick ...*table) (*node, *source, *ref) {
	r := g.tableRef(c, pick...)
	r.target = true
	s := &source{name: r.text, cols: r.t.cols, ref: r}
	n := part(aFrom, r)
	if g.chance(55) || g.unique {
		s.name = "w"
		if g.unique {
			s.name = g.fresh("u")
		}
		r.name, s.ref = s.name, nil
		as := "AS"
		if g.d.name != "sqlite" && g.chance(50) {
			as = ""
		}
		n.parts = append(n.parts, as, raw(s.name))
	}
	return n, s, r
}

// set writes what an UPDATE sets: a column that no condition reads.
func (g *gen) set(r *ref, e *env) *node {
	value := g.number(e, 1)
	if g.sub(1) && g.chance(25) {
		g.use("sub-select in SET")
		value = g.scalar(e, number, 1)
	}
	reads := func(o *ref) bool { return o.t == r.t }
	if g.d == sqlite && (e.ctes != nil || slices.ContainsFunc(references(value, nil), reads)) {
		// It evaluates this row by row, and sees the rows changed so far.
		value = g.numberLeaf(e)
	}
	return part(other, raw(r.t.mark), "=", value)
}

// asked is a condition that names something, so that it narrows the write.
func (g *gen) asked(s *source, e *env) *node {
	first := part(aCond, raw(s.name+"."+s.cols[0].name), one(g, "> 1", "< 6", "<> 3", "IS NOT NULL"))
	switch g.IntN(4) {
	case 0:
		return first
	case 1:
		return part(aCond, first, "OR", g.cond(e, 2))
	default:
		return part(aCond, first, "AND", g.cond(e, 2))
	}
}

func (g *gen) returning(s *source, c *ctes) *node {
	if !g.d.returning || !g.chance(25) {
		return maybe()
	}
	g.use("RETURNING")
	if g.d.name == "sqlite" {
		// It does not know the target's alias here.
		return maybe("RETURNING", raw(s.cols[0].name), ", abs(", raw(s.cols[1].name), ") AS r2")
	}
	return maybe("RETURNING", raw(s.cols[0].name), ",", g.number(&env{sources: []*source{s}, ctes: c}, 1), "AS r2")
}

func (g *gen) update() *node {
	g.use("UPDATE")
	t := one(g, tables...)
	with, c := g.front(t)
	n, s, r := g.target(c, nil, t)
	e := &env{sources: []*source{s}, ctes: c}
	tail := maybe()
	if g.d.name == "mysql" && g.chance(30) {
		g.use("UPDATE … LIMIT")
		key := columnList(columns(r.t.key[0] + ":n"))
		if len(r.t.key) > 1 {
			key += ", " + r.t.key[1]
		}
		tail = maybe("ORDER BY", raw(key), maybe("LIMIT", strconv.Itoa(1+g.IntN(3))))
	}
	return part(aQuery, with, "UPDATE", n, "SET", g.set(r, e), "WHERE", g.asked(s, e), tail, g.returning(s, c))
}

// updateFrom writes UPDATE … FROM. What is set comes from the target alone,
// since any of several matches may be taken.
func (g *gen) updateFrom() *node {
	g.use("UPDATE … FROM")
	t := one(g, tables...)
	with, c := g.front(t)
	n, s, r := g.target(c, nil, t)
	f := g.tree(&env{ctes: c}, 1+g.IntN(2), []*source{s}, nil)
	e := &env{sources: append([]*source{s}, f.sources...), ctes: c}
	set := g.set(r, &env{sources: []*source{s}, ctes: c})
	where := part(aCond, "(", g.joinCond(e, []*source{s}, f.sources), ") AND", g.asked(s, e))
	return part(aQuery, with, "UPDATE", n, "SET", set, "FROM", f.n, "WHERE", where, g.returning(s, c))
}

// updateJoin writes MySQL's UPDATE of joined tables.
func (g *gen) updateJoin() *node {
	g.use("multi-table UPDATE")
	n, s, r := g.target(nil, nil)
	e := &env{}
	joined := g.joinTarget(e, n, s)
	set := list(",", part(other, raw(s.name+"."+r.t.mark), "=", g.numberOf(s)))
	return part(aQuery, "UPDATE", joined, "SET", set, "WHERE", g.asked(s, e))
}

// numberOf writes a number made of one source's first column.
func (g *gen) numberOf(s *source) *node {
	return part(aNumber, raw(s.name+"."+s.cols[0].name), "+", strconv.Itoa(g.IntN(9))).or("1")
}

// joinTarget joins the target with more, on either side of it.
func (g *gen) joinTarget(e *env, n *node, s *source) *node {
	f := g.tree(e, 1+g.IntN(2), []*source{s}, nil)
	e.sources = append([]*source{s}, f.sources...)
	a, b := n, f.n
	if f.joined {
		b = part(aFrom, "(", f.n, ")")
	}
	if g.chance(30) {
		a, b = b, a
	}
	kind := one(g, "JOIN", "LEFT JOIN", "RIGHT JOIN", "STRAIGHT_JOIN", ",")
	if kind == "," {
		return part(aFrom, a, ",", b)
	}
	return part(aFrom, a, kind, b, "ON", g.joinCond(e, []*source{s}, f.sources))
}

func (g *gen) delete() *node {
	g.use("DELETE")
	t := one(g, writable...)
	with, c := g.front(t)
	n, s, _ := g.target(c, nil, t)
	if g.d.name == "mysql" {
		// MariaDB takes no alias here.
		r := n.parts[0].(*ref)
		n.parts = n.parts[:1]
		r.name, s.name, s.ref = r.text, r.text, r
	}
	e := &env{sources: []*source{s}, ctes: c}
	return part(aQuery, with, "DELETE FROM", n, "WHERE", g.asked(s, e), g.returning(s, c))
}

func (g *gen) deleteUsing() *node {
	g.use("DELETE … USING")
	t := one(g, writable...)
	with, c := g.front(t)
	n, s, _ := g.target(c, nil, t)
	f := g.tree(&env{ctes: c}, 1+g.IntN(2), []*source{s}, nil)
	e := &env{sources: append([]*source{s}, f.sources...), ctes: c}
	where := part(aCond, "(", g.joinCond(e, []*source{s}, f.sources), ") AND", g.asked(s, e))
	return part(aQuery, with, "DELETE FROM", n, "USING", f.n, "WHERE", where, g.returning(s, c))
}

// deleteJoin writes MySQL's DELETE with joins.
func (g *gen) deleteJoin() *node {
	g.use("multi-table DELETE")
	n, s, _ := g.target(nil, nil, writable...)
	e := &env{}
	joined := g.joinTarget(e, n, s)
	if g.chance(50) {
		return part(aQuery, "DELETE FROM", raw(s.name), "USING", joined, "WHERE", g.asked(s, e))
	}
	return part(aQuery, "DELETE", raw(s.name), "FROM", joined, "WHERE", g.asked(s, e))
}

// fill lists values for a new row of a table: a key that no row has, made of
// the number a query gives.
func (t *table) fill(id string) (names []column, values string) {
	for i, c := range t.cols {
		switch {
		case slices.Contains(t.key, c.name):
			values += id + " + 1000"
		case c.typ == text:
			values += "'new'"
		default:
			values += strconv.Itoa(i)
		}
		if i < len(t.cols)-1 {
			values += ", "
		}
	}
	return t.cols, values
}

// insert writes INSERT … SELECT with keys that are new and differ.
func (g *gen) insert() *node {
	g.use("INSERT … SELECT")
	t := one(g, tables...)
	with, c := g.front(t)
	r := g.tableRef(nil, t)
	r.target, r.qualified = true, r.qualified || c.hides(t.name)
	f := g.fromClause(&env{ctes: c}, 1+g.IntN(3))
	e := &env{sources: f.sources, plain: once(f.plain), ctes: c}
	arg := g.inner(e, number)
	if arg == nil {
		return g.update()
	}
	names, values := t.fill("q.n1")
	sub := part(aQuery, "SELECT DISTINCT", arg, "AS n1 FROM", f.n, "WHERE", arg, "IS NOT NULL AND (", g.cond(e, 2), ")")
	tail := g.conflict(t)
	s := &source{name: r.text, cols: t.cols}
	if tail.parts == nil {
		tail = g.returning(s, c)
	}
	return part(aQuery, with, "INSERT INTO", r, "(", raw(columnList(names)), ")",
		"SELECT", raw(values), "FROM (", sub, ") AS q WHERE 1 = 1", tail)
}

// conflict writes what an INSERT does with a row that is there, for tables
// without a trash.
func (g *gen) conflict(t *table) *node {
	if t.registered() || !g.chance(30) {
		return maybe()
	}
	g.use("upsert")
	if g.d.name == "mysql" {
		return maybe("ON DUPLICATE KEY UPDATE", raw(t.mark), "= 7")
	}
	return maybe("ON CONFLICT (", raw(t.key[0]), ")", one(g, "DO NOTHING", "DO UPDATE SET "+t.mark+" = 7"))
}

// mergeInto writes MERGE with a source that has each key once.
func (g *gen) mergeInto() *node {
	g.use("MERGE")
	t := one(g, docs, posts, items, tags, jobs, places, orders)
	with, c := g.front(t)
	n, s, r := g.target(c, nil, t)
	from := g.fromClause(&env{ctes: c}, 1+g.IntN(2))
	e := &env{sources: from.sources, plain: once(from.plain), ctes: c}
	arg := g.inner(e, number)
	if arg == nil {
		arg = raw("2")
	}
	sub := part(aQuery, "SELECT DISTINCT", arg, "AS n1 FROM", from.n, "WHERE", arg, "IS NOT NULL AND (", g.cond(e, 1), ")")
	both := &env{sources: []*source{s, {name: "q", cols: columns("n1:n")}}, ctes: c}
	on := part(aCond, raw(s.name+"."+t.key[0]+" = q.n1"))
	if g.chance(30) {
		on = part(aCond, on, "AND (", g.cond(both, 1), ")")
	}
	n = part(aQuery, with, "MERGE INTO", n, "USING (", sub, ") AS q ON", on)
	if g.chance(30) {
		n.parts = append(n.parts, maybe("WHEN MATCHED AND", raw("q.n1 > 4"), "THEN DO NOTHING"))
	}
	n.parts = append(n.parts, maybe("WHEN MATCHED THEN UPDATE SET", raw(r.t.mark), "=", g.numberOf(s)))
	if g.chance(60) {
		names, values := t.fill("q.n1")
		n.parts = append(n.parts, maybe("WHEN NOT MATCHED THEN INSERT (", raw(columnList(names)), ") VALUES (", raw(values), ")"))
	}
	return n
}

// writingCTE writes a query over what a write returns.
func (g *gen) writingCTE() *node {
	g.use("data-modifying CTE")
	n, s, r := g.target(nil, nil)
	e := &env{sources: []*source{s}}
	write := part(aQuery, "UPDATE", n, "SET", g.set(r, e), "WHERE", g.asked(s, e), "RETURNING", raw(s.name+"."+s.cols[0].name), "AS n1")
	if !r.t.registered() && g.chance(50) {
		write = part(aQuery, "DELETE FROM", n, "WHERE", g.asked(s, e), "RETURNING", raw(s.name+"."+s.cols[0].name), "AS n1")
	}
	c := &ctes{names: []source{{name: "written", cols: columns("n1:n")}}}
	q := g.query(nil, c, shape{top: true, size: 2})
	// A WITH clause of the query's own would be a second one.
	return part(aQuery, "WITH", "written", "AS (", write, ") SELECT * FROM (", q.n, ") AS q1, written AS q2")
}
