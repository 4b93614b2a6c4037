package lifecycle_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
)

var document = &lifecycle.Table{Name: "document"}

func TestRow(t *testing.T) {
	t.Parallel()
	r := document.Row("a", 7)
	if diff := cmp.Diff(lifecycle.Key{"a", 7}, r.Key); diff != "" || r.Table != document {
		t.Errorf("Row of %v (-want +got):\n%s", r.Table, diff)
	}
}

func TestRowVersion(t *testing.T) {
	t.Parallel()
	plain := document.Row(1)
	zero := plain.IfVersion(0)
	for _, tt := range []struct {
		name string
		row  lifecycle.Row
		want int64
		ok   bool
	}{
		{"none", plain, 0, false},
		{"zero is a version", zero, 0, true},
		{"seven", plain.IfVersion(7), 7, true},
		{"the last counts", zero.IfVersion(8), 8, true},
		{"the first is a row of its own", zero, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if v, ok := tt.row.Version(); v != tt.want || ok != tt.ok {
				t.Errorf("Version = %d, %t; want %d, %t", v, ok, tt.want, tt.ok)
			}
		})
	}
}

type condition string

func (c condition) ToSql() (string, []any, error) { return string(c), nil, nil }

func TestSelectionCheck(t *testing.T) {
	t.Parallel()
	where := condition("owner = 1")
	for _, tt := range []struct {
		name string
		sel  lifecycle.Selection
		want []lifecycle.Key
		err  string
	}{
		{"keys", document.Rows(lifecycle.Keys(3, 1, 2)...), []lifecycle.Key{{int64(3)}, {int64(1)}, {int64(2)}}, ""},
		{"repeated keys", document.Rows(lifecycle.Keys(3, 1, 3)...), []lifecycle.Key{{int64(3)}, {int64(1)}}, ""},
		{"one key in two types", document.Rows(lifecycle.Key{3}, lifecycle.Key{uint8(3)}), []lifecycle.Key{{int64(3)}}, ""},
		{"a number and its text", document.Rows(lifecycle.Key{3}, lifecycle.Key{"3"}), []lifecycle.Key{{int64(3)}, {"3"}}, ""},
		{"repeated texts", document.Rows(lifecycle.Keys("a", "b", "a")...), []lifecycle.Key{{"a"}, {"b"}}, ""},
		{"repeated keys of two", document.Rows(lifecycle.Key{1, 2}, lifecycle.Key{1, 3}, lifecycle.Key{1, 2}), []lifecycle.Key{{int64(1), int64(2)}, {int64(1), int64(3)}}, ""},
		{"a condition", document.Where(where, 10), []lifecycle.Key{}, ""},
		{"nothing", lifecycle.Selection{}, nil, "the selection has no table"},
		{"no table", lifecycle.Selection{Keys: lifecycle.Keys(1)}, nil, "the selection has no table"},
		{"no keys", document.Rows(), nil, "the selection has neither keys nor a condition"},
		{"an empty slice", document.Rows([]lifecycle.Key{}...), nil, "the selection has neither keys nor a condition"},
		{"a nil key", document.Rows(nil), nil, "the key is empty"},
		{"a nil among keys", document.Rows(lifecycle.Key{1}, lifecycle.Key{nil}), nil, "is nil"},
		{"a zero among keys", document.Rows(lifecycle.Keys(1, 0)...), nil, "the key is zero"},
		{"no condition", document.Where(nil, 10), nil, "the selection has neither keys nor a condition"},
		{"no limit", document.Where(where, 0), nil, "Selection.Limit: 0 is not positive"},
		{"a negative limit", document.Where(where, -1), nil, "Selection.Limit: -1 is not positive"},
		{"keys and a condition", lifecycle.Selection{Table: document, Keys: lifecycle.Keys(1), Where: where, Limit: 1}, nil, "the selection has both keys and a condition"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := tt.sel.Check()
			if tt.err != "" {
				wantInvalid(t, err, tt.err)
			} else if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("keys (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSelectionIsACopy(t *testing.T) {
	t.Parallel()
	keys := lifecycle.Keys(1, 2)
	sel := document.Rows(keys...)
	keys[0] = lifecycle.Key{9}
	if diff := cmp.Diff(lifecycle.Keys(1, 2), sel.Keys); diff != "" {
		t.Errorf("the selection changed with what it was made of (-want +got):\n%s", diff)
	}
}

func TestResults(t *testing.T) {
	t.Parallel()
	gone := &lifecycle.Error{Op: lifecycle.Restore, Table: "document", Key: lifecycle.Key{1}, Err: lifecycle.ErrGone}
	held := &lifecycle.Error{Op: lifecycle.Purge, Table: "document", Key: lifecycle.Key{2}, Err: lifecycle.ErrHeld}
	mixed := lifecycle.Results{Rows: []lifecycle.Result{
		{Outcome: lifecycle.Transitioned}, {Outcome: lifecycle.Gone, Err: gone}, {Outcome: lifecycle.Already},
		{Outcome: lifecycle.Held, Err: held}, {Outcome: lifecycle.Transitioned},
	}}
	for outcome, want := range map[lifecycle.Outcome]int{
		lifecycle.Transitioned: 2, lifecycle.Already: 1, lifecycle.Gone: 1, lifecycle.Held: 1, lifecycle.NotFound: 0,
	} {
		if got := mixed.Count(outcome); got != want {
			t.Errorf("Count(%s) = %d, want %d", outcome, got, want)
		}
	}
	err := mixed.Err()
	if !errors.Is(err, lifecycle.ErrGone) || !errors.Is(err, lifecycle.ErrHeld) {
		t.Errorf("Err = %v, want both refusals", err)
	}
	fine := lifecycle.Results{Rows: []lifecycle.Result{{Outcome: lifecycle.Transitioned}, {Outcome: lifecycle.Already}}}
	if err := fine.Err(); err != nil {
		t.Errorf("Err of successes = %v", err)
	}
	if err := (lifecycle.Results{}).Err(); err != nil {
		t.Errorf("Err of nothing = %v", err)
	}
}
