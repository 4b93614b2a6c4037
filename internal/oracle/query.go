package oracle

import (
	"slices"
	"strconv"
	"strings"
)

// query is a query with what its reader needs to know.
type query struct {
	n    *node
	cols []column
	// ordered says that the order of the rows is total.
	ordered bool
}

// query writes a query: WITH, blocks with set operations between them, ORDER BY
// and LIMIT.
func (g *gen) query(up *env, c *ctes, s shape) query {
	with := maybe()
	// MariaDB 10.11 dies of some WITH clauses inside of WITH queries.
	nests := g.d != mysql || c == nil
	if !s.simple && nests && g.budget > 2 && g.chance(8+when(s.top, 12)) {
		with, c = g.with(c, "")
	}
	if !s.simple && g.budget > 1 && g.chance(14) {
		return g.setOperation(with, up, c, s)
	}
	b := g.block(up, c, s)
	q := query{cols: b.cols}
	tail := []any{}
	if !s.simple && !b.rollup {
		tail, q.ordered = g.tail(&b, s)
	}
	q.n = part(aQuery, slices.Concat([]any{with, b.n}, tail)...)
	return q
}

// tail writes what follows a single block: its order, its limit, its lock.
func (g *gen) tail(b *block, s shape) (tail []any, ordered bool) {
	switch {
	case s.top && g.d.locks && !b.mixed && !b.noFrom && !g.used["window function"] && g.lockable(b) && g.chance(12):
		return []any{g.lock(b)}, false
	case b.star:
		return nil, false
	case s.noLimit && g.chance(80), !s.top && g.chance(75), g.chance(30):
		return nil, false
	}
	by := []any{"ORDER BY"}
	if !b.mixed && s.top && g.sub(1) && g.chance(20) {
		g.use("sub-select in ORDER BY")
		by = append(by, g.scalar(b.e, number, 1), one(g, "", "DESC"), ",")
	}
	g.use("ORDER BY")
	by = append(by, ordinals(len(b.cols)))
	if g.d.name == "postgres" && b.mixed && strings.HasPrefix(b.word(), "SELECT DISTINCT") && g.chance(40) {
		g.use("DISTINCT ON")
		b.n.parts[0] = "SELECT DISTINCT ON ( 1 )"
	}
	limit := maybe()
	if !s.noLimit {
		limit = g.limit(b.e.ctes)
	}
	// Without the order the limit has no one answer: they go together.
	return []any{maybe(part(other, by...), limit)}, true
}

func (b *block) word() string { return b.n.parts[0].(string) }

// limit writes a LIMIT in one of its spellings.
func (g *gen) limit(c *ctes) *node {
	n, skip := strconv.Itoa(1+g.IntN(6)), strconv.Itoa(g.IntN(3))
	return choose(g,
		choice[*node]{20, func() *node { return maybe() }},
		choice[*node]{20, func() *node { g.use("LIMIT"); return maybe("LIMIT", n) }},
		choice[*node]{20, func() *node { g.use("LIMIT OFFSET"); return maybe("LIMIT", n, "OFFSET", skip) }},
		choice[*node]{when(g.d.name != "postgres", 10), func() *node { g.use("LIMIT m, n"); return maybe("LIMIT", skip, ",", n) }},
		choice[*node]{when(g.d.limitQuery && g.budget > 0, 8), func() *node {
			g.use("sub-select in LIMIT")
			return maybe("LIMIT ( SELECT count( * ) FROM", g.tree(&env{ctes: c}, 1, nil, nil).n, ")")
		}},
		choice[*node]{when(g.d.fetch, 12), func() *node {
			g.use("FETCH FIRST")
			// WITH TIES crashes MariaDB 10.11 at times.
			last := one(g, "ROWS ONLY", "ROW ONLY", "ROWS WITH TIES")
			if g.d.name == "mysql" {
				last = "ROWS ONLY"
			}
			return maybe(one(g, "", "OFFSET 1 ROWS"), "FETCH", one(g, "FIRST", "NEXT"), n, last)
		}},
	)
}

// lockable tells whether PostgreSQL locks all rows of the block. Whether a lock
// passes over rows that the same statement's WITH writes depends on the plan.
func (g *gen) lockable(b *block) bool {
	if b.from.nullable || g.used["data-modifying CTE"] || g.used["derived table"] || g.used["reference to a CTE"] || g.used["function in FROM"] || g.used["VALUES in FROM"] ||
		g.used["parenthesised join with alias"] || g.used["USING with alias"] {
		return false
	}
	return true
}

func (g *gen) lock(b *block) *node {
	g.use("FOR UPDATE")
	if g.d.name == "mysql" {
		return maybe(one(g, "FOR UPDATE", "LOCK IN SHARE MODE", "FOR UPDATE SKIP LOCKED"))
	}
	n := maybe(one(g, "FOR UPDATE", "FOR SHARE", "FOR NO KEY UPDATE", "FOR KEY SHARE"))
	if g.chance(40) {
		n.parts = append(n.parts, "OF", raw(one(g, b.from.sources...).name))
	}
	return n
}

// setOperation writes two or three blocks with set operations between them.
func (g *gen) setOperation(with *node, up *env, c *ctes, s shape) query {
	want := s.want
	if want == nil {
		want = []typ{number, one(g, number, text), number}[:1+g.IntN(3)]
	}
	operand := shape{want: want, named: s.named, size: max(1, s.size-1), noLimit: s.noLimit}
	first := g.operand(up, c, operand)
	// SQLite takes no ORDER BY after VALUES.
	operand.named = operand.named || g.d.name == "sqlite"
	parts := []any{with, first.n}
	for range 1 + when(g.budget > 1 && g.chance(30), 1) {
		op := one(g, g.d.setOps...)
		g.use(op)
		parts = append(parts, op, g.operand(up, c, operand).n)
	}
	q := query{cols: first.cols}
	if s.top && g.chance(50) {
		q.ordered = true
		parts = append(parts, maybe("ORDER BY", ordinals(len(want)), g.limit(c)))
	}
	q.n = part(aQuery, parts...)
	return q
}

// operand writes a side of a set operation.
func (g *gen) operand(up *env, c *ctes, s shape) query {
	switch {
	case g.d.values && s.want != nil && !s.named && g.chance(4):
		g.use("VALUES")
		row := part(other)
		for i, t := range s.want {
			row.parts = append(row.parts, one(g, ",")[:min(i, 1)], raw(map[typ]string{number: "2", text: "'bob'"}[t]))
		}
		return query{n: part(aQuery, "VALUES (", row, ")")}
	case g.d.parenthesised && g.chance(25):
		g.use("parenthesised query")
		q := g.query(up, c, s)
		q.n = part(aQuery, "(", q.n, ")")
		return q
	}
	s.simple = true
	b := g.block(up, c, s)
	return query{n: b.n, cols: b.cols}
}

// with writes a WITH clause in front of a query. keep is a name that has to go
// on meaning the table.
func (g *gen) with(up *ctes, keep string) (*node, *ctes) {
	g.use("WITH")
	c := &ctes{up: up}
	recursive := g.chance(25)
	names := g.cteTitles(1+when(g.chance(30), 1), keep)
	var nodes []*node
	for i, name := range names {
		body := c
		if recursive || !g.d.selfCTE {
			// Its own name, and those after it, mean the queries already.
			body = &ctes{up: c, avoid: names[i:]}
		}
		nodes = append(nodes, g.cte(c, body, name, recursive))
	}
	word := "WITH"
	if recursive {
		word = "WITH RECURSIVE"
	}
	for _, n := range nodes {
		n.optional = true
	}
	return maybe(word, list(",", nodes...)), c
}

// cteTitles picks the names of a WITH clause.
func (g *gen) cteTitles(n int, keep string) (names []string) {
	for range n {
		name := g.fresh("w")
		if shadow := one(g, "doc", "post", "item", "tag"); g.chance(30) && shadow != keep && !slices.Contains(names, shadow) {
			g.use("CTE shadows a table")
			name = shadow
		}
		names = append(names, name)
	}
	return names
}

// cte writes one query of a WITH clause and makes its name known.
func (g *gen) cte(c, body *ctes, name string, recursive bool) *node {
	var q query
	names := maybe()
	renamed := g.chance(30)
	if recursive && g.budget > 2 && g.chance(60) {
		cols := columns("n1:n x1:n")
		if renamed {
			cols = columns(g.fresh("k") + ":n " + g.fresh("k") + ":n")
		}
		q = g.recursive(body, name, cols)
	} else {
		q = g.query(nil, body, shape{named: true, size: 2})
		q.cols = slices.Clone(q.cols)
		for i := range q.cols {
			if renamed {
				q.cols[i].name = g.fresh("k")
			}
		}
	}
	if renamed {
		g.use("CTE with columns")
		names = part(other, "(", raw(columnList(q.cols)), ")")
	}
	how := ""
	if g.d.materialized && g.chance(20) {
		how = one(g, "MATERIALIZED", "NOT MATERIALIZED")
		g.use(how)
	}
	c.names = append(c.names, source{name: name, cols: q.cols})
	return part(other, raw(name), names, "AS", how, "(", q.n, ")")
}

func columnList(cols []column) string {
	var all []string
	for _, c := range cols {
		all = append(all, c.name)
	}
	return strings.Join(all, ", ")
}

// recursive writes a recursive query that ends: UNION removes what is there
// already, and a counter bounds the rest.
func (g *gen) recursive(c *ctes, name string, cols []column) query {
	g.use("recursive CTE")
	base, step := g.tableRef(c), g.tableRef(c)
	if strings.EqualFold(base.t.name, name) || strings.EqualFold(step.t.name, name) {
		base.qualified, step.qualified = true, true
	}
	from := func(r *ref, alias string) *node {
		r.name = alias
		return part(aFrom, r, "AS", raw(alias))
	}
	b, t := base.t, step.t
	first := part(aQuery, "SELECT 1 AS n1 ,", raw("ra."+b.cols[0].name), "AS x1 FROM", from(base, "ra"), maybe("WHERE", raw("ra."+b.cols[2].name), "> 0"))
	join := one(g, "JOIN", "INNER JOIN", "LEFT JOIN")
	if g.d.name != "postgres" && join == "LEFT JOIN" {
		join = "JOIN"
	}
	if b.cols[2].typ == text {
		first = part(aQuery, "SELECT 1 AS n1 ,", raw("ra."+b.cols[0].name), "AS x1 FROM", from(base, "ra"))
	}
	next := part(aQuery, "SELECT", raw("rr."+cols[0].name+" + 1"), ",", raw("rs."+t.cols[1].name), "FROM", raw(name), "AS rr", join, from(step, "rs"),
		"ON", raw("rs."+t.cols[0].name+" = rr."+cols[1].name), "WHERE", raw("rr."+cols[0].name+" < 4"))
	return query{n: part(aQuery, first, "UNION", next), cols: cols}
}
