package s3obj

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

// faulty returns a versioned bucket in memory that the real SDK speaks to, and
// whose calls fail as the test has it.
func faulty(t *testing.T, fault func(memobj.Call) memobj.Fault) *Bucket {
	t.Helper()
	return inMemory(t, memobj.Options{
		Versioning: objstore.Versioned,
		Fault:      func(_ context.Context, c memobj.Call) memobj.Fault { return fault(c) },
	})
}

// on makes one operation fail and leaves the others alone.
func on(op memobj.Op, f memobj.Fault) func(memobj.Call) memobj.Fault {
	return func(c memobj.Call) memobj.Fault {
		if c.Op == op {
			return f
		}
		return memobj.Fault{}
	}
}

func TestListingsOfFaultyStores(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	tests := []struct {
		name  string
		fault memobj.Fault
		want  error
	}{
		{name: "no token", fault: memobj.Fault{NoToken: true}, want: objstore.ErrIncomplete},
		{name: "no order", fault: memobj.Fault{Unordered: true}, want: objstore.ErrIncomplete},
		{name: "slow down", fault: memobj.Fault{Before: memobj.SlowDown}, want: objstore.ErrThrottled},
		{name: "reset", fault: memobj.Fault{Before: broken}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				for _, op := range []memobj.Op{memobj.OpListObjects, memobj.OpListVersions} {
					b := faulty(t, on(op, test.fault))
					store(t, b, "a", "1")
					store(t, b, "b", "1")
					listing := b.Objects(t.Context(), "", nil)
					if op == memobj.OpListVersions {
						listing = b.Versions(t.Context(), "", nil)
					}
					_, err := collect(t, listing)
					checkKind(t, err, test.want)
				}
			})
		})
	}
}

// TestListingsThatBreakOff fails each page in turn. What was listed before is
// the beginning of the whole, and the listing says that it is not the whole.
func TestListingsThatBreakOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const keys = 7
		want := make([]string, keys)
		for i := range want {
			want[i] = fmt.Sprint(i)
		}
		for failing := 0; ; failing++ {
			pages := 0
			b := faulty(t, func(c memobj.Call) memobj.Fault {
				if c.Op != memobj.OpListObjects {
					return memobj.Fault{}
				}
				if pages++; pages > failing {
					return memobj.Fault{Before: memobj.SlowDown}
				}
				return memobj.Fault{}
			})
			for _, key := range want {
				store(t, b, key, "1")
			}
			got, err := collect(t, b.Objects(t.Context(), "", &objstore.ListOptions{Page: 2}))
			if listed := min(2*failing, keys); len(got) != listed || strings.Join(got, " ") != strings.Join(want[:listed], " ") {
				t.Errorf("%d pages have %q", failing, got)
			}
			if (err == nil) != (len(got) == keys) {
				t.Errorf("%d pages: %v", failing, err)
			}
			if err == nil {
				return
			}
		}
	})
}

func TestDeletesOfFaultyStores(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	tests := []struct {
		name  string
		fault memobj.Fault
		want  error // of the entry; nil is a plain error
		whole bool  // the request fails
		good  bool
		gone  bool
	}{
		{name: "none", good: true, gone: true},
		{name: "no answer", fault: memobj.Fault{Entries: map[string]memobj.Code{"k": memobj.NoAnswer}}, want: objstore.ErrUnacknowledged, gone: true},
		{name: "slow down", fault: memobj.Fault{Entries: map[string]memobj.Code{"k": memobj.SlowDown}}, want: objstore.ErrThrottled},
		{name: "internal error", fault: memobj.Fault{Entries: map[string]memobj.Code{"k": memobj.InternalError}}},
		{name: "all slow down", fault: memobj.Fault{Before: memobj.SlowDown}, want: objstore.ErrThrottled, whole: true},
		{name: "reset before", fault: memobj.Fault{Before: broken}, whole: true},
		{name: "reset behind", fault: memobj.Fault{After: broken}, whole: true, gone: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := faulty(t, on(memobj.OpDeleteBatch, test.fault))
				id := objstore.ID{Key: "k", Version: store(t, b, "k", "1").Version}
				other := objstore.ID{Key: "other", Version: store(t, b, "other", "1").Version}
				results, err := b.Delete(t.Context(), []objstore.ID{id, other})
				switch {
				case test.whole:
					checkKind(t, err, test.want)
					if len(results) > 0 {
						t.Errorf("a failed request has results: %v", results)
					}
				case err != nil:
					t.Fatal(err)
				case results[1].Err != nil:
					t.Errorf("the other entry: %v", results[1].Err)
				case test.good:
					if results[0].Err != nil {
						t.Error(results[0].Err)
					}
				default:
					checkKind(t, results[0].Err, test.want)
				}
				if gone := contentOf(t, b, id) == "none"; gone != test.gone {
					t.Errorf("the version is gone: %t", gone)
				}
			})
		})
	}
}

// TestDeletesOutliveAReset: the answer to the first request is lost, and the
// second finds nothing to delete.
func TestDeletesOutliveAReset(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first := true
		b := faulty(t, func(c memobj.Call) memobj.Fault {
			if c.Op == memobj.OpDeleteBatch && first {
				first = false
				return memobj.Fault{After: errors.New("broken")}
			}
			return memobj.Fault{}
		})
		id := objstore.ID{Key: "k", Version: store(t, b, "k", "1").Version}
		erase(t, b, id)
		checkEmpty(t, b)
	})
}

// TestFaultyPutsAndReads end in the error that the store had.
func TestFaultyPutsAndReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := faulty(t, func(c memobj.Call) memobj.Fault { return memobj.Fault{Before: memobj.SlowDown} })
		_, put := b.Put(t.Context(), "k", onlyReader{strings.NewReader("1")}, 1, nil)
		_, open := b.Open(t.Context(), objstore.ID{Key: "k"})
		_, head := b.Head(t.Context(), objstore.ID{Key: "k"})
		for _, err := range []error{put, open, head} {
			checkKind(t, err, objstore.ErrThrottled)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		_, err := b.Head(ended, objstore.ID{Key: "k"})
		if checkKind(t, err, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
