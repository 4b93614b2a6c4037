package guard_test

import (
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
)

// FuzzRewrite wants an error or a text that has all of the old one in its order,
// and that is understood itself and has nothing more to hide.
func FuzzRewrite(f *testing.F) {
	for _, c := range constructs {
		f.Add(c.text)
	}
	f.Add("WITH RECURSIVE p(a) AS (SELECT 1 UNION ALL SELECT a FROM p) UPDATE c SET a = 1 WHERE b")
	f.Add("MERGE INTO p USING c ON a WHEN NOT MATCHED THEN INSERT VALUES (1)")
	f.Add("DELETE a, b FROM p a, c b USING x")
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range products {
			g, err := guard.New(catalog(), d, &guard.Options{Cache: -1})
			if err != nil {
				t.Fatal(err)
			}
			rewritten, err := g.Rewrite(text)
			if err != nil {
				// The guard turns a panic into an error of this form.
				if strings.Contains(err.Error(), "runtime error") {
					t.Errorf("%v: %q: %v", d, text, err)
				}
				continue
			}
			if !strings.Contains(strings.ToUpper(text), "TABLE") && !within(text, rewritten) {
				t.Errorf("%v: %q became %q", d, text, rewritten)
			}
			again, err := g.With(lifecycle.Everything).Rewrite(rewritten)
			if err != nil || again != rewritten {
				t.Errorf("%v: %q became %q, and that %q, %v", d, text, rewritten, again, err)
			}
		}
	})
}

// within tells whether all of a text is in another one, in its order.
func within(text, in string) bool {
	at := 0
	for i := 0; i < len(in) && at < len(text); i++ {
		if in[i] == text[at] {
			at++
		}
	}
	return at == len(text)
}
