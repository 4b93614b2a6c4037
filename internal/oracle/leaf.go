package oracle

import (
	"strings"
)

// leaf writes one source of a FROM clause.
func (g *gen) leaf(e *env, taken, left []*source) from {
	visible := g.cteNames(e.ctes)
	return choose(g,
		choice[from]{66, func() from { return g.tableLeaf(e, taken) }},
		choice[from]{when(len(visible) > 0, 25), func() from { return g.cteLeaf(visible, taken) }},
		choice[from]{when(g.budget > 1, 12), func() from { return g.derivedLeaf(e, taken, nil) }},
		choice[from]{when(g.budget > 1 && g.d.lateral && len(left) > 0, 12), func() from { return g.derivedLeaf(e, taken, left) }},
		choice[from]{3, func() from { return g.functionLeaf(taken) }},
	)
}

// tableRef picks a table and a way to write its name.
func (g *gen) tableRef(c *ctes, pick ...*table) *ref {
	if len(pick) == 0 {
		pick = tables
	}
	t := one(g, pick...)
	g.budget--
	r := &ref{t: t, text: t.name}
	if t.name == "Order" || g.chance(10) {
		g.use("quoted table")
		r.text = g.d.quote(t.name)
	} else if g.d.name != "mysql" && g.chance(10) {
		g.use("table in capitals")
		r.text = strings.ToUpper(t.name)
	}
	r.name = r.text
	r.qualified = g.chance(8) || c.hides(t.name)
	if r.qualified {
		g.use("schema-qualified table")
	}
	return r
}

// hides tells whether a name without a schema would not be the table.
func (c *ctes) hides(name string) bool {
	for ; c != nil; c = c.up {
		for _, s := range c.names {
			if strings.EqualFold(bare(s.name), name) {
				return true
			}
		}
		for _, a := range c.avoid {
			if strings.EqualFold(a, name) {
				return true
			}
		}
	}
	return false
}

func (g *gen) tableLeaf(e *env, taken []*source) from {
	r := g.tableRef(e.ctes)
	n := part(aFrom)
	if g.d.name == "postgres" && g.chance(2) {
		g.use("ONLY")
		n.parts = append(n.parts, "ONLY")
	}
	n.parts = append(n.parts, r)
	s := &source{name: r.text, cols: r.t.cols, ref: r, t: r.t}
	clash := false
	for _, t := range taken {
		clash = clash || strings.EqualFold(bare(t.name), r.t.name)
	}
	plain := s.cols
	if clash || g.unique || g.chance(65) {
		var written *node
		s.name, written = g.alias(taken)
		r.name, s.ref = s.name, nil
		n.parts = append(n.parts, written)
		if g.d.columnAlias && g.chance(6) {
			s.cols = g.renamed(n, s.cols)
			plain = s.cols
		}
	}
	g.decorate(n)
	return from{n: n, sources: []*source{s}, plain: append(count(plain), lifeCounted(r.t)...)}
}

// renamed adds a list of column names to an alias.
func (g *gen) renamed(n *node, cols []column) (renamed []column) {
	g.use("alias with columns")
	k := 1 + g.IntN(len(cols))
	var names []string
	for i, c := range cols {
		if i < k {
			c.name = g.fresh("col")
			names = append(names, c.name)
		}
		renamed = append(renamed, c)
	}
	n.parts = append(n.parts, part(other, "(", raw(strings.Join(names, ", ")), ")"))
	return renamed
}

// decorate adds what only a table can have.
func (g *gen) decorate(n *node) {
	if g.IntN(200) > 0 {
		return
	}
	switch g.d.name {
	case "postgres":
		g.use("TABLESAMPLE")
		n.parts = append(n.parts, maybe("TABLESAMPLE BERNOULLI (100)"))
	case "mysql":
		g.use("index hint")
		n.parts = append(n.parts, maybe(one(g, "USE INDEX (PRIMARY)", "FORCE INDEX FOR JOIN (PRIMARY)", "IGNORE KEY (PRIMARY)")))
	case "sqlite":
		g.use("index hint")
		n.parts = append(n.parts, maybe("NOT INDEXED"))
	}
}

func count(cols []column) (all []counted) {
	for _, c := range cols {
		all = append(all, counted{c, 1})
	}
	return all
}

func lifeCounted(t *table) (all []counted) {
	for _, c := range t.lifeCols {
		all = append(all, counted{column{c[0], life}, 1})
	}
	return all
}

// cteNames lists the queries of WITH clauses that can be named, the innermost
// of each name.
func (g *gen) cteNames(c *ctes) (visible []source) {
	seen := map[string]bool{}
	for ; c != nil; c = c.up {
		for _, s := range c.names {
			if !seen[s.name] {
				visible = append(visible, s)
			}
			seen[s.name] = true
		}
		for _, a := range c.avoid {
			seen[a] = true
		}
	}
	return visible
}

func (g *gen) cteLeaf(visible []source, taken []*source) from {
	g.use("reference to a CTE")
	cte := one(g, visible...)
	s := &source{name: cte.name, cols: cte.cols}
	n := part(aFrom, raw(cte.name))
	clash := false
	for _, t := range taken {
		clash = clash || strings.EqualFold(bare(t.name), bare(cte.name))
	}
	if clash || g.chance(60) {
		var written *node
		s.name, written = g.alias(taken)
		n.parts = append(n.parts, written)
	}
	return from{n: n, sources: []*source{s}, plain: count(s.cols)}
}

// derivedLeaf writes a sub-select in FROM, with LATERAL if it sees what is left
// of it.
func (g *gen) derivedLeaf(e *env, taken, left []*source) from {
	n := part(aFrom)
	var up *env
	if g.d.outerDerived {
		up = e.up
	}
	if left != nil {
		g.use("LATERAL")
		n.parts = append(n.parts, "LATERAL")
		up = &env{up: e.up, sources: left, ctes: e.ctes}
	}
	g.use("derived table")
	q := g.derived(up, e.ctes)
	s := &source{cols: q.cols}
	var written *node
	s.name, written = g.alias(taken)
	n.parts = append(n.parts, "(", q.n, ")", written)
	if g.d.columnAlias && g.chance(15) {
		s.cols = g.renamed(n, s.cols)
	}
	return from{n: n, sources: []*source{s}, plain: count(s.cols)}
}

// derived writes the query of a derived table.
func (g *gen) derived(up *env, c *ctes) query {
	if g.d.name == "postgres" && g.chance(4) {
		g.use("TABLE t")
		r := g.tableRef(c)
		return query{n: part(aQuery, "TABLE", r), cols: r.t.cols}
	}
	return g.query(up, c, shape{named: true, size: 2})
}

// functionLeaf writes rows that come from no table.
func (g *gen) functionLeaf(taken []*source) from {
	s := &source{}
	var written *node
	s.name, written = g.alias(taken)
	n := part(aFrom)
	switch g.d.name {
	case "postgres":
		if g.chance(50) {
			g.use("VALUES in FROM")
			s.cols = columns("n1:n s1:t")
			n.parts = []any{"( VALUES ( 1, 'ann' ), ( 2,", raw("'FROM doc'"), ") )", written, "( n1, s1 )"}
			break
		}
		g.use("function in FROM")
		s.cols = columns("n1:n")
		n.parts = []any{one(g, "generate_series( 1, 3 )", "ROWS FROM ( generate_series( 1, 2 ) )", "generate_series( 1, 3 )"), written, "( n1 )"}
	case "mysql":
		g.use("function in FROM")
		s.cols = columns("n1:n")
		n.parts = []any{"JSON_TABLE(", raw("'[1, 2, 3]', '$[*]'"), "COLUMNS ( n1 int PATH '$' ) )", written}
	default:
		if g.chance(50) {
			g.use("VALUES in FROM")
			s.cols = columns("column1:n column2:t")
			n.parts = []any{"( VALUES ( 1, 'ann' ), ( 2,", raw("'FROM doc'"), ") )", written}
			break
		}
		g.use("function in FROM")
		s.cols = columns("value:n")
		n.parts = []any{"json_each( '[1,2,3]' )", written}
	}
	return from{n: n, sources: []*source{s}, plain: count(s.cols)}
}
