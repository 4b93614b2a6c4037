package oracle

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// testCase is one query with all that is needed to run it.
type testCase struct {
	number int
	d      *dialect
	tree   *node
	style  uint64
	// scope is the whole query's, apart are the references with one of their own.
	scope lifecycle.Scope
	apart []*ref
	refs  []*ref
	// ordered says that the rows come in one order, writes that a table changes,
	// makes that a table named made is made.
	ordered, writes, makes bool
	constructs             []string
	// naive filters every source in WHERE, which is wrong: see Config.Naive.
	naive func(*source) string
}

// newCase makes the case with a number: the same one for the same seed.
func newCase(d *dialect, seed uint64, number int) *testCase {
	r := rand.New(rand.NewPCG(seed, uint64(number)+1))
	c := &testCase{number: number, d: d}
	for {
		g := &gen{Rand: r, d: d, used: map[string]bool{}, budget: 2 + r.IntN(6)}
		if g.chance(40) {
			c.style = r.Uint64() | 1
		}
		g.unique = g.chance(10)
		c.make(g)
		if c.refs = references(c.tree, nil); len(c.refs) > 0 && len(c.refs) < 11 {
			c.chooseScopes(g)
			c.constructs = g.constructs()
			return c
		}
	}
}

// references lists those in a tree: what was begun and given up is not in it.
func references(n *node, all []*ref) []*ref {
	for _, x := range n.parts {
		switch x := x.(type) {
		case *ref:
			all = append(all, x)
		case *node:
			all = references(x, all)
		}
	}
	return all
}

func (c *testCase) make(g *gen) {
	c.ordered, c.writes, c.makes = false, false, false
	switch n := g.IntN(100); {
	case n < 15:
		c.writes = true
		c.tree = g.write()
	case n < 18:
		g.use("CREATE TABLE AS")
		c.makes = true
		c.tree = part(aQuery, "CREATE TEMPORARY TABLE made AS", g.query(nil, nil, shape{named: true, size: 3}).n)
	case n < 19 && g.d.name == "postgres":
		g.use("TABLE t")
		r := g.tableRef(nil)
		c.tree = part(aQuery, "TABLE", r, maybe("LIMIT 100"))
		if g.chance(50) {
			c.makes = true
			c.tree = part(aQuery, "CREATE TEMPORARY TABLE made AS", c.tree)
		}
	default:
		q := g.query(nil, nil, shape{top: true, star: true, size: 4})
		c.tree, c.ordered = q.n, q.ordered
	}
}

// chooseScopes gives the query, and some of its references, a scope other than
// Live. A row that is inserted is active: where only the trash is shown, the
// twin would show it and the guard not.
func (c *testCase) chooseScopes(g *gen) {
	scopes := []lifecycle.Scope{lifecycle.WithTrashed, lifecycle.OnlyTrashed, lifecycle.Everything}
	if g.used["INSERT … SELECT"] || g.used["MERGE"] {
		scopes = []lifecycle.Scope{lifecycle.WithTrashed, lifecycle.Everything}
	}
	if g.chance(10) {
		c.scope = one(g, scopes...)
		g.use("scope " + c.scope.String())
	}
	if !g.unique || c.readsTarget() {
		return
	}
	for _, r := range c.refs {
		if c.single(r) && g.chance(60) {
			s := one(g, append(scopes, lifecycle.Live)...)
			r.scope = &s
			c.apart = append(c.apart, r)
			g.use("scope of one reference")
		}
	}
}

// readsTarget tells whether a write reads its own table as well: with a scope of
// its own the twin would read another copy, in which the write changes nothing.
func (c *testCase) readsTarget() bool {
	return slices.ContainsFunc(c.refs, func(target *ref) bool {
		return target.target && slices.ContainsFunc(c.refs, func(r *ref) bool { return r != target && r.t == target.t })
	})
}

// single tells whether a reference is registered and can be named: no other one
// is called so, and none has its table's name.
func (c *testCase) single(r *ref) bool {
	return r.t.registered() && !slices.ContainsFunc(c.refs, func(o *ref) bool {
		return o != r && (strings.EqualFold(bare(o.name), bare(r.name)) || strings.EqualFold(o.t.name, bare(r.name)))
	})
}

// print returns the text with each reference's schema.
func (c *testCase) print(schema func(*ref) (string, bool)) string {
	p := &printer{schema: schema, style: c.style, naive: c.naive}
	return p.print(c.tree)
}
