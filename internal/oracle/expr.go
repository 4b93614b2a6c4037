package oracle

import "strconv"

// sub tells whether there is room for a sub-select.
func (g *gen) sub(depth int) bool { return depth > 0 && g.budget > 0 }

// number writes an expression of integers.
func (g *gen) number(e *env, depth int) *node {
	if depth <= 0 {
		return g.numberLeaf(e)
	}
	return choose(g,
		choice[*node]{50, func() *node { return g.numberLeaf(e) }},
		choice[*node]{10, func() *node {
			return part(aNumber, "(", g.number(e, depth-1), one(g, "+", "-", "*"), strconv.Itoa(1+g.IntN(3)), ")").or("1")
		}},
		choice[*node]{8, func() *node {
			g.use("function arguments")
			return part(aNumber, one(g, "coalesce(", "nullif("), g.number(e, depth-1), ",", strconv.Itoa(g.IntN(4)), ")").or("1")
		}},
		choice[*node]{5, func() *node {
			g.use("CASE")
			return part(aNumber, "CASE WHEN", g.cond(e, depth-1), "THEN", g.number(e, depth-1), "ELSE", g.number(e, depth-1), "END").or("1")
		}},
		choice[*node]{4, func() *node { return part(aNumber, "length(", g.text(e, depth-1), ")").or("1") }},
		choice[*node]{3, func() *node { return g.special(e, depth) }},
		choice[*node]{when(g.sub(depth), 12), func() *node { return g.scalar(e, number, depth) }},
	)
}

func (g *gen) numberLeaf(e *env) *node {
	if g.chance(80) {
		if c := g.column(e, number); c != nil {
			return part(aNumber, c).or("1")
		}
	}
	return part(aNumber, strconv.Itoa(g.IntN(6)))
}

// special writes a call whose arguments have words of their own.
func (g *gen) special(e *env, depth int) *node {
	if !g.d.fromArgs {
		return part(aNumber, "abs(", g.number(e, depth-1), ")").or("1")
	}
	g.use("FROM in arguments")
	return choose(g,
		choice[*node]{1, func() *node {
			return part(aNumber, "length( substring(", g.text(e, depth-1), "FROM", g.positive(depth), ") )").or("1")
		}},
		choice[*node]{1, func() *node {
			return part(aNumber, "length( trim( BOTH 'a' FROM", g.text(e, depth-1), ") )").or("1")
		}},
		choice[*node]{1, func() *node {
			return part(aNumber, "CAST( extract( YEAR FROM DATE '2026-02-03' ) AS", g.d.null, ")").or("1")
		}},
		choice[*node]{1, func() *node { return part(aNumber, "position( 'n' IN", g.text(e, depth-1), ")").or("1") }},
	)
}

// positive writes a number over 0, at times by a query without a table.
func (g *gen) positive(depth int) *node {
	if g.sub(depth) && g.chance(30) {
		g.use("sub-select without FROM")
		return part(aNumber, "( SELECT 2 )").or("1")
	}
	return part(aNumber, "2")
}

// literals are texts of which some read like SQL.
var literals = []string{"'ann'", "'bob'", "'cy'", "''", "'it''s'", "'x; DELETE FROM doc'", "' FROM doc JOIN post '", "'--'", "'/*'", "'a.b'", "'(SELECT'"}

// text writes an expression of text.
func (g *gen) text(e *env, depth int) *node {
	leaf := func() *node {
		if c := g.column(e, text); c != nil && g.chance(80) {
			return part(aText, c).or("'ann'")
		}
		return part(aText, raw(one(g, literals...)))
	}
	if depth <= 0 {
		return leaf()
	}
	return choose(g,
		choice[*node]{60, leaf},
		choice[*node]{6, func() *node {
			g.use("function arguments")
			return part(aText, one(g, "coalesce(", "nullif("), g.text(e, depth-1), ",", raw(one(g, literals...)), ")").or("'ann'")
		}},
		choice[*node]{4, func() *node {
			g.use("CASE")
			return part(aText, "CASE WHEN", g.cond(e, depth-1), "THEN", g.text(e, depth-1), "END").or("'ann'")
		}},
		choice[*node]{when(g.d.name != "mysql", 4), func() *node {
			return part(aText, "(", g.text(e, depth-1), "||", g.text(e, depth-1), ")").or("'ann'")
		}},
		choice[*node]{when(g.sub(depth), 8), func() *node { return g.scalar(e, text, depth) }},
	)
}

// scalar writes a sub-select that has one row, or none.
func (g *gen) scalar(e *env, t typ, depth int) *node {
	g.use("scalar sub-select")
	k, simple := aNumber, "1"
	if t == text {
		k, simple = aText, "'ann'"
	}
	q := choose(g,
		choice[*node]{70, func() *node { return g.aggregateQuery(e, t) }},
		choice[*node]{20, func() *node {
			q := g.query(e, e.ctes, shape{want: []typ{t}, size: 2, simple: true})
			return part(aQuery, q.n, "ORDER BY 1 LIMIT 1")
		}},
		choice[*node]{when(t == number, 4), func() *node {
			g.use("sub-select without FROM")
			return part(aQuery, "SELECT", g.number(e, depth-1))
		}},
	)
	return part(k, "(", q, ")").or(simple)
}

// aggregateQuery writes a query of one aggregate over all rows. The aggregate's
// argument is a column of its own tables: one of the outer query's alone would
// make it the outer query's aggregate.
func (g *gen) aggregateQuery(up *env, t typ) *node {
	f := g.fromClause(&env{up: up, ctes: up.ctes}, 1+when(g.chance(35), 1))
	e := &env{up: up, sources: f.sources, plain: once(f.plain), ctes: up.ctes}
	where := g.where(e, f, 75, 1)
	return part(aQuery, "SELECT", g.aggregate(e, t), "FROM", f.n, where)
}

// once lists the columns that can be named alone.
func once(plain []counted) (cols []column) {
	for _, c := range plain {
		if c.n == 1 {
			cols = append(cols, c.column)
		}
	}
	return cols
}

// aggregate writes an aggregate of the type.
func (g *gen) aggregate(e *env, t typ) *node {
	arg := g.inner(e, t)
	if t == text {
		if arg == nil {
			return part(aText, "min( 'ann' )")
		}
		return part(aText, one(g, "min(", "max("), arg, ")", g.filter(e))
	}
	if arg == nil || g.chance(25) {
		g.use("count(*)")
		return part(aNumber, "count( * )", g.filter(e))
	}
	word := one(g, "count(", "sum(", "min(", "max(", "count( DISTINCT", "sum( DISTINCT")
	return part(aNumber, word, arg, ")", g.filter(e))
}

func (g *gen) filter(e *env) *node {
	if !g.d.filter || !g.chance(10) {
		return maybe()
	}
	g.use("FILTER")
	// With a column of the outer query alone the aggregate would be that one's.
	return maybe("FILTER ( WHERE", g.cond(&env{sources: e.sources, ctes: e.ctes}, 1), ")")
}
