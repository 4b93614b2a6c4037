package store_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// marks is what every mapped column of a row says; instants are named after the
// call that wrote them.
type marks struct {
	DeletedAt, PurgeAfter, ReclaimedAt, UpdatedAt string
	DeletedBy, UpdatedBy, Operation               string
	IsDeleted, Version                            int64
}

// TestColumnsOfEachEdge looks at every mapped column after each edge, taken for
// one row and for several.
func TestColumnsOfEachEdge(t *testing.T) {
	t.Parallel()
	trashed := marks{DeletedAt: "trash", PurgeAfter: "deadline", DeletedBy: "user:trash", UpdatedAt: "trash", UpdatedBy: "user:trash", Operation: "trash"}
	back := marks{UpdatedAt: "restore", UpdatedBy: "user:restore"}
	purged := trashed
	purged.IsDeleted, purged.UpdatedAt, purged.UpdatedBy = 1, "purge", "user:purge"
	reclaimed := purged
	reclaimed.ReclaimedAt, reclaimed.UpdatedAt, reclaimed.UpdatedBy = "reclaim", "reclaim", "user:reclaim"
	steps := []struct {
		edge lifecycle.EdgeName
		want marks
	}{
		{lifecycle.Trash, trashed}, {lifecycle.Restore, back}, {lifecycle.Trash, trashed}, {lifecycle.Purge, purged}, {lifecycle.Reclaim, reclaimed},
	}
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		doc := &lifecycle.Table{Name: "doc", Columns: lifecycle.CanonicalColumns()}
		doc.Columns.Version = "row_version"
		catalog := lifecycle.MustCatalog(doc)
		s := &shelf{backend: backendOf(d.Name, d.DB), doc: catalog.Tables()[0], clock: lifecycletest.NewClock(noon)}
		var err error
		if s.store, err = store.New(catalog, s.dialect, &store.Options{Clock: s.clock}); err != nil {
			t.Fatal(err)
		}
		s.create(t, catalog)
		if err := s.store.Install(t.Context(), d.DB); err != nil {
			t.Fatal(err)
		}
		for n := range int64(3) {
			if err := s.insert(t.Context(), s.doc, lifecycle.Key{n + 1}, memstore.Seed{State: lifecycle.Active, Version: 1}); err != nil {
				t.Fatal(err)
			}
		}
		names := map[string]string{}
		for i, step := range steps {
			s.clock.Advance(time.Hour)
			cause := lifecycle.Cause{By: "user:" + string(step.edge)}
			names[s.stamp(0)] = string(step.edge)
			if step.edge == lifecycle.Trash {
				names[s.stamp(30*lifecycle.Day)] = "deadline"
			}
			tx := s.begin(t)
			one, err := s.store.Apply(t.Context(), tx, step.edge, s.doc.Row(1), cause)
			if err != nil {
				t.Fatal(err)
			}
			many, err := s.store.ApplyAll(t.Context(), tx, step.edge, s.doc.Rows(lifecycle.Keys(2, 3)...), cause)
			if err != nil {
				t.Fatal(err)
			}
			names[string(one.Op)], names[string(many.Op)] = string(step.edge), string(step.edge)
			step.want.Version = int64(i + 2)
			for id := 1; id <= 3; id++ {
				if diff := cmp.Diff(step.want, s.marks(t, tx, id, names)); diff != "" {
					t.Errorf("row %d after step %d, %s (-want +got):\n%s", id, i, step.edge, diff)
				}
			}
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// stamp is how marks reads the present, or an instant some time after it.
func (s *shelf) stamp(after time.Duration) string {
	return s.clock.Now().Add(after).UTC().Format("2006-01-02 15:04:05")
}

func (s *shelf) marks(t *testing.T, tx *sql.Tx, id int, names map[string]string) marks {
	t.Helper()
	read := map[string]string{
		"postgres": "to_char(%s AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')", "mysql": "DATE_FORMAT(%s, '%%Y-%%m-%%d %%H:%%i:%%s')", "sqlite": "datetime(%s)",
	}[s.dialect.Name]
	at := func(column string) string { return fmt.Sprintf("COALESCE("+read+", '')", column) }
	var m marks
	err := tx.QueryRowContext(t.Context(), fmt.Sprintf(
		"SELECT %s, %s, %s, %s, COALESCE(deleted_by, ''), COALESCE(updated_by, ''), COALESCE(delete_op, ''), is_deleted, row_version FROM doc WHERE id = %d",
		at("deleted_at"), at("purge_after"), at("reclaimed_at"), at("updated_at"), id,
	)).Scan(&m.DeletedAt, &m.PurgeAfter, &m.ReclaimedAt, &m.UpdatedAt, &m.DeletedBy, &m.UpdatedBy, &m.Operation, &m.IsDeleted, &m.Version)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []*string{&m.DeletedAt, &m.PurgeAfter, &m.ReclaimedAt, &m.UpdatedAt, &m.Operation} {
		if name := names[*text]; name != "" {
			*text = name
		}
	}
	return m
}
