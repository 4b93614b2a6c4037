package guard

import (
	"strings"

	"github.com/softdelete-go/softdelete/internal/sqltext"
)

// mostFull is how many FULL JOINs a predicate is written into.
const mostFull = 8

// place puts a predicate where it hides rows of its reference and no others: the
// condition of the first join that fills its side with NULL, or WHERE. It returns
// false where only a derived table does that.
//
// A FULL JOIN keeps what matches nothing as well. A predicate in its condition
// hides rows from the other side; what the join keeps has to be hidden again by
// those who see its result, where absent, unless empty, is the predicate.
func (w *writer) place(r *sqltext.Reference, text, absent string) bool {
	if r.Columns || w.g.dialect == SQLite && w.ambiguous(r) {
		return false
	}
	placed := len(w.predicates)
	for at := w.acting(r.Place); at.Join >= 0; at = w.above(at.Join) {
		j := &w.s.Joins[at.Join]
		switch {
		case j.Shared, j.Kind == sqltext.Hidden, j.Kind == sqltext.Merging && at.OnRight,
			j.Kind == sqltext.Full && (absent == "" || j.On.End == 0 || len(w.predicates) == placed+mostFull):
			w.predicates = w.predicates[:placed]
			return false
		case j.Kind == sqltext.Full:
			w.predicates = append(w.predicates, predicate{at.Join, -1, text})
			text = absent
		default:
			w.predicates = append(w.predicates, predicate{at.Join, -1, text})
			return true
		}
	}
	w.predicates = append(w.predicates, predicate{-1, r.Block, text})
	return true
}

// acting returns the place itself, or the first above it, where a join does more
// than to pass the rows of that side on.
func (w *writer) acting(at sqltext.Place) sqltext.Place {
	if at.Join < 0 || w.acts(at) {
		return at
	}
	return w.above(at.Join)
}

func (w *writer) acts(at sqltext.Place) bool {
	switch w.s.Joins[at.Join].Kind {
	case sqltext.Left:
		return at.OnRight
	case sqltext.Right:
		return !at.OnRight
	default:
		return w.s.Joins[at.Join].Kind != sqltext.Inner
	}
}

// above returns the first acting place above a join. All are found at once: the
// way up would be as long as the text for each of a long chain's tables.
func (w *writer) above(join int) sqltext.Place {
	if w.next == nil {
		w.next = make([]sqltext.Place, len(w.s.Joins))
		// A join comes after those on its sides.
		for i := len(w.s.Joins) - 1; i >= 0; i-- {
			at := w.s.Joins[i].Place
			if at.Join >= 0 && !w.acts(at) {
				at = w.next[at.Join]
			}
			w.next[i] = at
		}
	}
	return w.next[join]
}

// ambiguous tells whether SQLite may not know a reference by its name: it loses
// an alias with a dot behind a join in parentheses, and takes two tables of one
// name in one FROM clause.
func (w *writer) ambiguous(r *sqltext.Reference) bool {
	name := w.shortName(r)
	if strings.Contains(name, ".") && r.Alias.End > 0 {
		return true
	}
	if w.same == nil {
		w.same = make(map[named]int, len(w.s.References))
		for i := range w.s.References {
			o := &w.s.References[i]
			w.same[named{o.Block, strings.ToLower(w.shortName(o))}]++
		}
	}
	return w.same[named{r.Block, strings.ToLower(name)}] > 1
}

// shortName returns a reference's alias, or its table's name.
func (w *writer) shortName(r *sqltext.Reference) string {
	if r.Alias.End > 0 {
		return unquoted(w.slice(r.Alias))
	}
	return r.Name
}
