package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/softdelete-go/softdelete/internal/corpus/judge"
	"github.com/softdelete-go/softdelete/internal/corpus/source"
	"github.com/softdelete-go/softdelete/internal/sqltext"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
)

// product is how SQL of a product is read, guarded and judged.
type product struct {
	// mode is the one of the guard's dialect.
	mode    sqltext.Mode
	dialect *guard.Dialect
	columns lifecycle.Columns
}

var products = map[source.Product]product{
	source.Postgres: {sqltext.Mode{Quote: '"', Dollar: true, NestedComment: true}, guard.Postgres, lifecycle.Columns{}},
	source.MySQL: {sqltext.Mode{Quote: '`', Backslash: true, HashComment: true, DoubleString: true}, guard.MySQL,
		lifecycle.Columns{}},
	// SQLite looks for the columns, and every table has this one.
	source.SQLite: {sqltext.Mode{Quote: '"'}, guard.SQLite, lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "rowid"}}},
}

// kind is what came of a statement.
type kind string

const (
	unjudged   kind = "judge refuses"
	refused    kind = "refused"
	missed     kind = "missed"
	extra      kind = "extra"
	agreed     kind = "agreed"
	guarded    kind = "rewritten"
	refusal    kind = "guard"
	unparsable kind = "unparsable"
)

// finding is a statement and something that came of it.
type finding struct {
	kind   kind
	reason string
	// path and text are of the statement, and rewritten is it guarded.
	path, text, rewritten string
	// tables are what was found, and against what the judge has against it.
	tables  []judge.Table
	against judge.Difference
}

// read is sqltext.Parse, for tests to put something else in its place.
type read func(text string, m sqltext.Mode) (*sqltext.Script, error)

// check returns what came of a statement.
func check(parse read, text string, p product, j judge.Judge) []finding {
	script, err := parse(text, p.mode)
	var references []sqltext.Reference
	if err == nil {
		references = script.References
	}
	d, fault := j.Compare(text, references)
	f := finding{text: text, tables: judge.Tables(references), against: d}
	switch {
	case fault != nil:
		return f.as(unjudged, fault.Error())
	case err != nil:
		var at *sqltext.Error
		if !errors.As(err, &at) {
			return f.as(refused, err.Error())
		}
		return f.as(refused, at.Reason)
	case d.Equal():
		return append(f.as(agreed, ""), rewrite(parse, text, references, p, j)...)
	}
	var list []finding
	if len(d.Missed) > 0 {
		list = f.as(missed, "")
	}
	if len(d.Extra) > 0 {
		list = append(list, f.as(extra, "")...)
	}
	return list
}

func (f finding) as(k kind, reason string) []finding {
	f.kind, f.reason = k, reason
	return []finding{f}
}

// special is what SQLite has against a condition that is no matter of grammar:
// views and tables WITHOUT ROWID, and INSERT INTO t SELECT * FROM u, which leaves
// generated columns out as long as it has no condition.
var special = regexp.MustCompile(`no such column|but \d+ values were supplied`)

// rewrite guards a statement and has the new text judged.
func rewrite(parse read, text string, references []sqltext.Reference, p product, j judge.Judge) []finding {
	f := finding{text: text, tables: judge.Tables(references)}
	if len(references) == 0 {
		return nil
	}
	c, err := catalog(references, p)
	if err != nil {
		return f.as(refusal, "catalog")
	}
	g, err := guard.New(c, p.dialect, &guard.Options{Unconditional: true, Cache: -1})
	if err != nil {
		return f.as(refusal, err.Error())
	}
	if f.rewritten, err = g.Rewrite(text); err != nil {
		var at *guard.Error
		if errors.As(err, &at) {
			return f.as(refusal, strings.TrimSuffix(at.Err.Error()+": "+at.Reason, ": "))
		}
		return f.as(refusal, err.Error())
	}
	if f.rewritten == text {
		return nil
	}
	script, err := parse(f.rewritten, p.mode)
	if err != nil {
		return f.as(unparsable, "we: "+err.Error())
	}
	if q, ok := j.(judge.Parser); ok {
		err = q.Parses(f.rewritten, script.References)
	} else {
		f.against, err = j.Compare(f.rewritten, script.References)
	}
	if err != nil {
		if p.dialect == guard.SQLite && special.MatchString(err.Error()) {
			return f.as(refusal, "judge: the table has no such column, or copies all its columns in a way of its own")
		}
		return f.as(unparsable, err.Error())
	}
	if d := judge.Differ(judge.Tables(script.References), f.tables); !f.against.Equal() || !d.Equal() {
		return f.as(unparsable, fmt.Sprint("other tables: ", d))
	}
	return f.as(guarded, "")
}

// catalog declares tables as assets, and as technical data where the guard would
// refuse what is done with an asset.
func catalog(references []sqltext.Reference, p product) (*lifecycle.Catalog, error) {
	var list []*lifecycle.Table
	for _, r := range references {
		i := slices.IndexFunc(list, func(t *lifecycle.Table) bool {
			return t.Name == r.Name || p.dialect != guard.Postgres && strings.EqualFold(t.Name, r.Name)
		})
		if i < 0 {
			i = len(list)
			list = append(list, &lifecycle.Table{Name: r.Name, Columns: p.columns})
		}
		switch r.Role {
		case sqltext.Delete, sqltext.Empty, sqltext.Replace, sqltext.Upsert:
			list[i].Kind, list[i].Columns = lifecycle.Technical, lifecycle.Columns{}
		case sqltext.Merge:
			if r.Deletes || r.Unmatched {
				list[i].Kind, list[i].Columns = lifecycle.Technical, lifecycle.Columns{}
			}
		}
	}
	return lifecycle.NewCatalog(list...)
}
