package store_test

import (
	"database/sql"
	"errors"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// TestRelationsInAnOldSnapshot asks for edges in a transaction whose snapshot is
// older than what became of the row's relations. The guarded statement looks at
// them as they are, where the database lets it.
func TestRelationsInAnOldSnapshot(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		if d.Name == "sqlite" {
			return // a writer's snapshot is never old
		}
		folder := &lifecycle.Table{Name: "folder"}
		file := &lifecycle.Table{Name: "file", Parents: []lifecycle.Parent{{Table: folder, Columns: []string{"folder_id"}}}}
		catalog := lifecycle.MustCatalog(folder, file)
		s := &shelf{backend: backendOf(d.Name, d.DB)}
		var err error
		if s.store, err = store.New(catalog, s.dialect, &store.Options{Clock: lifecycletest.NewClock(noon)}); err != nil {
			t.Fatal(err)
		}
		s.create(t, catalog)
		if err := s.store.Install(t.Context(), d.DB); err != nil {
			t.Fatal(err)
		}
		active := memstore.Seed{State: lifecycle.Active}
		for n := range int64(2) {
			if err := s.insert(t.Context(), catalog.Tables()[0], lifecycle.Key{n + 1}, active); err != nil {
				t.Fatal(err)
			}
		}
		child := memstore.Seed{
			State: lifecycle.Trashed, DeletedAt: noon, PurgeAfter: noon.Add(lifecycle.Day), Parents: map[string]lifecycle.Key{"folder": {int64(1)}},
		}
		if err := s.insert(t.Context(), catalog.Tables()[1], lifecycle.Key{int64(1)}, child); err != nil {
			t.Fatal(err)
		}
		old, err := s.db.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
		if err != nil {
			t.Fatal(err)
		}
		defer old.Rollback()
		if _, err := s.store.Record(t.Context(), old, folder.Row(1)); err != nil {
			t.Fatal(err)
		}
		tx := s.begin(t)
		if _, err := s.store.Trash(t.Context(), tx, folder.Row(1), who); err != nil {
			t.Fatal(err)
		}
		exec(t, tx, "INSERT INTO file (id, folder_id) VALUES (2, 2)")
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if d.Name == "mariadb" { // PostgreSQL takes both for serializable only
			result, err := s.store.Trash(t.Context(), old, folder.Row(2), who)
			if !errors.Is(err, lifecycle.ErrRetry) && !errors.Is(err, lifecycle.ErrRestricted) {
				t.Errorf("trash of a parent: %s, %v; want a refusal", result.Outcome, err)
			}
		}
		result, err := s.store.Restore(t.Context(), old, file.Row(1), who)
		if !errors.Is(err, lifecycle.ErrRetry) && !errors.Is(err, lifecycle.ErrParentTrashed) {
			t.Errorf("restore of a child: %s, %v; want a refusal", result.Outcome, err)
		}
	})
}

// TestRestoreHoldsItsParent restores a child and tries to trash its parent before
// the restore is committed.
func TestRestoreHoldsItsParent(t *testing.T) {
	t.Parallel()
	impatient(t, func(t *testing.T, d *testdb.Database) {
		folder := &lifecycle.Table{Name: "folder"}
		file := &lifecycle.Table{Name: "file", Parents: []lifecycle.Parent{{Table: folder, Columns: []string{"folder_id"}}}}
		catalog := lifecycle.MustCatalog(folder, file)
		s := &shelf{backend: backendOf(d.Name, d.DB)}
		var err error
		if s.store, err = store.New(catalog, s.dialect, &store.Options{Clock: lifecycletest.NewClock(noon)}); err != nil {
			t.Fatal(err)
		}
		s.create(t, catalog)
		if err := s.store.Install(t.Context(), d.DB); err != nil {
			t.Fatal(err)
		}
		parent, child := memstore.Seed{State: lifecycle.Active}, memstore.Seed{
			State: lifecycle.Trashed, DeletedAt: noon, PurgeAfter: noon.Add(lifecycle.Day), Parents: map[string]lifecycle.Key{"folder": {int64(1)}},
		}
		for i, seed := range []memstore.Seed{parent, child} {
			if err := s.insert(t.Context(), catalog.Tables()[i], lifecycle.Key{int64(1)}, seed); err != nil {
				t.Fatal(err)
			}
		}
		first := s.begin(t)
		if _, err := s.store.Restore(t.Context(), first, file.Row(1), who); err != nil {
			t.Fatal(err)
		}
		second := s.begin(t)
		if result, err := s.store.Trash(t.Context(), second, folder.Row(1), who); !errors.Is(err, lifecycle.ErrRetry) {
			t.Errorf("trash of the parent: %s, %v; want ErrRetry", result.Outcome, err)
		}
		second.Rollback()
		if err := first.Commit(); err != nil {
			t.Fatal(err)
		}
		third := s.begin(t)
		if result, err := s.store.Trash(t.Context(), third, folder.Row(1), who); !errors.Is(err, lifecycle.ErrRestricted) {
			t.Errorf("trash of the parent afterwards: %s, %v; want ErrRestricted", result.Outcome, err)
		}
	})
}
