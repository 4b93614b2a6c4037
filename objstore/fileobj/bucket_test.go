package fileobj

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
)

// ticking is a clock that goes on by a second at each look.
type ticking struct{ at time.Time }

func (c *ticking) Now() time.Time {
	c.at = c.at.Add(time.Second)
	return c.at
}

func newClock() *ticking {
	return &ticking{at: time.Date(2026, 11, 30, 23, 0, 0, 123456789, time.FixedZone("", 3600))}
}

func newBucket(t *testing.T, status objstore.VersioningStatus) *Bucket {
	t.Helper()
	return openBucket(t, t.TempDir(), Options{Create: true, Name: "b", Versioning: status, Clock: newClock()}, nil)
}

func openBucket(t *testing.T, dir string, o Options, before func(string) error) *Bucket {
	t.Helper()
	b, err := open(dir, o, before)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func put(t *testing.T, b *Bucket, key, content string) objstore.Object {
	t.Helper()
	o, err := b.Put(t.Context(), key, strings.NewReader(content), int64(len(content)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// remove deletes one entry.
func remove(t *testing.T, b *Bucket, id objstore.ID) {
	t.Helper()
	results, err := b.Delete(t.Context(), []objstore.ID{id})
	if err := errors.Join(err, results[0].Err); err != nil {
		t.Fatal(err)
	}
}

// content reads an object; "none" is a missing one.
func content(t *testing.T, b objstore.Reader, id objstore.ID) string {
	t.Helper()
	r, err := b.Open(t.Context(), id)
	if errors.Is(err, fs.ErrNotExist) {
		return "none"
	}
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// files returns what is in the bucket's directory, but for directories and the
// lock.
func files(t *testing.T, b *Bucket) []string {
	t.Helper()
	var found []string
	err := fs.WalkDir(b.disk.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && name != lockFile {
			found = append(found, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestNew(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		made *Options // how the bucket in the directory was made, if it was
		opts Options
		want error
	}{
		{name: "no bucket", want: fs.ErrNotExist},
		{name: "create", opts: Options{Create: true}},
		{name: "there", made: &Options{}},
		{name: "there, create", made: &Options{}, opts: Options{Create: true}},
		{name: "same name", made: &Options{Name: "n"}, opts: Options{Name: "n"}},
		{name: "other name", made: &Options{Name: "n"}, opts: Options{Name: "m"}, want: objstore.ErrInvalid},
		{name: "no such status", opts: Options{Create: true, Versioning: "on"}, want: objstore.ErrInvalid},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if test.made != nil {
				test.made.Create = true
				openBucket(t, dir, *test.made, nil)
			}
			b, err := New(dir, &test.opts)
			if !errors.Is(err, test.want) {
				t.Fatalf("got %v, want %v", err, test.want)
			}
			if err == nil {
				b.Close()
			}
		})
	}
}

func TestNewLeavesForeignDirectoriesAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := New(dir, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("got %v", err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
		t.Errorf("the directory now holds %v (%v)", names, err)
	}
	if err := os.WriteFile(filepath.Join(dir, configFile), []byte(`{"format":2}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := New(dir, &Options{Create: true}); err == nil {
		t.Error("a later layout was opened")
	}
}

func TestNameAndVersioningStay(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "deep", "documents")
	b := openBucket(t, dir, Options{Create: true, Versioning: objstore.Versioned}, nil)
	if err := b.SetVersioning(t.Context(), objstore.Suspended); err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	again := openBucket(t, moved, Options{}, nil)
	got, err := objstore.VersioningOf(t.Context(), again)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(objstore.Versioning{Status: objstore.Suspended}, got); diff != "" {
		t.Errorf("versioning (-want +got):\n%s", diff)
	}
	if again.Name() != "documents" {
		t.Errorf("the name is now %q", again.Name())
	}
	for _, status := range []objstore.VersioningStatus{objstore.Unversioned, "on"} {
		if err := again.SetVersioning(t.Context(), status); !errors.Is(err, objstore.ErrInvalid) {
			t.Errorf("status %q: %v", status, err)
		}
	}
	if rules, err := objstore.RulesOf(t.Context(), again); err != nil || len(rules) > 0 {
		t.Errorf("rules: %v, %v", rules, err)
	}
}

// TestDamageIsNotAbsence takes parts of a bucket away.
func TestDamageIsNotAbsence(t *testing.T) {
	t.Parallel()
	index := dirOf("k") + "/" + indexFile
	tests := []struct {
		name   string
		damage func(root *os.Root, data string) error
		head   bool // Head notices
	}{
		{name: "bytes lost", damage: func(root *os.Root, data string) error { return root.Remove(data) }},
		{name: "bytes cut", damage: func(root *os.Root, data string) error { return root.WriteFile(data, nil, 0o666) }},
		{name: "index cut", head: true, damage: func(root *os.Root, _ string) error { return root.WriteFile(index, nil, 0o666) }},
		{name: "index of another key", head: true, damage: func(root *os.Root, _ string) error {
			return root.WriteFile(index, []byte(`{"key":"j"}`), 0o666)
		}},
		{name: "no keys", head: true, damage: func(root *os.Root, _ string) error { return root.RemoveAll(keysDir) }},
		{name: "no bucket", head: true, damage: func(root *os.Root, _ string) error { return root.Remove(configFile) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, objstore.Versioned)
			id := objstore.ID{Key: "k", Version: put(t, b, "k", "bytes").Version}
			if err := test.damage(b.disk.root, fmt.Sprintf("%s/%s%s", dirOf("k"), id.Version, dataSuffix)); err != nil {
				t.Fatal(err)
			}
			if _, err := b.Open(t.Context(), id); err == nil || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("Open: %v", err)
			}
			_, err := b.Head(t.Context(), id)
			if errors.Is(err, fs.ErrNotExist) || test.head != (err != nil) {
				t.Errorf("Head: %v", err)
			}
			results, err := b.Delete(t.Context(), []objstore.ID{id})
			if err != nil || errors.Is(results[0].Err, fs.ErrNotExist) || test.head != (results[0].Err != nil) {
				t.Errorf("Delete: %v, %v", results, err)
			}
			var listing error
			for _, err := range b.Versions(t.Context(), "", nil) {
				listing = err
			}
			if errors.Is(listing, fs.ErrNotExist) || test.head != (listing != nil) {
				t.Errorf("Versions: %v", listing)
			}
		})
	}
}
