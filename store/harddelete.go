package store

import (
	"context"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// HardDelete removes rows of a Technical table at once, in batches: no trash,
// no way back. Rows under legal hold stay (Held). Each removed row has an audit
// line, and its objects are doomed, in the caller's transaction. For more rows
// than one transaction should hold, call it again with a small limit and a new
// transaction until Results.Rows is empty.
func (s *Store) HardDelete(ctx context.Context, tx lifecycle.Tx, sel lifecycle.Selection, cause lifecycle.Cause) (lifecycle.Results, error) {
	p, keys, where, err := s.admitAll(tx, lifecycle.HardDelete, false, sel, cause)
	if err != nil {
		return lifecycle.Results{}, err
	}
	b := s.newBatch(tx, p, cause)
	b.ep = hardDelete
	return b.run(ctx, keys, where, sel.Limit)
}

// hardDelete is the edge of rows that have no life but to exist.
var hardDelete = &edgePlan{
	Edge:    lifecycle.Edge{Name: lifecycle.HardDelete, Needs: lifecycle.NotHeld},
	start:   lifecycle.Active,
	removes: true,
}

// removable decides for a technical row what Decide decides for others.
func removable(r lifecycle.Record) lifecycle.Outcome {
	if r.Held {
		return lifecycle.Held
	}
	return lifecycle.Transitioned
}
