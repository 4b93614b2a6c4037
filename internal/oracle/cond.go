package oracle

import "strconv"

// cond writes a condition.
func (g *gen) cond(e *env, depth int) *node {
	if depth <= 0 {
		return g.comparison(e, 0)
	}
	return choose(g,
		choice[*node]{34, func() *node { return g.comparison(e, depth-1) }},
		choice[*node]{22, func() *node { return g.connected(e, depth-1) }},
		choice[*node]{6, func() *node {
			g.use("NOT")
			return part(aCond, "NOT (", g.cond(e, depth-1), ")").or("1 = 1")
		}},
		choice[*node]{5, func() *node {
			return part(aCond, g.number(e, depth-1), "BETWEEN", strconv.Itoa(g.IntN(3)), "AND", g.number(e, depth-1)).or("1 = 1")
		}},
		choice[*node]{4, func() *node {
			g.use("condition in parentheses")
			return part(aCond, "(", g.cond(e, depth-1), ")").or("1 = 1")
		}},
		choice[*node]{3, func() *node {
			g.use("CASE")
			return part(aCond, "CASE WHEN", g.cond(e, depth-1), "THEN 1 ELSE 2 END =", strconv.Itoa(1+g.IntN(2))).or("1 = 1")
		}},
		choice[*node]{when(g.sub(depth), 26), func() *node { return g.subCond(e, depth) }},
	)
}

// connected writes two or three conditions with AND or OR between them.
func (g *gen) connected(e *env, depth int) *node {
	op := one(g, "AND", g.d.or, g.d.or)
	if g.d.name == "mysql" && g.chance(15) {
		op = one(g, "XOR", "||", "&&")
	}
	g.use(op)
	n := part(aCond, g.cond(e, depth), op, g.cond(e, depth)).or("1 = 1")
	if g.chance(35) {
		second := one(g, "AND", "OR")
		g.use(second)
		n.parts = append(n.parts, second, g.cond(e, depth))
	}
	return n
}

// comparison writes a condition without a sub-select of its own.
func (g *gen) comparison(e *env, depth int) *node {
	n := choose(g,
		choice[*node]{35, func() *node {
			return part(aCond, g.number(e, depth), one(g, "=", "<>", "<", "<=", ">", ">=", "!="), g.number(e, depth))
		}},
		choice[*node]{15, func() *node { return part(aCond, g.text(e, depth), one(g, "=", "<>", "<"), g.text(e, depth)) }},
		choice[*node]{18, func() *node {
			g.use("IS NULL")
			return part(aCond, g.number(e, depth), one(g, "IS NULL", "IS NOT NULL"))
		}},
		choice[*node]{10, func() *node { return part(aCond, g.number(e, depth), one(g, "IN", "NOT IN"), "( 1, 2, 5 )") }},
		choice[*node]{5, func() *node { return part(aCond, g.text(e, depth), one(g, "LIKE", "NOT LIKE"), "'%n%'") }},
		choice[*node]{5, func() *node {
			g.use("row value")
			return part(aCond, "(", g.numberLeaf(e), ",", g.numberLeaf(e), ") =", "(", g.numberLeaf(e), ",", strconv.Itoa(g.IntN(4)), ")")
		}},
		choice[*node]{5, func() *node {
			if g.d.name == "mysql" {
				return part(aCond, g.number(e, depth), "<=>", g.number(e, depth))
			}
			g.use("IS DISTINCT FROM")
			return part(aCond, g.number(e, depth), one(g, "IS DISTINCT FROM", "IS NOT DISTINCT FROM"), g.number(e, depth))
		}},
	)
	return n.or("1 = 1")
}

// subCond writes a condition with a sub-select.
func (g *gen) subCond(e *env, depth int) *node {
	one1 := func(t ...typ) *node {
		return g.query(e, e.ctes, shape{want: t, size: 2, noLimit: !g.d.limitIn}).n
	}
	left := depth - 1
	if g.d == mysql {
		// MariaDB 10.11 has wrong answers where a sub-select with a WHERE is compared
		// with another one's rows.
		left = 0
	}
	n := choose(g,
		choice[*node]{30, func() *node {
			word := one(g, "EXISTS (", "NOT EXISTS (")
			g.use(word[:len(word)-2])
			return part(aCond, word, g.query(e, e.ctes, shape{star: true, size: 2}).n, ")")
		}},
		choice[*node]{30, func() *node {
			word := one(g, "IN (", "NOT IN (")
			g.use(word + "SELECT)")
			if g.chance(25) {
				return part(aCond, g.text(e, left), word, one1(text), ")")
			}
			return part(aCond, g.number(e, left), word, one1(number), ")")
		}},
		choice[*node]{5, func() *node {
			g.use("row IN (SELECT)")
			return part(aCond, "(", g.numberLeaf(e), ",", g.numberLeaf(e), ")", one(g, "IN (", "NOT IN ("), one1(number, number), ")")
		}},
		choice[*node]{when(g.d.quantified, 12), func() *node {
			word := one(g, "= ANY (", "> ALL (", "<> ALL (", "<= SOME (")
			if g.d == mysql {
				// MariaDB 10.11 makes max and min of the others, and loses their NULL.
				word = one(g, "= ANY (", "<> ALL (")
			}
			g.use("ANY/ALL")
			return part(aCond, g.number(e, left), word, one1(number), ")")
		}},
		choice[*node]{when(g.d.name == "postgres", 3), func() *node {
			g.use("ARRAY(SELECT)")
			return part(aCond, g.number(e, depth-1), "= ANY ( ARRAY(", one1(number), ") )")
		}},
		choice[*node]{12, func() *node {
			return part(aCond, g.scalar(e, number, depth), one(g, "=", ">", "<", "<>"), g.number(e, depth-1))
		}},
	)
	return n.or("1 = 1")
}
