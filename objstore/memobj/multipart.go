package memobj

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// minPart is the size that every part but the last must have.
const minPart = 5 << 20

const maxPart = 10_000

type upload struct {
	id, key   string
	initiated time.Time
	terms     terms
	parts     map[int]part
}

type part struct {
	number   int
	data     []byte
	etag     string
	modified time.Time
}

// chosenPart is a part as the completing request names it.
type chosenPart struct {
	Number int    `xml:"PartNumber"`
	ETag   string `xml:"ETag"`
}

func (b *Bucket) createUpload(ctx context.Context, key string, t terms) (string, error) {
	var id string
	err := b.do(ctx, OpCreateUpload, []string{key}, func(Fault) error {
		if err := b.checkPut(key, t); err != nil {
			return err
		}
		b.seq++
		id = b.mint(b.seq)
		b.uploads[id] = &upload{id: id, key: key, initiated: b.clock.Now(), terms: t, parts: map[int]part{}}
		return nil
	})
	return id, err
}

func (b *Bucket) upload(key, id string) (*upload, error) {
	if u := b.uploads[id]; u != nil && u.key == key {
		return u, nil
	}
	return nil, noSuchUpload
}

func (b *Bucket) uploadPart(ctx context.Context, key, id string, number int, data []byte) (part, error) {
	p := part{number: number, data: tight(data), etag: md5Hex(data)}
	err := b.do(ctx, OpUploadPart, []string{key}, func(Fault) error {
		u, err := b.upload(key, id)
		if err != nil {
			return err
		}
		if number < 1 || number > maxPart {
			return fmt.Errorf("part number %d: %w", number, invalidArgument)
		}
		p.modified = b.clock.Now()
		u.parts[number] = p
		return nil
	})
	return p, err
}

func (b *Bucket) completeUpload(ctx context.Context, key, id string, chosen []chosenPart, ifAbsent bool, ifMatch string) (entry, error) {
	var e entry
	err := b.do(ctx, OpCompleteUpload, []string{key}, func(Fault) error {
		u, err := b.upload(key, id)
		if err != nil {
			return err
		}
		data, etag, err := u.join(chosen)
		if err != nil {
			return err
		}
		t := u.terms
		t.etag, t.modified, t.ifAbsent, t.ifMatch = etag, u.initiated, ifAbsent, ifMatch
		if e, err = b.put(key, data, t); err != nil {
			return err
		}
		delete(b.uploads, id)
		return nil
	})
	return e, err
}

// join puts the chosen parts together. The ETag is the MD5 of their MD5s.
func (u *upload) join(chosen []chosenPart) (data []byte, etag string, err error) {
	if len(chosen) == 0 {
		return nil, "", malformedXML
	}
	sums, total := md5.New(), 0
	for i, c := range chosen {
		p, ok := u.parts[c.Number]
		switch {
		case i > 0 && c.Number <= chosen[i-1].Number:
			return nil, "", invalidPartOrder
		case !ok || strings.Trim(c.ETag, `"`) != p.etag:
			return nil, "", invalidPart
		case i < len(chosen)-1 && len(p.data) < minPart:
			return nil, "", entityTooSmall
		}
		sum := md5.Sum(p.data)
		sums.Write(sum[:])
		total += len(p.data)
	}
	data = make([]byte, 0, total)
	for _, c := range chosen {
		data = append(data, u.parts[c.Number].data...)
	}
	return data, fmt.Sprintf("%s-%d", hex.EncodeToString(sums.Sum(nil)), len(chosen)), nil
}

func (b *Bucket) abortUpload(ctx context.Context, key, id string) error {
	return b.do(ctx, OpAbortUpload, []string{key}, func(Fault) error {
		_, err := b.upload(key, id)
		if err == nil {
			delete(b.uploads, id)
		}
		return err
	})
}

// uploadPage is one page of uploads, by key and then by age.
type uploadPage struct {
	uploads []upload
	more    bool
}

func (b *Bucket) listUploads(ctx context.Context, prefix, after, afterID string, limit int) (uploadPage, error) {
	var p uploadPage
	err := b.do(ctx, OpListUploads, []string{prefix}, func(Fault) error {
		for _, u := range slices.SortedFunc(maps.Values(b.uploads), compareUploads) {
			behind := u.key > after || u.key == after && afterID != "" && b.behind(u, afterID)
			if !strings.HasPrefix(u.key, prefix) || !behind {
				continue
			}
			if len(p.uploads) == limit {
				p.more = true
				return nil
			}
			p.uploads = append(p.uploads, *u)
		}
		return nil
	})
	return p, err
}

func compareUploads(a, b *upload) int {
	return cmp.Or(cmp.Compare(a.key, b.key), a.initiated.Compare(b.initiated), cmp.Compare(a.id, b.id))
}

// behind tells whether u comes after the upload with the marker's id. Where that
// one is gone u may have been listed already, and is listed again.
func (b *Bucket) behind(u *upload, marker string) bool {
	m := b.uploads[marker]
	return m == nil || compareUploads(u, m) > 0
}

func (b *Bucket) listParts(ctx context.Context, key, id string, after, limit int) (parts []part, more bool, err error) {
	err = b.do(ctx, OpListParts, []string{key}, func(Fault) error {
		u, err := b.upload(key, id)
		if err != nil {
			return err
		}
		for _, n := range slices.Sorted(maps.Keys(u.parts)) {
			if n <= after {
				continue
			}
			if len(parts) == limit {
				more = true
				return nil
			}
			parts = append(parts, u.parts[n])
		}
		return nil
	})
	return parts, more, err
}
