package oracle

import (
	"database/sql"
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
)

var flagSeed = flag.Uint64("oracle.seed", 0, "the seed; 0 takes a new one")

// seed returns the run's seed, and says what it is.
func seed(t *testing.T) uint64 {
	t.Helper()
	s := *flagSeed
	if s == 0 {
		s = rand.Uint64N(1_000_000_000) + 1
	}
	t.Logf("seed %d", s)
	return s
}

// each runs fn with a bed on every configured product, side by side.
func each(t *testing.T, fn func(t *testing.T, b *Bed)) {
	t.Helper()
	makers := map[string]func(t *testing.T) (*testdb.Database, bool){
		"postgres": func(t *testing.T) (*testdb.Database, bool) {
			return testdb.Postgres(t, "default_query_exec_mode=simple_protocol")
		},
		"mariadb": func(t *testing.T) (*testdb.Database, bool) { return testdb.MySQL(t) },
		"sqlite":  func(t *testing.T) (*testdb.Database, bool) { return testdb.SQLite(t), true },
	}
	for _, name := range slices.Sorted(maps.Keys(makers)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var databases [Databases]*sql.DB
			for i := range databases {
				d, ok := makers[name](t)
				if !ok {
					return
				}
				databases[i] = d.DB
			}
			b, err := Open(t.Context(), name, databases)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(b.Close)
			fn(t, b)
		})
	}
}

// identity is a guard that does nothing.
func identity(text string, _ lifecycle.Scope, _ []Apart) (string, error) { return text, nil }

func run(t *testing.T, b *Bed, c Config) *Report {
	t.Helper()
	report, err := b.Run(t.Context(), c)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", c.Seed, err, report)
	}
	return report
}

// TestSees shows that the oracle finds what is wrong: without a guard, and with
// the filters where people put them.
func TestSees(t *testing.T) {
	t.Parallel()
	s := seed(t)
	each(t, func(t *testing.T, b *Bed) {
		for _, tt := range []struct {
			name    string
			naive   bool
			percent int
		}{
			{"no filter", false, 25},
			{"all filters in WHERE", true, 8},
		} {
			r := run(t, b, Config{Seed: s, Count: 600, Rewrite: identity, Naive: tt.naive})
			if r.Differing*100 < r.Compared*tt.percent {
				t.Errorf("%s: %d of %d differ, want at least %d %%", tt.name, r.Differing, r.Compared, tt.percent)
			}
		}
	})
}

// TestExplains shows that a fault is made small, and that the report tells how
// to see it again.
func TestExplains(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *Bed) {
		var longest, shortest int
		c := Config{Seed: 5, Count: 60, Rewrite: identity, Reports: 3, Output: &lengths{func(n int) { longest = max(longest, n) }}}
		if r := run(t, b, c); r.Differing == 0 {
			t.Fatal("nothing differs")
		}
		tc := newCase(b.d, 5, 0)
		for n := 0; shortest == 0; n++ {
			if err := b.load(t.Context(), newData(b.d, 5, 0)); err != nil {
				t.Fatal(err)
			}
			tc = newCase(b.d, 5, n)
			out := b.try(t.Context(), c, tc)
			if out.verdict != differs {
				continue
			}
			small, err := b.minimise(t.Context(), c, tc, out)
			if err != nil {
				t.Fatal(err)
			}
			shortest = len(small.plain)
			rows := 0
			for _, list := range b.data {
				rows += len(list)
			}
			if small.verdict != differs || rows > 4 || shortest > 200 {
				t.Errorf("%s over %d rows: %s", small.plain, rows, small.reason)
			}
		}
		if longest == 0 {
			t.Error("no report was written")
		}
	})
}

// lengths tells how long what is written is.
type lengths struct{ fn func(int) }

func (l *lengths) Write(p []byte) (int, error) {
	l.fn(len(p))
	return len(p), nil
}

// TestAnswers shows that each query has one right answer: two sessions on the
// same tables agree about it.
func TestAnswers(t *testing.T) {
	t.Parallel()
	s := seed(t)
	each(t, func(t *testing.T, b *Bed) {
		tried := 0
		for n := range 400 {
			if n%epoch == 0 {
				if err := b.load(t.Context(), newData(b.d, s, n/epoch)); err != nil {
					t.Fatal(err)
				}
			}
			tc := newCase(b.d, s, n)
			tc.scope, tc.apart = lifecycle.Everything, nil
			for _, r := range tc.refs {
				r.scope = nil
			}
			out := b.try(t.Context(), Config{Rewrite: identity}, tc)
			switch out.verdict {
			case agrees:
				tried++
			case invalid:
			default:
				t.Errorf("seed %d, case %d: %s %s\n%s", s, n, out.verdict, out.reason, out.plain)
			}
		}
		if tried < 360 {
			t.Errorf("%d of 400 queries have an answer, want 90 %%", tried)
		}
	})
}

// TestSame shows that a seed and a number make a case.
func TestSame(t *testing.T) {
	t.Parallel()
	for _, d := range []*dialect{postgres, mysql, sqlite} {
		b := &Bed{d: d, schemas: [Databases]string{"a", "b", "c", "d"}}
		for n := range 200 {
			one, two := newCase(d, 3, n), newCase(d, 3, n)
			if b.textOnTwin(one) != b.textOnTwin(two) || newData(d, 3, n).String() != newData(d, 3, n).String() {
				t.Fatalf("%s, case %d is not the same twice", d.name, n)
			}
		}
	}
}

// TestConstructs shows that the generator writes everything it knows often.
func TestConstructs(t *testing.T) {
	t.Parallel()
	for _, d := range []*dialect{postgres, mysql, sqlite} {
		seen := map[string]int{}
		for n := range 8000 {
			for _, name := range newCase(d, 11, n).constructs {
				seen[name]++
			}
		}
		want := slices.Concat(everywhere, d.joins, d.setOps, map[string][]string{
			"postgres": onPostgres, "mysql": onMySQL, "sqlite": onSQLite,
		}[d.name])
		for _, name := range want {
			if seen[name] < 3 {
				t.Errorf("%s: %d of 8000 queries have %s", d.name, seen[name], name)
			}
		}
	}
}

// What a generator has to write, apart from joins and set operations.
var (
	everywhere = []string{
		"CASE", "CREATE TABLE AS", "CTE shadows a table", "CTE with columns", "DELETE", "DISTINCT", "EXISTS", "GROUP BY", "HAVING",
		"IN (SELECT)", "INSERT … SELECT", "IS NULL", "JOIN USING", "LEFT JOIN USING", "RIGHT JOIN USING", "LIMIT", "LIMIT OFFSET",
		"NATURAL JOIN", "NATURAL LEFT JOIN", "NATURAL RIGHT JOIN", "NOT EXISTS", "NOT IN (SELECT)", "ON with more", "OR", "ORDER BY",
		"SELECT *", "SELECT t.*", "SELECT without FROM", "UPDATE", "WINDOW clause", "WITH", "alias like a table", "alias with AS",
		"alias without AS", "comma", "condition as a select item", "correlated", "derived table", "function in FROM", "parenthesised join",
		"quoted alias", "quoted table", "recursive CTE", "reference to a CTE", "row IN (SELECT)", "scalar sub-select",
		"schema-qualified table", "schema.table.column", "scope everything", "scope of one reference", "scope only trashed",
		"scope with trashed", "sub-select in GROUP BY", "sub-select in ORDER BY", "sub-select in SET", "unaliased expression",
		"unqualified column", "upsert", "window function",
	}
	onPostgres = []string{
		"ANY/ALL", "ARRAY(SELECT)", "CROSS JOIN without a condition", "DELETE … USING", "DISTINCT ON", "FETCH FIRST", "FILTER", "FOR UPDATE",
		"FROM in arguments", "FULL JOIN USING", "NATURAL FULL JOIN", "IS DISTINCT FROM", "LATERAL", "MATERIALIZED", "MERGE", "ONLY",
		"RETURNING", "ROLLUP", "TABLE t", "TABLESAMPLE", "UPDATE … FROM", "USING with alias", "VALUES", "VALUES in FROM",
		"WITH before a write", "alias with columns", "data-modifying CTE", "parenthesised join with alias", "parenthesised query",
		"sub-select in LIMIT", "sub-select without FROM", "trailing ON",
	}
	onMySQL = []string{
		"&&", "ANY/ALL", "FETCH FIRST", "FOR UPDATE", "FROM in arguments", "JOIN without a condition", "LIMIT m, n", "ROLLUP",
		"STRAIGHT_JOIN without a condition", "UPDATE … LIMIT", "XOR", "index hint", "multi-table DELETE", "multi-table UPDATE",
		"parenthesised query", "trailing ON", "||",
	}
	onSQLite = []string{
		"FILTER", "FULL JOIN USING", "NATURAL FULL JOIN", "IS DISTINCT FROM", "MATERIALIZED", "RETURNING", "UPDATE … FROM", "VALUES",
		"VALUES in FROM", "WITH before a write", "index hint", "sub-select in LIMIT",
	}
)
