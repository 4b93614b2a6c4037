package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
)

// damage is what somebody did to a schema that was right, and what Check has
// to say of it.
type damage struct {
	name string
	do   []string
	want []string // "table.column: kind", then "warning", then "mend"
	says string   // a part of the message
}

// checkedTables are the tables of a damaged database.
func checkedTables() []*lifecycle.Table {
	at := func(name string) lifecycle.Column { return lifecycle.Column{Name: name, As: lifecycle.UnixSeconds} }
	folder := &lifecycle.Table{Name: "folder", Columns: lifecycle.Columns{DeletedAt: at("deleted_at"), PurgeAfter: at("purge_after")}}
	columns := lifecycle.CanonicalColumns()
	columns.Version = "v"
	doc := &lifecycle.Table{
		Name: "doc", Columns: columns,
		Parents: []lifecycle.Parent{{Table: folder, Columns: []string{"folder_id"}}},
		Objects: []lifecycle.ObjectRef{{Bucket: "files", Key: "object_key"}},
	}
	return []*lifecycle.Table{folder, doc}
}

// short is a problem without its prose.
func short(p store.Problem) string {
	s := p.Table
	if p.Column != "" {
		s += "." + p.Column
	}
	s += ": " + p.Kind
	if p.Warning {
		s += " warning"
	}
	if len(p.Mend) > 0 {
		s += " mend"
	}
	return s
}

// problemsOf asks Check, and fails the test for any other error.
func problemsOf(t *testing.T, b *schemaBed, s *store.Store) []store.Problem {
	t.Helper()
	err := s.Check(t.Context(), b.DB)
	if err == nil {
		return nil
	}
	var found *store.SchemaError
	if !errors.As(err, &found) {
		t.Fatal(err)
	}
	return found.Problems
}

func checkDamage(t *testing.T, b *schemaBed, d damage) {
	t.Helper()
	tables := checkedTables()
	s := b.open(t, tables...)
	for _, table := range tables {
		b.createDeclared(t, s, table)
	}
	b.run(t, "INSERT INTO doc (id) VALUES (1)")
	if err := s.Check(t.Context(), b.DB); err != nil {
		t.Fatalf("before the damage: %v", err)
	}
	b.run(t, d.do...)
	problems := problemsOf(t, b, s)
	var got []string
	for _, p := range problems {
		got = append(got, short(p))
	}
	if diff := cmp.Diff(d.want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s%v", diff, &store.SchemaError{Problems: problems})
	}
	if message := (&store.SchemaError{Problems: problems}).Error(); !strings.Contains(message, d.says) {
		t.Errorf("%s\nwant a message with %q", message, d.says)
	}
	mendAll(t, b, s, problems)
}

// mendAll runs what is said to mend, and wants only the rest to be left. An
// index is named once its columns are there, which takes a second round.
func mendAll(t *testing.T, b *schemaBed, s *store.Store, problems []store.Problem) {
	t.Helper()
	for range 2 {
		for _, p := range problems {
			b.run(t, p.Mend...)
		}
		problems = problemsOf(t, b, s)
	}
	for _, p := range problems {
		if len(p.Mend) > 0 {
			t.Errorf("its mend did not mend %v: %q", p, p.Mend)
		}
	}
}

func checkDamages(t *testing.T, open func(testing.TB) (*testdb.Database, bool), damages []damage) {
	t.Helper()
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			if db, ok := open(t); ok {
				checkDamage(t, newSchemaBed(db), d)
			}
		})
	}
}

// TestCheckEverythingMissing has nothing but an empty database, and names every
// table.
func TestCheckEverythingMissing(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		b := newSchemaBed(d)
		s, err := store.New(lifecycle.MustCatalog(checkedTables()...), b.dialect, &store.Options{Prefix: `odd "prefix" `})
		if err != nil {
			t.Fatal(err)
		}
		var missing []string
		for _, p := range problemsOf(t, b, s) {
			missing = append(missing, short(p))
			b.run(t, p.Mend...)
		}
		slices.Sort(missing)
		want := []string{"doc: missing table", "folder: missing table"}
		for _, step := range s.Migrations() {
			for _, text := range step.Statements {
				if rest, ok := strings.CutPrefix(text, "CREATE TABLE IF NOT EXISTS "); ok {
					name, _, _ := strings.Cut(rest, " (\n")
					name = strings.ReplaceAll(name, `""`, `"`)
					want = append(want, name[1:len(name)-1]+": missing table mend")
				}
			}
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, missing); diff != "" {
			t.Errorf("problems (-want +got):\n%s", diff)
		}
		if left := problemsOf(t, b, s); len(left) != 2 {
			t.Errorf("after the mend: %v", left)
		}
		if _, err := s.Adopt(t.Context(), b.DB, checkedTables()[0]); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("Adopt of a table outside the catalog: %v", err)
		}
	})
}

func TestSchemaErrorFatal(t *testing.T) {
	t.Parallel()
	warning, fault := store.Problem{Table: "a", Kind: "k", Warning: true}, store.Problem{Table: "b", Column: "c", Kind: "k", What: "w"}
	for _, tt := range []struct {
		name     string
		problems []store.Problem
		want     bool
	}{
		{"none", nil, false},
		{"warnings", []store.Problem{warning, warning}, false},
		{"mixed", []store.Problem{warning, fault}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := (&store.SchemaError{Problems: tt.problems}).Fatal(); got != tt.want {
				t.Errorf("Fatal = %v, want %v", got, tt.want)
			}
		})
	}
	want := "store: the live schema differs from the declaration in 2 places:\n\ta: k (warning)\n\tb.c: k: w"
	if got := (&store.SchemaError{Problems: []store.Problem{warning, fault}}).Error(); got != want {
		t.Errorf("Error = %q, want %q", got, want)
	}
}

// TestCheckOwnSchema keeps the store's own tables in a schema that is named.
func TestCheckOwnSchema(t *testing.T) {
	t.Parallel()
	for _, d := range testdb.All(t) {
		if d.Name == "sqlite" {
			continue // which has no schemas
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			b, table := newSchemaBed(d), &lifecycle.Table{Name: "login", Kind: lifecycle.Technical}
			schema := b.schema(t)
			s, err := store.New(lifecycle.MustCatalog(table), b.dialect, &store.Options{Schema: schema})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Install(t.Context(), b.DB); err != nil {
				t.Fatal(err)
			}
			b.create(t, table)
			if err := s.Check(t.Context(), b.DB); err != nil {
				t.Error(err)
			}
			b.run(t, "DROP TABLE softdelete_op")
			problems := problemsOf(t, b, s)
			if len(problems) != 1 || short(problems[0]) != schema+".softdelete_op: missing table mend" {
				t.Errorf("without a table: %v", problems)
			}
			mendAll(t, b, s, problems)
		})
	}
}
