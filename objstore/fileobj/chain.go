package fileobj

import (
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
)

// entry is one version of a key, or a delete marker.
type entry struct {
	// ID is never used twice. It names the file of the bytes, and is the version
	// id unless this is the null version.
	ID          string    `json:"id"`
	Null        bool      `json:"null,omitzero"`
	Marker      bool      `json:"marker,omitzero"`
	Size        int64     `json:"size,omitzero"`
	ETag        string    `json:"etag,omitzero"`
	ContentType string    `json:"contentType,omitzero"`
	Modified    time.Time `json:"modified"`
}

func (e entry) version() string {
	if e.Null {
		return objstore.NullVersion
	}
	return e.ID
}

// object is what listings say of an entry.
func (e entry) object(key string) objstore.Object {
	return objstore.Object{
		Key: key, Version: e.version(), DeleteMarker: e.Marker, Size: e.Size, ETag: e.ETag, Modified: e.Modified,
	}
}

// shown is what reads and writes say of an entry: as in S3, no version id in a
// bucket that never had versioning.
func (e entry) shown(key string, status objstore.VersioningStatus) objstore.Object {
	o := e.object(key)
	if status == objstore.Unversioned {
		o.Version = ""
	}
	return o
}

// chain holds the entries of one key, the newest first.
type chain struct {
	Key     string  `json:"key"`
	Entries []entry `json:"entries"`
}

// current returns the object that a read without a version meets, or nil.
func (c *chain) current() *entry {
	if len(c.Entries) == 0 || c.Entries[0].Marker {
		return nil
	}
	return &c.Entries[0]
}

func (c *chain) find(version string) *entry {
	i := slices.IndexFunc(c.Entries, func(e entry) bool { return e.version() == version })
	if i < 0 {
		return nil
	}
	return &c.Entries[i]
}

// add makes e the newest entry. It replaces the null version unless the bucket
// is versioned.
func (c *chain) add(e entry, status objstore.VersioningStatus) entry {
	if e.Null = status != objstore.Versioned; e.Null {
		c.drop(objstore.NullVersion)
	}
	c.Entries = slices.Insert(c.Entries, 0, e)
	return e
}

// drop removes a version for good and tells whether it was there.
func (c *chain) drop(version string) bool {
	n := len(c.Entries)
	c.Entries = slices.DeleteFunc(c.Entries, func(e entry) bool { return e.version() == version })
	return len(c.Entries) < n
}

// holds tells whether a file of the key's directory is still needed.
func (c *chain) holds(name string) bool {
	return len(c.Entries) > 0 && name == indexFile ||
		slices.ContainsFunc(c.Entries, func(e entry) bool { return !e.Marker && name == e.ID+dataSuffix })
}

// chain reads the entries of a key; a key that was never written has none.
func (b *Bucket) chain(key string) (chain, error) {
	var c chain
	name := path.Join(dirOf(key), indexFile)
	found, err := b.disk.load(name, &c)
	switch {
	case err != nil:
		return chain{}, err
	case !found:
		// Without the directory of all keys nothing is known of this one.
		_, err := b.disk.root.Stat(keysDir)
		return chain{Key: key}, notMissing(err)
	case c.Key != key:
		return chain{}, fmt.Errorf("%s is the index of %q", name, c.Key)
	}
	return c, nil
}
