package memobj

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/softdelete-go/softdelete/objstore"
)

// maxPage is the largest page of any listing.
const maxPage = 1000

// scan is one request for a page of a listing.
type scan struct {
	prefix, delimiter string
	// after starts behind this key and all its versions; behind one of its
	// versions only where afterVersion is set.
	after, afterVersion string
	limit               int
}

// listed is an entry in a page. Its lock may change meanwhile, and is not read.
type listed struct {
	key    string
	latest bool
	*entry
}

type page struct {
	items    []listed
	prefixes []string
	// more says that there is another page, behind nextKey and nextVersion.
	more                 bool
	nextKey, nextVersion string
}

func (p *page) size() int { return len(p.items) + len(p.prefixes) }

// has tells whether the group was listed: its keys follow each other.
func (p *page) has(group string) bool {
	n := len(p.prefixes)
	return n > 0 && p.prefixes[n-1] == group
}

// list serves one page, of versions or of current objects by op.
func (b *Bucket) list(ctx context.Context, op Op, in scan) (page, error) {
	var p page
	err := b.do(ctx, op, []string{in.prefix}, func(f Fault) error {
		p = b.scan(in, op == OpListVersions)
		if f.Unordered {
			slices.Reverse(p.items)
		}
		if f.NoToken {
			p.more, p.nextKey, p.nextVersion = true, "", ""
		}
		return nil
	})
	return p, err
}

func (b *Bucket) scan(in scan, versions bool) page {
	var p page
	if in.limit <= 0 {
		return p
	}
	first, _ := slices.BinarySearch(b.keys, max(in.prefix, in.after))
	for _, key := range b.keys[first:] {
		if !strings.HasPrefix(key, in.prefix) {
			break
		}
		if group := in.group(key); group != "" {
			// A token that is a common prefix stands behind all its keys.
			if group == in.after || key == in.after || !b.shows(key, versions) || p.has(group) {
				continue
			}
			if p.size() == in.limit {
				p.more = true
				return p
			}
			p.prefixes = append(p.prefixes, group)
			p.nextKey, p.nextVersion = group, ""
			continue
		}
		if b.scanKey(&p, key, in, versions); p.more {
			return p
		}
	}
	p.nextKey, p.nextVersion = "", ""
	return p
}

// group returns the common prefix that takes the key's place.
func (in scan) group(key string) string {
	if in.delimiter == "" {
		return ""
	}
	i := strings.Index(key[len(in.prefix):], in.delimiter)
	if i < 0 {
		return ""
	}
	return key[:len(in.prefix)+i+len(in.delimiter)]
}

func (b *Bucket) shows(key string, versions bool) bool {
	return versions || b.current(key) != nil
}

// scanKey adds the entries of one key, the newest first.
func (b *Bucket) scanKey(p *page, key string, in scan, versions bool) {
	c := b.chains[key]
	if key == in.after && in.afterVersion == "" {
		return
	}
	for i, e := range slices.Backward(c.entries) {
		latest := i == len(c.entries)-1
		if !versions && (!latest || e.marker) {
			return
		}
		if key == in.after {
			if seq, _ := c.seqOf(in.afterVersion); e.seq >= seq {
				continue
			}
		}
		if p.size() == in.limit {
			p.more = true
			return
		}
		p.items = append(p.items, listed{key: key, latest: latest, entry: e})
		p.nextKey, p.nextVersion = key, e.version
	}
}

// batch deletes the entries of one DeleteObjects request.
func (b *Bucket) batch(ctx context.Context, ids []objstore.ID, etags []string, bypass bool) ([]deleted, error) {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = id.Key
	}
	var out []deleted
	err := b.do(ctx, OpDeleteBatch, keys, func(f Fault) error {
		if b.mfaDelete && slices.ContainsFunc(ids, func(id objstore.ID) bool { return id.Version != "" }) {
			// The request fails as a whole, entries without a version included.
			return AccessDenied
		}
		for i, id := range ids {
			out = append(out, b.removeOne(f, id, etags[i], bypass))
		}
		return nil
	})
	return out, err
}

func (b *Bucket) removeOne(f Fault, id objstore.ID, ifMatch string, bypass bool) deleted {
	code, faulty := f.Entries[id.Key]
	if faulty && code != NoAnswer {
		return deleted{ID: id, code: code}
	}
	d, err := b.remove(id, ifMatch, bypass)
	d.code = codeOf(err)
	if errors.Is(err, errVersionID) {
		d.code = noSuchVersion // what a batch says of it
	}
	d.silent = faulty
	return d
}
