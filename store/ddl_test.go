package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
)

// ddlCase is a declaration whose DDL is shown, run and checked.
type ddlCase struct {
	name  string
	table *lifecycle.Table
}

// ddlCases are made anew for each test. The first is the parent of the second.
func ddlCases() []ddlCase {
	at := func(name string, as lifecycle.Encoding) lifecycle.Column { return lifecycle.Column{Name: name, As: as} }
	folder := &lifecycle.Table{Name: "folder"}
	doc := &lifecycle.Table{
		Name:    "doc",
		Objects: []lifecycle.ObjectRef{{Bucket: "files", Key: "object_key"}},
		Parents: []lifecycle.Parent{{Table: folder, Columns: []string{"folder_id"}}},
	}
	epoch := &lifecycle.Table{Name: "epoch", Key: []string{"tenant", "id"}, Columns: lifecycle.Columns{
		DeletedAt: at("deleted", lifecycle.UnixMillis), PurgeAfter: at("until", lifecycle.UnixMillis),
		IsDeleted: lifecycle.Column{Name: "gone", As: lifecycle.Flag, Nullable: true},
		UpdatedAt: at("changed", lifecycle.UnixMillis), Version: "v",
	}}
	return []ddlCase{
		{"folder", folder},
		{"doc", doc},
		{"epoch", epoch},
		{"leaf", &lifecycle.Table{Name: "leaf", Parents: []lifecycle.Parent{{Table: epoch, Columns: []string{"tenant_id", "epoch_id"}}}}},
		{"gorm", &lifecycle.Table{Name: "gorm", Columns: lifecycle.Columns{DeletedAt: at("deleted_at", lifecycle.TimestampMillis)}}},
		{"flag", &lifecycle.Table{Name: "flag", Columns: lifecycle.Columns{
			DeletedAt: at("trashed", lifecycle.Boolean), PurgeAfter: at("purge_after", lifecycle.TimestampSeconds),
			IsDeleted: at("gone", lifecycle.Boolean),
		}}},
		{"text", &lifecycle.Table{Name: "rfc", Columns: lifecycle.Columns{
			DeletedAt: at("deleted_at", lifecycle.RFC3339), PurgeAfter: at("purge_after", lifecycle.RFC3339), IsDeleted: at("gone_at", lifecycle.RFC3339),
		}}},
		{"never", &lifecycle.Table{Name: "never", Policy: lifecycle.Policy{Window: lifecycle.Never}}},
		{"reserved", &lifecycle.Table{Name: "order", Columns: lifecycle.Columns{DeletedAt: at("group", lifecycle.Timestamp), DeletedBy: "user"}}},
		{"upper case and spaces", &lifecycle.Table{Name: "Old Papers", Columns: lifecycle.Columns{
			DeletedAt: at("Deleted At", lifecycle.Timestamp), PurgeAfter: at("Purge After", lifecycle.Timestamp), IsDeleted: at("WHERE", lifecycle.Flag),
		}}},
		{"quotes", &lifecycle.Table{Name: "a\"b`c'd", Columns: lifecycle.Columns{
			DeletedAt: at("x\"y`z'", lifecycle.Timestamp), PurgeAfter: at("(\"", lifecycle.Timestamp), IsDeleted: at("--`", lifecycle.Flag),
		}}},
		{"percent signs", &lifecycle.Table{Name: "100%t %p", Columns: lifecycle.Columns{
			DeletedAt: at("%s %c", lifecycle.Timestamp), PurgeAfter: at("%%", lifecycle.Timestamp), IsDeleted: at("%v%d", lifecycle.Flag),
		}}},
		{"long", &lifecycle.Table{Name: strings.Repeat("длинно", 5), Parents: []lifecycle.Parent{
			{Table: folder, Columns: []string{strings.Repeat("очень", 6)}},
		}}},
		{"technical", &lifecycle.Table{Name: "login", Kind: lifecycle.Technical, Parents: []lifecycle.Parent{{Table: folder, Columns: []string{"folder_id"}}}}},
	}
}

func tablesOf(cases []ddlCase) []*lifecycle.Table {
	tables := make([]*lifecycle.Table, len(cases))
	for i, c := range cases {
		tables[i] = c.table
	}
	return tables
}

// TestGoldenDDL shows what each declaration needs in every dialect.
func TestGoldenDDL(t *testing.T) {
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
			ddl, err := s.DDL(c.table)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s\n", d.Name)
			for _, line := range append(ddl.Columns, ddl.Indexes...) {
				fmt.Fprintf(&b, "\t%s\n", line)
			}
		}
		b.WriteString("\n")
	}
	goldenFile(t, "ddl.golden", b.String())
}

// TestDDL runs the DDL of each declaration and lives a life in the result.
func TestDDL(t *testing.T) {
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
		}
		if err := s.Check(t.Context(), b.DB); err != nil {
			t.Error(err)
		}
		for _, c := range cases {
			if more := b.adopt(t, s, c.table); len(more) > 0 {
				t.Errorf("%s: Adopt after DDL wants %q", c.name, more)
			}
			if c.table.Kind == lifecycle.Asset && len(c.table.Key) == 0 {
				b.run(t, "INSERT INTO "+b.table(c.table)+" (id) VALUES (7)")
				b.live(t, s, c.table.Row(7))
			}
		}
	})
}

// TestAdopt brings the life to tables that are full and in use.
func TestAdopt(t *testing.T) {
	t.Parallel()
	eachDriver(t, func(t *testing.T, b *schemaBed) {
		cases := ddlCases()
		s := b.open(t, tablesOf(cases)...)
		for _, c := range cases {
			name := b.table(c.table)
			b.create(t, c.table, b.q("title")+" VARCHAR(50)")
			if len(c.table.Key) == 0 {
				b.run(t, "INSERT INTO "+name+" (id, title) VALUES (1, 'one'), (7, 'seven')")
			}
			b.run(t, b.adopt(t, s, c.table)...)
			if more := b.adopt(t, s, c.table); len(more) > 0 {
				t.Errorf("%s: Adopt after Adopt wants %q", c.name, more)
			}
		}
		if err := s.Check(t.Context(), b.DB); err != nil {
			t.Error(err)
		}
		for _, c := range cases {
			if c.table.Kind == lifecycle.Asset && len(c.table.Key) == 0 {
				b.live(t, s, c.table.Row(7))
				rec, err := s.Record(t.Context(), b.DB, c.table.Row(1))
				if err != nil || rec.State != lifecycle.Active {
					t.Errorf("%s: a row from before is %s, %v", c.name, rec.State, err)
				}
			}
		}
	})
}
