package store

import (
	"context"
	"database/sql"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// checkForeign looks, where the store deletes rows of a table, for foreign keys
// by which the database would delete or change other rows with them: those have
// no audit, no legal hold keeps them, and their objects are left to the sweep.
func (s *Store) checkForeign(ctx context.Context, db lifecycle.DB, p *plan) ([]Problem, error) {
	deletes := p.t.Kind == lifecycle.Technical || p.t.Kind == lifecycle.Asset && p.t.Columns.IsDeleted.Name == ""
	if !deletes {
		return nil, nil
	}
	args := []any{p.t.Schema, p.t.Name}
	return query(ctx, db, s.d.Introspection.Foreign, args, func(rows *sql.Rows) (Problem, error) {
		raw, err := scanAny(rows, 2)
		if err != nil {
			return Problem{}, err
		}
		one := p.problem("", foreignKey, "rows of %s that refer to a row are changed with it: ON DELETE %s (no audit names them, no hold keeps them)",
			text(raw[0]), strings.ToUpper(text(raw[1])))
		one.Warning = true
		return one, nil
	})
}
