package store

import (
	"slices"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// index is an index that statements of the store rely on.
type index struct {
	name    string
	columns []string
	lead    int    // how many of the columns do the work; the others order
	where   string // the condition of a partial index
	object  bool   // its one column holds objects' keys
	cut     bool   // only the start of its column is indexed
	keyed   bool   // the primary key begins with its columns
}

// indexes lists the indexes that the table needs, each set of columns once.
func (p *plan) indexes() []index {
	var all []index
	add := func(i index) {
		known := slices.ContainsFunc(all, func(o index) bool {
			return o.where == i.where && slices.Equal(o.columns, i.columns)
		})
		if !known {
			all = append(all, i)
		}
	}
	if p.t.Kind == lifecycle.Asset {
		for _, i := range p.lifeIndexes() {
			add(i)
		}
	}
	for _, parent := range p.t.Parents {
		cols := parent.Columns
		keyed := len(cols) <= len(p.t.Key) && slices.Equal(p.t.Key[:len(cols)], cols)
		add(index{name: p.indexName(append([]string{"ref"}, cols...)...), columns: cols, lead: len(cols), keyed: keyed})
	}
	for _, o := range p.t.Objects {
		add(index{name: p.indexName("obj", o.Key), columns: []string{o.Key}, lead: 1, object: true})
	}
	return all
}

// lifeIndexes are the ones by which background passes find their rows: each in
// the order of its column, so that a pass reads as many rows as it takes.
func (p *plan) lifeIndexes() []index {
	var all []index
	cols := p.t.Columns
	for _, l := range p.lanes() {
		word := "due"
		where := func(c columns) { c.state(lifecycle.Trashed) }
		if l.col.Name != cols.PurgeAfter.Name {
			word = "window"
			where = func(c columns) {
				c.state(lifecycle.Trashed)
				c.unsetIf(cols.PurgeAfter)
			}
		}
		all = append(all, p.lifeIndex(word, cols.IsDeleted.Name, l.col.Name, where))
	}
	if len(p.t.Objects) > 0 && cols.IsDeleted.Name != "" && cols.ReclaimedAt.Name != "" {
		column := cols.IsDeleted.Name
		if p.d.PartialIndex {
			column = p.t.Key[0]
		}
		all = append(all, p.lifeIndex("purged", cols.ReclaimedAt.Name, column, func(c columns) { c.state(lifecycle.Purged) }))
	}
	return all
}

// lifeIndex indexes a column within the rows of a state. Where no index can be
// partial, a column that is equal in all of these rows leads instead: else the
// tombstones of the past would lie before the rows that are due.
func (p *plan) lifeIndex(word, first, column string, where func(columns)) index {
	i := index{name: p.indexName(word)}
	if !p.d.PartialIndex {
		if first != "" {
			i.columns = append(i.columns, first)
		}
		i.columns = append(i.columns, column)
		i.lead = len(i.columns)
		return i
	}
	w := &writer{d: p.d}
	where(columns{writer: w, t: p.t})
	i.where, i.columns, i.lead = w.String(), []string{column}, 1
	for _, k := range p.t.Key {
		if k != column {
			i.columns = append(i.columns, k)
		}
	}
	return i
}

// indexName is the table's name and what the index is for. Several columns are
// told apart by a checksum: a_b and c are not a and b_c.
func (p *plan) indexName(words ...string) string {
	name := p.t.Name + "_softdelete_" + strings.Join(words, "_")
	if len(words) <= 2 && len(name) <= lifecycle.MaxIdentifier {
		return name
	}
	return checked(name, p.t.Name, strings.Join(words, "\x00"))
}

// cutLength is how many characters of a text are indexed that is too wide.
const cutLength = "(255)"

// createIndex is the statement that makes an index. SQLite takes the schema
// with the name of the index, the others with the table's.
func (p *plan) createIndex(i index, online bool) string {
	w := &writer{d: p.d}
	w.put("CREATE INDEX ")
	if online {
		w.put(p.d.Alter.Online)
	}
	if p.d.Schemas {
		w.put(p.d.ident(i.name), " ON ", p.from)
	} else {
		w.put(p.d.qualified(p.t.Schema, i.name), " ON ", p.d.ident(p.t.Name))
	}
	w.put(" (")
	w.list(len(i.columns), ", ", func(n int) { w.put(p.d.ident(i.columns[n])) })
	if i.cut {
		w.put(cutLength)
	}
	w.put(")")
	if i.where != "" {
		w.put(" WHERE ", i.where)
	}
	if online {
		w.put(p.d.Alter.OnlineTail)
	}
	return w.String()
}

// has tells whether a live index does the work. One of the whole table does
// too, where there are no tombstones that it would make a pass wade through.
func (p *plan) has(live *liveTable, i index) bool {
	for n := range live.indexes {
		l := &live.indexes[n]
		if !l.valid || !live.starts(l, i.columns[:i.lead], i.object) {
			continue
		}
		whole := l.where == "" && (i.where == "" || p.t.Columns.IsDeleted.Name == "")
		if whole || i.where != "" && l.where != "" && p.d.samePredicate(l.where, i.where) {
			return true
		}
	}
	return false
}

// missingIndex returns the statements that bring an index; none where a live
// one does its work.
func (p *plan) missingIndex(live *liveTable, i index) []string {
	if p.has(live, i) {
		return nil
	}
	var all []string
	if live.index(i.name) != nil {
		// What has the name serves another declaration, or was never finished.
		all = p.dropIndex(i)
	}
	if c := live.column(i.columns[0]); i.object && p.d.IndexWidth > 0 && c != nil {
		i.cut = c.family == "text" && c.size > p.d.IndexWidth/4 || c.size > p.d.IndexWidth
	}
	// A partitioned table takes no index while others write.
	return append(all, p.createIndex(i, live.kind == "table"))
}

// dropIndex names the index as createIndex does.
func (p *plan) dropIndex(i index) []string {
	name := p.d.qualified(p.t.Schema, i.name)
	return []string{strings.NewReplacer("%t", p.from, "%i", name, "%c", p.d.ident(i.name)).Replace(p.d.Alter.DropIndex)}
}
