package guard_test

import (
	"errors"
	"testing"

	sq "github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
)

// with returns what sets one scope.
func with(s lifecycle.Scope, refs ...string) func(*guard.Guard) *guard.Guard {
	return func(g *guard.Guard) *guard.Guard { return g.With(s, refs...) }
}

// Reads that show more than what is live: C17, C18, C19, C25.
func TestCasesScopes(t *testing.T) {
	t.Parallel()
	const pairs = "SELECT p.id, c.id AS c FROM parent p LEFT JOIN child c ON c.pid = p.id"
	trashed, withTrashed, everything := lifecycle.OnlyTrashed, lifecycle.WithTrashed, lifecycle.Everything
	each(t, []scenario{
		{name: "C17 everything", text: pairs, with: with(everything), shows: shows{"": everything}, alike: true},
		{name: "C17 a scope without a condition", text: "SELECT id FROM child WHERE pid = 1 OR pid = 3", with: with(withTrashed), shows: shows{"": withTrashed}, alike: true},
		{name: "C17 no condition at all", text: "SELECT id FROM child", with: with(everything, "child"), shows: shows{"": everything}, alike: true},
		{name: "C17 a scope with one", text: "SELECT id FROM parent WHERE id = 1 OR id > 1", with: with(withTrashed), shows: shows{"": withTrashed}},
		{name: "C17 beside one without", text: pairs, with: with(withTrashed), shows: shows{"": withTrashed}},
		{name: "C18 unregistered table beside", text: "SELECT n.id, p.id AS p FROM note n LEFT JOIN parent p ON p.id = n.pid", with: with(trashed), shows: shows{"": trashed}},
		{name: "C18 technical table beside", text: "SELECT l.id, p.id AS p FROM parent p RIGHT JOIN login l ON p.id = l.pid", with: with(trashed), shows: shows{"": trashed}},
		{name: "C19 trash of one", text: pairs, with: with(trashed, "c"), shows: shows{"child": trashed}},
		{name: "C19 trash of the other", text: "SELECT p.id, c.id AS c FROM parent p JOIN child c ON c.pid = p.id", with: with(trashed, "p"), shows: shows{"parent": trashed}},
		{name: "C19 trash of both", text: "SELECT p.id, c.id AS c FROM parent p LEFT JOIN child c ON c.pid = p.id OR p.id = 2", with: with(trashed), shows: shows{"": trashed}},
		{name: "C19 by the table's name", text: pairs, with: with(everything, "parent"), shows: shows{"parent": everything}},
		{name: "C19 a reserved name", text: `SELECT c.id, "order".total FROM child c RIGHT JOIN "order" ON "order".child = c.id`, with: with(trashed, "order"), shows: shows{`"order"`: trashed}},
		{name: "C19 one after the other", text: pairs, with: func(g *guard.Guard) *guard.Guard { return g.With(everything, "p").With(trashed, "c") }, shows: shows{"parent": everything, "child": trashed}},
		{name: "C19 the other order", text: pairs, with: func(g *guard.Guard) *guard.Guard { return g.With(trashed, "c").With(everything, "p") }, shows: shows{"parent": everything, "child": trashed}},
		{name: "C19 whole query last", text: pairs, with: func(g *guard.Guard) *guard.Guard { return g.With(lifecycle.Live, "p").With(trashed) }, shows: shows{"": trashed, "parent": lifecycle.Live}},
		{
			name: "C19 two scopes of one table", text: "SELECT c.id, r.id AS r FROM child c LEFT JOIN child r ON r.pid = c.pid",
			twin: "SELECT c.id, r.id AS r FROM child c LEFT JOIN every_child r ON r.pid = c.pid", with: with(everything, "r"),
		},
		{name: "C19 USING", text: "SELECT * FROM link LEFT JOIN tag USING (tag_id)", with: with(trashed, "tag"), shows: shows{"tag": trashed}},
		{
			name: "C19 marker", text: "/* softdelete: trashed(c) */ " + pairs, options: &guard.Options{Markers: true},
			shows: shows{"child": trashed},
		},
		{
			name: "laravel 9940", text: "SELECT p.id FROM parent p WHERE (SELECT COUNT(*) FROM child c WHERE c.pid = p.id) >= 1",
			twin: "SELECT p.id FROM parent p WHERE (SELECT COUNT(*) FROM every_child c WHERE c.pid = p.id) >= 1", with: with(withTrashed, "c"),
		},
		{
			name: "laravel 9940 beside the same table", text: "SELECT d.id FROM child d WHERE d.pid IN (SELECT c.pid FROM child c WHERE c.qty > 5)",
			twin: "SELECT d.id FROM child d WHERE d.pid IN (SELECT c.pid FROM every_child c WHERE c.qty > 5)", with: with(withTrashed, "c"),
		},
		{
			name: "laravel 13390", text: "SELECT p.id FROM parent p WHERE EXISTS (SELECT 1 FROM child c WHERE c.pid = p.id)",
			with: with(trashed, "c"), shows: shows{"child": trashed},
		},
		{name: "orchid-orm 728", text: "SELECT c.id, p.id AS p FROM child c JOIN parent p ON p.id = c.pid", with: with(everything, "p"), shows: shows{"parent": everything}},
		{name: "C25 lifting keeps the tenant", text: "SELECT id FROM child WHERE qty < 8 AND (pid = 1 OR pid = 3)", with: with(trashed), shows: shows{"": trashed}},
		{name: "C25 lifting keeps the tenant of an OR", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			return b.Select("id").From("child").Where("qty < ? OR id = ?", 8, 41).Where(sq.Eq{"pid": 1})
		}, with: with(trashed), shows: shows{"": trashed}},
	}, readsAs)
}

// Scopes that do not fit: C18.
func TestCasesScopesRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		with       func(*guard.Guard) *guard.Guard
		options    *guard.Options
		want       error
	}{
		{"C18 trash of a technical table", "SELECT * FROM login", with(lifecycle.OnlyTrashed, "login"), nil, guard.ErrScope},
		{"C18 trash of a technical table by its alias", "SELECT * FROM parent p JOIN login l ON l.pid = p.id", with(lifecycle.OnlyTrashed, "l"), nil, guard.ErrScope},
		{"C18 trash of a status table", "SELECT * FROM staff", with(lifecycle.OnlyTrashed, "staff"), nil, guard.ErrScope},
		{"C18 trash of a technical table alone", "SELECT * FROM login", with(lifecycle.OnlyTrashed), nil, guard.ErrScope},
		{"C18 trash of an unregistered table", "SELECT * FROM note", with(lifecycle.OnlyTrashed), nil, guard.ErrScope},
		{"C18 trash of an unregistered table by name", "SELECT * FROM parent p JOIN note n ON n.pid = p.id", with(lifecycle.OnlyTrashed, "n"), nil, guard.ErrScope},
		{"C18 trash of a query that hides a table", "WITH child AS (SELECT 1 AS id) SELECT * FROM child", with(lifecycle.OnlyTrashed, "child"), nil, guard.ErrScope},
		{"C18 trash of nothing", "SELECT 1", with(lifecycle.OnlyTrashed), nil, guard.ErrScope},
		{"C18 unregistered table in a strict join", "SELECT * FROM parent p LEFT JOIN note n ON n.pid = p.id", nil, &guard.Options{Strict: true}, guard.ErrUnregistered},
		{"C18 unregistered table in a sub-select", "SELECT * FROM parent WHERE id IN (SELECT pid FROM note)", nil, &guard.Options{Strict: true}, guard.ErrUnregistered},
		{"C18 unregistered target", "INSERT INTO note (id) SELECT id FROM parent", nil, &guard.Options{Strict: true}, guard.ErrUnregistered},
		{"C19 unknown reference", "SELECT * FROM parent p", with(lifecycle.Everything, "c"), nil, guard.ErrScope},
	}
	for _, test := range tests {
		for _, d := range products {
			t.Run(test.name+"/"+d.String(), func(t *testing.T) {
				t.Parallel()
				s := scenario{with: test.with, options: test.options}
				var e *guard.Error
				if text, err := s.guard(t, d).Rewrite(test.text); text != "" || !errors.Is(err, test.want) || !errors.As(err, &e) {
					t.Errorf("Rewrite = %q, %v; want no text and %v", text, err, test.want)
				}
			})
		}
	}
}

// A guard of one scope leaves the one it was made of as it was: C19.
func TestCasesScopesImmutable(t *testing.T) {
	t.Parallel()
	for _, d := range products {
		t.Run("C19 "+d.String(), func(t *testing.T) {
			t.Parallel()
			g := (&scenario{}).guard(t, d)
			const text = "SELECT c.id FROM child c"
			want, err := g.Rewrite(text)
			if err != nil {
				t.Fatal(err)
			}
			one := g.With(lifecycle.Everything, "c")
			for _, other := range []*guard.Guard{one, one.With(lifecycle.OnlyTrashed), g.With(lifecycle.OnlyTrashed)} {
				if _, err := other.Rewrite(text); err != nil {
					t.Fatal(err)
				}
			}
			got, err := g.Rewrite(text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
