package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Adopt looks at a table that exists and returns the statements that bring what
// its life lacks, in the order in which to run them: mapped columns that are
// missing, then indexes. It executes nothing, and returns nothing once they have
// run. What is there and does not fit is for Check to say; so are the table's
// own columns, such as those of parents and objects: an empty column that was
// added under a mistaken name would say that no object is in use.
//
// The statements suit a table that is full and in use. New columns are NULL or
// have a constant default, which no supported database writes into the rows;
// MySQL is told to refuse rather than to copy the table. Indexes are built while
// others write: on PostgreSQL CONCURRENTLY, so that such a statement cannot run
// inside a transaction and, when it fails, leaves an index behind that the next
// Adopt drops first.
//
// It reads only, inside or outside a transaction. A table that does not exist
// is an error, a *[SchemaError].
func (s *Store) Adopt(ctx context.Context, db lifecycle.DB, t *lifecycle.Table) ([]string, error) {
	p, err := s.plan(t)
	if err != nil {
		return nil, fmt.Errorf("store: adopt: %w", err)
	}
	live, err := s.live(ctx, db, p.t.Schema, p.t.Name)
	if err != nil {
		return nil, s.fault("adopt", p, nil, err)
	}
	if problems := p.checkRelation(live); len(problems) > 0 {
		return nil, &SchemaError{Problems: problems}
	}
	var missing []lifeColumn
	for _, c := range p.life() {
		if live.column(c.name) == nil {
			missing = append(missing, c)
		}
	}
	all := p.addColumns(missing)
	for _, i := range p.indexes() {
		if p.ownColumns(live, i) {
			all = append(all, p.missingIndex(live, i)...)
		}
	}
	return all, nil
}

// ownColumns tells whether the columns of an index are there or are added: an
// index on others would fail, and Check names those.
func (p *plan) ownColumns(live *liveTable, i index) bool {
	for _, name := range i.columns {
		added := false
		for _, c := range p.life() {
			added = added || live.same(c.name, name)
		}
		if !added && live.column(name) == nil {
			return false
		}
	}
	return true
}

// addColumns adds columns in as few statements as the database takes: each one
// needs the table for itself for a moment.
func (p *plan) addColumns(columns []lifeColumn) []string {
	var adds []string
	for _, c := range columns {
		adds = append(adds, "ADD COLUMN "+p.d.definition(c))
	}
	alter := func(what string) string { return "ALTER TABLE " + p.from + " " + what + p.d.Alter.Instant }
	switch {
	case len(adds) == 0:
		return nil
	case !p.d.Alter.Single:
		return []string{alter(strings.Join(adds, ", "))}
	}
	for i := range adds {
		adds[i] = alter(adds[i])
	}
	return adds
}
