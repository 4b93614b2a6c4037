package oracle

import (
	"flag"
	"os"
	"testing"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
)

var (
	flagCount = flag.Int("oracle.n", 400, "how many queries TestOracle tries on each database")
	flagCase  = flag.Int("oracle.case", -1, "the number of the one case TestOracle tries")
)

// TestOracle judges the guard.
func TestOracle(t *testing.T) {
	t.Parallel()
	s := seed(t)
	each(t, func(t *testing.T, b *Bed) {
		dialects := map[*dialect]*guard.Dialect{postgres: guard.Postgres, mysql: guard.MySQL, sqlite: guard.SQLite}
		g, err := guard.New(Catalog(), dialects[b.d], &guard.Options{Cache: -1})
		if err != nil {
			t.Fatal(err)
		}
		c := Config{Seed: s, Count: *flagCount, Reports: 3, Output: os.Stderr}
		if *flagCase >= 0 {
			c.First, c.Count = *flagCase, 1
		}
		c.Rewrite = func(text string, scope lifecycle.Scope, apart []Apart) (string, error) {
			with := g.With(scope)
			for _, a := range apart {
				with = with.With(a.Scope, a.Name)
			}
			return with.Rewrite(text)
		}
		report := run(t, b, c)
		t.Log(report)
		if n := report.Differing + report.Errors; n > 0 {
			t.Errorf("%d of %d guarded queries are wrong (seed %d)", n, c.Count, s)
		}
		// A short run has some more by chance.
		if most := c.Count/100 + 10; report.Refused > most {
			t.Errorf("%d of %d queries were refused, and %d may be", report.Refused, c.Count, most)
		}
	})
}
