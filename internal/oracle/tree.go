package oracle

import (
	"math/rand/v2"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// kind is what a part of a query is: the minimiser puts a part in the place of
// another one of its kind.
type kind uint8

const (
	other kind = iota
	aQuery
	aFrom
	aCond
	aNumber
	aText
)

// node is a part of a query. Its parts are words (string), texts that stand as
// they are (raw), references to tables (*ref), columns named with their schema
// (*full), and nodes.
type node struct {
	kind  kind
	parts []any
	// sep is between the parts of a list, whose parts can be dropped while one
	// is left.
	sep string
	// optional says that the part can be dropped.
	optional bool
	// simple can stand in the part's place.
	simple string
	// filtered are the sources whose rows a WHERE clause chooses from.
	filtered []*source
	// gone and instead are what the minimiser did.
	gone    bool
	instead any
}

// raw is text that stands as it is.
type raw string

// ref is a reference to a table.
type ref struct {
	t         *table
	qualified bool
	// text is the name as it is written, without the schema.
	text string
	// name is what the reference is called in its query.
	name string
	// scope is what this reference shows, if it differs from the query's.
	scope *lifecycle.Scope
	// target says that the table is written to.
	target bool
}

// full is a column with all qualifiers.
type full struct {
	ref *ref
	col string
}

func part(k kind, parts ...any) *node { return &node{kind: k, parts: parts} }

// or says what can stand in the node's place.
func (n *node) or(simple string) *node {
	n.simple = simple
	return n
}

// maybe is a part that can be dropped.
func maybe(parts ...any) *node { return &node{parts: parts, optional: true} }

// list is nodes with a separator between them.
func list(sep string, nodes ...*node) *node {
	n := &node{sep: sep}
	for _, kid := range nodes {
		n.parts = append(n.parts, kid)
	}
	return n
}

// printer writes a tree.
type printer struct {
	// schema returns the qualifier of a reference, and whether it has to be
	// written even where the query does not have one.
	schema func(*ref) (name string, forced bool)
	// style is the seed of the white space; 0 is one blank everywhere.
	style uint64
	// naive puts what it returns for a source into the WHERE clause.
	naive func(*source) string
	atoms []string
	words []bool
}

// print returns the text of a tree.
func (p *printer) print(n *node) string {
	p.atoms, p.words = nil, nil
	p.put(n)
	if p.style == 0 {
		return strings.Join(p.atoms, " ")
	}
	r := rand.New(rand.NewPCG(p.style, 1))
	var b strings.Builder
	for i, atom := range p.atoms {
		if i > 0 {
			b.WriteString(gaps[min(r.IntN(40), len(gaps)-1)])
		}
		if p.words[i] {
			atom = letterCase(r, atom)
		}
		b.WriteString(atom)
	}
	return b.String()
}

// gaps are what may stand between two words; the last one is the usual one.
var gaps = []string{
	"\n", "\t", "\r\n", "  ", "/**/", " /* FROM doc JOIN post; */ ", " -- it's, \"WHERE\n", "\n\n", " /*'*/ ", "\n--\n", " /* ` */ ", " ",
}

func letterCase(r *rand.Rand, word string) string {
	switch r.IntN(12) {
	case 0:
		return strings.ToLower(word)
	case 1:
		return word[:1] + strings.ToLower(word[1:])
	default:
		return word
	}
}

func (p *printer) put(x any) {
	switch x := x.(type) {
	case nil:
	case string:
		for word := range strings.FieldsSeq(x) {
			p.atom(word, strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "")
		}
	case raw:
		p.atom(string(x), false)
	case *ref:
		p.atom(p.qualifier(x, x.qualified)+x.text, false)
	case *full:
		p.atom(p.qualifier(x.ref, true)+x.ref.text+"."+x.col, false)
	case *node:
		p.node(x)
	}
}

func (p *printer) atom(text string, word bool) {
	p.atoms, p.words = append(p.atoms, text), append(p.words, word)
}

func (p *printer) qualifier(r *ref, written bool) string {
	schema, forced := p.schema(r)
	if written || forced {
		return schema + "."
	}
	return ""
}

func (p *printer) node(n *node) {
	switch {
	case n == nil || n.gone:
		return
	case n.instead != nil:
		p.put(n.instead)
		return
	}
	if n.filtered != nil && p.naive != nil {
		p.where(n)
		return
	}
	first := true
	for _, x := range n.parts {
		if kid, ok := x.(*node); ok && kid.gone {
			continue
		}
		if n.sep != "" && !first {
			p.put(n.sep)
		}
		first = false
		p.put(x)
	}
}

// where writes a WHERE clause with more conditions.
func (p *printer) where(n *node) {
	var all []string
	for _, s := range n.filtered {
		if condition := p.naive(s); condition != "" {
			all = append(all, condition)
		}
	}
	if len(n.parts) > 0 {
		p.put("WHERE (")
		p.put(n.parts[1])
		all = append([]string{")"}, all...)
	} else if len(all) > 0 {
		p.put("WHERE")
	}
	p.put(raw(strings.Join(all, " AND ")))
}
