package sqltext

import "testing"

// FuzzParse wants an error, or spans and indexes that are where they can be.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"SELECT a, (SELECT 1 FROM c) FROM p AS q LEFT JOIN (c JOIN x USING (id)) ON a = b WHERE x IN (SELECT 1) ORDER BY 1 FOR UPDATE",
		"WITH RECURSIVE p(a) AS (SELECT 1 UNION ALL SELECT a FROM p) UPDATE c SET a = 1 FROM x WHERE b RETURNING *",
		"MERGE INTO p USING c ON a WHEN NOT MATCHED THEN INSERT VALUES (1)", "DELETE a, b FROM p a, c b USING x",
		"INSERT INTO p (a) SELECT a FROM c ON CONFLICT (a) DO UPDATE SET b = 1; TABLE p", "EXPLAIN (ANALYZE) TRUNCATE p, ONLY c",
		"SELECT E'\\'' || $$ FROM $$ || U&\"a\" /* /* */ */ -- x\n FROM [p], `q`, \"r\" # s",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range []Mode{
			{Quote: '"', Dollar: true, NestedComment: true}, {Quote: '"', Dollar: true, NestedComment: true, Backslash: true},
			{Quote: '`', Backslash: true, HashComment: true, DoubleString: true}, {Quote: '`', HashComment: true, DoubleName: true}, {Quote: '"'},
		} {
			s, err := Parse(text, m)
			if err != nil {
				if s != nil || err.(*Error).Offset > len(text) {
					t.Errorf("%q: %v, %v", text, s, err)
				}
				continue
			}
			check(t, s)
		}
	})
}

func check(t *testing.T, s *Script) {
	t.Helper()
	inside := func(what string, is Span, maybe bool) {
		t.Helper()
		if maybe && is.End == 0 {
			return
		}
		if is.Start < 0 || is.Start >= is.End || is.End > len(s.Text) {
			t.Fatalf("%q: %s is %v", s.Text, what, is)
		}
	}
	placed := func(p Place) {
		t.Helper()
		if p.Join < -1 || p.Join >= len(s.Joins) {
			t.Fatalf("%q: a place in join %d of %d", s.Text, p.Join, len(s.Joins))
		}
	}
	for i, j := range s.Joins {
		placed(j.Place)
		inside("ON", j.On, true)
		if j.Place.Join == i || j.End > len(s.Text) {
			t.Fatalf("%q: join %d is %v", s.Text, i, j)
		}
	}
	for _, r := range s.References {
		placed(r.Place)
		inside("a name", r.Text, false)
		inside("a reference", r.Whole, false)
		inside("an alias", r.Alias, true)
		if r.Whole.Start > r.Text.Start || r.Whole.End < r.Text.End || r.Block < 0 || r.Block >= len(s.Blocks) {
			t.Fatalf("%q: reference %+v", s.Text, r)
		}
	}
	for _, b := range s.Blocks {
		inside("WHERE", b.Where, true)
		if b.Tail < 0 || b.Tail > len(s.Text) || b.Where.End > 0 && b.Where.Start < b.Tail {
			t.Fatalf("%q: block %+v", s.Text, b)
		}
		for _, item := range b.Items {
			inside("an item", item.Span, false)
		}
	}
}
