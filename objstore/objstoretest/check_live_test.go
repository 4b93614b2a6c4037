package objstoretest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/objstore/objstoretest"
)

// TestCheckFindsNothing in a bucket that keeps its promises, and leaves nothing.
func TestCheckFindsNothing(t *testing.T) {
	t.Parallel()
	for _, status := range []objstore.VersioningStatus{objstore.Unversioned, objstore.Versioned, objstore.Suspended} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			b := open(t, &memobj.Options{Versioning: status})
			if err := objstoretest.Check(t.Context(), b); err != nil {
				t.Error(err)
			}
			if n := stored(t, b); n > 0 {
				t.Errorf("%d entries are left", n)
			}
		})
	}
}

// silent is a bucket that does not tell its versioning.
type silent struct{ objstore.Bucket }

func TestCheckWithoutVersioning(t *testing.T) {
	t.Parallel()
	b := open(t, &memobj.Options{Versioning: objstore.Versioned})
	if err := objstoretest.Check(t.Context(), silent{b}); err != nil {
		t.Error(err)
	}
	if n := stored(t, b); n > 0 {
		t.Errorf("%d entries are left", n)
	}
}

// TestCheckEndsEarly ends the context at each of many calls: the check says so,
// and tidies up all the same.
func TestCheckEndsEarly(t *testing.T) {
	t.Parallel()
	for _, at := range []int{0, 1, 2, 7, 50, 400, 1000} {
		ctx, cancel := context.WithCancel(t.Context())
		b := open(t, &memobj.Options{Versioning: objstore.Versioned, Fault: func(_ context.Context, c memobj.Call) memobj.Fault {
			if c.N == at {
				cancel()
			}
			return memobj.Fault{}
		}})
		if err := objstoretest.Check(ctx, b); !errors.Is(err, context.Canceled) {
			t.Errorf("ended at call %d: %v", at, err)
		}
		if n := stored(t, b); n > 0 {
			t.Errorf("ended at call %d: %d entries are left", at, n)
		}
		cancel()
	}
}

// TestCheckCannotTidyUp: what stays is said, with the prefix to look under.
func TestCheckCannotTidyUp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		fault func(context.Context, memobj.Call) memobj.Fault
		want  error
	}{
		{"deletes are refused", func(_ context.Context, c memobj.Call) memobj.Fault {
			if c.Op == memobj.OpDeleteBatch {
				return memobj.Fault{Before: memobj.AccessDenied}
			}
			return memobj.Fault{}
		}, memobj.AccessDenied},
		{"listings break", func(_ context.Context, c memobj.Call) memobj.Fault {
			return memobj.Fault{NoToken: c.Op == memobj.OpListVersions}
		}, objstore.ErrIncomplete},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := open(t, &memobj.Options{Versioning: objstore.Versioned, Fault: tt.fault})
			err := objstoretest.Check(t.Context(), b)
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), "archive/softdelete-check-") {
				t.Errorf("found %v, want %v and the prefix", err, tt.want)
			}
		})
	}
}

// TestCheckLocked: a default retention, as locks set by hand, keeps what was
// made for the check.
func TestCheckLocked(t *testing.T) {
	t.Parallel()
	var b *memobj.Bucket
	locked := false
	b = open(t, &memobj.Options{ObjectLock: true, Fault: func(ctx context.Context, c memobj.Call) memobj.Fault {
		if c.Op == memobj.OpHead && !locked {
			locked = true
			_ = b.SetLock(ctx, objstore.ID{Key: c.Keys[0]}, objstore.Lock{Until: time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC)})
		}
		return memobj.Fault{}
	}})
	err := objstoretest.Check(t.Context(), b)
	if !errors.Is(err, objstore.ErrLocked) || !strings.Contains(err.Error(), "archive/softdelete-check-") {
		t.Errorf("found %v, want a locked version", err)
	}
	if n := stored(t, b); n != 1 {
		t.Errorf("%d entries are left, want the locked one", n)
	}
}
