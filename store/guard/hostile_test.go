package guard_test

import (
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/store/guard"
)

// TestHostile rewrites texts that take long where the time grows faster than the
// text.
func TestHostile(t *testing.T) {
	t.Parallel()
	const many = 50_000
	for name, text := range map[string]string{
		"unions":      "SELECT 1 FROM p" + strings.Repeat(" UNION SELECT 1 FROM c", many),
		"statements":  strings.Repeat("SELECT a, (SELECT 1 FROM c) FROM p;", many),
		"sub-selects": "SELECT 1" + strings.Repeat(", (SELECT 1 FROM c)", many) + " FROM p",
		"tables":      "SELECT 1 FROM p" + strings.Repeat(", c", many),
		"joins":       "SELECT 1 FROM p" + strings.Repeat(" JOIN c ON a", many),
		"left joins":  "SELECT 1 FROM p" + strings.Repeat(" LEFT JOIN c ON a", many),
		"right joins": "SELECT 1 FROM p" + strings.Repeat(" RIGHT JOIN c ON a", many),
		"conditions":  "SELECT 1 FROM p WHERE a" + strings.Repeat(" OR a IN (SELECT 1 FROM c)", many),
	} {
		for _, d := range products {
			t.Run(name+"/"+d.String(), func(t *testing.T) {
				t.Parallel()
				got, err := newGuard(t, d, &guard.Options{Cache: -1}).Rewrite(text)
				if err != nil {
					t.Fatal(err)
				}
				if n := strings.Count(got, "gone"); n < many {
					t.Errorf("%d predicates, want %d", n, many)
				}
			})
		}
	}
}
