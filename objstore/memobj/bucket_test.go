package memobj_test

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

// epoch is where the clocks of the tests begin. It is no whole second.
var epoch = time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC)

// store puts content and returns its id.
func store(t *testing.T, b *memobj.Bucket, key, content string) objstore.ID {
	t.Helper()
	o, err := b.Put(t.Context(), key, strings.NewReader(content), int64(len(content)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return objstore.ID{Key: key, Version: o.Version}
}

// hide deletes without a version.
func hide(t *testing.T, b *memobj.Bucket, key string) {
	t.Helper()
	results, err := b.Delete(t.Context(), []objstore.ID{{Key: key}})
	if err != nil || results[0].Err != nil {
		t.Fatal(results, err)
	}
}

// held lists all versions, each as its key and its content, the delete markers
// as such.
func held(t *testing.T, b *memobj.Bucket) (all []string) {
	t.Helper()
	for o, err := range b.Versions(t.Context(), "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		content := "(marker)"
		if !o.DeleteMarker {
			content = read(t, b, objstore.ID{Key: o.Key, Version: o.Version})
		}
		all = append(all, o.Key+" "+content)
	}
	return all
}

func read(t *testing.T, b objstore.Bucket, id objstore.ID) string {
	t.Helper()
	r, err := b.Open(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("b", 63)
	tests := []struct {
		name   string
		bucket string
		opts   *memobj.Options
		want   objstore.VersioningStatus // empty where it is refused
	}{
		{"defaults", "archive", nil, objstore.Unversioned},
		{"zero options", "archive", &memobj.Options{}, objstore.Unversioned},
		{"versioned", "archive", &memobj.Options{Versioning: objstore.Versioned}, objstore.Versioned},
		{"suspended", "archive", &memobj.Options{Versioning: objstore.Suspended}, objstore.Suspended},
		{"object lock", "archive", &memobj.Options{ObjectLock: true}, objstore.Versioned},
		{"object lock, versioned", "archive", &memobj.Options{ObjectLock: true, Versioning: objstore.Versioned}, objstore.Versioned},
		{"object lock, suspended", "archive", &memobj.Options{ObjectLock: true, Versioning: objstore.Suspended}, ""},
		{"unknown status", "archive", &memobj.Options{Versioning: "on"}, ""},
		{"longest name", long, nil, objstore.Unversioned},
		{"long name", long + "b", nil, ""},
		{"short name", "ab", nil, ""},
		{"upper case", "Archive", nil, ""},
		{"slash", "a/b/c", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b, err := memobj.New(tt.bucket, tt.opts)
			if tt.want == "" {
				if !errors.Is(err, objstore.ErrInvalid) {
					t.Errorf("error %v, want ErrInvalid", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			v, err := b.Versioning(t.Context())
			if err != nil || v != (objstore.Versioning{Status: tt.want}) {
				t.Errorf("versioning %+v, %v, want %s", v, err, tt.want)
			}
			equal(t, "name", tt.bucket, b.Name())
		})
	}
}

func TestSetVersioning(t *testing.T) {
	t.Parallel()
	lock := &memobj.Options{ObjectLock: true}
	status := func(s objstore.VersioningStatus) *memobj.Options { return &memobj.Options{Versioning: s} }
	tests := []struct {
		name string
		opts *memobj.Options
		to   objstore.VersioningStatus
		ok   bool
	}{
		{"on", nil, objstore.Versioned, true},
		{"nothing", nil, objstore.Unversioned, true},
		{"suspended at once", nil, objstore.Suspended, true},
		{"suspended", status(objstore.Versioned), objstore.Suspended, true},
		{"on again", status(objstore.Suspended), objstore.Versioned, true},
		{"off", status(objstore.Versioned), objstore.Unversioned, false},
		{"off from suspended", status(objstore.Suspended), objstore.Unversioned, false},
		{"unknown", nil, "on", false},
		{"suspended with locks", lock, objstore.Suspended, false},
		{"on with locks", lock, objstore.Versioned, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := open(t, tt.opts)
			before, _ := b.Versioning(t.Context())
			err := b.SetVersioning(t.Context(), tt.to)
			after, _ := b.Versioning(t.Context())
			want := before.Status
			if tt.ok {
				want = tt.to
			}
			if (err == nil) != tt.ok || after.Status != want {
				t.Errorf("%v, status %s, want %s", err, after.Status, want)
			}
		})
	}
}

// TestInstants: headers have seconds and listings have milliseconds.
func TestInstants(t *testing.T) {
	t.Parallel()
	clock := lifecycletest.NewClock(epoch)
	b := open(t, &memobj.Options{Clock: clock})
	o, err := b.Put(t.Context(), "k", strings.NewReader(""), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	head, err := b.Head(t.Context(), objstore.ID{Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []time.Time{o.Modified, head.Modified} {
		equal(t, "instant of a header", epoch.Truncate(time.Second), got)
	}
	for o := range b.Objects(t.Context(), "", nil) {
		equal(t, "instant of a listing", epoch.Truncate(time.Millisecond), o.Modified)
	}
}

// TestSameVersions: two runs of one story have the same ids, and these say
// nothing of the order.
func TestSameVersions(t *testing.T) {
	t.Parallel()
	story := func() (ids []string) {
		b := open(t, &memobj.Options{Versioning: objstore.Versioned})
		for range 20 {
			ids = append(ids, store(t, b, "k", "bytes").Version)
		}
		return ids
	}
	first := story()
	equal(t, "ids", first, story())
	ascending := 0
	for i := range first[1:] {
		if first[i] < first[i+1] {
			ascending++
		}
	}
	if ascending == 0 || ascending == len(first)-1 {
		t.Errorf("the ids are sorted: %q", first)
	}
}

func TestMFADelete(t *testing.T) {
	t.Parallel()
	b := open(t, &memobj.Options{Versioning: objstore.Versioned})
	id := store(t, b, "k", "bytes")
	b.SetMFADelete(true)
	if v, err := b.Versioning(t.Context()); err != nil || !v.MFADelete {
		t.Errorf("versioning %+v, %v", v, err)
	}
	// One version refuses the request, entries without a version included.
	if _, err := b.Delete(t.Context(), []objstore.ID{{Key: "other"}, id}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("delete of a version: %v", err)
	}
	equal(t, "held", []string{"k bytes"}, held(t, b))
	hide(t, b, "k")
	equal(t, "held", []string{"k (marker)", "k bytes"}, held(t, b))
	b.SetMFADelete(false)
	if results, err := b.Delete(t.Context(), []objstore.ID{id}); err != nil || results[0].Err != nil {
		t.Errorf("%+v, %v", results, err)
	}
}

// TestListingGoesOn: what is deleted or put while a listing pages does not make
// it repeat or lose anything else.
func TestListingGoesOn(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		at    string // the content at which the change is made
		after func(t *testing.T, b *memobj.Bucket, ids map[string]objstore.ID)
		want  []string
	}{
		{"listed version deleted", "a2", func(t *testing.T, b *memobj.Bucket, ids map[string]objstore.ID) {
			erase(t, b, ids["a2"])
		}, []string{"a3", "a2", "a1", "b1"}},
		{"next version deleted", "a3", func(t *testing.T, b *memobj.Bucket, ids map[string]objstore.ID) {
			erase(t, b, ids["a2"])
		}, []string{"a3", "a1", "b1"}},
		{"key deleted", "a3", func(t *testing.T, b *memobj.Bucket, ids map[string]objstore.ID) {
			erase(t, b, ids["a1"], ids["a2"], ids["a3"])
		}, []string{"a3", "b1"}},
		{"newer version", "a3", func(t *testing.T, b *memobj.Bucket, _ map[string]objstore.ID) {
			store(t, b, "a", "a4")
		}, []string{"a3", "a2", "a1", "b1"}},
		{"key behind", "a3", func(t *testing.T, b *memobj.Bucket, _ map[string]objstore.ID) {
			store(t, b, "c", "c1")
		}, []string{"a3", "a2", "a1", "b1", "c1"}},
		{"key before", "b1", func(t *testing.T, b *memobj.Bucket, _ map[string]objstore.ID) {
			store(t, b, "0", "01")
		}, []string{"a3", "a2", "a1", "b1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := open(t, &memobj.Options{Versioning: objstore.Versioned})
			ids, contents := map[string]objstore.ID{}, map[string]string{}
			for _, content := range []string{"a1", "a2", "a3", "b1"} {
				ids[content] = store(t, b, content[:1], content)
				contents[ids[content].Version] = content
			}
			var got []string
			for o, err := range b.Versions(t.Context(), "", &objstore.ListOptions{Page: 1}) {
				if err != nil {
					t.Fatal(err)
				}
				content, known := contents[o.Version]
				if !known {
					content = read(t, b, objstore.ID{Key: o.Key, Version: o.Version})
				}
				if got = append(got, content); content == tt.at {
					tt.after(t, b, ids)
				}
			}
			equal(t, "listing", tt.want, got)
		})
	}
}

func erase(t *testing.T, b *memobj.Bucket, ids ...objstore.ID) {
	t.Helper()
	results, err := b.Delete(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Err != nil {
			t.Error(r.Err)
		}
	}
}
