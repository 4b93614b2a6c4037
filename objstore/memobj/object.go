package memobj

import (
	"bytes"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/softdelete-go/softdelete/objstore"
)

// This file is the engine's reads, writes and deletes. Its methods need b.mu.

// terms are the optional terms of a write.
type terms struct {
	ifAbsent    bool
	ifMatch     string // an ETag; empty is no condition
	contentType string
	meta        map[string]string
	lock        objstore.Lock
	etag        string    // empty: the MD5 of the data
	modified    time.Time // zero: now
}

// errVersionID: an id that no version can have.
var errVersionID = fmt.Errorf("invalid version id: %w", invalidArgument)

func checkKey(key string) error {
	switch {
	case key == "":
		return fmt.Errorf("empty key: %w", invalidArgument)
	case len(key) > objstore.MaxKey:
		return fmt.Errorf("key of %d bytes: %w", len(key), keyTooLong)
	case !utf8.ValidString(key):
		return fmt.Errorf("key is not UTF-8: %w", invalidURI)
	}
	return nil
}

func (b *Bucket) put(key string, data []byte, t terms) (entry, error) {
	if err := b.checkPut(key, t); err != nil {
		return entry{}, err
	}
	now := b.clock.Now()
	e := &entry{
		data: tight(data), etag: t.etag, contentType: t.contentType, meta: t.meta, modified: t.modified, lock: t.lock,
	}
	if e.etag == "" {
		e.etag = md5Hex(data)
	}
	if e.modified.IsZero() {
		e.modified = now
	}
	if e.contentType == "" {
		e.contentType = "application/octet-stream"
	}
	if e.lock.Until.IsZero() {
		b.retention.apply(&e.lock, now)
	}
	b.add(key, e)
	return *e, nil
}

// tight gives up the room that reading a body of unknown length left behind:
// a bucket of small objects would be made of little else.
func tight(data []byte) []byte {
	if cap(data)-len(data) > len(data)/8 {
		return bytes.Clone(data)
	}
	return data
}

func (b *Bucket) checkPut(key string, t terms) error {
	if err := checkKey(key); err != nil {
		return err
	}
	current := b.current(key)
	switch {
	case t.ifAbsent && current != nil:
		return preconditionFailed
	case t.ifMatch != "" && current == nil:
		return noSuchKey
	case t.ifMatch != "" && t.ifMatch != current.etag:
		return preconditionFailed
	case t.lock != (objstore.Lock{}) && !b.objectLock:
		return fmt.Errorf("bucket has no object lock: %w", invalidRequest)
	}
	return nil
}

// get returns the version, or with an empty one the current object. A delete
// marker comes with an error.
func (b *Bucket) get(key, version string) (entry, error) {
	if err := checkKey(key); err != nil {
		return entry{}, err
	}
	c := b.chains[key]
	if version == "" {
		e := c.latest()
		switch {
		case e == nil:
			return entry{}, noSuchKey
		case e.marker:
			return *e, noSuchKey
		}
		return *e, nil
	}
	if !wellFormed(version) {
		return entry{}, errVersionID
	}
	e := c.find(version)
	switch {
	case e == nil:
		return entry{}, noSuchVersion
	case e.marker:
		return *e, methodNotAllowed
	}
	return *e, nil
}

// deleted is what became of one entry of a delete.
type deleted struct {
	objstore.ID
	code Code // why it was refused
	// version is the version deleted, or the delete marker made; empty in a
	// bucket that never had versioning.
	version string
	marker  bool // version is a delete marker
	locked  bool // refused because of a lock
	silent  bool // left out of the answer
}

// remove deletes a version, or with an empty one hides the key.
func (b *Bucket) remove(id objstore.ID, ifMatch string, bypass bool) (deleted, error) {
	d := deleted{ID: id}
	if err := checkKey(id.Key); err != nil {
		return d, err
	}
	if current := b.current(id.Key); ifMatch != "" && current != nil && current.etag != ifMatch {
		return d, preconditionFailed
	}
	if id.Version != "" {
		return b.removeVersion(d, bypass)
	}
	if b.status == objstore.Unversioned {
		if b.chains[id.Key] != nil {
			b.drop(id.Key, objstore.NullVersion)
		}
		return d, nil
	}
	marker := &entry{marker: true, modified: b.clock.Now()}
	b.add(id.Key, marker)
	d.version, d.marker = marker.version, true
	return d, nil
}

func (b *Bucket) removeVersion(d deleted, bypass bool) (deleted, error) {
	if !wellFormed(d.Version) {
		return d, errVersionID
	}
	if b.mfaDelete {
		return d, fmt.Errorf("bucket has MFA delete: %w", AccessDenied)
	}
	d.version = d.Version
	e := b.chains[d.Key].find(d.Version)
	if e == nil {
		return d, nil
	}
	if locks(e.lock, b.clock.Now(), bypass) {
		d.locked = true
		return d, fmt.Errorf("version is locked: %w", AccessDenied)
	}
	d.marker = e.marker
	b.drop(d.Key, d.Version)
	return d, nil
}
