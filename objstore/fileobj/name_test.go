package fileobj

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
)

// odd are keys that file systems confuse, refuse or interpret.
func odd() []string {
	piece := strings.Repeat("p", maxPiece)
	keys := []string{
		"a", "a/", "a/b", "a//b", "a.", "a b", "a+b", "a%2Bb", "A", "a-b", "/", "/a", "//", ".", "..", "../x", "./x",
		"x/../../y", "CON", "nul.txt", "é", "e\u0301", "É", "\x01", "\x00", "a\x01b", "a\uFFFDb", "\u2028", "\U0010FFFF", `a\b`, "a:b",
		"in", "in-", "in/", "in/a", "in/a/", "in/a/b", "in//", "in//a", "in0", "in/ab", "in/ab/", "in/ab/c", "in/ab-", "in/ab0", "in/ab/cd/ef",
		"index.json", "a.key", "61.key", "tmp", "keys/61.key",
		piece, piece[1:], piece + "p", piece + "/", piece + piece, piece + piece + "x",
		strings.Repeat("/", objstore.MaxKey), strings.Repeat("é", objstore.MaxKey/2), strings.Repeat("z", objstore.MaxKey),
	}
	slices.Sort(keys)
	return keys
}

func TestOddKeys(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Unversioned)
	want := odd()
	for _, key := range want {
		put(t, b, key, key)
	}
	for _, key := range want {
		if got := content(t, b, objstore.ID{Key: key}); got != key {
			t.Errorf("%q reads %q", key, got)
		}
	}
	for _, prefix := range append(want, "", "a", "p", "pp", "none", "\U0010FFFF\U0010FFFF") {
		if diff := cmp.Diff(under(want, prefix, ""), keys(t, b, prefix, "")); diff != "" {
			t.Errorf("under %q (-want +got):\n%s", prefix, diff)
		}
	}
	for _, after := range append(want, "a0", strings.Repeat("p", 70), strings.Repeat("o", 70), "\U0010FFFF\U0010FFFF") {
		for _, prefix := range []string{"", "a", strings.Repeat("p", 65)} {
			if diff := cmp.Diff(under(want, prefix, after), keys(t, b, prefix, after)); diff != "" {
				t.Errorf("under %q behind %q (-want +got):\n%s", prefix, after, diff)
			}
		}
	}
	for i, key := range want {
		remove(t, b, objstore.ID{Key: key, Version: objstore.NullVersion})
		if got := content(t, b, objstore.ID{Key: key}); got != "none" {
			t.Errorf("the deleted %q reads %q", key, got)
		}
		if diff := cmp.Diff(want[i+1:], keys(t, b, "", ""), cmp.Transformer("nonNil", nonNil)); diff != "" {
			t.Fatalf("without %q (-want +got):\n%s", key, diff)
		}
	}
	if names, err := b.disk.list(keysDir); err != nil || len(names) > 0 {
		t.Errorf("the empty bucket has directories: %v (%v)", names, err)
	}
}

func nonNil(s []string) string { return strings.Join(s, "\x00") }

func under(all []string, prefix, after string) []string {
	var some []string
	for _, key := range all {
		if strings.HasPrefix(key, prefix) && key > after {
			some = append(some, key)
		}
	}
	return some
}

// keys lists, and sees to it that both listings agree.
func keys(t *testing.T, b *Bucket, prefix, after string) []string {
	t.Helper()
	opts := &objstore.ListOptions{After: after}
	var objects, versions []string
	for o, err := range b.Objects(t.Context(), prefix, opts) {
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, o.Key)
	}
	for o, err := range b.Versions(t.Context(), prefix, opts) {
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, o.Key)
	}
	if diff := cmp.Diff(objects, versions); diff != "" {
		t.Errorf("the listings of %q differ:\n%s", prefix, diff)
	}
	return objects
}

func TestNamesSurviveEveryFileSystem(t *testing.T) {
	t.Parallel()
	for _, key := range odd() {
		for name := range strings.SplitSeq(dirOf(key), "/") {
			if len(name) > 2*maxPiece+len(keySuffix) || name != strings.ToLower(name) || strings.Trim(name, "0123456789abcdefkeysu.") != "" {
				t.Errorf("%q has the file name %q", key, name)
			}
		}
	}
}

func TestForeignNamesAreIgnored(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Unversioned)
	put(t, b, "a", "1")
	for _, name := range []string{".DS_Store", "lost+found", "6A.key", ".key", "61.sub", "61", "zz.key", strings.Repeat("61", 65) + ".key", "696e2f61.key", "612f.sub"} {
		if err := b.disk.root.Mkdir(path.Join(keysDir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"a"}, keys(t, b, "", "")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestKeysThatCannotBe(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Unversioned)
	for name, key := range map[string]string{
		"empty": "", "long": strings.Repeat("k", objstore.MaxKey+1), "not UTF-8": "a\xff",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, put := b.Put(t.Context(), key, strings.NewReader(""), 0, nil)
			_, head := b.Head(t.Context(), objstore.ID{Key: key})
			_, open := b.Open(t.Context(), objstore.ID{Key: key})
			results, remove := b.Delete(t.Context(), []objstore.ID{{Key: key}})
			if len(results) > 0 {
				remove = results[0].Err
			}
			for _, err := range []error{put, head, open, remove} {
				if !errors.Is(err, objstore.ErrInvalid) {
					t.Errorf("got %v", err)
				}
			}
		})
	}
}

// TestListingsInParts has a listing take few names at once, and every key.
func TestListingsInParts(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Unversioned)
	want := odd()
	for _, key := range want {
		put(t, b, key, "")
	}
	for n := 1; n <= 4; n++ {
		b.names = n
		for _, after := range []string{"", "a.", strings.Repeat("p", maxPiece)} {
			if diff := cmp.Diff(under(want, "", after), keys(t, b, "", after)); diff != "" {
				t.Errorf("%d names at once, behind %q (-want +got):\n%s", n, after, diff)
			}
		}
	}
}

// TestFirst wants the least names, whatever the order of the directory, without
// holding them all.
func TestFirst(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objstore.Unversioned)
	const files = 50
	var all []string
	for i := range files {
		name := fmt.Sprintf("%02d", (i*37)%files)
		all = append(all, name)
		if err := b.disk.root.WriteFile("tmp/"+name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(all)
	for _, n := range []int{1, 3, files - 1, files, files + 1} {
		got, err := b.disk.first(tmpDir, n, func(name string) bool { return name != "00" })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(all[1:][:min(n, files-1)], got); diff != "" {
			t.Errorf("%d names (-want +got):\n%s", n, diff)
		}
		if cap(got) > 8*n {
			t.Errorf("held %d names for %d", cap(got), n)
		}
	}
}

// TestFoldersFollowTheSlashes, so that a listing of one shard reads no other.
func TestFoldersFollowTheSlashes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		key  string
		want []string
	}{
		{name: "short", key: "a", want: []string{"a"}},
		{name: "shards", key: "in/ab/key", want: []string{"in/", "ab/", "key"}},
		{name: "slash at the end", key: "in/ab/", want: []string{"in/", "ab/"}},
		{name: "short segments", key: "a/b/c/d", want: []string{"a/b/", "c/d"}},
		{name: "slashes", key: "/////", want: []string{"///", "//"}},
		{name: "long segment", key: strings.Repeat("k", maxPiece+1) + "/a", want: []string{strings.Repeat("k", maxPiece), "k/a"}},
		{name: "slash behind the longest piece", key: strings.Repeat("k", maxPiece) + "/ab", want: []string{strings.Repeat("k", maxPiece), "/ab"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for name := range strings.SplitSeq(strings.TrimPrefix(dirOf(test.key), keysDir+"/"), "/") {
				piece, _, ok := pieceOf(name)
				if !ok {
					t.Errorf("no piece: %q", name)
				}
				got = append(got, piece)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestNamesSortAsKeys compares the names of all short keys of an alphabet around
// the slash, and of random long ones.
func TestNamesSortAsKeys(t *testing.T) {
	t.Parallel()
	var all []string
	for grown := []string{""}; len(grown[0]) < 5; {
		var longer []string
		for _, key := range grown {
			for _, c := range "./0" {
				longer = append(longer, key+string(c))
			}
		}
		grown = longer
		all = append(all, grown...)
	}
	random := rand.New(rand.NewPCG(1, 0))
	for range 1000 {
		key := make([]byte, 1+random.IntN(3*maxPiece))
		for i := range key {
			key[i] = "kkkkkkkkkkkkkkk/-0"[random.IntN(18)]
		}
		all = append(all, string(key))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for i, key := range all[1:] {
		before, after := strings.Split(dirOf(all[i]), "/"), strings.Split(dirOf(key), "/")
		if slices.Compare(before, after) >= 0 {
			t.Errorf("%q is before %q, but %q is not before %q", all[i], key, before, after)
		}
	}
}
