package rowstate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/softdelete-go/softdelete/internal/rowstate"
	"github.com/softdelete-go/softdelete/lifecycle"
)

func quote(b []byte, name string) []byte { return append(append(append(b, '"'), name...), '"') }

func flag(name string, as lifecycle.Encoding, nullable bool) lifecycle.Column {
	return lifecycle.Column{Name: name, As: as, Nullable: nullable}
}

// Every predicate can be joined to others by AND as it stands.
func TestAppendScope(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		table lifecycle.Table
		want  map[lifecycle.Scope]string
	}{
		{"canonical", lifecycle.Table{Columns: lifecycle.CanonicalColumns()}, map[lifecycle.Scope]string{
			lifecycle.Live:        `d."deleted_at" IS NULL AND d."is_deleted" = 0`,
			lifecycle.WithTrashed: `d."is_deleted" = 0`,
			lifecycle.OnlyTrashed: `d."deleted_at" IS NOT NULL AND d."is_deleted" = 0`,
		}},
		{"trash only", lifecycle.Table{Columns: lifecycle.Columns{DeletedAt: flag("gone", lifecycle.Timestamp, false)}}, map[lifecycle.Scope]string{
			lifecycle.Live:        `d."gone" IS NULL`,
			lifecycle.OnlyTrashed: `d."gone" IS NOT NULL`,
		}},
		{"epochs and nullable flags", lifecycle.Table{Columns: lifecycle.Columns{
			DeletedAt: flag("at", lifecycle.UnixMillis, false), IsDeleted: flag("gone", lifecycle.Flag, true),
		}}, map[lifecycle.Scope]string{
			lifecycle.Live:        `(d."at" IS NULL OR d."at" = 0) AND (d."gone" IS NULL OR d."gone" = 0)`,
			lifecycle.WithTrashed: `(d."gone" IS NULL OR d."gone" = 0)`,
			lifecycle.OnlyTrashed: `d."at" <> 0 AND (d."gone" IS NULL OR d."gone" = 0)`,
		}},
		{"booleans", lifecycle.Table{Columns: lifecycle.Columns{
			DeletedAt: flag("trash", lifecycle.Boolean, false), IsDeleted: flag("gone", lifecycle.Boolean, true),
		}}, map[lifecycle.Scope]string{
			lifecycle.Live:        `d."trash" = FALSE AND (d."gone" IS NULL OR d."gone" = FALSE)`,
			lifecycle.WithTrashed: `(d."gone" IS NULL OR d."gone" = FALSE)`,
			lifecycle.OnlyTrashed: `d."trash" <> FALSE AND (d."gone" IS NULL OR d."gone" = FALSE)`,
		}},
		{"status", lifecycle.Table{Kind: lifecycle.Status}, map[lifecycle.Scope]string{lifecycle.OnlyTrashed: "1 = 0"}},
		{"technical", lifecycle.Table{Kind: lifecycle.Technical}, map[lifecycle.Scope]string{lifecycle.OnlyTrashed: "1 = 0"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.want[99] = "1 = 0"
			got := map[lifecycle.Scope]string{}
			for _, s := range []lifecycle.Scope{lifecycle.Live, lifecycle.WithTrashed, lifecycle.OnlyTrashed, lifecycle.Everything, 99} {
				if b, some := rowstate.AppendScope([]byte("WHERE "), &test.table, s, "d.", quote); some {
					got[s] = string(b[len("WHERE "):])
				} else if string(b) != "WHERE " {
					t.Errorf("%v: nothing to write, but the text is %q", s, b)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAppendState(t *testing.T) {
	t.Parallel()
	states := []lifecycle.State{lifecycle.Active, lifecycle.Trashed, lifecycle.Purged, lifecycle.Reclaimed, "other"}
	tests := []struct {
		name  string
		table lifecycle.Table
		want  []string
	}{
		{"canonical", lifecycle.Table{Columns: lifecycle.CanonicalColumns()}, []string{
			`"deleted_at" IS NULL AND "is_deleted" = 0`,
			`"deleted_at" IS NOT NULL AND "is_deleted" = 0`,
			`"is_deleted" <> 0 AND "reclaimed_at" IS NULL`,
			`"is_deleted" <> 0 AND "reclaimed_at" IS NOT NULL`,
			"1 = 0",
		}},
		{"status", lifecycle.Table{Kind: lifecycle.Status}, []string{"1 = 1", "1 = 0", "1 = 0", "1 = 0", "1 = 0"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range states {
				got = append(got, string(rowstate.AppendState(nil, &test.table, s, "", quote)))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// No value of a column is set and unset at once.
func TestSetAndUnset(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		column     lifecycle.Column
		set, unset string
	}{
		{"timestamp", flag("c", lifecycle.TimestampSeconds, false), `"c" IS NOT NULL`, `"c" IS NULL`},
		{"text", flag("c", lifecycle.RFC3339, false), `"c" IS NOT NULL`, `"c" IS NULL`},
		{"epoch", flag("c", lifecycle.UnixSeconds, false), `"c" <> 0`, `("c" IS NULL OR "c" = 0)`},
		{"flag", flag("c", lifecycle.Flag, false), `"c" <> 0`, `"c" = 0`},
		{"boolean", flag("c", lifecycle.Boolean, true), `"c" <> FALSE`, `("c" IS NULL OR "c" = FALSE)`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := []string{
				string(rowstate.AppendSet(nil, test.column, "", quote)),
				string(rowstate.AppendUnset(nil, test.column, "", quote)),
			}
			if diff := cmp.Diff([]string{test.set, test.unset}, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
