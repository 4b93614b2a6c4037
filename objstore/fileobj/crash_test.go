package fileobj

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
)

var errCrash = errors.New("the process died")

// crashAt dies before step n, and does nothing more after that.
func crashAt(n int) func(string) error {
	return func(string) error {
		if n--; n < 0 {
			return errCrash
		}
		return nil
	}
}

// TestCrash stops a change before each of its steps. Whoever opens the
// directory then finds the object that was, or the one that was to be, nothing
// in between, and no bytes that nobody owns.
func TestCrash(t *testing.T) {
	t.Parallel()
	long := "in/ab/" + strings.Repeat("k", maxPiece+1)
	tests := []struct {
		name   string
		status objstore.VersioningStatus
		key    string
		setUp  func(t *testing.T, b *Bucket)
		change func(t *testing.T, b *Bucket) error
	}{
		{name: "first put", status: objstore.Unversioned, key: "k", change: putNew},
		{name: "first put of a long key", status: objstore.Versioned, key: long, change: putNew},
		{name: "replace", status: objstore.Unversioned, key: "k", setUp: putOld, change: putNew},
		{name: "add a version", status: objstore.Versioned, key: "k", setUp: putOld, change: putNew},
		{name: "replace the null version", status: objstore.Suspended, key: "k", setUp: putOld, change: putNew},
		{name: "delete", status: objstore.Unversioned, key: "k", setUp: putOld, change: hide},
		{name: "delete a long key", status: objstore.Unversioned, key: long, setUp: putOld, change: hide},
		{name: "hide", status: objstore.Versioned, key: "k", setUp: putOld, change: hide},
		{name: "hide the null version", status: objstore.Suspended, key: "k", setUp: putOld, change: hide},
		{name: "hide a key that never was", status: objstore.Versioned, key: "k", change: hide},
		{name: "suspend", status: objstore.Versioned, key: "k", change: func(t *testing.T, b *Bucket) error {
			return b.SetVersioning(t.Context(), objstore.Suspended)
		}},
		{name: "delete the only version", status: objstore.Versioned, key: "k", setUp: putOld, change: deleteLatest},
		{name: "delete the newest version", status: objstore.Versioned, key: "k", setUp: putTwice, change: deleteLatest},
		{name: "delete the marker", status: objstore.Versioned, key: "k", setUp: putAndHide, change: deleteLatest},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			template := t.TempDir()
			b := openBucket(t, template, Options{Create: true, Versioning: test.status, Name: test.key, Clock: newClock()}, nil)
			put(t, b, "other", "bytes")
			if test.setUp != nil {
				test.setUp(t, b)
			}
			before, n := state(t, b), 0
			after := ""
			for done := false; !done; n++ {
				dir := copyOf(t, template)
				done = dies(t, dir, n, test.change)
				b := openBucket(t, dir, Options{}, nil)
				got := state(t, b)
				if got != before && after == "" {
					after = got // from here on the change has happened
				}
				if got != before && got != after || got == before && after != "" {
					t.Errorf("before step %d: %s", n, cmp.Diff(before, got))
				}
				checkOwned(t, b)
				put(t, b, test.key, "next")
			}
			if n < 5 || after == "" {
				t.Errorf("after %d steps: %q", n, after)
			}
		})
	}
}

// TestCrashWhileMaking stops New before each of its steps.
func TestCrashWhileMaking(t *testing.T) {
	t.Parallel()
	for n, done := 0, false; !done; n++ {
		dir := t.TempDir()
		b, err := open(dir, Options{Create: true}, crashAt(n))
		if done = err == nil; done {
			b.Close()
		} else if !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
		put(t, openBucket(t, dir, Options{Create: true}, nil), "k", "bytes")
	}
}

// TestCrashWhileTidying dies twice: in a change, and in the New behind it.
func TestCrashWhileTidying(t *testing.T) {
	t.Parallel()
	template := t.TempDir()
	b := openBucket(t, template, Options{Create: true, Name: "k"}, nil)
	putOld(t, b)
	committed := 0
	b.disk.before = func(step string) error {
		if strings.HasSuffix(step, dataSuffix) && strings.HasPrefix(step, "remove") {
			return errCrash
		}
		committed++
		return nil
	}
	if err := putNew(t, b); !errors.Is(err, errCrash) || committed == 0 {
		t.Fatalf("after %d steps: %v", committed, err)
	}
	for n, done := 0, false; !done; n++ {
		dir := copyOf(t, template)
		b, err := open(dir, Options{}, crashAt(n))
		if done = err == nil; done {
			b.Close()
		}
		again := openBucket(t, dir, Options{}, nil)
		if got := content(t, again, objstore.ID{Key: "k"}); got != "new" {
			t.Errorf("before step %d: %q", n, got)
		}
		checkOwned(t, again)
	}
}

// TestFaults lets each step of a replacement fail once, as a full disk does. The
// bucket stays usable, and its next change frees what was left.
func TestFaults(t *testing.T) {
	t.Parallel()
	b := openBucket(t, t.TempDir(), Options{Create: true, Name: "k"}, nil)
	for n, failed := 0, true; failed; n++ {
		b.disk.before = nil
		putOld(t, b)
		i := 0
		b.disk.before = func(string) error {
			if i++; i == n+1 {
				return errCrash
			}
			return nil
		}
		err := putNew(t, b)
		failed = i > n
		if err != nil && !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
		b.disk.before = nil
		got := content(t, b, objstore.ID{Key: "k"})
		if got != "new" && (err == nil || got != "old") {
			t.Errorf("after a fault in step %d (%v): %q", n, err, got)
		}
		put(t, b, "other", "bytes")
		checkOwned(t, b)
	}
}

// TestSteps pins the order of steps, on which a power failure depends: bytes
// before their name, names before the index, the index before the answer.
func TestSteps(t *testing.T) {
	t.Parallel()
	var steps []string
	b := openBucket(t, t.TempDir(), Options{Create: true}, nil)
	b.disk.before = func(step string) error {
		steps = append(steps, step)
		return nil
	}
	id := put(t, b, "k", "bytes")
	remove(t, b, objstore.ID{Key: "k"})
	text := strings.Join(steps, "\n")
	for _, step := range steps {
		if name, ok := strings.CutPrefix(step, "create tmp/"); ok {
			text = strings.ReplaceAll(text, name, "ID")
		}
	}
	const want = `create tmp/ID
write tmp/ID
sync tmp/ID
create freeing
write freeing
sync freeing
sync .
mkdir keys/6b.key
sync keys
rename keys/6b.key/ID.data
sync keys/6b.key
create keys/6b.key/index.json.tmp
write keys/6b.key/index.json.tmp
sync keys/6b.key/index.json.tmp
rename keys/6b.key/index.json
sync keys/6b.key
remove freeing
remove tmp/ID
create freeing
write freeing
sync freeing
sync .
remove keys/6b.key/index.json
sync keys/6b.key
remove keys/6b.key/ID.data
sync keys/6b.key
remove keys/6b.key
remove freeing`
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("of %s (-want +got):\n%s", id.Key, diff)
	}
}

// TestLiveWritersKeepTheirBytes opens the bucket while a Put is under way.
func TestLiveWritersKeepTheirBytes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := openBucket(t, dir, Options{Create: true}, nil)
	body := &pausing{read: func() { openBucket(t, dir, Options{}, nil) }}
	if _, err := b.Put(t.Context(), "k", body, 1, nil); err != nil {
		t.Fatal(err)
	}
	if got := content(t, b, objstore.ID{Key: "k"}); got != "1" {
		t.Errorf("read %q", got)
	}
}

// pausing is a body of one byte that does something else first.
type pausing struct{ read func() }

func (p *pausing) Read(into []byte) (int, error) {
	if p.read == nil {
		return 0, io.EOF
	}
	p.read()
	p.read = nil
	return copy(into, "1"), nil
}

func copyOf(t *testing.T, template string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// dies runs a change that dies before step n, and tells whether it got away.
func dies(t *testing.T, dir string, n int, change func(*testing.T, *Bucket) error) bool {
	t.Helper()
	b := openBucket(t, dir, Options{}, nil)
	b.disk.before = crashAt(n)
	err := change(t, b)
	if err != nil && !errors.Is(err, errCrash) {
		t.Fatal(err)
	}
	return err == nil
}

// state is what a bucket holds, without the ids and instants that differ.
func state(t *testing.T, b *Bucket) string {
	t.Helper()
	v, err := b.Versioning(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	fmt.Fprintln(&text, v.Status)
	for o, err := range b.Versions(t.Context(), "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "%q latest %t", o.Key, o.Latest)
		if o.DeleteMarker {
			text.WriteString(" marker\n")
			continue
		}
		fmt.Fprintf(&text, " %q\n", content(t, b, objstore.ID{Key: o.Key, Version: o.Version}))
	}
	return text.String()
}

// checkOwned sees to it that every file belongs to somebody.
func checkOwned(t *testing.T, b *Bucket) {
	t.Helper()
	want := []string{configFile}
	for o, err := range b.Versions(t.Context(), "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		c, err := b.chain(o.Key)
		if err != nil {
			t.Fatal(err)
		}
		if o.Latest {
			want = append(want, path.Join(dirOf(o.Key), indexFile))
		}
		if !o.DeleteMarker {
			want = append(want, path.Join(dirOf(o.Key), c.find(o.Version).ID+dataSuffix))
		}
	}
	got := slices.DeleteFunc(files(t, b), func(name string) bool {
		// Cut short before its rename; the next change writes over it.
		return name == configFile+".tmp"
	})
	slices.Sort(want)
	for _, dir := range emptyDirs(t, b) {
		t.Errorf("%s is empty", dir)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// emptyDirs returns the directories of keys that have nothing in them.
func emptyDirs(t *testing.T, b *Bucket) (empty []string) {
	t.Helper()
	err := fs.WalkDir(b.disk.root.FS(), keysDir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || name == keysDir {
			return err
		}
		used, err := b.disk.used(name)
		if !used {
			empty = append(empty, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return empty
}

// Each of the changes works on the key that the bucket is named after.

func putOld(t *testing.T, b *Bucket) { put(t, b, b.name, "old") }

func putTwice(t *testing.T, b *Bucket) {
	put(t, b, b.name, "older")
	put(t, b, b.name, "old")
}

func putAndHide(t *testing.T, b *Bucket) {
	put(t, b, b.name, "old")
	remove(t, b, objstore.ID{Key: b.name})
}

func putNew(t *testing.T, b *Bucket) error {
	_, err := b.Put(t.Context(), b.name, strings.NewReader("new"), 3, nil)
	return err
}

func hide(t *testing.T, b *Bucket) error {
	results, err := b.Delete(t.Context(), []objstore.ID{{Key: b.name}})
	return errors.Join(err, results[0].Err)
}

func deleteLatest(t *testing.T, b *Bucket) error {
	for o, err := range b.Versions(t.Context(), b.name, nil) {
		if err != nil {
			return err
		}
		results, err := b.Delete(t.Context(), []objstore.ID{{Key: o.Key, Version: o.Version}})
		return errors.Join(err, results[0].Err)
	}
	return errors.New("nothing to delete")
}
