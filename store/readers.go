package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Reader is something inside the database that reads tables of the catalog by
// itself: a query that names it reads them without naming them.
type Reader struct {
	// Kind is one of: view, materialized view, partition, rule, policy, function,
	// trigger function, procedure, trigger, event.
	Kind string
	// Name is its name with its schema, and where there is one its argument list
	// or the table that it is on.
	Name string
	// Tables are the tables with a trash that it reads, itself or through others
	// of its kind, in the order of the catalog; empty where its text cannot be
	// read.
	Tables []string
	// Certain says that the database itself says so. Otherwise it is code of
	// which only the text is known, and the text names the tables.
	Certain bool
}

// String returns the reader on one line.
func (r Reader) String() string {
	switch {
	case len(r.Tables) == 0:
		return r.Kind + " " + r.Name + ": its text cannot be read"
	case r.Certain:
		return r.Kind + " " + r.Name + ": reads " + strings.Join(r.Tables, ", ")
	}
	return r.Kind + " " + r.Name + ": its text names " + strings.Join(r.Tables, ", ")
}

// Readers lists what reads tables with a trash inside the database, where no
// guard that rewrites a query's text can filter: views, functions, triggers,
// rules and the like. Whoever names one in a query sees the rows that it shows,
// deleted ones too, unless it has the predicate itself. The views that Views
// makes are not listed, nor what reads a table through them only.
//
// These are not faults of the schema, since a report on the trash is one of
// them: that is why Check does not name them. Read the list once, and pin it in
// a test, so that a new one is looked at.
//
// What is known: on PostgreSQL the dependencies of views, rules, policies,
// partitions and SQL functions with a body of their own (BEGIN ATOMIC) are exact;
// on MySQL those of views. All other code is text, which names a table, or has a
// string in which a statement does, and may do so in vain. What is not known:
// SQL that code puts together from pieces, code outside the database, functions
// in C, what belongs to an extension, attached databases of SQLite, and what the
// connection's user may not see.
//
// It reads only, and takes any connection or transaction: in one it sees what
// that sees.
func (s *Store) Readers(ctx context.Context, db lifecycle.DB) ([]Reader, error) {
	g, err := s.stored(ctx, db)
	if err != nil {
		return nil, s.fault("readers", nil, nil, err)
	}
	for _, t := range s.catalog.Tables() {
		if t.Kind != lifecycle.Asset {
			continue
		}
		p := s.plans[t]
		for _, v := range p.views() {
			live, err := s.viewOf(ctx, db, p, v)
			if err != nil {
				return nil, s.fault("readers", p, nil, err)
			}
			if live != nil && p.isView(live.text, v) {
				g.settle(t.Schema, v.Name)
			}
		}
		g.settle(t.Schema, t.Name)
	}
	for _, t := range s.catalog.Tables() {
		if t.Kind == lifecycle.Asset {
			g.reach(t)
		}
	}
	return g.readers(), nil
}

// thing is something in the database that has rows or code.
type thing struct {
	kind, schema, name, tail string
	visible, printed, hidden bool
	text                     string

	readBy  []*thing
	certain map[*thing]bool // which of readBy the database itself vouches for
	settled bool            // a table of the catalog, or a view of ours
	tables  []string        // the tables that it reads
	sure    int             // how many of them the database itself vouches for
}

// things are all of them, as a graph of what reads what.
type things struct {
	d   *Dialect
	all []*thing
	ids map[string]*thing
}

func (s *Store) stored(ctx context.Context, db lifecycle.DB) (*things, error) {
	g := &things{d: s.d, ids: map[string]*thing{}}
	for _, text := range s.d.Introspection.Stored {
		if _, err := query(ctx, db, text, nil, g.scan); err != nil {
			return nil, err
		}
	}
	if s.d.Introspection.Uses != "" {
		if _, err := query(ctx, db, s.d.Introspection.Uses, nil, g.scanUse); err != nil {
			return nil, err
		}
	}
	names := map[string][]*thing{}
	for _, t := range g.all {
		switch t.kind {
		case "trigger", "event", "rule", "policy": // which nothing calls by its name
		default:
			names[g.fold(t.name)] = append(names[g.fold(t.name)], t)
		}
	}
	for _, t := range g.all {
		if t.text != "" {
			for _, m := range g.d.mentions(t) {
				g.link(t, m, names)
			}
		}
	}
	return g, nil
}

func (g *things) scan(rows *sql.Rows) (struct{}, error) {
	raw, err := scanAny(rows, 8)
	if err != nil {
		return struct{}{}, err
	}
	visible, err := number(raw[5])
	if err != nil {
		return struct{}{}, err
	}
	printed, err := number(raw[7])
	t := &thing{
		kind: text(raw[1]), schema: text(raw[2]), name: text(raw[3]), tail: text(raw[4]),
		visible: visible != 0, text: text(raw[6]), hidden: raw[6] == nil, printed: printed != 0,
	}
	g.all, g.ids[text(raw[0])] = append(g.all, t), t
	return struct{}{}, err
}

func (g *things) scanUse(rows *sql.Rows) (struct{}, error) {
	raw, err := scanAny(rows, 2)
	if err != nil {
		return struct{}{}, err
	}
	reader, read := g.ids[text(raw[0])], g.ids[text(raw[1])]
	if reader != nil && read != nil {
		read.add(reader, true)
	}
	return struct{}{}, nil
}

func (t *thing) add(reader *thing, certain bool) {
	if reader == t {
		return
	}
	if t.certain == nil {
		t.certain = map[*thing]bool{}
	}
	if before, known := t.certain[reader]; !known {
		t.readBy = append(t.readBy, reader)
		t.certain[reader] = certain
	} else {
		t.certain[reader] = before || certain
	}
}

// fold brings names to one letter case where the database compares them so.
func (g *things) fold(name string) string {
	if g.d.FoldsColumns {
		return strings.ToLower(name)
	}
	return name
}

// link finds what a text may mean by a name.
func (g *things) link(reader *thing, m mention, names map[string][]*thing) {
	for _, t := range names[g.fold(m.name)] {
		here := t.schema == reader.schema || g.d.Introspection.SearchPath && t.visible
		if m.schema != "" {
			here = g.fold(t.schema) == g.fold(m.schema)
		} else if reader.printed {
			here = false
		}
		if here {
			t.add(reader, reader.printed)
		}
	}
}

// find returns what a name of the catalog stands for; nil where it is not there.
func (g *things) find(schema, name string) *thing {
	for _, t := range g.all {
		rows := t.kind == "table" || t.kind == "view" || t.kind == "partition"
		here := schema == "" && t.visible || schema != "" && g.fold(schema) == g.fold(t.schema)
		if rows && here && g.fold(t.name) == g.fold(name) {
			return t
		}
	}
	return nil
}

func (g *things) settle(schema, name string) {
	if t := g.find(schema, name); t != nil {
		t.settled = true
	}
}

// reach goes from a table to all that reads it, directly or through others,
// first by what is certain only.
func (g *things) reach(t *lifecycle.Table) {
	root := g.find(t.Schema, t.Name)
	if root == nil {
		return
	}
	sure := root.reached(true)
	for reader := range root.reached(false) {
		reader.tables = append(reader.tables, t.FullName())
		if sure[reader] {
			reader.sure++
		}
	}
}

func (t *thing) reached(certain bool) map[*thing]bool {
	found, queue := map[*thing]bool{}, []*thing{t}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		for _, reader := range next.readBy {
			if !reader.settled && !found[reader] && (!certain || next.certain[reader]) {
				found[reader] = true
				queue = append(queue, reader)
			}
		}
	}
	return found
}

func (g *things) readers() []Reader {
	var all []Reader
	for _, t := range g.all {
		if t.settled || len(t.tables) == 0 && !t.hidden {
			continue
		}
		name := t.name + t.tail
		if t.schema != "" {
			name = t.schema + "." + name
		}
		all = append(all, Reader{Kind: t.kind, Name: name, Tables: t.tables, Certain: len(t.tables) > 0 && t.sure == len(t.tables)})
	}
	slices.SortFunc(all, func(a, b Reader) int {
		return strings.Compare(a.Kind+"\x00"+a.Name, b.Kind+"\x00"+b.Name)
	})
	return all
}
