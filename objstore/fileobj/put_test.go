package fileobj

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
)

func TestPutTellsWhatWasStored(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Versioned)
	stored := put(t, b, "k", "hello")
	want := objstore.Object{
		Key: "k", Version: stored.Version, Latest: true, Size: 5, ETag: "5d41402abc4b2a76b9719d911017c592",
		Modified: time.Date(2026, 11, 30, 22, 0, 1, 123e6, time.UTC),
	}
	head, err := b.Head(t.Context(), objstore.ID{Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, stored); diff != "" {
		t.Errorf("Put (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, head); diff != "" {
		t.Errorf("Head (-want +got):\n%s", diff)
	}
}

func TestPutStoresNothing(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	ended, end := context.WithCancel(t.Context())
	end()
	tests := []struct {
		name string
		ctx  context.Context
		body io.Reader
		size int64
		opts *objstore.PutOptions
		want error
	}{
		{name: "short", body: strings.NewReader("1234"), size: 5, want: objstore.ErrInvalid},
		{name: "long", body: strings.NewReader("123456"), size: 5, want: objstore.ErrInvalid},
		{name: "longer than nothing", body: strings.NewReader("1"), size: 0, want: objstore.ErrInvalid},
		{name: "negative", body: strings.NewReader(""), size: -1, want: objstore.ErrInvalid},
		{name: "broken", body: iotest.ErrReader(broken), size: 5, want: broken},
		{name: "broken at the end", body: io.MultiReader(strings.NewReader("12345"), iotest.ErrReader(broken)), size: 5, want: broken},
		{name: "there", body: strings.NewReader("12345"), size: 5, opts: &objstore.PutOptions{IfAbsent: true}, want: objstore.ErrExists},
		{name: "ended", ctx: ended, body: strings.NewReader("12345"), size: 5, want: context.Canceled},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, objstore.Unversioned)
			put(t, b, "k", "old")
			before := files(t, b)
			if test.ctx == nil {
				test.ctx = t.Context()
			}
			if _, err := b.Put(test.ctx, "k", test.body, test.size, test.opts); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if got := content(t, b, objstore.ID{Key: "k"}); got != "old" {
				t.Errorf("the object reads %q", got)
			}
			if diff := cmp.Diff(before, files(t, b)); diff != "" {
				t.Errorf("files (-before +after):\n%s", diff)
			}
		})
	}
}

func TestIfAbsentHasOneWinner(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Versioned)
	remove(t, b, objstore.ID{Key: "k"}) // a delete marker is an absent object
	var won atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, err := b.Put(t.Context(), "k", strings.NewReader("1"), 1, &objstore.PutOptions{IfAbsent: true})
			if err == nil {
				won.Add(1)
			} else if !errors.Is(err, objstore.ErrExists) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d writers won", won.Load())
	}
}

// TestReadersMeetWholeObjects replaces an object while it is read.
func TestReadersMeetWholeObjects(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Unversioned)
	put(t, b, "k", "aaaa")
	done := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		defer close(done)
		for i := range 20 {
			put(t, b, "k", strings.Repeat(string(rune('a'+i)), 4))
		}
	})
	for range 2 {
		all.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				got := content(t, b, objstore.ID{Key: "k"})
				if len(got) != 4 || strings.Count(got, got[:1]) != 4 {
					t.Errorf("read %q", got)
				}
			}
		})
	}
	all.Wait()
}

func TestReadersOutliveTheirVersion(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Unversioned)
	put(t, b, "k", "old")
	r, err := b.Open(t.Context(), objstore.ID{Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	remove(t, b, objstore.ID{Key: "k"})
	if got, err := io.ReadAll(r); string(got) != "old" || err != nil {
		t.Errorf("read %q (%v)", got, err)
	}
	if _, err := b.Head(t.Context(), objstore.ID{Key: "k"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Head: %v", err)
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Unversioned)
	release, err := b.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := b.Put(ctx, "k", strings.NewReader(""), 0, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// TestWaitingForAnotherProcessEndsWithTheContext: that process may have been
// stopped.
func TestWaitingForAnotherProcessEndsWithTheContext(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Unversioned)
	other, err := b.disk.root.Open(lockFile)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := flock(other); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := b.Put(ctx, "k", strings.NewReader(""), 0, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, b, "k", "bytes")
}
