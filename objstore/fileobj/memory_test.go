package fileobj

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

// both are two buckets that have met the same calls. Their version ids differ,
// but not the order in which they were made.
type both struct {
	file *Bucket
	mem  *memobj.Bucket
	ids  map[string]int // version id, of either bucket, to the number of its call
	call int
}

// TestSameAsMemory does to a directory what it does to memobj, which is held
// against real servers, and compares all that both say.
func TestSameAsMemory(t *testing.T) {
	t.Parallel()
	for _, status := range []objstore.VersioningStatus{objstore.Unversioned, objstore.Versioned, objstore.Suspended} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s, seed %d", status, seed), func(t *testing.T) {
				t.Parallel()
				mem, err := memobj.New("bbb", &memobj.Options{Versioning: status, Clock: newClock()})
				if err != nil {
					t.Fatal(err)
				}
				b := &both{file: newBucket(t, status), mem: mem, ids: map[string]int{}}
				random := rand.New(rand.NewPCG(seed, 0))
				for b.call = 1; b.call <= 40; b.call++ {
					b.act(t, random)
					b.compare(t)
				}
			})
		}
	}
}

func (b *both) act(t *testing.T, random *rand.Rand) {
	key := []string{"a", "a/", "a/b", "b"}[random.IntN(4)]
	switch action := random.IntN(10); {
	case action < 5:
		text := strings.Repeat("x", random.IntN(4))
		opts := &objstore.PutOptions{IfAbsent: random.IntN(2) == 0}
		want, wantErr := b.mem.Put(t.Context(), key, strings.NewReader(text), int64(len(text)), opts)
		got, err := b.file.Put(t.Context(), key, strings.NewReader(text), int64(len(text)), opts)
		if errors.Is(wantErr, objstore.ErrExists) != errors.Is(err, objstore.ErrExists) {
			t.Fatalf("Put: %v, in memory %v", err, wantErr)
		}
		b.same(t, "Put", b.plain(want), b.plain(got))
	case action < 7:
		remove(t, b.file, objstore.ID{Key: key})
		if _, err := b.mem.Delete(t.Context(), []objstore.ID{{Key: key}}); err != nil {
			t.Fatal(err)
		}
	case action < 9:
		b.deleteVersion(t, random)
	default:
		b.turn(t, random)
	}
}

// deleteVersion deletes the same entry of both buckets.
func (b *both) deleteVersion(t *testing.T, random *rand.Rand) {
	file, mem := listed(t, b.file), listed(t, b.mem)
	if len(file) == 0 {
		return
	}
	i := random.IntN(len(file))
	remove(t, b.file, objstore.ID{Key: file[i].Key, Version: file[i].Version})
	if _, err := b.mem.Delete(t.Context(), []objstore.ID{{Key: mem[i].Key, Version: mem[i].Version}}); err != nil {
		t.Fatal(err)
	}
}

// turn switches versioning, but for the bucket that never had it.
func (b *both) turn(t *testing.T, random *rand.Rand) {
	v, err := b.mem.Versioning(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if v.Status == objstore.Unversioned {
		return
	}
	status := []objstore.VersioningStatus{objstore.Versioned, objstore.Suspended}[random.IntN(2)]
	if err := errors.Join(b.mem.SetVersioning(t.Context(), status), b.file.SetVersioning(t.Context(), status)); err != nil {
		t.Fatal(err)
	}
}

func (b *both) compare(t *testing.T) {
	t.Helper()
	file, mem := listed(t, b.file), listed(t, b.mem)
	// Names first: the ids that are new here are those of this call.
	var want, got []objstore.Object
	for _, o := range mem {
		want = append(want, b.plain(o))
	}
	for _, o := range file {
		got = append(got, b.plain(o))
	}
	b.same(t, "Versions", want, got)
	want, got = nil, nil
	for o, err := range b.mem.Objects(t.Context(), "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, b.plain(o))
	}
	for o, err := range b.file.Objects(t.Context(), "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, b.plain(o))
	}
	b.same(t, "Objects", want, got)
	for i := range min(len(file), len(mem)) {
		b.compareReads(t, file[i], mem[i])
	}
}

func (b *both) compareReads(t *testing.T, file, mem objstore.Object) {
	t.Helper()
	for _, withVersion := range []bool{true, false} {
		f, m := objstore.ID{Key: file.Key}, objstore.ID{Key: mem.Key}
		if withVersion {
			f.Version, m.Version = file.Version, mem.Version
		}
		want, _ := b.mem.Head(t.Context(), m)
		got, _ := b.file.Head(t.Context(), f)
		b.same(t, "Head", b.plain(want), b.plain(got))
		b.same(t, "Open", content(t, b.mem, m), content(t, b.file, f))
	}
}

func (b *both) same(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("call %d: %s (-memory +file):\n%s", b.call, what, diff)
	}
}

// plain puts the number of the call in the place of the version id, and leaves
// the instant out, which S3 cuts differently in each answer.
func (b *both) plain(o objstore.Object) objstore.Object {
	if o.Version != "" && o.Version != objstore.NullVersion {
		if b.ids[o.Version] == 0 {
			b.ids[o.Version] = b.call
		}
		o.Version = fmt.Sprint(b.ids[o.Version])
	}
	o.Modified = time.Time{}
	return o
}

func listed(t *testing.T, b objstore.Lister) []objstore.Object {
	t.Helper()
	var all []objstore.Object
	for o, err := range b.Versions(t.Context(), "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	return all
}
