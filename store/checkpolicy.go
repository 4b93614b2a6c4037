package store

import (
	"context"
	"database/sql"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// checkPolicy looks at the policy that Policies makes, where it is there. No
// answer of the store depends on it, so that what is wrong is a warning.
func (s *Store) checkPolicy(ctx context.Context, db lifecycle.DB, p *plan) ([]Problem, error) {
	if !s.d.RowSecurity || p.t.Kind != lifecycle.Asset {
		return nil, nil
	}
	args := []any{p.t.Schema, p.t.Name, livePolicy}
	found, err := query(ctx, db, s.d.Introspection.Policy, args, func(rows *sql.Rows) (Problem, error) {
		raw, err := scanAny(rows, 4)
		if err != nil {
			return Problem{}, err
		}
		whole, err := number(raw[2])
		if err != nil {
			return Problem{}, err
		}
		on, err := number(raw[3])
		one := p.problem(livePolicy, stalePolicy, "")
		one.Warning = true
		switch {
		case whole == 0 || !p.isPolicy(text(raw[0])) || !p.isPolicy(text(raw[1])):
			one.What = "it does not keep everybody but the store to live rows as they are declared (make it anew, see Policies)"
		case on == 0:
			one.What = "row-level security is switched off for the table, so that it binds nobody"
			one.Mend = []string{p.rowSecurity("ENABLE")}
		}
		return one, err
	})
	if len(found) > 0 && found[0].What == "" {
		found = nil
	}
	return found, err
}

// isPolicy tells whether an expression is the predicate of live rows, or else a
// question of ours about who asks.
func (p *plan) isPolicy(expression string) bool {
	live, okA := p.d.wordsOf(expression, false)
	ours, okB := p.d.wordsOf(p.scope(lifecycle.Live), false)
	rest, same := strings.CutPrefix(live, ours)
	if !okA || !okB || !same {
		return false
	}
	return strings.HasPrefix(rest, " or select pg_has_role ") || strings.HasPrefix(rest, " or select coalesce current_setting ")
}
