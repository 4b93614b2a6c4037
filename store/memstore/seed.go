package memstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Seed is a row as other software left it: where a test starts, and what Peek
// returns. Instants are cut to what the table's columns hold.
type Seed struct {
	// State is the row's state. Defaults to active.
	State lifecycle.State
	// DeletedAt is when the row was trashed. In a state after active, where it is
	// zero and the table has a date, the row was trashed at the clock's present,
	// with the policy's deadline.
	DeletedAt time.Time
	// PurgeAfter is the stored deadline; zero beside a DeletedAt for a row that
	// has none.
	PurgeAfter time.Time
	// Held puts a legal hold on the row.
	Held bool
	// Version is what the version column holds. Defaults to 1.
	Version int64
	// Parents has the keys of the rows that this one belongs to, by the full
	// names of their tables. Where a table is a parent twice both are the same
	// row. A nil in a key means that there is no parent.
	Parents map[string]lifecycle.Key
	// Objects has the keys of Table.Objects, in their order; empty for none, and
	// trailing ones may be missing.
	Objects []string
}

// Insert writes a row in a transaction of its own: no edge, no audit. A row that
// exists is replaced. The error is an *lifecycle.Error that wraps ErrInvalid
// where the table cannot hold such a row.
func (m *Store) Insert(t *lifecycle.Table, key lifecycle.Key, seed Seed) error {
	tx := m.Begin()
	if err := tx.Insert(t, key, seed); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

// Insert writes a row in the transaction, otherwise as Store.Insert does.
func (tx *Tx) Insert(t *lifecycle.Table, key lifecycle.Key, seed Seed) error {
	const op = "insert"
	id, normal, err := tx.m.find(op, t.Row(key...))
	if err != nil {
		return err
	}
	r, err := tx.m.plant(id.table, normal, seed)
	if err != nil {
		return wrap(op, id.table, normal, err)
	}
	return wrap(op, id.table, normal, tx.write(context.Background(), func(v *view) error {
		v.rows.set(id, r)
		return nil
	}))
}

// Peek returns a row as it is committed, and false where there is none. It is
// for what Record does not tell: the version, the parents and the objects.
func (m *Store) Peek(r lifecycle.Row) (Seed, bool) {
	id, _, err := m.find("peek", r)
	if err != nil {
		return Seed{}, false
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	found, ok := m.memory.rows[id]
	if !ok {
		return Seed{}, false
	}
	seed := Seed{
		State: found.state, DeletedAt: found.deletedAt, PurgeAfter: found.purgeAfter,
		Held: found.held, Version: found.version, Objects: slices.Clone(found.objects),
	}
	for i, p := range found.parents {
		if p != (rowID{}) {
			if seed.Parents == nil {
				seed.Parents = map[string]lifecycle.Key{}
			}
			key, _ := lifecycle.ParseKey(p.key) // String wrote it
			seed.Parents[id.table.Parents[i].Table.FullName()] = key
		}
	}
	return seed, true
}

// plant makes a row of a seed.
func (m *Store) plant(t *lifecycle.Table, key lifecycle.Key, seed Seed) (row, error) {
	if seed.State == "" {
		seed.State = lifecycle.Active
	}
	if seed.Version == 0 {
		seed.Version = 1
	}
	if err := seed.check(t); err != nil {
		return row{}, err
	}
	r := row{key: key, state: seed.State, held: seed.Held, version: seed.Version}
	r.objects = append(slices.Clone(seed.Objects), make([]string, len(t.Objects)-len(seed.Objects))...)
	var err error
	if r.parents, err = parentsOf(t, seed.Parents); err != nil {
		return row{}, err
	}
	if seed.State != lifecycle.Active {
		r.deletedAt, r.purgeAfter = m.dated(t, seed)
	}
	return r, nil
}

// dated returns the dates of a row that was trashed, as its columns hold them.
func (m *Store) dated(t *lifecycle.Table, seed Seed) (deletedAt, purgeAfter time.Time) {
	deleted, after := t.Columns.DeletedAt.As, t.Columns.PurgeAfter
	if seed.DeletedAt.IsZero() && seed.PurgeAfter.IsZero() {
		seed.DeletedAt = m.now()
		seed.PurgeAfter = t.Policy.Deadline(seed.DeletedAt)
	}
	if deleted.Dated() && !seed.DeletedAt.IsZero() {
		deletedAt = deleted.Cut(seed.DeletedAt)
	}
	if after.Name != "" && !seed.PurgeAfter.IsZero() {
		purgeAfter = after.As.CutUp(seed.PurgeAfter)
	}
	return deletedAt, purgeAfter
}

// check refuses what the table has no column for, or what contradicts itself.
func (s Seed) check(t *lifecycle.Table) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{lifecycle.ErrInvalid}, args...)...)
	}
	shown := map[lifecycle.State]bool{
		lifecycle.Active:    true,
		lifecycle.Trashed:   t.Kind == lifecycle.Asset,
		lifecycle.Purged:    t.Columns.IsDeleted.Name != "",
		lifecycle.Reclaimed: t.Columns.ReclaimedAt.Name != "",
	}
	switch {
	case !shown[s.State]:
		return bad("Seed.State: rows of the table cannot be %q", s.State)
	case s.State == lifecycle.Active && !(s.DeletedAt.IsZero() && s.PurgeAfter.IsZero()):
		return bad("Seed.DeletedAt: an active row has no dates")
	case s.Held && t.Columns.Hold.Name == "":
		return bad("Seed.Held: the table maps no Hold")
	case len(s.Objects) > len(t.Objects):
		return bad("Seed.Objects: %d keys, the table declares %d", len(s.Objects), len(t.Objects))
	}
	return nil
}

func parentsOf(t *lifecycle.Table, keys map[string]lifecycle.Key) ([]rowID, error) {
	parents, known := make([]rowID, len(t.Parents)), map[string]bool{}
	for i, p := range t.Parents {
		name := p.Table.FullName()
		known[name] = true
		key, ok := keys[name]
		if !ok || slices.Contains(key, nil) {
			continue
		}
		normal, err := checkKey(p.Table, key)
		if err != nil {
			return nil, fmt.Errorf("Seed.Parents: %s: %w", name, err)
		}
		parents[i] = idOf(p.Table, normal)
	}
	for name := range keys {
		if !known[name] {
			return nil, fmt.Errorf("%w: Seed.Parents: %q is no parent of the table", lifecycle.ErrInvalid, name)
		}
	}
	return parents, nil
}
