package judge

import (
	"fmt"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/softdelete-go/softdelete/internal/sqltext"
)

// Postgres is PostgreSQL's own parser, of version 17.
type Postgres struct{}

// NewPostgres returns the judge.
func NewPostgres() Postgres { return Postgres{} }

// Name is "pg_query".
func (Postgres) Name() string { return "pg_query" }

// Compare parses the text, which may have several statements.
func (Postgres) Compare(text string, found []sqltext.Reference) (Difference, error) {
	tree, err := pg.Parse(text)
	if err != nil {
		return Difference{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	var w postgresWalk
	w.message(tree.ProtoReflect(), nil, false)
	return Differ(Tables(found), w.tables), nil
}

type postgresWalk struct{ tables []Table }

// message walks a node. Tables outside of queries do not count.
func (w *postgresWalk) message(m protoreflect.Message, scope *names, query bool) {
	skip := map[protoreflect.Name]bool{}
	target := func(r *pg.RangeVar, field protoreflect.Name) {
		if r != nil {
			w.tables = append(w.tables, Table{r.Schemaname, r.Relname})
		}
		skip[field] = true
	}
	with := func(c *pg.WithClause) {
		query, skip["with_clause"] = true, true
		scope = w.with(c, scope)
	}
	switch x := m.Interface().(type) {
	case *pg.RangeVar:
		if query && (x.Schemaname != "" || !scope.has(x.Relname, func(a, b string) bool { return a == b })) {
			w.tables = append(w.tables, Table{x.Schemaname, x.Relname})
		}
		return
	case *pg.IntoClause, *pg.LockingClause:
		return
	case *pg.MultiAssignRef:
		// Each column of (a, b) = (SELECT …) has the whole query.
		if x.Colno > 1 {
			return
		}
	case *pg.SelectStmt:
		with(x.WithClause)
	case *pg.InsertStmt:
		with(x.WithClause)
		target(x.Relation, "relation")
	case *pg.UpdateStmt:
		with(x.WithClause)
		target(x.Relation, "relation")
	case *pg.DeleteStmt:
		with(x.WithClause)
		target(x.Relation, "relation")
	case *pg.MergeStmt:
		with(x.WithClause)
		target(x.Relation, "relation")
	case *pg.CopyStmt:
		target(x.Relation, "relation")
	case *pg.TruncateStmt:
		query = true
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Message() == nil || skip[f.Name()]:
		case f.IsList():
			for i := range v.List().Len() {
				w.message(v.List().Get(i).Message(), scope, query)
			}
		default:
			w.message(v.Message(), scope, query)
		}
		return true
	})
}

// with walks the queries of a WITH clause, and returns the scope that follows.
func (w *postgresWalk) with(c *pg.WithClause, up *names) *names {
	if c == nil {
		return up
	}
	var list []string
	for _, n := range c.Ctes {
		list = append(list, n.GetCommonTableExpr().GetCtename())
	}
	for i, n := range c.Ctes {
		seen := list[:i]
		if c.Recursive {
			seen = list
		}
		w.message(n.GetCommonTableExpr().ProtoReflect(), &names{up, seen}, true)
	}
	return &names{up, list}
}
