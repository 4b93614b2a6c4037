package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/softdelete-go/softdelete/internal/sqltext"
	"github.com/softdelete-go/softdelete/lifecycle"
)

// liveView is a view as the database has it.
type liveView struct {
	*liveTable
	text  string // its definition; empty where the user may not see it
	terms bool   // it runs with the reader's rights and checks writes
}

// viewOf finds what has the name of one of our views; nil where there is no
// view of that name.
func (s *Store) viewOf(ctx context.Context, db lifecycle.DB, p *plan, v View) (*liveView, error) {
	live, err := s.live(ctx, db, p.t.Schema, v.Name)
	if err != nil || live.kind != "view" {
		return nil, err
	}
	found := &liveView{liveTable: live}
	_, err = query(ctx, db, s.d.Introspection.View, []any{p.t.Schema, v.Name}, func(rows *sql.Rows) (struct{}, error) {
		raw, err := scanAny(rows, 2)
		if err != nil {
			return struct{}{}, err
		}
		terms, err := number(raw[1])
		found.text, found.terms = text(raw[0]), terms != 0
		return struct{}{}, err
	})
	return found, err
}

// checkViews looks at the views that Views makes, where they are there. They are
// a convenience, so that none is missing; and no answer of the store depends on
// them, so that what is wrong is a warning.
func (s *Store) checkViews(ctx context.Context, db lifecycle.DB, p *plan, table *liveTable) ([]Problem, error) {
	var problems []Problem
	for _, v := range p.views() {
		live, err := s.viewOf(ctx, db, p, v)
		if err != nil {
			return nil, err
		}
		if live == nil {
			continue
		}
		if one, wrong := p.checkView(live, table, v); wrong {
			problems = append(problems, one)
		}
	}
	return problems, nil
}

func (p *plan) checkView(live *liveView, table *liveTable, v View) (Problem, bool) {
	one := Problem{Table: (&lifecycle.Table{Schema: p.t.Schema, Name: v.Name}).FullName(), Kind: staleView, Warning: true}
	anew := append([]string{v.Drop}, v.Create...)
	lacks, extra := columnsOff(live, table)
	switch {
	case live.text == "":
		one.What = "its definition cannot be read (has the user the right SHOW VIEW?)"
	case !p.isView(live.text, v):
		one.What = fmt.Sprintf("it does not show the rows of %s that are %s by the declaration", p.name, v.state())
		one.Mend = anew
	case len(extra) > 0:
		one.What = fmt.Sprintf("the table has no column %s any more", strings.Join(extra, ", "))
		one.Mend = anew
	case len(lacks) > 0:
		one.What = fmt.Sprintf("it lacks columns that the table got since: %s", strings.Join(lacks, ", "))
		one.Mend = v.Create
	case !live.terms:
		one.What = "it runs with its owner's rights, or takes writes that hide rows or bring them back"
		one.Mend = v.Create
	default:
		return one, false
	}
	return one, true
}

// columnsOff lists the columns that a view lacks, and those that only it has. A
// view that cannot be read any more has no columns.
func columnsOff(view *liveView, table *liveTable) (lacks, extra []string) {
	for _, c := range table.columns {
		if view.column(c.name) == nil {
			lacks = append(lacks, c.name)
		}
	}
	for _, c := range view.columns {
		if table.column(c.name) == nil {
			extra = append(extra, c.name)
		}
	}
	return lacks, extra
}

func (v View) state() lifecycle.State {
	if v.Scope == lifecycle.Live {
		return lifecycle.Active
	}
	return lifecycle.Trashed
}

// isView tells whether a view's definition reads our table and has our
// predicate.
func (p *plan) isView(definition string, v View) bool {
	ours := strings.NewReplacer("%t", p.d.ident(p.t.Name), "%p", p.scope(v.Scope)).Replace("SELECT * FROM %t WHERE %p")
	a, okA := p.d.wordsOf(definition, true)
	b, okB := p.d.wordsOf(ours, true)
	return okA && okB && a == b
}

// wordsOf returns the tokens of an expression, or what stands in a view's
// definition from its FROM on. Servers print them with parentheses and qualifiers
// of their own, which do not count.
func (d *Dialect) wordsOf(definition string, view bool) (string, bool) {
	mode := d.Text
	mode.DoubleName = !mode.DoubleString
	tokens, err := sqltext.Lex(definition, mode)
	if err != nil {
		return "", false
	}
	var words []string
	from, depth := !view, 0
	for _, t := range tokens {
		word := definition[t.Start:t.End]
		switch {
		case t.Kind == sqltext.Comment || word == ";":
		case word == "(":
			depth++
		case word == ")":
			depth--
		case t.Kind == sqltext.Word && depth == 0 && strings.EqualFold(word, "FROM"):
			from = true
		case word == "." && len(words) > 0:
			words = words[:len(words)-1]
		case from && t.Kind == sqltext.Word && strings.EqualFold(word, "FALSE"):
			words = append(words, "0") // MySQL has no other
		case from:
			words = append(words, plainWord(word, t.Kind))
		}
	}
	return strings.Join(words, " "), true
}

// plainWord is a token without quotes and letter case.
func plainWord(word string, kind sqltext.Kind) string {
	if kind == sqltext.Quoted {
		q := word[:1]
		word = strings.ReplaceAll(word[1:len(word)-1], q+q, q)
	}
	return strings.ToLower(word)
}
