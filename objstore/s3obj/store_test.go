package s3obj

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

// eachStore runs a test with the SDK over memobj's protocol, and over the S3
// server of the test bed where there is one.
func eachStore(t *testing.T, test func(*testing.T, *Bucket), options ...testdb.BucketOption) {
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		opts := memobj.Options{ObjectLock: slices.Contains(options, testdb.Locked)}
		if slices.Contains(options, testdb.Versioned) {
			opts.Versioning = objstore.Versioned
		}
		test(t, inMemory(t, opts))
	})
	if bucket, ok := testdb.S3(t, options...); ok {
		t.Run("server", func(t *testing.T) {
			t.Parallel()
			test(t, storeBucket(t, bucket.Client, bucket.Bucket))
		})
	}
}

func storeBucket(t *testing.T, client Client, name string) *Bucket {
	t.Helper()
	b, err := New(client, name, &Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func store(t *testing.T, b *Bucket, key, content string) objstore.Object {
	t.Helper()
	o, err := b.Put(t.Context(), key, onlyReader{strings.NewReader(content)}, int64(len(content)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// content reads an object; "none" is a missing one.
func contentOf(t *testing.T, b *Bucket, id objstore.ID) string {
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

func erase(t *testing.T, b *Bucket, ids ...objstore.ID) {
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

// oddKeys are what users and standards make of names.
var oddKeys = []string{
	"in/ ", "in/!", "in/%41", "in/&<>\"'", "in/+", "in/a", "in/a b", "in/a%2Bb", "in/a+b", "in/a-b", "in/a.b", "in/a/b", "in/a0",
	"in/aB", "in/a_b", "in/e\u0301", "in/{}", "in/~", "in/\u0085x", "in/é", "in/\u2028", "in/日本", "in/\U0001F600",
}

func TestStoresListOddKeys(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, b *Bucket) {
		for _, key := range oddKeys {
			store(t, b, key, key)
		}
		keys := slices.Sorted(slices.Values(oddKeys))
		for _, page := range []int{0, 1, 3} {
			for _, after := range []string{"", "in/a", "in/a-b", "in/zz"} {
				opts := &objstore.ListOptions{Page: page, After: after}
				want := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return key <= after })
				for name, listing := range map[string]iter.Seq2[objstore.Object, error]{
					"objects": b.Objects(t.Context(), "in/", opts), "versions": b.Versions(t.Context(), "in/", opts),
				} {
					got, err := collect(t, listing)
					for i := range got {
						got[i] = strings.TrimSuffix(got[i], " null")
					}
					if diff := cmp.Diff(want, got); diff != "" || err != nil {
						t.Errorf("%s, page %d, after %q: %v (-want +got):\n%s", name, page, after, err, diff)
					}
				}
			}
		}
		for _, key := range keys {
			if got := contentOf(t, b, objstore.ID{Key: key}); got != key {
				t.Errorf("%q reads %q", key, got)
			}
		}
		var ids []objstore.ID
		for _, key := range keys {
			ids = append(ids, objstore.ID{Key: key, Version: objstore.NullVersion})
		}
		erase(t, b, ids...)
		checkEmpty(t, b)
	})
}

func checkEmpty(t *testing.T, b *Bucket) {
	t.Helper()
	if left, err := collect(t, b.Versions(t.Context(), "", nil)); err != nil || len(left) > 0 {
		t.Errorf("left %q, %v", left, err)
	}
}

// TestStoresKeepTheOtherKey: a batch would delete the second key in the place of
// the first.
func TestStoresKeepTheOtherKey(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, b *Bucket) {
		const poisoned, other = "p/a\x01b", "p/a\uFFFDb"
		store(t, b, poisoned, "poisoned")
		store(t, b, other, "other")
		store(t, b, "p/b", "last")
		got, err := collect(t, b.Objects(t.Context(), "p/", nil))
		if diff := cmp.Diff([]string{poisoned, other, "p/b"}, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		erase(t, b, objstore.ID{Key: poisoned}, objstore.ID{Key: "p/b"})
		if got := contentOf(t, b, objstore.ID{Key: other}); got != "other" {
			t.Errorf("the other key reads %q", got)
		}
		erase(t, b, objstore.ID{Key: other})
		checkEmpty(t, b)
	})
}

// TestStoresDeleteEveryVersion goes through the states that a bucket can have.
func TestStoresDeleteEveryVersion(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, b *Bucket) {
		id := objstore.ID{Key: "k"}
		set := func(status types.BucketVersioningStatus) {
			_, err := b.client.(*s3.Client).PutBucketVersioning(t.Context(), &s3.PutBucketVersioningInput{
				Bucket: &b.name, VersioningConfiguration: &types.VersioningConfiguration{Status: status},
			}, b.address)
			if err != nil {
				t.Fatal(err)
			}
		}
		if o := store(t, b, "k", "null"); o.Version != "" {
			t.Errorf("a version in a bucket without versions: %+v", o)
		}
		set(types.BucketVersioningStatusEnabled)
		first := store(t, b, "k", "first")
		erase(t, b, id)
		if _, err := b.Head(t.Context(), id); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Head of a hidden key: %v", err)
		}
		store(t, b, "k", "second")
		store(t, b, "k/neighbour", "kept")
		set(types.BucketVersioningStatusSuspended)
		store(t, b, "k", "third") // in the place of the null version
		if got := contentOf(t, b, objstore.ID{Key: "k", Version: first.Version}); got != "first" {
			t.Errorf("%s reads %q", first.Version, got)
		}
		checkVersions(t, b, "first", "second", "third", "marker")
		if got, err := collect(t, b.Objects(t.Context(), "", nil)); err != nil || !cmp.Equal(got, []string{"k", "k/neighbour"}) {
			t.Errorf("Objects: %q, %v", got, err)
		}
		var ids []objstore.ID
		for o, err := range b.Versions(t.Context(), "k", nil) {
			if err != nil {
				t.Fatal(err)
			}
			if o.Key == "k" {
				ids = append(ids, objstore.ID{Key: o.Key, Version: o.Version})
			}
		}
		erase(t, b, ids...)
		erase(t, b, ids...) // what is gone is gone
		checkVersions(t, b)
	})
}

// checkVersions wants the key "k" to have these entries, in any order: the
// content of a version, and "marker" for a delete marker. It looks at them in
// pages of one and of many.
func checkVersions(t *testing.T, b *Bucket, want ...string) {
	t.Helper()
	for _, page := range []int{1, 0} {
		var got []string
		latest := 0
		for o, err := range b.Versions(t.Context(), "k", &objstore.ListOptions{Page: page}) {
			if err != nil {
				t.Fatal(err)
			}
			if o.Key != "k" {
				continue
			}
			if o.Latest {
				latest++
			}
			if o.DeleteMarker {
				got = append(got, "marker")
			} else {
				got = append(got, contentOf(t, b, objstore.ID{Key: o.Key, Version: o.Version}))
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(slices.Sorted(slices.Values(want)), got); diff != "" {
			t.Errorf("page %d (-want +got):\n%s", page, diff)
		}
		if len(want) > 0 && latest != 1 {
			t.Errorf("page %d: %d entries are the latest", page, latest)
		}
	}
}

func TestStoresAcknowledgeWholeBatches(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, b *Bucket) {
		ids := make([]objstore.ID, objstore.MaxDelete)
		for i := range ids {
			ids[i].Key = fmt.Sprintf("in/%d", i)
			if i%100 == 0 {
				store(t, b, ids[i].Key, "bytes")
			}
		}
		results, err := b.Delete(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range results {
			if r.ID != ids[i] || r.Err != nil {
				t.Errorf("entry %d: %+v", i, r)
			}
		}
		checkEmpty(t, b)
	})
}

func TestStoresRefuseWhatIsThere(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, b *Bucket) {
		absent := &objstore.PutOptions{IfAbsent: true}
		put := func(content string) error {
			_, err := b.Put(t.Context(), "k", strings.NewReader(content), int64(len(content)), absent)
			return err
		}
		if err := put("first"); err != nil {
			t.Fatal(err)
		}
		checkKind(t, put("second"), objstore.ErrExists)
		if got := contentOf(t, b, objstore.ID{Key: "k"}); got != "first" {
			t.Errorf("reads %q", got)
		}
		erase(t, b, objstore.ID{Key: "k"})
		if err := put("third"); err != nil {
			t.Error(err)
		}
	})
}
