package memobj

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
)

// This file is the Bucket as an objstore.Bucket. It says no more than S3 does:
// a listing of objects has no versions, and a read of one version does not say
// whether it is the latest.

// Objects yields the current version of every key under the prefix, without
// version ids. A page of less than 1 or more than 1000 is objstore.ErrInvalid.
func (b *Bucket) Objects(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return b.pages(ctx, OpListObjects, prefix, opts)
}

// Versions yields every version and delete marker under the prefix, as Objects
// does objects. A bucket that never had versioning lists objstore.NullVersion.
func (b *Bucket) Versions(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return b.pages(ctx, OpListVersions, prefix, opts)
}

func (b *Bucket) pages(ctx context.Context, op Op, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return func(yield func(objstore.Object, error) bool) {
		in, err := firstPage(prefix, opts)
		if err != nil {
			yield(objstore.Object{}, b.convert(op, prefix, err))
			return
		}
		for {
			p, err := b.list(ctx, op, in)
			if err != nil {
				yield(objstore.Object{}, b.convert(op, prefix, err))
				return
			}
			for _, item := range p.items {
				if !yield(item.object(op), nil) {
					return
				}
			}
			if !p.more {
				return
			}
			if p.nextKey == "" {
				yield(objstore.Object{}, b.convert(op, prefix, fmt.Errorf("no token for the next page: %w", objstore.ErrIncomplete)))
				return
			}
			in.after, in.afterVersion = p.nextKey, p.nextVersion
			if op == OpListObjects {
				in.afterVersion = ""
			}
		}
	}
}

func firstPage(prefix string, opts *objstore.ListOptions) (scan, error) {
	in := scan{prefix: prefix, limit: maxPage}
	if opts == nil {
		return in, nil
	}
	if opts.Page < 0 || opts.Page > maxPage {
		return in, fmt.Errorf("page of %d entries: %w", opts.Page, objstore.ErrInvalid)
	}
	if opts.Page > 0 {
		in.limit = opts.Page
	}
	in.after = opts.After
	return in, nil
}

func (l listed) object(op Op) objstore.Object {
	o := object(l.key, l.entry)
	o.Modified = l.modified.UTC().Truncate(time.Millisecond)
	o.Latest = l.latest
	if op == OpListObjects {
		o.Version = ""
	}
	return o
}

// object cuts the instant to seconds, which is what headers hold.
func object(key string, e *entry) objstore.Object {
	return objstore.Object{
		Key:          key,
		Version:      e.version,
		DeleteMarker: e.marker,
		Size:         int64(len(e.data)),
		ETag:         e.etag,
		Modified:     e.modified.UTC().Truncate(time.Second),
	}
}

// Head describes one object. As in S3, Latest is known, and set, only where no
// version was asked for.
func (b *Bucket) Head(ctx context.Context, id objstore.ID) (objstore.Object, error) {
	e, err := b.read(ctx, OpHead, id)
	if err != nil {
		return objstore.Object{}, b.convert(OpHead, id.Key, err)
	}
	o := object(id.Key, &e)
	o.Version = b.shown(e.version)
	o.Latest = id.Version == ""
	return o, nil
}

// Open returns the bytes of one object. They stay readable when the object is
// deleted meanwhile.
func (b *Bucket) Open(ctx context.Context, id objstore.ID) (io.ReadCloser, error) {
	e, err := b.read(ctx, OpGet, id)
	if err != nil {
		return nil, b.convert(OpGet, id.Key, err)
	}
	return io.NopCloser(bytes.NewReader(e.data)), nil
}

func (b *Bucket) read(ctx context.Context, op Op, id objstore.ID) (entry, error) {
	var e entry
	err := b.do(ctx, op, []string{id.Key}, func(Fault) (err error) {
		e, err = b.get(id.Key, id.Version)
		return err
	})
	return e, err
}

// shown is the version id that S3 puts in a header: none in a bucket that never
// had versioning. Its listings say "null" there.
func (b *Bucket) shown(version string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.status == objstore.Unversioned {
		return ""
	}
	return version
}

// Put writes one object whole or not at all. A body of another size is
// objstore.ErrInvalid.
func (b *Bucket) Put(ctx context.Context, key string, body io.Reader, size int64, opts *objstore.PutOptions) (objstore.Object, error) {
	var t terms
	if opts != nil {
		t = terms{ifAbsent: opts.IfAbsent, contentType: opts.ContentType}
	}
	data, err := readExactly(ctx, body, size)
	if err != nil {
		return objstore.Object{}, b.convert(OpPut, key, err)
	}
	e, err := b.store(ctx, key, data, t)
	if err != nil {
		return objstore.Object{}, b.convert(OpPut, key, err)
	}
	o := object(key, &e)
	o.Version = b.shown(e.version)
	o.Latest = true
	return o, nil
}

func (b *Bucket) store(ctx context.Context, key string, data []byte, t terms) (entry, error) {
	var e entry
	err := b.do(ctx, OpPut, []string{key}, func(Fault) (err error) {
		e, err = b.put(key, data, t)
		return err
	})
	return e, err
}

func readExactly(ctx context.Context, body io.Reader, size int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if size < 0 {
		return nil, fmt.Errorf("size %d: %w", size, objstore.ErrInvalid)
	}
	data, err := io.ReadAll(io.LimitReader(body, size+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != size {
		return nil, fmt.Errorf("body is not of %d bytes: %w", size, objstore.ErrInvalid)
	}
	return data, nil
}

// Delete deletes up to objstore.MaxDelete entries, as one DeleteObjects request
// would, but with the keys as they are: what XML makes of them is met only
// through a Server.
func (b *Bucket) Delete(ctx context.Context, ids []objstore.ID) ([]objstore.DeleteResult, error) {
	if err := checkBatch(ids); err != nil {
		return nil, b.convert(OpDeleteBatch, "", err)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	out, err := b.batch(ctx, ids, make([]string, len(ids)), false)
	if err != nil {
		return nil, b.convert(OpDeleteBatch, ids[0].Key, err)
	}
	results := make([]objstore.DeleteResult, len(out))
	for i, d := range out {
		results[i] = objstore.DeleteResult{ID: d.ID, Code: string(d.code), Err: b.refusal(d)}
	}
	return results, nil
}

func checkBatch(ids []objstore.ID) error {
	if len(ids) > objstore.MaxDelete {
		return fmt.Errorf("%d entries: %w", len(ids), objstore.ErrInvalid)
	}
	seen := make(map[objstore.ID]bool, len(ids))
	for _, id := range ids {
		if id.Key == "" || seen[id] {
			return fmt.Errorf("empty or double key %q: %w", id.Key, objstore.ErrInvalid)
		}
		seen[id] = true
	}
	return nil
}

// refusal is what a DeleteResult says of an entry.
func (b *Bucket) refusal(d deleted) error {
	switch {
	case d.silent:
		return b.convert(OpDeleteBatch, d.Key, objstore.ErrUnacknowledged)
	case d.locked:
		return b.convert(OpDeleteBatch, d.Key, objstore.ErrLocked)
	case d.code == "", d.code == noSuchKey, d.code == noSuchVersion:
		return nil
	}
	return b.convert(OpDeleteBatch, d.Key, d.code)
}

// convert gives an error its operation, its place, and the sentinel that stands
// for its code.
func (b *Bucket) convert(op Op, key string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, errVersionID) {
		err = fmt.Errorf("%w: %w", err, fs.ErrNotExist)
	} else if s := sentinel(codeOf(err)); s != nil {
		err = fmt.Errorf("%w: %w", err, s)
	}
	return fmt.Errorf("memobj: %s %s/%q: %w", op, b.name, key, err)
}

func codeOf(err error) Code {
	var c Code
	errors.As(err, &c)
	return c
}

func sentinel(c Code) error {
	switch c {
	case noSuchKey, noSuchVersion, methodNotAllowed:
		return fs.ErrNotExist
	case invalidArgument, keyTooLong, invalidURI:
		return objstore.ErrInvalid
	case preconditionFailed:
		return objstore.ErrExists
	case AccessDenied:
		return fs.ErrPermission
	case SlowDown, serviceUnavailable:
		return objstore.ErrThrottled
	}
	return nil
}
