package guard

import (
	"cmp"
	"slices"
	"strings"

	"github.com/softdelete-go/softdelete/internal/rowstate"
	"github.com/softdelete-go/softdelete/internal/sqltext"
	"github.com/softdelete-go/softdelete/lifecycle"
)

// edit puts word and text in place of what stands from at to end.
type edit struct {
	at, end    int
	word, text string
}

// predicate is a condition that belongs to a join or, where that is -1, to a
// block.
type predicate struct {
	join, block int
	text        string
}

// named is a name in a block.
type named struct {
	block int
	name  string
}

// writer rewrites one text.
type writer struct {
	g          *Guard
	s          *sqltext.Script
	edits      []edit
	predicates []predicate
	// next is, for each join, where what acts on its result is: the place itself or
	// one above it.
	next []sqltext.Place
	// same counts the references of one name, and is made where it is asked for, as
	// split and rowids are: the tokens of the text, and whether one is SQLite's row
	// number.
	same   map[named]int
	split  []sqltext.Token
	rowids *bool
	// scratch is where predicates are written.
	scratch []byte
	// used are the references with scopes of their own, trash whether one is there
	// that has a trash.
	used  map[string]bool
	trash bool
}

func (w *writer) write() (string, error) {
	w.predicates = make([]predicate, 0, len(w.s.References))
	w.edits = make([]edit, 0, 3*len(w.s.References)+2)
	for i := range w.s.References {
		if err := w.reference(&w.s.References[i]); err != nil {
			return "", err
		}
	}
	for name := range w.g.refs {
		if !w.used[name] {
			return "", &Error{Table: name, Reason: "the query has no such reference", Err: ErrScope}
		}
	}
	if w.g.scope == lifecycle.OnlyTrashed && !w.trash {
		return "", &Error{Reason: "the query reads no table with a trash", Err: ErrScope}
	}
	w.conditions()
	w.names()
	return w.text(), nil
}

func (w *writer) fail(r *sqltext.Reference, err error, reason string) error {
	return &Error{Offset: r.Whole.Start, Table: w.slice(r.Text), Reason: reason, Err: err}
}

func (w *writer) slice(s sqltext.Span) string { return w.s.Text[s.Start:s.End] }

func (w *writer) reference(r *sqltext.Reference) error {
	t, err := w.g.find(r)
	if err != nil {
		return w.fail(r, err, "more than one table of the catalog has this name")
	}
	if t == nil {
		if w.g.dialect == Postgres && r.Name == "pg_settings" && r.Role != sqltext.Read {
			return w.fail(r, ErrNotUnderstood, "a setting that may change how a text is read")
		}
		if name := r.Name; w.g.options.Strict && !slices.Contains(w.g.options.Allow, name) && !slices.Contains(w.g.options.Allow, r.Schema+"."+name) {
			return w.fail(r, ErrUnregistered, "")
		}
		return nil
	}
	scope, apart := w.scopeOf(r)
	if t.Kind != lifecycle.Asset && apart && scope == lifecycle.OnlyTrashed {
		return w.fail(r, ErrScope, "the table has no trash")
	}
	w.trash = w.trash || t.Kind == lifecycle.Asset
	if err := w.refuse(r, t); err != nil {
		return err
	}
	if r.Role == sqltext.Insert || t.Kind != lifecycle.Asset {
		return nil
	}
	text := w.predicate(t, scope, w.qualifier(r))
	if text == "" || w.place(r, text, "") {
		return nil
	}
	// SQLite computes a derived table of a FULL JOIN whole.
	if w.g.dialect == SQLite && scope == lifecycle.Live && w.place(r, text, w.liveOrAbsent(t, r)) {
		return nil
	}
	return w.derive(r, t, scope)
}

// predicate returns what rows of a table have to fulfil; empty if nothing.
func (w *writer) predicate(t *lifecycle.Table, scope lifecycle.Scope, qualifier string) string {
	if w.scratch == nil {
		w.scratch = make([]byte, 0, 256)
	}
	// The dot stands behind the qualifier in the buffer, so that it costs nothing.
	b := append(append(w.scratch[:0], qualifier...), '.')
	prefix := len(b)
	b, _ = rowstate.AppendScope(b, t, scope, string(b), w.g.dialect.AppendName)
	w.scratch = b
	return string(b[prefix:])
}

// liveOrAbsent returns the predicate on rows that an outer join may have put NULL
// in the place of.
func (w *writer) liveOrAbsent(t *lifecycle.Table, r *sqltext.Reference) string {
	return string(rowstate.AppendLiveOrAbsent(nil, t, w.qualifier(r)+".", w.g.dialect.AppendName))
}

// qualifier returns what columns of a reference are written with.
func (w *writer) qualifier(r *sqltext.Reference) string {
	if r.Alias.End > 0 {
		return w.slice(r.Alias)
	}
	return w.slice(r.Text)
}

// scopeOf returns the scope of a reference, and whether it is its own.
func (w *writer) scopeOf(r *sqltext.Reference) (lifecycle.Scope, bool) {
	for name, s := range w.g.refs {
		if w.g.same(name, r.Name) || r.Alias.End > 0 && w.g.same(name, unquoted(w.slice(r.Alias))) {
			if w.used == nil {
				w.used = map[string]bool{}
			}
			w.used[name] = true
			return s, true
		}
	}
	return w.g.scope, false
}

// unquoted returns an alias without its quotes.
func unquoted(alias string) string {
	if strings.IndexByte("\"`['", alias[0]) >= 0 {
		return alias[1 : len(alias)-1]
	}
	return alias
}

// refuse tells what may not be done with a table of the catalog.
func (w *writer) refuse(r *sqltext.Reference, t *lifecycle.Table) error {
	if t.Kind == lifecycle.Technical {
		return nil
	}
	switch r.Role {
	case sqltext.Delete, sqltext.Empty, sqltext.Replace:
		return w.fail(r, ErrWrite, "")
	case sqltext.Merge:
		if r.Deletes || r.Unmatched {
			return w.fail(r, ErrWrite, "MERGE would act on hidden rows")
		}
	}
	if t.Kind != lifecycle.Asset {
		return nil
	}
	b := &w.s.Blocks[r.Block]
	switch {
	case r.Role == sqltext.Upsert:
		return w.fail(r, ErrUpsert, "")
	case b.Cursor:
		return w.fail(r, ErrWrite, "WHERE CURRENT OF reaches rows around the filter")
	case r.Role == sqltext.Update && (b.Where.End == 0 || b.Constant) && !w.g.options.Unconditional:
		return w.fail(r, ErrUnconditional, "")
	}
	return nil
}

// derive puts a derived table in the place of a reference.
func (w *writer) derive(r *sqltext.Reference, t *lifecycle.Table, scope lifecycle.Scope) error {
	switch {
	case r.Fixed || r.Role != sqltext.Read:
		return w.fail(r, ErrDerived, "what stands with it needs the table itself")
	case w.s.Blocks[r.Block].Locks && w.g.dialect == MySQL:
		return w.fail(r, ErrDerived, "a derived table takes no lock")
	case r.Schema != "" && r.Alias.End == 0 && w.spelled(r):
		return w.fail(r, ErrDerived, "its columns are written with the schema")
	case w.g.dialect == SQLite && w.rowid():
		return w.fail(r, ErrDerived, "a derived table has no rowid")
	}
	closing := " WHERE " + w.predicate(t, scope, w.slice(r.Text)) + ")"
	if r.Alias.End == 0 {
		name := w.slice(r.Text)
		if r.Schema != "" {
			name = string(w.g.dialect.AppendName(nil, r.Name))
		}
		closing += " AS " + name
	}
	w.insert(r.Whole.Start, "(SELECT * FROM ")
	w.insert(r.Text.End, closing)
	return nil
}

// tokens splits the text again: few queries need it.
func (w *writer) tokens() []sqltext.Token {
	if w.split == nil {
		mode := w.g.mode
		mode.Whole = true
		tokens, _ := sqltext.Lex(w.s.Text, mode) // it has been split without an error
		w.split = slices.DeleteFunc(tokens, func(t sqltext.Token) bool { return t.Kind == sqltext.Comment })
	}
	return w.split
}

func (w *writer) at(t sqltext.Token) string { return w.s.Text[t.Start:t.End] }

// spelled tells whether the text has schema.table.column of a reference.
func (w *writer) spelled(r *sqltext.Reference) bool {
	tokens := w.tokens()
	for i := 0; i+3 < len(tokens); i++ {
		if sqltext.EqualFold(unquoted(w.at(tokens[i])), r.Schema) && w.at(tokens[i+1]) == "." &&
			sqltext.EqualFold(unquoted(w.at(tokens[i+2])), r.Name) && w.at(tokens[i+3]) == "." {
			return true
		}
	}
	return false
}

// rowid tells whether the text has a name of SQLite's row number.
func (w *writer) rowid() bool {
	if w.rowids == nil {
		some := slices.ContainsFunc(w.tokens(), func(t sqltext.Token) bool {
			name := unquoted(w.at(t))
			return sqltext.EqualFold(name, "rowid") || sqltext.EqualFold(name, "_rowid_") || sqltext.EqualFold(name, "oid")
		})
		w.rowids = &some
	}
	return *w.rowids
}

func (w *writer) insert(at int, text string) { w.edits = append(w.edits, edit{at, at, "", text}) }

// conditions writes the predicates into ON and WHERE, joins first: where both
// end at one place, that is their order.
func (w *writer) conditions() {
	slices.SortStableFunc(w.predicates, func(a, b predicate) int {
		// A join is before a block, whose join is -1.
		return cmp.Or(cmp.Compare(min(b.join, 0), min(a.join, 0)), a.join-b.join, a.block-b.block)
	})
	for all := w.predicates; len(all) > 0; {
		place := all[0]
		n := 1
		for n < len(all) && all[n].join == place.join && all[n].block == place.block {
			n++
		}
		if place.join >= 0 {
			j := &w.s.Joins[place.join]
			w.condition(j.On, j.End, " ON ", all[:n])
		} else if b := &w.s.Blocks[place.block]; b.Table.End == 0 {
			w.condition(b.Where, b.Tail, " WHERE ", all[:n])
		} else {
			w.edits = append(w.edits, edit{b.Table.Start, b.Table.Start + len("TABLE"), "", "SELECT * FROM"})
			w.condition(sqltext.Span{}, b.Table.End, " WHERE ", all[:n])
		}
		all = all[n:]
	}
}

// condition adds predicates to a condition, or writes one where there is none.
func (w *writer) condition(is sqltext.Span, at int, word string, all []predicate) {
	if is.End > 0 {
		w.insert(is.Start, "(")
		at, word = is.End, ") AND "
	}
	for _, p := range all {
		w.edits = append(w.edits, edit{at, at, word, p.text})
		word = " AND "
	}
}

// names gives the select items in which something changed the name they had:
// MySQL and SQLite name them by their text. A view's columns with a longer text
// than a name can be are numbered.
func (w *writer) names() {
	w.sort()
	edits := w.edits
	for i := range w.s.Blocks {
		for _, item := range w.s.Blocks[i].Items {
			n, _ := slices.BinarySearchFunc(edits, item.Start+1, func(e edit, at int) int { return e.at - at })
			if name := w.slice(item.Name); n < len(edits) && edits[n].at < item.End && !(w.s.View && len(name) > 64) {
				w.insert(item.End, " AS "+string(w.g.dialect.AppendName(nil, name)))
			}
		}
	}
}

func (w *writer) sort() {
	slices.SortStableFunc(w.edits, func(a, b edit) int { return a.at - b.at })
}

// text applies the edits.
func (w *writer) text() string {
	if len(w.edits) == 0 {
		return w.s.Text
	}
	w.sort()
	b := make([]byte, 0, len(w.s.Text)+64*len(w.edits))
	at := 0
	for _, e := range w.edits {
		b = w.append(b, w.s.Text[at:e.at])
		b = append(append(b, e.word...), e.text...)
		at = e.end
	}
	return string(w.append(b, w.s.Text[at:]))
}

// append appends a piece of the text behind what was put in front of it: what was
// written as two words must not become one, as in '…'LIMIT 1.
func (w *writer) append(b []byte, text string) []byte {
	if len(b) > 0 && text != "" && wordlike(b[len(b)-1]) && wordlike(text[0]) {
		b = append(b, ' ')
	}
	return append(b, text...)
}

// wordlike tells whether a character can be a part of a word or of a literal.
func wordlike(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte("_$'\"`.@", c) >= 0 || c >= 0x80
}
