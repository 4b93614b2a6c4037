package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/internal/corpus/judge"
	"github.com/softdelete-go/softdelete/internal/corpus/source"
	"github.com/softdelete-go/softdelete/internal/sqltext"
)

// kinds returns what came of a statement.
func kinds(list []finding) (k []kind) {
	for _, f := range list {
		k = append(k, f.kind)
	}
	return k
}

// broken is the recognizer with a fault.
func broken(fault func(*sqltext.Script)) read {
	return func(text string, m sqltext.Mode) (*sqltext.Script, error) {
		s, err := sqltext.Parse(text, m)
		if err == nil {
			fault(s)
		}
		return s, err
	}
}

func loses(s *sqltext.Script) {
	if n := len(s.References); n > 0 {
		s.References = s.References[:n-1]
	}
}

func invents(s *sqltext.Script) {
	if at := strings.Index(s.Text, "x"); at >= 0 {
		s.References = append(s.References, sqltext.Reference{Place: sqltext.Place{Join: -1}, Name: "x", Text: sqltext.Span{Start: at, End: at + 1}})
	}
}

func refuses(string, sqltext.Mode) (*sqltext.Script, error) {
	return nil, &sqltext.Error{Reason: "nothing it likes"}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	const text = "SELECT * FROM a JOIN b ON a.k = b.k WHERE a.x = 1"
	tests := []struct {
		name, text string
		parse      read
		want       []kind
	}{
		{"right", text, sqltext.Parse, []kind{agreed, guarded}},
		{"a table too few", text, broken(loses), []kind{missed}},
		{"a table too many", text, broken(invents), []kind{extra}},
		{"no tables", "SELECT 1", sqltext.Parse, []kind{agreed}},
		{"the judge refuses", "SELECT * FROM FROM a", sqltext.Parse, []kind{unjudged}},
		{"we refuse", "SELECT * FROM a", refuses, []kind{refused}},
	}
	all, done, err := judges()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := done(); err != nil {
			t.Error(err)
		}
	}()
	for p, list := range all {
		for _, j := range list {
			if lite, ok := j.(*judge.SQLite); ok {
				lite.Run("CREATE TABLE a (k, x)")
				lite.Run("CREATE TABLE b (k, y)")
			}
			for _, test := range tests {
				if got := kinds(check(test.parse, test.text, products[p], j)); !slices.Equal(got, test.want) {
					t.Errorf("%s: %s: %v, want %v", j.Name(), test.name, got, test.want)
				}
			}
		}
	}
}

// A text that no product has is noticed, whoever's fault it is.
func TestUnparsable(t *testing.T) {
	t.Parallel()
	f := rewrite(broken(loses), "SELECT * FROM a", []sqltext.Reference{{Name: "a"}}, products[source.Postgres], judge.NewPostgres())
	if got := kinds(f); !slices.Equal(got, []kind{unparsable}) {
		t.Errorf("a table lost in the guarded text: %v, want %v", got, unparsable)
	}
	f = check(sqltext.Parse, "SELECT $1 FROM a", products[source.Postgres], second{judge.NewPostgres()})
	if got := kinds(f); !slices.Equal(got, []kind{agreed, unparsable}) {
		t.Errorf("a guarded text that is refused: %v, want %v", got, []kind{agreed, unparsable})
	}
}

// second refuses what has been guarded.
type second struct{ judge.Judge }

func (s second) Compare(text string, found []sqltext.Reference) (judge.Difference, error) {
	if strings.Contains(text, "deleted_at") {
		text = "no SQL"
	}
	return s.Judge.Compare(text, found)
}

// Statements that are written are guarded as far as they can be.
func TestCatalog(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]kind{
		"DELETE FROM a USING b WHERE a.x = b.x":                 {agreed, guarded},
		"INSERT INTO a SELECT * FROM b ON CONFLICT DO NOTHING":  {agreed, guarded},
		"UPDATE a SET x = 1":                                    {agreed, guarded},
		"TRUNCATE a":                                            {agreed},
		"UPDATE a SET x = 1 WHERE CURRENT OF c":                 {agreed, refusal},
		"SELECT * FROM a FULL JOIN s.a AS b USING (x), \"A\" d": {agreed, guarded},
	} {
		if got := kinds(check(sqltext.Parse, text, products[source.Postgres], judge.NewPostgres())); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	report := newTally("some", "one")
	for _, f := range []finding{
		{kind: agreed}, {kind: guarded}, {kind: unjudged},
		{kind: refused, reason: "a brace", text: "SELECT {1}"}, {kind: refused, reason: "a brace", text: "{1}"},
		{kind: missed, path: "p", text: "SELECT 2"}, {kind: extra, path: "p", text: "SELECT 2", tables: []judge.Table{{Schema: "s", Name: "t"}}},
	} {
		report.add(f, "")
	}
	var b strings.Builder
	if err := table(&b, []*tally{report}); err != nil {
		t.Fatal(err)
	}
	report.explain(&b, 5)
	report.print(&b, extra, 5)
	want := strings.Fields("some one 5 1 4 1 2 1 1 1 0 some, one: refused (of those that name tables) 2 (0) a brace {1} some, one: extra p SELECT 2 found [s.t]; missed []; extra []")
	got := strings.Fields(b.String())
	if got = got[len(got)-len(want):]; !slices.Equal(got, want) {
		t.Errorf("the report ends with\n%v\nwant\n%v", got, want)
	}
	if report.wrong() != 2 {
		t.Errorf("%d wrong, want 2", report.wrong())
	}
}
