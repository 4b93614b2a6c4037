package memstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/store/memstore"
)

const window = 30 * lifecycle.Day

var (
	noon   = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	cause  = lifecycle.Cause{By: "user:42", Why: "clean-up"}
	active = memstore.Seed{State: lifecycle.Active}
)

// world is a store of a few tables and its clock.
type world struct {
	*memstore.Store
	clock *lifecycletest.Clock

	doc    *lifecycle.Table // everything mapped, two objects
	coarse *lifecycle.Table // whole seconds
	note   *lifecycle.Table // deleted_at alone
	folder *lifecycle.Table // in a schema, its own parent
	file   *lifecycle.Table // belongs to a folder
	ticket *lifecycle.Table // technical
	person *lifecycle.Table // status
}

func newWorld(t *testing.T, opts memstore.Options) *world {
	t.Helper()
	all := lifecycle.CanonicalColumns()
	all.Version = "row_version"
	seconds := all
	seconds.DeletedAt.As, seconds.PurgeAfter.As = lifecycle.TimestampSeconds, lifecycle.TimestampSeconds
	w := &world{clock: lifecycletest.NewClock(noon)}
	w.doc = &lifecycle.Table{Name: "doc", Columns: all, Objects: []lifecycle.ObjectRef{
		{Bucket: "files", Key: "object_key"}, {Bucket: "files", Key: "thumb_key"},
	}}
	w.coarse = &lifecycle.Table{Name: "coarse", Columns: seconds}
	w.note = &lifecycle.Table{Name: "note", Columns: lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}}}
	w.folder = &lifecycle.Table{Schema: "app", Name: "folder"}
	w.folder.Parents = []lifecycle.Parent{{Table: w.folder, Columns: []string{"parent_id"}}}
	w.file = &lifecycle.Table{Name: "file", Parents: []lifecycle.Parent{{Table: w.folder, Columns: []string{"folder_id"}}}}
	w.ticket = &lifecycle.Table{
		Name: "ticket", Kind: lifecycle.Technical, Columns: lifecycle.Columns{Hold: lifecycle.Column{Name: "hold", As: lifecycle.Flag}},
		Objects: []lifecycle.ObjectRef{{Bucket: "files", Key: "object_key"}},
	}
	w.person = &lifecycle.Table{Name: "person", Kind: lifecycle.Status, Why: "set left_on instead"}
	if opts.Clock == nil {
		opts.Clock = w.clock
	}
	st, err := memstore.New(lifecycle.MustCatalog(w.doc, w.coarse, w.note, w.folder, w.file, w.ticket, w.person), &opts)
	if err != nil {
		t.Fatal(err)
	}
	w.Store = st
	return w
}

func (w *world) insert(t *testing.T, table *lifecycle.Table, seed memstore.Seed, ids ...int) {
	t.Helper()
	for _, id := range ids {
		if err := w.Insert(table, lifecycle.Key{id}, seed); err != nil {
			t.Fatal(err)
		}
	}
}

// in runs fn in a transaction and commits it, or rolls it back on an error.
func (w *world) in(fn func(tx *memstore.Tx) error) error {
	tx := w.Begin()
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// apply takes an edge in a transaction of its own.
func (w *world) apply(ctx context.Context, edge lifecycle.EdgeName, r lifecycle.Row) (result lifecycle.Result, err error) {
	failed := w.in(func(tx *memstore.Tx) error {
		result, err = w.Apply(ctx, tx, edge, r, cause)
		return nil
	})
	return result, errors.Join(err, failed)
}

func (w *world) take(t *testing.T, edge lifecycle.EdgeName, r lifecycle.Row) lifecycle.Result {
	t.Helper()
	result, err := w.apply(t.Context(), edge, r)
	if err != nil || result.Outcome != lifecycle.Transitioned {
		t.Fatalf("%s %s%s: %s, %v", edge, r.Table.Name, r.Key, result.Outcome, err)
	}
	return result
}

func (w *world) state(t *testing.T, db lifecycle.DB, r lifecycle.Row) lifecycle.State {
	t.Helper()
	record, err := w.Record(t.Context(), db, r)
	if err != nil {
		t.Fatal(err)
	}
	return record.State
}

// edges is a row's history in short.
func (w *world) edges(t *testing.T, r lifecycle.Row) (names []lifecycle.EdgeName) {
	t.Helper()
	history, err := w.History(t.Context(), w.Store, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range history {
		names = append(names, e.Edge)
	}
	return names
}
