package memobj_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

var errInjected = errors.New("connection reset")

// faulty returns a bucket, and a fault for its next calls.
func faulty(t *testing.T, opts memobj.Options) (*memobj.Bucket, *memobj.Fault) {
	t.Helper()
	fault := new(memobj.Fault)
	opts.Fault = func(context.Context, memobj.Call) memobj.Fault { return *fault }
	return open(t, &opts), fault
}

// TestFaultOfCalls wants each call to fail as it is told, before it was applied
// and after.
func TestFaultOfCalls(t *testing.T) {
	t.Parallel()
	k := objstore.ID{Key: "k"}
	calls := []struct {
		name string
		call func(ctx context.Context, b *memobj.Bucket) error
		done []string // what is held once it was applied to "k old"
	}{
		{"put", func(ctx context.Context, b *memobj.Bucket) error {
			_, err := b.Put(ctx, "k", strings.NewReader("new"), 3, nil)
			return err
		}, []string{"k new"}},
		{"delete", func(ctx context.Context, b *memobj.Bucket) error {
			_, err := b.Delete(ctx, []objstore.ID{k})
			return err
		}, nil},
		{"head", func(ctx context.Context, b *memobj.Bucket) error {
			_, err := b.Head(ctx, k)
			return err
		}, []string{"k old"}},
		{"open", func(ctx context.Context, b *memobj.Bucket) error {
			_, err := b.Open(ctx, k)
			return err
		}, []string{"k old"}},
		{"objects", func(ctx context.Context, b *memobj.Bucket) error { return listed(b.Objects(ctx, "", nil)) }, []string{"k old"}},
		{"versions", func(ctx context.Context, b *memobj.Bucket) error { return listed(b.Versions(ctx, "", nil)) }, []string{"k old"}},
		{"versioning", func(ctx context.Context, b *memobj.Bucket) error {
			_, err := b.Versioning(ctx)
			return err
		}, []string{"k old"}},
		{"rules", func(ctx context.Context, b *memobj.Bucket) error {
			_, err := b.Rules(ctx)
			return err
		}, []string{"k old"}},
		{"lock", func(ctx context.Context, b *memobj.Bucket) error {
			_, err := b.Lock(ctx, k)
			return err
		}, []string{"k old"}},
	}
	faults := []struct {
		name    string
		fault   memobj.Fault
		want    error
		applied bool
	}{
		{"reset before", memobj.Fault{Before: errInjected}, errInjected, false},
		{"reset after", memobj.Fault{After: errInjected}, errInjected, true},
		{"throttled", memobj.Fault{Before: memobj.SlowDown}, objstore.ErrThrottled, false},
		{"refused", memobj.Fault{Before: memobj.AccessDenied}, fs.ErrPermission, false},
		{"failed before", memobj.Fault{Before: memobj.InternalError}, memobj.InternalError, false},
		{"failed after", memobj.Fault{After: memobj.InternalError}, memobj.InternalError, true},
	}
	for _, c := range calls {
		for _, f := range faults {
			t.Run(c.name+" "+f.name, func(t *testing.T) {
				t.Parallel()
				b, fault := faulty(t, memobj.Options{})
				store(t, b, "k", "old")
				*fault = f.fault
				if err := c.call(t.Context(), b); !errors.Is(err, f.want) {
					t.Errorf("error %v, want %v", err, f.want)
				}
				*fault = memobj.Fault{}
				want := []string{"k old"}
				if f.applied {
					want = c.done
				}
				equal(t, "held", want, held(t, b))
			})
		}
	}
}

// listed returns the error that ends a listing.
func listed(listing func(func(objstore.Object, error) bool)) (last error) {
	for _, err := range listing {
		last = err
	}
	return last
}

func TestFaultOfEntries(t *testing.T) {
	t.Parallel()
	b, fault := faulty(t, memobj.Options{})
	for _, key := range []string{"a", "b", "c", "d"} {
		store(t, b, key, key)
	}
	fault.Entries = map[string]memobj.Code{"a": memobj.InternalError, "b": memobj.NoAnswer, "c": memobj.SlowDown}
	results, err := b.Delete(t.Context(), []objstore.ID{{Key: "d"}, {Key: "c"}, {Key: "b"}, {Key: "a"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		err  error
		code string
	}{{nil, ""}, {objstore.ErrThrottled, "SlowDown"}, {objstore.ErrUnacknowledged, ""}, {memobj.InternalError, "InternalError"}}
	for i, r := range results {
		if !errors.Is(r.Err, want[i].err) || r.Code != want[i].code {
			t.Errorf("%q: %v, code %q, want %v, %q", r.Key, r.Err, r.Code, want[i].err, want[i].code)
		}
	}
	equal(t, "held", []string{"a a", "c c"}, held(t, b)) // b went without a word
}

func TestFaultOfListings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		fault memobj.Fault
		want  []string
		err   error
	}{
		{"none", memobj.Fault{}, []string{"a", "b", "c"}, nil},
		{"no token", memobj.Fault{NoToken: true}, []string{"a", "b", "c"}, objstore.ErrIncomplete},
		{"no order", memobj.Fault{Unordered: true}, []string{"c", "b", "a"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b, fault := faulty(t, memobj.Options{})
			for _, key := range []string{"a", "b", "c"} {
				store(t, b, key, key)
			}
			*fault = tt.fault
			var got []string
			var last error
			for o, err := range b.Objects(t.Context(), "", nil) {
				if last = err; err == nil {
					got = append(got, o.Key)
				}
			}
			equal(t, "keys", tt.want, got)
			if !errors.Is(last, tt.err) {
				t.Errorf("error %v, want %v", last, tt.err)
			}
		})
	}
}

// TestFaultSeesCalls: the hook is told what is called, in numbers without gaps,
// and may wait for the context's end.
func TestFaultSeesCalls(t *testing.T) {
	t.Parallel()
	var calls []memobj.Call
	b := open(t, &memobj.Options{Fault: func(_ context.Context, c memobj.Call) memobj.Fault {
		calls = append(calls, c)
		return memobj.Fault{}
	}})
	store(t, b, "k", "bytes")
	erase(t, b, objstore.ID{Key: "k"}, objstore.ID{Key: "j"})
	if err := listed(b.Versions(t.Context(), "in/", nil)); err != nil {
		t.Error(err)
	}
	equal(t, "calls", []memobj.Call{
		{Op: memobj.OpPut, Keys: []string{"k"}, N: 0},
		{Op: memobj.OpDeleteBatch, Keys: []string{"k", "j"}, N: 1},
		{Op: memobj.OpListVersions, Keys: []string{"in/"}, N: 2},
	}, calls)
}

func TestFaultWaits(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	b := open(t, &memobj.Options{Fault: func(ctx context.Context, c memobj.Call) memobj.Fault {
		if c.Op == memobj.OpPut {
			cancel()
			<-ctx.Done()
		}
		return memobj.Fault{}
	}})
	if _, err := b.Put(ctx, "k", strings.NewReader(""), 0, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("put: %v", err)
	}
	equal(t, "held", []string(nil), held(t, b))
}
