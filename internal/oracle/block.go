package oracle

import (
	"slices"
	"strconv"
	"strings"
)

// shape is what a query must be like.
type shape struct {
	want    []typ // its columns; nil leaves them open
	named   bool  // all columns have names of their own
	star    bool  // it may select *
	size    int   // how many sources a FROM clause may have
	simple  bool  // one block, which ORDER BY and LIMIT can follow
	noLimit bool  // no LIMIT anywhere in it
	top     bool  // the whole statement
}

// block is one SELECT.
type block struct {
	n    *node
	cols []column
	e    *env
	from from
	// star says that the columns are not known, rollup that MariaDB allows no
	// ORDER BY, mixed that it groups or removes duplicates, aligned that every
	// item can be named by its place.
	star, rollup, mixed, noFrom bool
}

// block writes a SELECT.
func (g *gen) block(up *env, c *ctes, s shape) block {
	if !s.simple && s.top && g.chance(3) {
		return g.tableless(up, c, s)
	}
	size := 1
	for size < s.size && g.chance(60) {
		size++
	}
	f := g.fromClause(&env{up: up, ctes: c}, size)
	b := block{from: f, e: &env{up: up, sources: f.sources, plain: once(f.plain), ctes: c}}
	where := g.where(b.e, f, 70, 1+g.IntN(3))
	if g.chance(16) {
		return g.grouped(b, where, s)
	}
	items, window := g.items(&b, s)
	word := one(g, "SELECT", "SELECT", "SELECT", "SELECT", "SELECT ALL")
	if g.chance(12) {
		word, b.mixed = "SELECT DISTINCT", true
		g.use("DISTINCT")
	}
	b.n = part(aQuery, word, items, "FROM", f.n, where, window)
	return b
}

// where writes the WHERE clause, at times none.
func (g *gen) where(e *env, f from, percent, depth int) *node {
	where := maybe()
	if g.chance(percent) {
		g.use("WHERE")
		where = maybe("WHERE", g.cond(e, depth))
	}
	where.filtered = f.sources
	return where
}

// tableless writes a SELECT without FROM.
func (g *gen) tableless(up *env, c *ctes, s shape) block {
	g.use("SELECT without FROM")
	b := block{e: &env{up: up, ctes: c}, noFrom: true}
	items, _ := g.items(&b, s)
	b.n = part(aQuery, "SELECT", items)
	return b
}

// items writes the select list, and the WINDOW clause it needs.
func (g *gen) items(b *block, s shape) (items, window *node) {
	window = maybe()
	if s.want == nil && s.star && !b.noFrom && g.chance(15) {
		b.star = true
		return g.starItems(b), window
	}
	want := s.want
	if want == nil {
		for range 1 + g.IntN(4) {
			want = append(want, one(g, number, number, text))
		}
	}
	var nodes []*node
	for _, t := range want {
		nodes = append(nodes, g.item(b, s, t, window))
	}
	return list(",", nodes...), window
}

func (g *gen) starItems(b *block) *node {
	if g.chance(50) || b.from.sources[0].cols == nil {
		g.use("SELECT *")
		return list(",", part(other, "*"))
	}
	g.use("SELECT t.*")
	s := one(g, b.from.sources...)
	return list(",", part(other, raw(s.name+".*")), g.number(b.e, 1))
}

// item writes one select item.
func (g *gen) item(b *block, s shape, t typ, window *node) *node {
	var n *node
	switch {
	case t == text:
		n = g.text(b.e, 2)
	case s.top && s.want == nil && g.chance(6):
		g.use("condition as a select item")
		n = part(other, "(", g.cond(b.e, 2), ")")
	case s.top && !b.noFrom && g.chance(5):
		n = g.windowed(b, window)
	default:
		n = g.number(b.e, 2)
	}
	col := column{typ: t}
	if len(n.parts) == 1 && g.chance(60) {
		if name, ok := columnName(n.parts[0]); ok && !slices.ContainsFunc(b.cols, func(c column) bool { return c.name == name }) {
			b.cols = append(b.cols, column{name, t})
			return part(other, n)
		}
	}
	if !s.named && g.chance(45) {
		g.use("unaliased expression")
		b.cols = append(b.cols, col)
		return part(other, n)
	}
	col.name = g.columnName(b.cols)
	b.cols = append(b.cols, col)
	return part(other, n, one(g, "AS", "AS", ""), raw(col.name))
}

// columnName returns the name of an item that is a column.
func columnName(x any) (string, bool) {
	if r, ok := x.(raw); ok && !strings.HasPrefix(string(r), "'") {
		return string(r)[strings.LastIndexByte(string(r), '.')+1:], true
	}
	return "", false
}

// columnName returns a name for an item, often that of some table's column.
func (g *gen) columnName(cols []column) string {
	for range 4 {
		name := one(g, "id", "grp", "num", "name", "label", "c1", "c2", "c3")
		if !slices.ContainsFunc(cols, func(c column) bool { return c.name == name }) {
			return name
		}
	}
	return g.fresh("c")
}

// windowed writes a window function whose value does not hang on an order that
// is not there.
func (g *gen) windowed(b *block, window *node) *node {
	e := b.e
	if g.d == mysql {
		// MariaDB 10.11 finds a column that is named alone twice in a window over a
		// derived table.
		e = &env{sources: e.sources, ctes: e.ctes}
	}
	by, within := g.inner(e, number), g.inner(e, number)
	if by == nil {
		return part(aNumber, "count( * ) OVER ( )").or("1")
	}
	g.use("window function")
	call := one[any](g, "rank( )", "dense_rank( )", "count( * )", part(other, "sum(", within, ")"))
	definition := part(other, "PARTITION BY", by, "ORDER BY", within)
	if g.chance(30) && window.parts == nil {
		g.use("WINDOW clause")
		window.parts = []any{"WINDOW win1 AS (", definition, ")"}
		return part(aNumber, call, "OVER win1").or("1")
	}
	return part(aNumber, call, "OVER (", definition, ")").or("1")
}

// grouped writes a block with GROUP BY, or with aggregates alone.
func (g *gen) grouped(b block, where *node, s shape) block {
	b.mixed = true
	var keys []*source
	var by []*node
	if g.chance(75) {
		keys, by = g.groupBy(b.e)
	}
	// After the grouping only the keys have a value.
	inside := &env{up: b.e.up, sources: keys, ctes: b.e.ctes}
	want := s.want
	if want == nil {
		want = []typ{number, one(g, number, text), number}[:1+g.IntN(3)]
	}
	var nodes []*node
	for _, t := range want {
		n := g.aggregate(b.e, t)
		if len(keys) > 0 && g.chance(50) {
			if c := g.inner(inside, t); c != nil {
				n = part(aNumber, c)
			}
		}
		name := g.columnName(b.cols)
		b.cols = append(b.cols, column{name, t})
		nodes = append(nodes, part(other, n, "AS", raw(name)))
	}
	group, having := maybe(), maybe()
	if len(by) > 0 {
		group = g.groupWords(&b, by)
	}
	if len(by) > 0 && g.chance(35) {
		g.use("HAVING")
		h := part(aCond, g.aggregate(b.e, number), one(g, ">", "<=", "<>"), g.number(inside, g.depthOfHaving(1))).or("1 = 1")
		having = maybe("HAVING", part(aCond, h, one(g, "AND", "OR"), g.having(b.e, inside)))
	}
	b.n = part(aQuery, "SELECT", list(",", nodes...), "FROM", b.from.n, where, group, having)
	return b
}

// depthOfHaving is how deep an expression on groups may be: MariaDB 10.11 dies of
// sub-selects there that look at the group.
func (g *gen) depthOfHaving(depth int) int {
	if g.d == mysql {
		return 0
	}
	return depth
}

// having writes a condition on groups, or on nothing outside itself.
func (g *gen) having(e, inside *env) *node {
	if g.d == mysql && g.chance(50) {
		return g.cond(&env{ctes: e.ctes}, 2)
	}
	return g.cond(inside, g.depthOfHaving(2))
}

// groupBy picks the columns to group by.
func (g *gen) groupBy(e *env) (keys []*source, by []*node) {
	g.use("GROUP BY")
	for range 1 + g.IntN(2) {
		s := one(g, e.sources...)
		var cols []column
		for _, c := range s.cols {
			if c.typ != life {
				cols = append(cols, c)
			}
		}
		if len(cols) == 0 || slices.ContainsFunc(keys, func(k *source) bool { return k.name == s.name }) {
			continue
		}
		c := one(g, cols...)
		keys = append(keys, &source{name: s.name, cols: []column{c}})
		by = append(by, part(other, raw(s.name+"."+c.name)))
	}
	return keys, by
}

// groupWords writes the GROUP BY clause.
func (g *gen) groupWords(b *block, by []*node) *node {
	switch {
	case g.chance(8) && g.d.name == "postgres":
		word := one(g, "ROLLUP (", "CUBE (")
		g.use("ROLLUP")
		return maybe("GROUP BY", word, list(",", by...), ")")
	case g.chance(8) && g.d.name == "mysql":
		g.use("ROLLUP")
		b.rollup = true
		return maybe("GROUP BY", list(",", by...), "WITH ROLLUP")
	case g.sub(1) && g.chance(10):
		g.use("sub-select in GROUP BY")
		by = append(by, part(other, "(", g.aggregateQuery(&env{ctes: b.e.ctes}, number), ")"))
	}
	return maybe("GROUP BY", list(",", by...))
}

// ordinals lists the columns of a query by their places.
func ordinals(n int) string {
	var all []string
	for i := range n {
		all = append(all, strconv.Itoa(i+1))
	}
	return strings.Join(all, ", ")
}
