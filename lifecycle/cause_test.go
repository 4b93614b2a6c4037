package lifecycle_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

func TestCauseCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		cause lifecycle.Cause
		err   string
	}{
		{"actor and reason", lifecycle.Cause{By: "user:42", Why: "clean-up"}, ""},
		{"actor alone", lifecycle.Cause{By: "user:42"}, ""},
		{"other letters", lifecycle.Cause{By: "пользователь:42", Why: "清理"}, ""},
		{"as long as can be", lifecycle.Cause{By: strings.Repeat("x", lifecycle.MaxActor), Why: strings.Repeat("x", lifecycle.MaxReason)}, ""},
		{"nobody", lifecycle.Cause{Why: "clean-up"}, "Cause.By: no actor"},
		{"blank", lifecycle.Cause{By: " \t\n"}, "Cause.By: no actor"},
		{"a long actor", lifecycle.Cause{By: strings.Repeat("x", lifecycle.MaxActor+1)}, "Cause.By: 256 bytes, more than 255"},
		{"a long reason", lifecycle.Cause{By: "user:42", Why: strings.Repeat("x", lifecycle.MaxReason+1)}, "Cause.Why: 1001 bytes, more than 1000"},
		{"long in bytes, not in letters", lifecycle.Cause{By: strings.Repeat("ж", 128)}, "Cause.By: 256 bytes"},
		{"an actor that is not UTF-8", lifecycle.Cause{By: "user:\xff"}, "not UTF-8"},
		{"a reason that is not UTF-8", lifecycle.Cause{By: "user:42", Why: "\xff"}, "not UTF-8"},
		{"a NUL", lifecycle.Cause{By: "user:42", Why: "a\x00"}, "NUL"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := tt.cause.Check()
			if tt.err != "" {
				wantInvalid(t, err, tt.err)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOpsSortByTime(t *testing.T) {
	t.Parallel()
	var ops []lifecycle.Op
	for i := range 100 {
		ops = append(ops, lifecycle.NewOp(noon.Add(time.Duration(i)*time.Millisecond)))
	}
	if !slices.IsSorted(ops) {
		t.Errorf("ids of successive milliseconds do not sort: %s", ops)
	}
	for _, at := range []time.Time{noon, {}, lifecycle.FarFuture} {
		op := lifecycle.NewOp(at)
		if len(op) != 32 || strings.Trim(string(op), "0123456789abcdef") != "" {
			t.Errorf("NewOp(%s) = %q, want 32 hexadecimal digits", at, op)
		}
	}
}

func TestOpsDiffer(t *testing.T) {
	t.Parallel()
	seen := map[lifecycle.Op]bool{}
	for range 10_000 {
		op := lifecycle.NewOp(noon)
		if seen[op] {
			t.Fatalf("%s was minted twice", op)
		}
		seen[op] = true
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	states := []lifecycle.State{lifecycle.Active, lifecycle.Trashed, lifecycle.Purged, lifecycle.Reclaimed, "pending"}
	for _, tt := range []struct {
		name  string
		scope lifecycle.Scope
		shows []bool
	}{
		{"live", lifecycle.Live, []bool{true, false, false, false, false}},
		{"with trashed", lifecycle.WithTrashed, []bool{true, true, false, false, false}},
		{"only trashed", lifecycle.OnlyTrashed, []bool{false, true, false, false, false}},
		{"everything", lifecycle.Everything, []bool{true, true, true, true, true}},
		{"unknown scope", lifecycle.Scope(200), []bool{false, false, false, false, false}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.scope.String() != tt.name {
				t.Errorf("String = %q, want %q", tt.scope, tt.name)
			}
			for i, s := range states {
				if got := tt.scope.Shows(s); got != tt.shows[i] {
					t.Errorf("Shows(%s) = %t, want %t", s, got, tt.shows[i])
				}
			}
		})
	}
	if lifecycle.Scope(0) != lifecycle.Live {
		t.Error("the zero scope shows more than live rows")
	}
}
