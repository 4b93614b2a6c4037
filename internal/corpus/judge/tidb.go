package judge

import (
	"fmt"
	"strings"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	_ "github.com/pingcap/tidb/pkg/parser/test_driver" // its literals

	"github.com/softdelete-go/softdelete/internal/sqltext"
)

// TiDB is TiDB's parser of MySQL.
type TiDB struct{ parser *parser.Parser }

// NewTiDB returns the judge.
func NewTiDB() TiDB {
	p := parser.New()
	p.SetMariaDB(true)
	return TiDB{p}
}

// Name is "tidb".
func (TiDB) Name() string { return "tidb" }

// Compare parses the text, which may have several statements.
func (t TiDB) Compare(text string, found []sqltext.Reference) (_ Difference, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: panic: %v", ErrRefused, r)
		}
	}()
	if lostWith.MatchString(text) {
		return Difference{}, fmt.Errorf("%w: its tree does not tell", ErrRefused)
	}
	statements, _, err := t.parser.ParseSQL(text)
	if err != nil {
		return Difference{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	w := &tidbWalk{}
	for _, s := range statements {
		switch s.(type) {
		case *ast.ProcedureInfo, *ast.CreateBindingStmt, *ast.DropBindingStmt, *ast.SetBindingStmt, *ast.TraceStmt:
			return Difference{}, fmt.Errorf("%w: a statement that is not MySQL's, or whose body it does not show", ErrRefused)
		}
		s.Accept(w)
	}
	return Differ(Tables(found), w.tables), nil
}

type tidbWalk struct {
	tables []Table
	scope  *names
	// done are the WITH clauses that have been walked.
	done map[*ast.WithClause]bool
}

func (w *tidbWalk) add(n *ast.TableName) {
	w.tables = append(w.tables, Table{n.Schema.O, n.Name.O})
}

// Enter is ast.Visitor's.
func (w *tidbWalk) Enter(node ast.Node) (ast.Node, bool) {
	switch x := node.(type) {
	case *ast.TableSource:
		n, ok := x.Source.(*ast.TableName)
		if ok && (n.Schema.O != "" || !w.scope.has(n.Name.O, strings.EqualFold)) {
			w.add(n)
		}
	case *ast.TruncateTableStmt:
		w.add(x.Table)
	case *ast.LoadDataStmt:
		w.add(x.Table)
	case *ast.DeleteStmt:
		w.single(x)
	case *ast.WithClause:
		return node, w.done[x]
	}
	if c, ok := withOf(node); ok {
		w.with(c)
	}
	return node, false
}

// single counts the one target of a DELETE, which is no name of a WITH query
// whatever it looks like.
func (w *tidbWalk) single(x *ast.DeleteStmt) {
	if x.IsMultiTable || x.With == nil || x.TableRefs == nil || x.TableRefs.TableRefs.Right != nil {
		return
	}
	source, ok := x.TableRefs.TableRefs.Left.(*ast.TableSource)
	if !ok {
		return
	}
	if n, ok := source.Source.(*ast.TableName); ok && n.Schema.O == "" {
		for _, e := range x.With.CTEs {
			if strings.EqualFold(e.Name.O, n.Name.O) {
				w.add(n)
				return
			}
		}
	}
}

// Leave is ast.Visitor's.
func (w *tidbWalk) Leave(node ast.Node) (ast.Node, bool) {
	if _, ok := withOf(node); ok {
		w.scope = w.scope.up
	}
	return node, true
}

// withOf returns the WITH clause of a statement that can have one.
func withOf(node ast.Node) (*ast.WithClause, bool) {
	switch x := node.(type) {
	case *ast.SelectStmt:
		return x.With, true
	case *ast.SetOprStmt:
		return x.With, true
	case *ast.SetOprSelectList:
		return x.With, true
	case *ast.UpdateStmt:
		return x.With, true
	case *ast.DeleteStmt:
		return x.With, true
	}
	return nil, false
}

// with opens the scope of a statement, which Leave closes.
func (w *tidbWalk) with(c *ast.WithClause) {
	up := w.scope
	if c == nil {
		w.scope = &names{up: up}
		return
	}
	if w.done == nil {
		w.done = map[*ast.WithClause]bool{}
	}
	w.done[c] = true
	var list []string
	for _, e := range c.CTEs {
		list = append(list, e.Name.O)
	}
	for i, e := range c.CTEs {
		w.scope = &names{up, list[:i]}
		if c.IsRecursive {
			w.scope = &names{up, list[:i+1]}
		}
		e.Query.Accept(w)
	}
	w.scope = &names{up, list}
}
