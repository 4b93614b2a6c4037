package retention_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/retention"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/sqlite"
)

// TestMaxRowsIsShared has three tables with more due rows than a run may purge.
// None keeps another one from its turn.
func TestMaxRowsIsShared(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		due      [3]int
		max      int64
		want     [3]int64
		complete bool
	}{
		{"even shares", [3]int{50, 50, 50}, 30, [3]int64{10, 10, 10}, false},
		{"what one does not need", [3]int{2, 50, 50}, 30, [3]int64{2, 14, 14}, false},
		{"what the last does not need", [3]int{50, 50, 2}, 30, [3]int64{14, 14, 2}, false},
		{"fewer than tables", [3]int{50, 50, 50}, 2, [3]int64{1, 1, 0}, false},
		{"more than there are", [3]int{5, 6, 7}, 100, [3]int64{5, 6, 7}, true},
		{"no limit", [3]int{5, 6, 7}, 0, [3]int64{5, 6, 7}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := testdb.SQLite(t)
			tables := make([]*lifecycle.Table, len(c.due))
			for i := range tables {
				tables[i] = &lifecycle.Table{Name: fmt.Sprintf("t%d", i), Columns: lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}}}
			}
			st, err := store.New(lifecycle.MustCatalog(tables...), sqlite.Dialect, &store.Options{Clock: lifecycletest.NewClock(noon)})
			if err != nil {
				t.Fatal(err)
			}
			if err := st.Install(t.Context(), d.DB); err != nil {
				t.Fatal(err)
			}
			for i, n := range c.due {
				for _, text := range []string{
					fmt.Sprintf("CREATE TABLE t%d (id INTEGER PRIMARY KEY, deleted_at TEXT)", i),
					fmt.Sprintf("INSERT INTO t%d (deleted_at) VALUES ", i) + strings.Repeat("('2026-01-01T00:00:00.000000Z'), ", n-1) + "('2026-01-01T00:00:00.000000Z')",
				} {
					if _, err := d.DB.ExecContext(t.Context(), text); err != nil {
						t.Fatal(err)
					}
				}
			}
			p, err := retention.New(st, d.DB, &retention.Options{MaxRows: c.max, Batch: 4})
			if err != nil {
				t.Fatal(err)
			}
			report, err := p.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got [3]int64
			for i, one := range report.Tables {
				got[i] = one.Purged
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("purged (-want +got):\n%s", diff)
			}
			if report.Complete != c.complete {
				t.Errorf("complete: %t, want %t", report.Complete, c.complete)
			}
		})
	}
}

// TestRowsWithoutObjects has rows that have nothing to free. A run reclaims them
// all the same.
func TestRowsWithoutObjects(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		w := newWorld(t, d.Name, d.DB)
		w.graveyard(t, d.Name, 20)
		p, err := retention.New(w.st, d.DB, nil)
		if err != nil {
			t.Fatal(err)
		}
		report, err := p.Run(t.Context())
		if err != nil || report.Settled.Rows != 20 || len(report.Settled.Failed) > 0 {
			t.Errorf("settled %+v, %v; want 20 rows", report.Settled, err)
		}
		if got := w.states(t, 1, 20); got[1] != lifecycle.Reclaimed || got[20] != lifecycle.Reclaimed {
			t.Errorf("rows are %v", got)
		}
	})
}
