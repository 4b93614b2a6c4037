package memstore

import (
	"slices"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
)

// rowID names a row: a table of the catalog and the text of a normal key.
type rowID struct {
	table *lifecycle.Table
	key   string
}

func idOf(t *lifecycle.Table, key lifecycle.Key) rowID { return rowID{t, key.String()} }

// row is one row: its life, whom it belongs to and what it refers to.
type row struct {
	key                   lifecycle.Key
	state                 lifecycle.State
	deletedAt, purgeAfter time.Time
	held                  bool
	version               int64
	// parents has the row of each Table.Parents; the zero rowID for none.
	parents []rowID
	// objects has the key of each Table.Objects; empty for none.
	objects []string
}

// memory is everything that is committed.
type memory struct {
	rows     map[rowID]row
	history  map[rowID][]lifecycle.Entry
	objects  map[objectName]object
	waiting  map[rowID][]int64
	attempts map[objectName][]objstore.Attempt
	// entries and numbers are the last numbers given to an audit entry and to an
	// object.
	entries, numbers int64
	// restricted has the tables whose rows active children can keep.
	restricted map[*lifecycle.Table]bool
}

func newMemory(c *lifecycle.Catalog) *memory {
	restricted := map[*lifecycle.Table]bool{}
	for _, t := range c.Tables() {
		restricted[t] = slices.ContainsFunc(c.Children(t), func(c lifecycle.Child) bool { return !c.Parent.Independent })
	}
	return &memory{
		restricted: restricted,
		rows:       map[rowID]row{},
		history:    map[rowID][]lifecycle.Entry{},
		objects:    map[objectName]object{},
		waiting:    map[rowID][]int64{},
		attempts:   map[objectName][]objstore.Attempt{},
	}
}

// view is the memory as one transaction sees it. Values in it are shared with
// the memory: they are replaced, never changed in place.
type view struct {
	memory   *memory
	rows     layer[rowID, row]
	history  layer[rowID, []lifecycle.Entry]
	objects  layer[objectName, object]
	waiting  layer[rowID, []int64]
	attempts layer[objectName, []objstore.Attempt]

	entries, numbers int64
}

func (m *memory) view() *view {
	return &view{
		memory:   m,
		rows:     layer[rowID, row]{base: m.rows},
		history:  layer[rowID, []lifecycle.Entry]{base: m.history},
		objects:  layer[objectName, object]{base: m.objects},
		waiting:  layer[rowID, []int64]{base: m.waiting},
		attempts: layer[objectName, []objstore.Attempt]{base: m.attempts},
		entries:  m.entries,
		numbers:  m.numbers,
	}
}

func (v *view) commit() {
	v.rows.merge()
	v.history.merge()
	v.objects.merge()
	v.waiting.merge()
	v.attempts.merge()
	v.memory.entries, v.memory.numbers = v.entries, v.numbers
}

// record is what Decide has to know of a row.
func (v *view) record(id rowID, r row) lifecycle.Record {
	return lifecycle.Record{
		State: r.state, DeletedAt: r.deletedAt, PurgeAfter: r.purgeAfter, Held: r.held,
		ParentTrashed: v.parentTrashed(r), LiveChildren: v.liveChildren(id),
	}
}

func (v *view) parentTrashed(r row) bool {
	return slices.ContainsFunc(r.parents, func(id rowID) bool {
		if id == (rowID{}) {
			return false
		}
		parent, ok := v.rows.get(id)
		return !ok || parent.state != lifecycle.Active
	})
}

// liveChildren tells whether an active row that restricts its parent belongs to
// the row.
func (v *view) liveChildren(parent rowID) bool {
	if !v.memory.restricted[parent.table] {
		return false
	}
	for id, child := range v.rows.all() {
		if child.state != lifecycle.Active {
			continue
		}
		for i, p := range id.table.Parents {
			if !p.Independent && child.parents[i] == parent {
				return true
			}
		}
	}
	return false
}

// historyOf returns a copy, since callers may change what they are given.
func (v *view) historyOf(id rowID) []lifecycle.Entry {
	entries, _ := v.history.get(id)
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].Key = slices.Clone(entries[i].Key)
	}
	return entries
}

func (v *view) audit(id rowID, e lifecycle.Entry) {
	v.entries++
	e.Seq = v.entries
	before, _ := v.history.get(id)
	v.history.set(id, append(slices.Clip(before), e))
}
