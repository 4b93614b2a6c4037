package judge

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/softdelete-go/softdelete/internal/sqltext"
	"vitess.io/vitess/go/vt/sqlparser"
)

// Vitess is Vitess's parser of MySQL.
type Vitess struct{ parser *sqlparser.Parser }

// NewVitess returns the judge.
func NewVitess() Vitess { return Vitess{sqlparser.NewTestParser()} }

// Name is "vitess".
func (Vitess) Name() string { return "vitess" }

// Compare parses the text, which may have several statements.
func (v Vitess) Compare(text string, found []sqltext.Reference) (_ Difference, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: panic: %v", ErrRefused, r)
		}
	}()
	if lostWith.MatchString(text) || misread.MatchString(text) {
		return Difference{}, fmt.Errorf("%w: its tree does not tell", ErrRefused)
	}
	statements, err := v.parser.ParseMultipleIgnoreEmpty(text)
	if err != nil {
		return Difference{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	var w vitessWalk
	for _, s := range statements {
		if ddl, ok := s.(sqlparser.DDLStatement); ok && !ddl.IsFullyParsed() {
			return Difference{}, fmt.Errorf("%w: read in part", ErrRefused)
		}
		if err := w.walk(s, nil); err != nil {
			return Difference{}, err
		}
	}
	return Differ(Tables(found), w.tables), nil
}

// lostWith is a WITH clause in parentheses behind another one, of which the
// parsers of Vitess and TiDB forget one.
var lostWith = regexp.MustCompile(`(?i)\)\s*\(+\s*WITH\b`)

// misread is what Vitess does not tell from something else: a table with the name
// of DUAL, and a reserved word of MySQL that it takes for a table.
var misread = regexp.MustCompile("(?i)`dual`|^\\s*UPDATE\\s+DELAYED\\b")

type vitessWalk struct{ tables []Table }

func (w *vitessWalk) add(t sqlparser.TableName) {
	w.tables = append(w.tables, Table{t.Qualifier.String(), t.Name.String()})
}

func (w *vitessWalk) walk(node sqlparser.SQLNode, scope *names) error {
	return sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch x := node.(type) {
		case *sqlparser.AliasedTableExpr:
			if t, ok := x.Expr.(sqlparser.TableName); ok && !ignored(t, scope) {
				w.add(t)
			}
		case *sqlparser.TruncateTable:
			w.add(x.Table)
		case *sqlparser.Insert:
			// Its target is no name of a WITH query, whatever it looks like.
			w.target(x.Table)
			return false, w.rest(x, scope)
		case *sqlparser.LockTables, *sqlparser.Show, *sqlparser.ExplainTab:
			return false, nil
		case *sqlparser.Select:
			rest := *x
			rest.With = nil
			return w.with(x.With, &rest, scope)
		case *sqlparser.Union:
			rest := *x
			rest.With = nil
			return w.with(x.With, &rest, scope)
		case *sqlparser.ValuesStatement:
			rest := *x
			rest.With = nil
			return w.with(x.With, &rest, scope)
		case *sqlparser.Update:
			rest := *x
			rest.With = nil
			return w.with(x.With, &rest, scope)
		case *sqlparser.Delete:
			rest := *x
			rest.With = nil
			if x.With != nil && len(x.Targets) == 0 && len(x.TableExprs) == 1 {
				// So is this one no name of a WITH query.
				w.target(x.TableExprs[0])
				rest.TableExprs = nil
			}
			return w.with(x.With, &rest, scope)
		case *sqlparser.Load, *sqlparser.OtherAdmin, *sqlparser.PrepareStmt:
			return false, fmt.Errorf("%w: a statement whose text is not kept", ErrRefused)
		case *sqlparser.Nextval:
			return false, fmt.Errorf("%w: a statement of Vitess alone", ErrRefused)
		case *sqlparser.ColumnType:
			// Walk leaves out the expressions of a column's definition.
			if x.Options != nil && x.Options.As != nil {
				return true, w.walk(x.Options.As, scope)
			}
		}
		return true, nil
	}, node)
}

func (w *vitessWalk) target(e sqlparser.TableExpr) {
	if a, ok := e.(*sqlparser.AliasedTableExpr); ok {
		if t, ok := a.Expr.(sqlparser.TableName); ok {
			w.add(t)
		}
	}
}

// rest walks an INSERT without its target.
func (w *vitessWalk) rest(x *sqlparser.Insert, scope *names) error {
	for _, part := range []sqlparser.SQLNode{x.Rows, x.OnDup} {
		if part == nil {
			continue
		}
		if err := w.walk(part, scope); err != nil {
			return err
		}
	}
	return nil
}

// ignored tells whether the name is DUAL, or that of a WITH query.
func ignored(t sqlparser.TableName, scope *names) bool {
	name := t.Name.String()
	return t.Qualifier.IsEmpty() && (strings.EqualFold(name, "dual") || scope.has(name, strings.EqualFold))
}

// with walks the queries of a WITH clause and the statement without
// it.
func (w *vitessWalk) with(c *sqlparser.With, rest sqlparser.SQLNode, up *names) (bool, error) {
	if c == nil {
		return true, nil
	}
	var list []string
	for _, e := range c.CTEs {
		list = append(list, e.ID.String())
	}
	for i, e := range c.CTEs {
		seen := list[:i]
		if c.Recursive {
			seen = list[:i+1]
		}
		if err := w.walk(e.Subquery, &names{up, seen}); err != nil {
			return false, err
		}
	}
	return false, w.walk(rest, &names{up, list})
}
