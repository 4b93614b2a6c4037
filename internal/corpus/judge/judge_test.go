package judge_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/internal/corpus/judge"
	"github.com/softdelete-go/softdelete/internal/sqltext"
)

// statements have the tables that a judge has to find, in the order of their
// names.
type statements []struct{ text, want string }

func check(t *testing.T, j judge.Judge, tests statements) {
	t.Helper()
	for _, test := range tests {
		d, err := j.Compare(test.text, nil)
		if err != nil {
			t.Errorf("%s: %s: %v", j.Name(), test.text, err)
			continue
		}
		if got := strings.Trim(fmt.Sprint(d.Missed), "[]"); got != test.want || len(d.Extra) > 0 {
			t.Errorf("%s: %s\nhas %q and %v too much, want %q", j.Name(), test.text, got, d.Extra, test.want)
		}
	}
	if _, err := j.Compare("SELECT * FROM FROM t", nil); !errors.Is(err, judge.ErrRefused) {
		t.Errorf("%s: no grammar is read with the error %v, want %v", j.Name(), err, judge.ErrRefused)
	}
}

// everywhere is what all products have.
var everywhere = statements{
	{"SELECT 1", ""},
	{"SELECT * FROM a, b AS c JOIN a ON 1 = 1", "a a b"},
	{"SELECT (SELECT 1 FROM a) FROM b WHERE EXISTS (SELECT 1 FROM c WHERE x IN (SELECT y FROM d)) ORDER BY (SELECT 2 FROM e)", "a b c d e"},
	{"SELECT 1 FROM a UNION (SELECT 2 FROM b LIMIT 1)", "a b"},
	{"WITH a AS (SELECT * FROM b), c AS (SELECT * FROM a, c) SELECT * FROM a, c, s.a", "b c s.a"},
	{"WITH RECURSIVE a AS (SELECT 1 FROM b UNION ALL SELECT 1 FROM a) SELECT * FROM a, (SELECT * FROM a) x", "b"},
	{"SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) x, a", "a"},
	{"INSERT INTO a SELECT * FROM b", "a b"},
	{"UPDATE a SET x = (SELECT 1 FROM b)", "a b"},
	{"DELETE FROM a WHERE x IN (SELECT y FROM b)", "a b"},
	{"WITH a AS (SELECT * FROM b) DELETE FROM c WHERE x IN (SELECT y FROM a)", "b c"},
	{"TRUNCATE TABLE a", "a"},
	{"CREATE VIEW v AS SELECT * FROM a", "a"},
	{"CREATE TABLE t AS SELECT * FROM a", "a"},
	{"CREATE TABLE t (x INT)", ""},
	{"DROP TABLE t", ""},
	{"EXPLAIN SELECT * FROM a", "a"},
	{"SELECT * FROM a FOR UPDATE", "a"},
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	check(t, judge.NewPostgres(), slices.Concat(everywhere, statements{
		{"SELECT * FROM ONLY a FULL JOIN LATERAL f(1) ON true, ROWS FROM (g(1)) h, a.b TABLESAMPLE system (1) FOR UPDATE OF a", "a a.b"},
		{"WITH a AS (DELETE FROM b USING c RETURNING *) INSERT INTO a SELECT * FROM a RETURNING (SELECT 1 FROM d)", "a b c d"},
		{"WITH RECURSIVE a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a", ""},
		{"UPDATE a SET (x, y) = (SELECT 1, 2 FROM b) FROM c", "a b c"},
		{"MERGE INTO a USING (SELECT * FROM b) s ON true WHEN MATCHED THEN UPDATE SET x = (SELECT 1 FROM c)", "a b c"},
		{"INSERT INTO a VALUES (1) ON CONFLICT (x) DO UPDATE SET x = (SELECT 1 FROM b)", "a b"},
		{"TABLE a; COPY b TO STDOUT; COPY (SELECT * FROM c) TO STDOUT", "a b c"},
		{"SELECT * INTO t FROM a", "a"},
		{"DECLARE c CURSOR FOR SELECT * FROM a", "a"},
		{"CREATE POLICY p ON t USING (EXISTS (SELECT 1 FROM a))", "a"},
		{"LOCK TABLE t; GRANT SELECT ON t TO u; COMMENT ON TABLE t IS 'x'; CREATE INDEX ON t (x)", ""},
	}))
}

// mysql is what MySQL's parsers have to find.
var mysql = slices.Concat(everywhere, statements{
	{"SELECT 1 FROM dual", ""},
	{"SELECT * FROM (a, b) LEFT JOIN (c CROSS JOIN d) ON 1, s.e PARTITION (p) USE INDEX (i)", "a b c d s.e"},
	{"DELETE a, b FROM a JOIN b ON 1 JOIN c ON 1", "a b c"},
	{"DELETE FROM a USING a, b", "a b"},
	{"UPDATE a JOIN b ON 1, c SET x = 1", "a b c"},
	{"REPLACE INTO a VALUES ((SELECT 1 FROM b))", "a b"},
	{"INSERT INTO a (x) VALUES (1) ON DUPLICATE KEY UPDATE x = (SELECT 1 FROM b)", "a b"},
	{"SET @x = (SELECT 1 FROM a)", "a"},
	{"WITH a AS (SELECT 1) DELETE FROM a", "a"},
	{"ANALYZE TABLE t", ""},
	{"CREATE TABLE t LIKE u", ""},
})

func TestVitess(t *testing.T) {
	t.Parallel()
	check(t, judge.NewVitess(), slices.Concat(mysql, statements{
		{"CREATE PROCEDURE p() BEGIN TRUNCATE a; SELECT * FROM b; END", "a b"},
	}))
}

func TestTiDB(t *testing.T) {
	t.Parallel()
	check(t, judge.NewTiDB(), slices.Concat(mysql, statements{
		{"TABLE a", "a"},
		{"DO (SELECT 1 FROM a)", "a"},
	}))
}

// server checks a judge that has to be told what was found: with all of them it
// agrees, without one it misses one, and with a word for one more it refuses or
// calls that one extra.
func server(t *testing.T, j judge.Judge, m sqltext.Mode, texts []string) {
	t.Helper()
	for _, text := range texts {
		s, err := sqltext.Parse(text, m)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if d, err := j.Compare(text, s.References); err != nil || !d.Equal() {
			t.Errorf("%s: %s: %+v, %v", j.Name(), text, d, err)
		}
		for i := range s.References {
			less := slices.Delete(slices.Clone(s.References), i, i+1)
			if d, err := j.Compare(text, less); err == nil && len(d.Missed) != 1 {
				t.Errorf("%s: %s without %s: %+v, want it to be missed", j.Name(), text, s.References[i].Name, d)
			}
		}
		at := strings.Index(text, "x")
		if at < 0 || len(s.References) == 0 || at < s.References[len(s.References)-1].Text.End {
			continue
		}
		more := append(slices.Clone(s.References), sqltext.Reference{Name: "x", Text: sqltext.Span{Start: at, End: at + 1}, Fixed: true})
		if d, err := j.Compare(text, more); err == nil && len(d.Extra) != 1 {
			t.Errorf("%s: %s with x: %+v, want it to be extra", j.Name(), text, d)
		}
	}
}

func TestSQLite(t *testing.T) {
	t.Parallel()
	j, err := judge.NewSQLite()
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for _, text := range []string{"CREATE TABLE a (x, y)", "CREATE TABLE b (x UNIQUE, y)", "CREATE VIEW v AS SELECT * FROM a", "CREATE TEMP TABLE c (x)"} {
		j.Run(text)
	}
	server(t, j, sqltext.Mode{Quote: '"'}, []string{
		"SELECT 1", "SELECT * FROM a WHERE x = 1", "SELECT 1 FROM a, b, a AS d WHERE d.x = 1", "SELECT count(*) FROM main.v",
		"WITH w AS (SELECT * FROM a) SELECT * FROM w, b WHERE b.x = 1", "WITH a AS (SELECT 1) SELECT 1 FROM a",
		"INSERT INTO a SELECT * FROM b WHERE true ON CONFLICT DO NOTHING", "UPDATE a SET y = (SELECT y FROM b) WHERE x = 1",
		"DELETE FROM a WHERE y IN (SELECT y FROM c)", "CREATE TABLE d AS SELECT * FROM a", "CREATE VIEW w AS SELECT * FROM a, b WHERE a.x = 1",
		"SELECT 1 FROM a, b, a AS a1, a AS a2, a AS a3, a AS a4, a AS a5, a AS a6, a AS a7, a AS a8, a AS a9, c", "SELECT value FROM json_each('[1]')",
		"CREATE INDEX i ON a (x)", "PRAGMA table_info(a)", "EXPLAIN QUERY PLAN SELECT * FROM a",
	})
	// A query of WITH that nothing asks for is not read at all.
	const unused = "WITH w AS (SELECT * FROM a) SELECT 1 FROM b"
	s, err := sqltext.Parse(unused, sqltext.Mode{Quote: '"'})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := j.Compare(unused, s.References); err != nil || !d.Equal() {
		t.Errorf("%s: %+v, %v", unused, d, err)
	}
	if _, err := j.Compare("SELECT * FROM none", nil); !errors.Is(err, judge.ErrRefused) {
		t.Errorf("a table that is not there is read with the error %v, want %v", err, judge.ErrRefused)
	}
}

// A MariaDB server is there where the test bed is.
func TestMariaDB(t *testing.T) {
	t.Parallel()
	dsn := os.Getenv("SOFTDELETE_MYSQL_DSN")
	if dsn == "" {
		return
	}
	j, err := judge.NewMariaDB(dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}()
	server(t, j, sqltext.Mode{Quote: '`', Backslash: true, HashComment: true, DoubleString: true}, []string{
		"SELECT 1", "SELECT * FROM a WHERE x = 1", "SELECT 1 FROM a, b, a AS d WHERE d.x = 1",
		"WITH w AS (SELECT * FROM a) SELECT * FROM w, b WHERE b.x = 1", "INSERT INTO a SELECT * FROM b", "REPLACE INTO s.a VALUES ((SELECT 1 FROM b))",
		"UPDATE a JOIN b ON a.x = b.x SET a.y = 1", "DELETE a FROM a JOIN b ON a.x = b.x", "DELETE FROM a WHERE y IN (SELECT y FROM c)",
		"CREATE VIEW v AS SELECT * FROM a", "CREATE TABLE d AS SELECT * FROM a", "SET @x = (SELECT 1 FROM a)",
	})
}
