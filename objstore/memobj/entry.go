package memobj

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
)

// entry is one version of a key, or a delete marker. All but its lock is fixed
// once it is in a chain.
type entry struct {
	version     string // objstore.NullVersion for the null version
	seq         uint64 // the order in which entries were made
	marker      bool
	data        []byte
	etag        string
	contentType string
	meta        map[string]string
	modified    time.Time
	lock        objstore.Lock
}

// chain holds the entries of one key, the oldest first.
type chain struct {
	entries []*entry
	// nullSeq is the place of the last null version. It stays when that version
	// is gone, for a listing that was cut there and goes on.
	nullSeq uint64
}

func (c *chain) latest() *entry {
	if c == nil || len(c.entries) == 0 {
		return nil
	}
	return c.entries[len(c.entries)-1]
}

func (c *chain) find(version string) *entry {
	if c == nil {
		return nil
	}
	for _, e := range c.entries {
		if e.version == version {
			return e
		}
	}
	return nil
}

func (c *chain) drop(version string) {
	c.entries = slices.DeleteFunc(c.entries, func(e *entry) bool { return e.version == version })
}

// current returns the object that a read without a version meets, or nil.
func (b *Bucket) current(key string) *entry {
	if e := b.chains[key].latest(); e != nil && !e.marker {
		return e
	}
	return nil
}

// add makes e the newest entry of the key. It replaces the null version unless
// the bucket is versioned.
func (b *Bucket) add(key string, e *entry) {
	c := b.chains[key]
	if c == nil {
		c = &chain{}
		b.chains[key] = c
		i, _ := slices.BinarySearch(b.keys, key)
		b.keys = slices.Insert(b.keys, i, key)
	}
	b.seq++
	e.seq = b.seq
	if b.status == objstore.Versioned {
		e.version = b.mint(e.seq)
	} else {
		e.version = objstore.NullVersion
		c.drop(objstore.NullVersion)
		c.nullSeq = e.seq
	}
	c.entries = append(c.entries, e)
}

// drop deletes one entry for good, and the key with its last one.
func (b *Bucket) drop(key, version string) {
	c := b.chains[key]
	c.drop(version)
	if len(c.entries) > 0 {
		return
	}
	delete(b.chains, key)
	if i, ok := slices.BinarySearch(b.keys, key); ok {
		b.keys = slices.Delete(b.keys, i, i+1)
	}
}

// mint makes a version id that does not ascend, and from which seqOf gets the
// place of a version that no longer exists.
func (b *Bucket) mint(seq uint64) string {
	h := fnv.New64a()
	h.Write([]byte(b.name))
	salt := scramble(h.Sum64() + seq)
	return fmt.Sprintf("%016x%016x", salt, seq^scramble(salt))
}

// scramble is the finalizer of SplitMix64.
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// seqOf returns the place of a version among those of a key; false where the
// id is none that mint makes.
func (c *chain) seqOf(version string) (uint64, bool) {
	if version == objstore.NullVersion {
		return c.nullSeq, true
	}
	if !wellFormed(version) {
		return 0, false
	}
	// Both halves are hexadecimal: wellFormed has seen to it.
	salt, _ := strconv.ParseUint(version[:16], 16, 64)
	rest, _ := strconv.ParseUint(version[16:], 16, 64)
	return rest ^ scramble(salt), true
}

// wellFormed tells whether an id could name a version. S3 answers one that
// could not as an invalid argument, and not as a missing version.
func wellFormed(version string) bool {
	if version == objstore.NullVersion {
		return true
	}
	_, err := hex.DecodeString(version)
	return err == nil && len(version) == 32
}

func md5Hex(data []byte) string {
	sum := md5.Sum(data)
	return hex.EncodeToString(sum[:])
}
