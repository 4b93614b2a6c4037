package oracle

import (
	"slices"
	"strings"
)

// from is a FROM clause or a part of one.
type from struct {
	n       *node
	sources []*source
	// plain counts the columns that can be named alone.
	plain []counted
	// joined says that it is a join, bare that it has no parentheses either.
	joined, bare bool
	// on says that its last join has a condition.
	on bool
	// nullable says that some rows of its tables may be NULL.
	nullable bool
}

type counted struct {
	column
	n int
}

// merge adds the columns of both sides; those of a USING or NATURAL are one.
func merge(left, right []counted, merged []string) (all []counted) {
	for _, c := range left {
		if slices.Contains(merged, c.name) {
			all = append(all, counted{c.column, 1})
		}
	}
	for _, side := range [][]counted{left, right} {
		for _, c := range side {
			if slices.Contains(merged, c.name) {
				continue
			}
			i := slices.IndexFunc(all, func(a counted) bool { return a.name == c.name })
			if i < 0 {
				all = append(all, c)
			} else {
				all[i].n += c.n
			}
		}
	}
	return all
}

// fromClause writes a FROM clause of at most size sources.
func (g *gen) fromClause(e *env, size int) from {
	if size > 1 && g.chance(15) {
		return g.commas(e, size)
	}
	return g.tree(e, size, nil, nil)
}

// commas writes a FROM clause with commas.
func (g *gen) commas(e *env, size int) from {
	g.use("comma")
	n := 2 + g.IntN(2)
	f := g.tree(e, max(1, size-n+1), nil, nil)
	nodes := []*node{f.n}
	for range min(n-1, size-1) {
		next := g.tree(e, 1+when(g.chance(30), 1), f.sources, f.sources)
		nodes = append(nodes, next.n)
		f.sources = append(f.sources, next.sources...)
		f.plain = merge(f.plain, next.plain, nil)
		f.nullable = f.nullable || next.nullable
	}
	for _, kid := range nodes {
		kid.optional = true
	}
	f.n = list(",", nodes...)
	return f
}

// tree writes a tree of joins. taken are sources whose names are in use, left
// those which LATERAL sees.
func (g *gen) tree(e *env, size int, taken, left []*source) from {
	if size <= 1 || g.budget <= 1 {
		return g.leaf(e, taken, left)
	}
	k := 1 + g.IntN(size-1)
	if g.chance(60) {
		k = size - 1
	}
	a := g.tree(e, k, taken, left)
	if a.joined && g.chance(15) {
		g.use("parenthesised join")
		a = a.parenthesised()
	}
	taken = slices.Concat(taken, a.sources)
	kind, conditional := g.joinKind()
	var seen []*source
	if !strings.Contains(kind, "RIGHT") && !strings.Contains(kind, "FULL") {
		seen = slices.Concat(left, a.sources)
	}
	b := g.tree(e, size-k, taken, seen)
	b = g.rightSide(b, conditional, taken)
	return g.join(e, kind, conditional, a, b)
}

// joinKind returns the words of a join, and whether it has a condition.
func (g *gen) joinKind() (kind string, conditional bool) {
	// MariaDB's parser takes what follows a join without a condition for a part
	// of its right side, so that most of them are not what they seem.
	if g.chance(12 - when(g.d.name == "mysql", 9)) {
		kind = one(g, g.d.cross...)
		g.use(kind + " without a condition")
		return kind, false
	}
	kind = one(g, g.d.joins...)
	g.use(kind)
	return kind, true
}

func (f from) parenthesised() from {
	f.n = part(aFrom, "(", f.n, ")")
	f.bare = false
	return f
}

// rightSide makes a join fit for the right of another one: in parentheses, with
// a name of its own, or with its ON before the outer one's.
func (g *gen) rightSide(b from, conditional bool, taken []*source) from {
	if !b.joined && g.d != postgres && len(b.sources) == 1 && b.sources[0].ref != nil && g.chance(4) {
		g.use("parenthesised table")
		b.n = part(aFrom, "(", b.n, ")")
		if g.d == sqlite {
			b.sources = nil // SQLite loses its alias
		}
		return b
	}
	if !b.joined || !b.bare {
		return b
	}
	if b.on && conditional && g.d.trailingOn && g.chance(50) {
		g.use("trailing ON")
		return b
	}
	g.use("parenthesised join")
	b = b.parenthesised()
	if g.d.groupAlias && !g.unique && g.chance(20) {
		return g.aliasGroup(b, taken)
	}
	return b
}

// aliasGroup gives a parenthesised join a name, which hides those inside.
func (g *gen) aliasGroup(b from, taken []*source) from {
	s := &source{}
	for _, c := range b.plain {
		if c.n == 1 {
			s.cols = append(s.cols, c.column)
		}
	}
	var written *node
	s.name, written = g.alias(slices.Concat(taken, b.sources))
	g.use("parenthesised join with alias")
	b.n = part(aFrom, b.n, written)
	b.sources = []*source{s}
	return b
}

// join writes a join of two parts.
func (g *gen) join(e *env, kind string, conditional bool, a, b from) from {
	f := from{sources: slices.Concat(a.sources, b.sources), joined: true, bare: true}
	f.nullable = a.nullable || b.nullable || strings.ContainsAny(kind, "FU") && strings.HasPrefix(kind, "FULL") ||
		strings.HasPrefix(kind, "LEFT") || strings.HasPrefix(kind, "RIGHT")
	shared, clean := common(a.plain, b.plain)
	trailing := b.joined && b.bare
	switch {
	case !conditional:
		f.n = part(aFrom, a.n, kind, b.n)
		f.plain = merge(a.plain, b.plain, nil)
	case clean && len(shared) > 0 && natural(kind) && !trailing && g.chance(12):
		kind = "NATURAL " + kind
		g.use(kind)
		f.n = part(aFrom, a.n, kind, b.n)
		f.plain = merge(a.plain, b.plain, shared)
	case len(shared) > 0 && kind != "STRAIGHT_JOIN" && g.chance(25):
		f = g.using(f, kind, shared, a, b)
	default:
		f.on = true
		on := &env{up: e.up, sources: f.sources, ctes: e.ctes}
		f.n = part(aFrom, a.n, kind, b.n, "ON", g.onCond(kind, on, a.sources, b.sources))
		f.plain = merge(a.plain, b.plain, nil)
	}
	return f
}

func natural(kind string) bool { return kind != "STRAIGHT_JOIN" && kind != "CROSS JOIN" }

// using writes a join with USING.
func (g *gen) using(f from, kind string, shared []string, a, b from) from {
	shared = slices.DeleteFunc(shared, func(name string) bool { return name == "deleted_at" })
	if len(shared) == 0 {
		shared = []string{"deleted_at"}
	}
	g.Shuffle(len(shared), func(i, j int) { shared[i], shared[j] = shared[j], shared[i] })
	shared = shared[:1+when(len(shared) > 1 && g.chance(30), 1)]
	g.use("USING", kind+" USING")
	f.on = true
	f.n = part(aFrom, a.n, kind, b.n, "USING (", raw(strings.Join(shared, ", ")), ")")
	f.plain = merge(a.plain, b.plain, shared)
	if g.d.groupAlias && !g.unique && g.chance(20) {
		g.use("USING with alias")
		s := &source{}
		for _, c := range a.plain {
			if slices.Contains(shared, c.name) {
				s.cols = append(s.cols, c.column)
			}
		}
		s.name = g.fresh("j")
		f.n.parts = append(f.n.parts, "AS", raw(s.name))
		f.sources = append(f.sources, s)
	}
	return f
}

// common lists the columns that both sides have once with one type; clean says
// that there is no other name on both sides.
func common(left, right []counted) (shared []string, clean bool) {
	clean = true
	for _, l := range left {
		for _, r := range right {
			switch {
			case l.name != r.name:
			case l.n == 1 && r.n == 1 && l.typ == r.typ:
				shared = append(shared, l.name)
			default:
				clean = false
			}
		}
	}
	return shared, clean
}

// onCond writes the condition of a join. PostgreSQL joins FULL by equality only.
func (g *gen) onCond(kind string, e *env, a, b []*source) *node {
	if g.d.name == "postgres" && strings.HasPrefix(kind, "FULL") {
		for _, l := range a {
			for _, r := range b {
				if l.cols != nil && r.cols != nil && l.cols[0].typ == r.cols[0].typ && l.cols[0].typ != life {
					return part(aCond, g.qualify(l, l.cols[0].name), "=", g.qualify(r, r.cols[0].name)).or("1 = 1")
				}
			}
		}
		return part(aCond, "1 = 1")
	}
	return g.joinCond(e, a, b)
}

// joinCond writes the condition of a join: mostly an equality between the sides.
func (g *gen) joinCond(e *env, a, b []*source) *node {
	var pairs [][2]any
	for _, l := range a {
		for _, r := range b {
			for _, lc := range l.cols {
				for _, rc := range r.cols {
					if lc.typ == rc.typ && lc.typ != life && (lc.name == rc.name || g.chance(15)) {
						pairs = append(pairs, [2]any{g.qualify(l, lc.name), g.qualify(r, rc.name)})
					}
				}
			}
		}
	}
	if len(pairs) == 0 || g.chance(8) {
		return g.cond(e, 2)
	}
	pair := one(g, pairs...)
	equal := part(aCond, pair[0], "=", pair[1]).or("1 = 1")
	if g.chance(75) {
		return equal
	}
	g.use("ON with more")
	return part(aCond, equal, one(g, "AND", "AND", "OR"), g.cond(e, 2)).or("1 = 1")
}
