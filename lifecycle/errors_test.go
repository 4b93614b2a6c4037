package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// sentinels is every sentinel and the status it maps to, by hand.
var sentinels = []struct {
	name   string
	err    error
	status int
}{
	{"invalid", lifecycle.ErrInvalid, 400},
	{"not found", lifecycle.ErrNotFound, 404},
	{"not deletable", lifecycle.ErrNotDeletable, 405},
	{"conflict", lifecycle.ErrConflict, 409},
	{"parent trashed", lifecycle.ErrParentTrashed, 409},
	{"restricted", lifecycle.ErrRestricted, 409},
	{"illegal", lifecycle.ErrIllegal, 409},
	{"not due", lifecycle.ErrNotDue, 409},
	{"expired", lifecycle.ErrExpired, 410},
	{"gone", lifecycle.ErrGone, 410},
	{"version mismatch", lifecycle.ErrVersionMismatch, 412},
	{"held", lifecycle.ErrHeld, 423},
	{"retry", lifecycle.ErrRetry, 503},
}

func TestHTTPStatus(t *testing.T) {
	t.Parallel()
	for _, s := range sentinels {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			refusal := &lifecycle.Error{Op: lifecycle.Trash, Table: "document", Key: lifecycle.Key{1}, Err: s.err}
			for wrapped, err := range map[string]error{
				"bare":           s.err,
				"refusal":        refusal,
				"by a service":   fmt.Errorf("delete account: %w", refusal),
				"with its cause": &lifecycle.Error{Op: lifecycle.Trash, Err: fmt.Errorf("%w: %w", s.err, context.Canceled)},
				"joined":         errors.Join(errors.New("something else"), refusal),
			} {
				if got := lifecycle.HTTPStatus(err); got != s.status {
					t.Errorf("%s: %d, want %d", wrapped, got, s.status)
				}
			}
			for _, other := range sentinels {
				if errors.Is(s.err, other.err) != (s.err == other.err) {
					t.Errorf("%v is %v too", s.err, other.err)
				}
			}
		})
	}
}

func TestHTTPStatusOfOthers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		err  error
		want int
	}{
		{"nil", nil, http.StatusOK},
		{"no error of ours", errors.New("disk full"), http.StatusInternalServerError},
		{"cancelled", &lifecycle.Error{Op: lifecycle.Trash, Err: context.Canceled}, http.StatusInternalServerError},
		{"unsupported", &lifecycle.Error{Op: lifecycle.Trash, Err: errors.ErrUnsupported}, http.StatusInternalServerError},
		{"a conflict that has to be retried", fmt.Errorf("%w: %w", lifecycle.ErrConflict, lifecycle.ErrRetry), http.StatusServiceUnavailable},
		{"not found among invalid", fmt.Errorf("%w: %w", lifecycle.ErrInvalid, lifecycle.ErrNotFound), http.StatusNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := lifecycle.HTTPStatus(tt.err); got != tt.want {
				t.Errorf("HTTPStatus = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		err  lifecycle.Error
		want string
	}{
		{
			"everything",
			lifecycle.Error{Op: lifecycle.Restore, Table: "document", Key: lifecycle.Key{42}, Err: lifecycle.ErrExpired, Detail: "2026-11-29T10:00:00Z"},
			"lifecycle: restore document[42]: window closed 2026-11-29T10:00:00Z",
		},
		{"no detail", lifecycle.Error{Op: lifecycle.Trash, Table: "a.b", Key: lifecycle.Key{"x", 7}, Err: lifecycle.ErrHeld}, `lifecycle: trash a.b["x",7]: under legal hold`},
		{"no key", lifecycle.Error{Op: lifecycle.HardDelete, Table: "ticket", Err: lifecycle.ErrInvalid}, "lifecycle: hard_delete ticket: invalid"},
		{"no table", lifecycle.Error{Op: "read", Err: lifecycle.ErrInvalid}, "lifecycle: read: invalid"},
		{"a longer cause", lifecycle.Error{Op: "trash", Table: "t", Err: fmt.Errorf("%w: no transaction", lifecycle.ErrInvalid)}, "lifecycle: trash t: invalid: no transaction"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tt.err.Error()); diff != "" {
				t.Errorf("Error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestErrorAs(t *testing.T) {
	t.Parallel()
	refusal := &lifecycle.Error{Op: lifecycle.Restore, Table: "document", Key: lifecycle.Key{42}, Err: lifecycle.ErrExpired}
	err := fmt.Errorf("handler: %w", errors.Join(errors.New("first"), refusal))
	var got *lifecycle.Error
	if !errors.As(err, &got) || got != refusal {
		t.Errorf("errors.As = %v, want the refusal", got)
	}
	if !errors.Is(err, lifecycle.ErrExpired) || errors.Is(err, lifecycle.ErrGone) {
		t.Errorf("%v: expired %t, gone %t", err, errors.Is(err, lifecycle.ErrExpired), errors.Is(err, lifecycle.ErrGone))
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		out  lifecycle.Outcome
		ok   bool
		err  error
	}{
		{"transitioned", lifecycle.Transitioned, true, nil},
		{"already", lifecycle.Already, true, nil},
		{"not found", lifecycle.NotFound, false, lifecycle.ErrNotFound},
		{"expired", lifecycle.Expired, false, lifecycle.ErrExpired},
		{"gone", lifecycle.Gone, false, lifecycle.ErrGone},
		{"held", lifecycle.Held, false, lifecycle.ErrHeld},
		{"conflict", lifecycle.Conflict, false, lifecycle.ErrConflict},
		{"parent trashed", lifecycle.ParentTrashed, false, lifecycle.ErrParentTrashed},
		{"restricted", lifecycle.Restricted, false, lifecycle.ErrRestricted},
		{"version mismatch", lifecycle.VersionMismatch, false, lifecycle.ErrVersionMismatch},
		{"illegal", lifecycle.Illegal, false, lifecycle.ErrIllegal},
		{"not due", lifecycle.NotDue, false, lifecycle.ErrNotDue},
		{"unknown outcome", 0, false, lifecycle.ErrInvalid},
		{"unknown outcome", 200, false, lifecycle.ErrInvalid},
	} {
		t.Run(fmt.Sprint(tt.name, " ", uint8(tt.out)), func(t *testing.T) {
			t.Parallel()
			if tt.out.String() != tt.name || tt.out.OK() != tt.ok || tt.out.Err() != tt.err {
				t.Errorf("got %q, %t, %v; want %q, %t, %v", tt.out, tt.out.OK(), tt.out.Err(), tt.name, tt.ok, tt.err)
			}
		})
	}
}
