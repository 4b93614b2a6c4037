package guard_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/store/guard"
)

func TestMarkers(t *testing.T) {
	t.Parallel()
	const (
		parent = ` WHERE p."gone" IS NULL`
		joined = "SELECT 1 FROM p LEFT JOIN c k ON (k.pid = p.id)"
	)
	tests := []struct {
		name, marker, child, parent string
	}{
		{"one reference", "/* softdelete: trashed(k) */", ` AND k."gone" IS NOT NULL`, parent},
		{"no blanks", "/*softdelete:trashed(k)*/", ` AND k."gone" IS NOT NULL`, parent},
		{"all", "/* softdelete: everything */", "", ""},
		{"two references", "/* softdelete: with_trashed(k, p) */", "", ""},
		{"two scopes", "/* softdelete: everything(p)\n\ttrashed(k) */", ` AND k."gone" IS NOT NULL`, ""},
		{"a table's name", "/* softdelete: everything(c) */", "", parent},
		{"two markers", "/* softdelete: everything *//* softdelete: live(p) */", "", parent},
		{"a comment", "/* everything */", ` AND k."gone" IS NULL`, parent},
		{"a comment about it", "/* see softdelete: everything */", ` AND k."gone" IS NULL`, parent},
		{"a line", "-- softdelete: everything\n", ` AND k."gone" IS NULL`, parent},
	}
	on := newGuard(t, guard.Postgres, &guard.Options{Markers: true})
	off := newGuard(t, guard.Postgres, nil)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			text := "SELECT 1 FROM p LEFT JOIN c k ON k.pid = p.id"
			at := test.marker + text
			got, err := on.Rewrite(at)
			if err != nil {
				t.Fatal(err)
			}
			want := test.marker + joined + test.child + test.parent
			if test.child == "" {
				want = test.marker + text + test.parent
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if got, err = off.Rewrite(at); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.marker+joined+` AND k."gone" IS NULL`+parent, got); diff != "" {
				t.Errorf("switched off (-want +got)\n%s", diff)
			}
		})
	}
	if got, err := on.Rewrite("SELECT '/* softdelete: everything */' FROM p"); err != nil || got != "SELECT '/* softdelete: everything */' FROM p"+parent {
		t.Errorf("in a string: %q, %v", got, err)
	}
	for _, marker := range []string{
		"/* softdelete: */", "/* softdelete: deleted */", "/* softdelete: trashed( */", "/* softdelete: trashed() */", "/* softdelete: trashed(z) */",
		"/* softdelete: Trashed(p) */", "/* softdelete: live, trashed(p) */", "/* softdelete: trashed(p,) */",
	} {
		if text, err := on.Rewrite(marker + "SELECT * FROM p"); text != "" || !errors.Is(err, guard.ErrScope) {
			t.Errorf("%s: Rewrite = %q, %v; want %v", marker, text, err, guard.ErrScope)
		}
	}
}
