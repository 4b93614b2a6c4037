package fileobj

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
)

func TestDeleteRefusesTheBatch(t *testing.T) {
	t.Parallel()
	many := make([]objstore.ID, objstore.MaxDelete+1)
	for i := range many {
		many[i].Key = fmt.Sprint(i)
	}
	tests := []struct {
		name string
		ids  []objstore.ID
	}{
		{name: "too many", ids: many},
		{name: "duplicate", ids: []objstore.ID{{Key: "k"}, {Key: "k"}}},
		{name: "empty key", ids: []objstore.ID{{Key: "k"}, {}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, objstore.Unversioned)
			put(t, b, "k", "old")
			results, err := b.Delete(t.Context(), test.ids)
			if len(results) > 0 || !errors.Is(err, objstore.ErrInvalid) {
				t.Errorf("got %v, %v", results, err)
			}
			if got := content(t, b, objstore.ID{Key: "k"}); got != "old" {
				t.Errorf("the object reads %q", got)
			}
		})
	}
}

func TestDeleteAnswersInOrder(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Versioned)
	kept, gone := put(t, b, "k", "kept"), put(t, b, "k", "gone")
	ids := []objstore.ID{
		{Key: "k", Version: gone.Version},
		{Key: "never"},
		{Key: "never", Version: "no such version"},
		{Key: "a\xff"},
		{Key: "k", Version: objstore.NullVersion},
	}
	results, err := b.Delete(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	var got []objstore.ID
	for _, r := range results {
		got = append(got, r.ID)
		if wrong := r.Key == "a\xff"; wrong != errors.Is(r.Err, objstore.ErrInvalid) || !wrong && r.Err != nil {
			t.Errorf("%q: %v", r.Key, r.Err)
		}
	}
	if diff := cmp.Diff(ids, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := content(t, b, objstore.ID{Key: "k"}); got != "kept" {
		t.Errorf("%s reads %q", kept.Version, got)
	}
}

func TestDeleteFreesTheBytes(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Versioned)
	for range 2 {
		id := objstore.ID{Key: "k", Version: put(t, b, "k", "bytes").Version}
		remove(t, b, objstore.ID{Key: "k"})
		remove(t, b, id)
	}
	for o, err := range b.Versions(t.Context(), "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		if !o.DeleteMarker {
			t.Errorf("%s is still there", o.Version)
		}
		remove(t, b, objstore.ID{Key: o.Key, Version: o.Version})
	}
	if diff := cmp.Diff([]string{configFile}, files(t, b)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestDeleteEndsWithTheContext(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Unversioned)
	for _, key := range []string{"a", "b", "c"} {
		put(t, b, key, "old")
	}
	ctx, cancel := context.WithCancel(t.Context())
	b.disk.before = func(step string) error {
		if step == "remove "+dirOf("a") { // the last step but one of the first entry
			cancel()
		}
		return nil
	}
	results, err := b.Delete(ctx, []objstore.ID{{Key: "a"}, {Key: "b"}, {Key: "c"}})
	if !errors.Is(err, context.Canceled) || len(results) != 1 || results[0].Err != nil {
		t.Errorf("got %v, %v", results, err)
	}
	if diff := cmp.Diff([]string{"b", "c"}, keys(t, b, "", "")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
