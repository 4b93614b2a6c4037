package oracle

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// gen writes one query.
type gen struct {
	*rand.Rand
	d *dialect
	// used are the constructs in the query.
	used map[string]bool
	// budget is how many more tables it may have, so that joins stay small.
	budget int
	// unique gives every reference a name that the whole query has once, which
	// scopes of single references need.
	unique  bool
	counter int
}

// env is the names that an expression sees.
type env struct {
	up      *env // the outer query's
	sources []*source
	// plain are the columns that can be named alone.
	plain []column
	ctes  *ctes
}

// source is what a FROM clause gives a name to.
type source struct {
	name string // as it is written before a dot
	cols []column
	ref  *ref // a table's that can be named with its schema
	t    *table
}

// ctes are the queries of the WITH clauses in force.
type ctes struct {
	up    *ctes
	names []source
	// avoid are names that must not be written without a schema here.
	avoid []string
}

func (g *gen) chance(percent int) bool { return g.IntN(100) < percent }

func (g *gen) use(constructs ...string) {
	for _, c := range constructs {
		g.used[c] = true
	}
}

// one returns one of the values.
func one[T any](g *gen, values ...T) T { return values[g.IntN(len(values))] }

// choice is a way to make something, with its weight.
type choice[T any] struct {
	weight int
	make   func() T
}

// when returns a weight, or none where the condition does not hold.
func when(condition bool, weight int) int {
	if condition {
		return weight
	}
	return 0
}

func choose[T any](g *gen, choices ...choice[T]) T {
	total := 0
	for _, c := range choices {
		total += c.weight
	}
	n := g.IntN(total)
	for _, c := range choices {
		if n < c.weight {
			return c.make()
		}
		n -= c.weight
	}
	panic("unreachable")
}

// fresh returns a name that the query does not have yet.
func (g *gen) fresh(prefix string) string {
	g.counter++
	return fmt.Sprintf("%s%d", prefix, g.counter)
}

// names returns what a FROM clause has names for already.
func names(sources []*source) (all []string) {
	for _, s := range sources {
		all = append(all, s.name)
	}
	return all
}

// odd are names that have to be quoted, and read like something else.
var odd = []string{"my alias", "select", "FROM", "where", "it's", "a.b", "join (", "--", "Order"}

// alias returns a new name for a source, and what to write for it.
func (g *gen) alias(taken []*source) (name string, written *node) {
	for {
		switch {
		case g.unique:
			name = g.fresh("u")
		case g.chance(6):
			g.use("quoted alias")
			name = g.d.quote(one(g, odd...))
		case g.chance(6):
			g.use("alias like a table")
			name = one(g, "doc", "post", "item", "tag", "place")
		default:
			name = one(g, "a", "b", "c", "d", "e", "x", "y", "t1", "t2", "value1", "A2")
		}
		if !slices.ContainsFunc(names(taken), func(n string) bool { return strings.EqualFold(bare(n), bare(name)) }) {
			break
		}
	}
	if g.chance(50) {
		g.use("alias without AS")
		return name, part(other, raw(name))
	}
	g.use("alias with AS")
	return name, part(other, "AS", raw(name))
}

// bare returns a name without quotes.
func bare(name string) string { return strings.Trim(name, "`\"") }

// columnsOf lists the columns of a type that an expression can name, those of
// the query itself, or now and then those of an outer one.
func (g *gen) columnsOf(e *env, t typ) (cols []any, outer bool) {
	inner := map[string]bool{}
	level := 0
	for at := e; at != nil; at = at.up {
		found := g.visible(at, t, inner)
		if level > 0 && len(found) > 0 && (len(cols) == 0 || g.chance(25)) {
			return found, true
		}
		if level == 0 {
			cols = found
		}
		for _, n := range names(at.sources) {
			inner[strings.ToLower(bare(n))] = true
		}
		level++
	}
	return cols, false
}

func (g *gen) visible(e *env, t typ, hidden map[string]bool) (cols []any) {
	for _, s := range e.sources {
		if hidden[strings.ToLower(bare(s.name))] {
			continue
		}
		for _, c := range s.cols {
			if c.typ == t {
				cols = append(cols, g.qualify(s, c.name))
			}
		}
	}
	if len(hidden) > 0 {
		return cols
	}
	for _, c := range e.plain {
		if c.typ == t && g.chance(20) {
			cols = append(cols, raw(c.name))
		}
	}
	return cols
}

func (g *gen) qualify(s *source, col string) any {
	if s.ref != nil && s.ref.qualified && g.IntN(10) == 0 {
		g.use("schema.table.column")
		return &full{ref: s.ref, col: col}
	}
	return raw(s.name + "." + col)
}

// column returns a column of the type, or nil where there is none.
func (g *gen) column(e *env, t typ) any {
	cols, outer := g.columnsOf(e, t)
	if len(cols) == 0 {
		return nil
	}
	if outer {
		g.use("correlated")
	}
	c := one(g, cols...)
	if plain, ok := c.(raw); ok && !strings.Contains(string(plain), ".") {
		g.use("unqualified column")
	}
	return c
}

// inner returns a column of the query itself.
func (g *gen) inner(e *env, t typ) any {
	if cols := g.visible(e, t, nil); len(cols) > 0 {
		return one(g, cols...)
	}
	return nil
}

// constructs lists what the query has.
func (g *gen) constructs() []string { return slices.Sorted(maps.Keys(g.used)) }
