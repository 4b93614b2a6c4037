package oracle

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/sqltext"
)

// modes are how the servers split texts.
var modes = map[*dialect]sqltext.Mode{
	postgres: {Quote: '"', Dollar: true, NestedComment: true},
	mysql:    {Quote: '`', Backslash: true, HashComment: true, DoubleString: true},
	sqlite:   {Quote: '"'},
}

// TestReferences compares the tables that are read in a text with those that the
// generator put into it, where no database has a say.
func TestReferences(t *testing.T) {
	t.Parallel()
	s := seed(t)
	for d, mode := range modes {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			refused := 0
			for n := range 5000 {
				c := newCase(d, s, n)
				text := c.print(func(r *ref) (string, bool) { return "elsewhere", false })
				script, err := sqltext.Parse(text, mode)
				if err != nil {
					refused++
					continue
				}
				var want, got []string
				for _, r := range c.refs {
					want = append(want, strings.ToLower(bare(r.t.name)))
				}
				for _, r := range script.References {
					got = append(got, strings.ToLower(r.Name))
				}
				slices.Sort(want)
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("seed %d, case %d: tables (-want +got)\n%s\n%s", s, n, diff, text)
				}
			}
			if refused > 50 {
				t.Errorf("%d of 5000 texts were refused", refused)
			}
		})
	}
}
