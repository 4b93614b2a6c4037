package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
)

// viewsOf returns a table's views, live rows first.
func viewsOf(t *testing.T, s *store.Store, table *lifecycle.Table) []store.View {
	t.Helper()
	views, err := s.Views(table)
	if err != nil {
		t.Fatal(err)
	}
	return views
}

// view is the quoted name of a view.
func (b *schemaBed) view(table *lifecycle.Table, v store.View) string {
	return b.table(&lifecycle.Table{Schema: table.Schema, Name: v.Name})
}

// ids reads a column of numbers.
func (b *schemaBed) ids(t *testing.T, text string) []int {
	t.Helper()
	rows, err := b.DB.QueryContext(t.Context(), text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	ids := []int{}
	for rows.Next() {
		id := 0
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(ids)
	return ids
}

// trashed brings rows 1 to 3 to be active, trashed and purged.
func (b *schemaBed) trashed(t *testing.T, s *store.Store, table *lifecycle.Table) {
	t.Helper()
	b.run(t, "INSERT INTO "+b.table(table)+" (id) VALUES (1), (2), (3)")
	tx, err := b.DB.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	for _, id := range []int{2, 3} {
		if _, err := s.Trash(t.Context(), tx, table.Row(id), who); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Purge(t.Context(), tx, table.Row(3), who); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// TestViews makes the views and the policy of every declaration, and makes them
// again.
func TestViews(t *testing.T) {
	t.Parallel()
	eachDriver(t, func(t *testing.T, b *schemaBed) {
		cases := ddlCases()
		for _, c := range cases {
			if c.name == "gorm" {
				c.table.Schema = b.schema(t)
			}
		}
		s := b.open(t, tablesOf(cases)...)
		for _, c := range cases {
			b.createDeclared(t, s, c.table)
			for range 2 {
				for _, v := range viewsOf(t, s, c.table) {
					b.run(t, v.Create...)
				}
				if b.dialect.RowSecurity && c.table.Kind == lifecycle.Asset {
					p, err := s.Policies(c.table, &store.PolicyOptions{Role: "postgres", Alone: true})
					if err != nil {
						t.Fatal(err)
					}
					b.run(t, p.Create...)
				}
			}
		}
		if err := s.Check(t.Context(), b.DB); err != nil {
			t.Error(err)
		}
		for _, c := range cases {
			if c.table.Kind != lifecycle.Asset || len(c.table.Key) > 0 {
				continue
			}
			b.trashed(t, s, c.table)
			views := viewsOf(t, s, c.table)
			got := [][]int{b.ids(t, "SELECT id FROM "+b.view(c.table, views[0])), b.ids(t, "SELECT id FROM "+b.view(c.table, views[1]))}
			if diff := cmp.Diff([][]int{{1}, {2}}, got); diff != "" {
				t.Errorf("%s: live and trashed rows (-want +got)\n%s", c.name, diff)
			}
			b.run(t, views[0].Drop, views[0].Drop, views[1].Drop)
		}
	})
}

// TestViewWrites writes through the views: no write may hide a row, or bring
// one back, behind the store's back.
func TestViewWrites(t *testing.T) {
	t.Parallel()
	eachDriver(t, func(t *testing.T, b *schemaBed) {
		table := &lifecycle.Table{Name: "doc"}
		s := b.open(t, table)
		b.createDeclared(t, s, table)
		for _, v := range viewsOf(t, s, table) {
			b.run(t, v.Create...)
		}
		b.trashed(t, s, table)
		readOnly := b.Name == "sqlite"
		for _, write := range []struct {
			name, text string
			ok         bool
		}{
			{"change a live row", "UPDATE live_doc SET updated_by = 'x' WHERE id = 1", true},
			{"insert a live row", "INSERT INTO live_doc (id) VALUES (9)", true},
			{"change a hidden row", "UPDATE live_doc SET updated_by = 'x' WHERE id IN (2, 3)", true},
			{"delete a hidden row", "DELETE FROM live_doc WHERE id IN (2, 3)", true},
			{"hide a row", "UPDATE live_doc SET is_deleted = 1 WHERE id = 1", false},
			{"hide every row", "UPDATE live_doc SET is_deleted = 1", false},
			{"trash by hand", "UPDATE live_doc SET deleted_at = '2026-01-01' WHERE id = 1", false},
			{"insert a hidden row", "INSERT INTO live_doc (id, is_deleted) VALUES (10, 1)", false},
			{"restore by hand", "UPDATE trashed_doc SET deleted_at = NULL WHERE id = 2", false},
			{"purge by hand", "UPDATE trashed_doc SET is_deleted = 1 WHERE id = 2", false},
		} {
			before := b.ids(t, "SELECT id FROM doc WHERE is_deleted = 0 AND deleted_at IS NULL AND id < 9")
			_, err := b.DB.ExecContext(t.Context(), write.text)
			if ok := write.ok && !readOnly; ok != (err == nil) {
				t.Errorf("%s: %v", write.name, err)
			}
			after := b.ids(t, "SELECT id FROM doc WHERE is_deleted = 0 AND deleted_at IS NULL AND id < 9")
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("%s: live rows (-before +after)\n%s", write.name, diff)
			}
		}
		if got := b.ids(t, "SELECT id FROM doc WHERE updated_by = 'x' AND id <> 1"); len(got) > 0 {
			t.Errorf("hidden rows %v were changed through the view", got)
		}
		if got := b.ids(t, "SELECT id FROM doc WHERE id < 4"); len(got) != 3 {
			t.Errorf("of the rows 1 to 3 there are %v", got)
		}
	})
}

// TestViewUpserts writes with the words of one database only.
func TestViewUpserts(t *testing.T) {
	t.Parallel()
	writes := map[string][]string{
		"postgres": {
			"INSERT INTO live_doc (id) VALUES (2) ON CONFLICT (id) DO UPDATE SET updated_by = 'x'",
			"INSERT INTO live_doc (id) VALUES (2) ON CONFLICT (id) DO NOTHING",
			"INSERT INTO live_doc (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET is_deleted = 1",
			"UPDATE live_doc SET is_deleted = 1 FROM (SELECT 1) AS x WHERE id = 1 RETURNING id",
			"WITH w AS (UPDATE live_doc SET is_deleted = 1 RETURNING id) SELECT * FROM w",
		},
		"mariadb": {
			"INSERT INTO live_doc (id) VALUES (2) ON DUPLICATE KEY UPDATE updated_by = 'x'",
			"INSERT INTO live_doc (id) VALUES (1) ON DUPLICATE KEY UPDATE is_deleted = 1",
			"INSERT IGNORE INTO live_doc (id, is_deleted) VALUES (10, 1)",
			"UPDATE IGNORE live_doc SET is_deleted = 1",
			"UPDATE live_doc v JOIN doc d ON d.id = v.id SET v.is_deleted = 1",
			"UPDATE IGNORE live_doc v JOIN doc d ON d.id = v.id SET v.is_deleted = 1",
			"UPDATE live_doc v JOIN doc d ON d.id <> v.id SET v.updated_by = 'x' WHERE d.id = 2 AND v.id = 2",
		},
	}
	eachDriver(t, func(t *testing.T, b *schemaBed) {
		table := &lifecycle.Table{Name: "doc"}
		s := b.open(t, table)
		b.createDeclared(t, s, table)
		for _, v := range viewsOf(t, s, table) {
			b.run(t, v.Create...)
		}
		b.trashed(t, s, table)
		b.run(t, "UPDATE doc SET updated_by = 'before'")
		for _, text := range writes[b.Name] {
			_, err := b.DB.ExecContext(t.Context(), text)
			for what, where := range map[string]string{
				"live":    "deleted_at IS NULL AND is_deleted = 0 AND id = 1 OR deleted_at IS NOT NULL AND id IN (2, 3)",
				"hidden":  "updated_by = 'before'",
				"no more": "1 = 1",
			} {
				if diff := cmp.Diff([]int{1, 2, 3}, b.ids(t, "SELECT id FROM doc WHERE "+where)); diff != "" {
					t.Errorf("%s: %v: %s (-want +got)\n%s", text, err, what, diff)
				}
			}
		}
	})
}

// TestViewColumns adds, renames and drops columns behind a view.
func TestViewColumns(t *testing.T) {
	t.Parallel()
	eachDriver(t, func(t *testing.T, b *schemaBed) {
		table := &lifecycle.Table{Name: "doc"}
		s := b.open(t, table)
		ddl, err := s.DDL(table)
		if err != nil {
			t.Fatal(err)
		}
		b.create(t, table, append([]string{"title VARCHAR(20)"}, ddl.Columns...)...)
		b.run(t, ddl.Indexes...)
		for _, v := range viewsOf(t, s, table) {
			b.run(t, v.Create...)
		}
		b.run(t, "INSERT INTO doc (id) VALUES (1)")
		type step struct{ name, do, column string }
		steps := []step{
			{"added", "ALTER TABLE doc ADD COLUMN extra VARCHAR(20)", "extra"},
			{"renamed", "ALTER TABLE doc RENAME COLUMN title TO caption", "caption"},
		}
		if b.Name != "postgres" { // which refuses to drop it
			steps = append(steps, step{"dropped", "ALTER TABLE doc DROP COLUMN extra", "caption"})
		}
		for _, step := range steps {
			b.run(t, step.do)
			var got, want []string
			for _, p := range problemsOf(t, b, s) {
				got = append(got, short(p))
				b.run(t, p.Mend...)
			}
			if b.Name != "sqlite" {
				want = []string{"live_doc: view warning mend", "trashed_doc: view warning mend"}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: problems (-want +got)\n%s", step.name, diff)
			}
			if err := s.Check(t.Context(), b.DB); err != nil {
				t.Errorf("%s: after the mend: %v", step.name, err)
			}
			b.ids(t, "SELECT id FROM live_doc WHERE "+step.column+" IS NULL")
		}
	})
}

// TestCheckViews has views of our names that are not what Views makes.
func TestCheckViews(t *testing.T) {
	t.Parallel()
	eachDriver(t, func(t *testing.T, b *schemaBed) {
		table := &lifecycle.Table{Name: "doc"}
		s := b.open(t, table)
		b.createDeclared(t, s, table)
		b.run(t, "CREATE TABLE other (id INT, deleted_at TIMESTAMP NULL, is_deleted INT)")
		for _, tt := range []struct{ name, text string }{
			{"no predicate", "SELECT * FROM doc"},
			{"half of it", "SELECT * FROM doc WHERE deleted_at IS NULL"},
			{"more", "SELECT * FROM doc WHERE deleted_at IS NULL AND is_deleted = 0 OR id > 7"},
			{"the trash", "SELECT * FROM doc WHERE deleted_at IS NOT NULL AND is_deleted = 0"},
			{"another table", "SELECT * FROM other WHERE deleted_at IS NULL AND is_deleted = 0"},
			{"a union", "SELECT id FROM doc WHERE deleted_at IS NULL AND is_deleted = 0 UNION ALL SELECT id FROM doc"},
		} {
			b.run(t, "CREATE VIEW live_doc AS "+tt.text)
			problems := problemsOf(t, b, s)
			if len(problems) != 1 || short(problems[0]) != "live_doc: view warning mend" || !strings.Contains(problems[0].What, "does not show the rows of doc that are active") {
				t.Errorf("%s: %v", tt.name, problems)
			}
			mendAll(t, b, s, problems)
			b.run(t, "DROP VIEW live_doc")
		}
		if b.Name == "sqlite" {
			return
		}
		b.run(t, "CREATE VIEW live_doc AS SELECT * FROM doc WHERE deleted_at IS NULL AND is_deleted = 0")
		problems := problemsOf(t, b, s)
		if len(problems) != 1 || !strings.Contains(problems[0].What, "owner's rights") {
			t.Errorf("with its owner's rights: %v", problems)
		}
		mendAll(t, b, s, problems)
	})
}

// TestGoldenViews shows the views and policies of each declaration.
func TestGoldenViews(t *testing.T) {
	t.Parallel()
	cases := ddlCases()
	for _, c := range cases {
		if c.name == "gorm" {
			c.table.Schema = "app"
		}
	}
	catalog := lifecycle.MustCatalog(tablesOf(cases)...)
	var b strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&b, "-- %s\n", c.name)
		for _, d := range dialects {
			s, err := store.New(catalog, d, nil)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s\n", d.Name)
			for _, v := range viewsOf(t, s, c.table) {
				for _, line := range append(v.Create, v.Drop) {
					fmt.Fprintf(&b, "\t%s\n", line)
				}
			}
			if p, err := s.Policies(c.table, &store.PolicyOptions{Role: "softdelete"}); err == nil {
				for _, line := range append(p.Create, p.Drop...) {
					fmt.Fprintf(&b, "\t%s\n", line)
				}
			}
		}
		b.WriteString("\n")
	}
	goldenFile(t, "views.golden", b.String())
}
