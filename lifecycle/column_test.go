package lifecycle_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
)

func TestEncodings(t *testing.T) {
	t.Parallel()
	type facts struct {
		Name         string
		Dated, Epoch bool
		Precision    time.Duration
		Cut, CutUp   string
	}
	const layout = "05.000000000"
	for _, tt := range []struct {
		name string
		as   lifecycle.Encoding
		want facts
	}{
		{"Timestamp", lifecycle.Timestamp, facts{"timestamp", true, false, time.Microsecond, "01.987654000", "01.987655000"}},
		{"TimestampMillis", lifecycle.TimestampMillis, facts{"timestamp in ms", true, false, time.Millisecond, "01.987000000", "01.988000000"}},
		{"TimestampSeconds", lifecycle.TimestampSeconds, facts{"timestamp in s", true, false, time.Second, "01.000000000", "02.000000000"}},
		{"UnixSeconds", lifecycle.UnixSeconds, facts{"unix seconds", true, true, time.Second, "01.000000000", "02.000000000"}},
		{"UnixMillis", lifecycle.UnixMillis, facts{"unix milliseconds", true, true, time.Millisecond, "01.987000000", "01.988000000"}},
		{"UnixMicros", lifecycle.UnixMicros, facts{"unix microseconds", true, true, time.Microsecond, "01.987654000", "01.987655000"}},
		{"RFC3339", lifecycle.RFC3339, facts{"RFC 3339 text", true, false, time.Microsecond, "01.987654000", "01.987655000"}},
		{"Flag", lifecycle.Flag, facts{"flag", false, false, 0, "01.987654321", "01.987654321"}},
		{"Boolean", lifecycle.Boolean, facts{"boolean", false, false, 0, "01.987654321", "01.987654321"}},
		{"unknown", lifecycle.Encoding(200), facts{"unknown encoding", false, false, 0, "01.987654321", "01.987654321"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			instant := time.Date(2026, 3, 1, 21, 0, 1, 987654321, time.FixedZone("", 9*3600))
			got := facts{
				tt.as.String(), tt.as.Dated(), tt.as.Epoch(), tt.as.Precision(),
				tt.as.Cut(instant).Format(layout), tt.as.CutUp(instant).Format(layout),
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
			if tt.as.Cut(instant).Location() != time.UTC || tt.as.CutUp(instant).Location() != time.UTC {
				t.Error("what is stored is not in UTC")
			}
			whole := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
			if !tt.as.Cut(whole).Equal(whole) || !tt.as.CutUp(whole).Equal(whole) {
				t.Errorf("a whole second becomes %s and %s", tt.as.Cut(whole), tt.as.CutUp(whole))
			}
			old := time.Date(1969, 12, 31, 23, 59, 59, 999999999, time.UTC)
			if tt.as.Cut(old).After(old) || tt.as.CutUp(old).Before(old) {
				t.Errorf("before 1970: %s was cut to %s and %s", old, tt.as.Cut(old), tt.as.CutUp(old))
			}
		})
	}
}

// TestFarFutureFits wants the deadline of rows without one to stay what it is
// in every encoding, so that it is known again.
func TestFarFutureFits(t *testing.T) {
	t.Parallel()
	for as := lifecycle.Timestamp; as <= lifecycle.RFC3339; as++ {
		if !as.CutUp(lifecycle.FarFuture).Equal(lifecycle.FarFuture) {
			t.Errorf("%s: %s", as, as.CutUp(lifecycle.FarFuture))
		}
	}
}

func TestRFC3339LayoutSorts(t *testing.T) {
	t.Parallel()
	instants := []time.Time{noon, noon.Add(time.Microsecond), noon.Add(100 * time.Millisecond), noon.Add(time.Second), noon.AddDate(0, 1, 0)}
	for i, at := range instants {
		text := at.Format(lifecycle.RFC3339Layout)
		if len(text) != len(lifecycle.RFC3339Layout) {
			t.Errorf("%q has another width", text)
		}
		if i > 0 && text <= instants[i-1].Format(lifecycle.RFC3339Layout) {
			t.Errorf("%q does not sort after the one before", text)
		}
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	canonical := lifecycle.CanonicalColumns()
	with := func(change func(c *lifecycle.Columns)) lifecycle.Columns {
		c := canonical
		change(&c)
		return c
	}
	for _, tt := range []struct {
		name    string
		columns lifecycle.Columns
		want    []string
	}{
		{"canonical", canonical, nil},
		{"the default", lifecycle.Columns{}, nil},
		{"deleted_at alone", lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}}, nil},
		{"a flag alone", lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted", As: lifecycle.Flag, Nullable: true}}, nil},
		{"a flag and a stored deadline", with(func(c *lifecycle.Columns) { c.DeletedAt.As = lifecycle.Boolean }), nil},
		{"epochs", with(func(c *lifecycle.Columns) {
			c.DeletedAt.As, c.PurgeAfter.As = lifecycle.UnixMillis, lifecycle.UnixMillis
		}), nil},
		{"a version", with(func(c *lifecycle.Columns) { c.Version = "row_version" }), nil},
		{"no deleted_at", with(func(c *lifecycle.Columns) { c.DeletedAt = lifecycle.Column{} }), []string{"Columns.DeletedAt: an asset table needs one"}},
		{"a deadline that is a flag", with(func(c *lifecycle.Columns) { c.PurgeAfter.As = lifecycle.Flag }), []string{"Columns.PurgeAfter: a flag holds no date"}},
		{"two encodings to compare", with(func(c *lifecycle.Columns) { c.PurgeAfter.As = lifecycle.UnixSeconds }), []string{"Columns.PurgeAfter: has another encoding than DeletedAt"}},
		{"an update that is a boolean", with(func(c *lifecycle.Columns) { c.UpdatedAt.As = lifecycle.Boolean }), []string{"Columns.UpdatedAt: a boolean holds no date"}},
		{"a hold that is a date", with(func(c *lifecycle.Columns) { c.Hold.As = lifecycle.Timestamp }), []string{"Columns.Hold: is a Flag or a Boolean, not a timestamp"}},
		{"reclaimed without purged", with(func(c *lifecycle.Columns) { c.IsDeleted = lifecycle.Column{} }), []string{"Columns.ReclaimedAt: needs IsDeleted"}},
		{"one column for two facts", with(func(c *lifecycle.Columns) { c.IsDeleted.Name = "deleted_at" }), []string{`Columns.IsDeleted: column "deleted_at" is already DeletedAt`}},
		{"the key for a fact", with(func(c *lifecycle.Columns) { c.Version = "id" }), []string{`Columns.Version: column "id" is already Key`}},
		{"a nullable date", with(func(c *lifecycle.Columns) { c.DeletedAt.Nullable = true }), []string{"Columns.DeletedAt: Nullable is for flags"}},
		{"an unknown encoding", with(func(c *lifecycle.Columns) { c.IsDeleted.As = 200 }), []string{"Columns.IsDeleted: encoding 200 is unknown"}},
		{"a long name", with(func(c *lifecycle.Columns) { c.DeletedBy = strings.Repeat("x", lifecycle.MaxIdentifier+1) }), []string{"Columns.DeletedBy:", "has more than 63 bytes"}},
		{"a name as long as can be", with(func(c *lifecycle.Columns) { c.DeletedBy = strings.Repeat("x", lifecycle.MaxIdentifier) }), nil},
		{"a NUL in a name", with(func(c *lifecycle.Columns) { c.UpdatedBy = "a\x00" }), []string{"Columns.UpdatedBy:", "NUL"}},
		{"a name that is not UTF-8", with(func(c *lifecycle.Columns) { c.Operation = "\xff" }), []string{"Columns.Operation:", "UTF-8"}},
		{"every fault is named", with(func(c *lifecycle.Columns) { c.Hold.As, c.PurgeAfter.As = lifecycle.Timestamp, lifecycle.Flag }), []string{"Columns.Hold:", "Columns.PurgeAfter:"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := lifecycle.NewCatalog(&lifecycle.Table{Name: "doc", Columns: tt.columns})
			if len(tt.want) > 0 {
				wantInvalid(t, err, tt.want...)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}
