package fileobj

import (
	"context"
	"crypto/md5"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
)

// Put stores one object. The bytes are written before any lock is taken, so
// that slow bodies keep nobody waiting. A body of another size is
// [objstore.ErrInvalid]. The ETag is the MD5 of the bytes, as in S3.
func (b *Bucket) Put(ctx context.Context, key string, body io.Reader, size int64, opts *objstore.PutOptions) (objstore.Object, error) {
	var o objstore.PutOptions
	if opts != nil {
		o = *opts
	}
	if o.ContentType == "" {
		o.ContentType = "application/octet-stream"
	}
	stored, err := b.put(ctx, key, body, size, o)
	if err != nil {
		return objstore.Object{}, b.fail("put", objstore.ID{Key: key}, err)
	}
	return stored, nil
}

func (b *Bucket) put(ctx context.Context, key string, body io.Reader, size int64, o objstore.PutOptions) (objstore.Object, error) {
	if err := checkKey(key); err != nil {
		return objstore.Object{}, err
	}
	if size < 0 {
		return objstore.Object{}, fmt.Errorf("a size of %d bytes: %w", size, objstore.ErrInvalid)
	}
	e := entry{ID: newID(), Size: size, ContentType: o.ContentType}
	staged := path.Join(tmpDir, e.ID)
	f, err := b.stage(ctx, staged)
	if err != nil {
		return objstore.Object{}, err
	}
	defer func() {
		_ = b.disk.remove(staged) // where it was not moved
		_ = f.Close()
	}()
	if e.ETag, err = b.fill(f, staged, contextReader{ctx, body}, size); err != nil {
		return objstore.Object{}, err
	}
	var stored objstore.Object
	err = b.change(ctx, key, staged, func(c *chain, status objstore.VersioningStatus) (bool, error) {
		if o.IfAbsent && c.current() != nil {
			return false, objstore.ErrExists
		}
		e.Modified = b.now()
		e = c.add(e, status)
		stored = e.shown(key, status)
		stored.Latest = true
		return true, nil
	})
	return stored, err
}

// stage makes the file for the bytes and locks it, so that no sweep takes it
// for a dead writer's.
func (b *Bucket) stage(ctx context.Context, name string) (*os.File, error) {
	release, err := b.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	f, err := b.disk.create(name)
	if err != nil {
		return nil, notMissing(err)
	}
	if err := flock(f); err != nil {
		return nil, errors.Join(err, f.Close(), b.disk.remove(name))
	}
	return f, nil
}

// fill writes exactly size bytes, and returns their ETag.
func (b *Bucket) fill(f *os.File, name string, body io.Reader, size int64) (string, error) {
	if err := b.disk.step("write", name); err != nil {
		return "", err
	}
	sum := md5.New()
	n, err := io.Copy(io.MultiWriter(f, sum), io.LimitReader(body, size))
	if err != nil {
		return "", err
	}
	if n == size {
		extra, err := io.CopyN(io.Discard, body, 1)
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		n += extra
	}
	switch {
	case n < size:
		return "", fmt.Errorf("the body has %d bytes, not %d: %w: %w", n, size, io.ErrUnexpectedEOF, objstore.ErrInvalid)
	case n > size:
		return "", fmt.Errorf("the body has more than %d bytes: %w", size, objstore.ErrInvalid)
	}
	return hex.EncodeToString(sum.Sum(nil)), b.disk.sync(f, name)
}

// contextReader ends with its context.
type contextReader struct {
	ctx  context.Context
	body io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.body.Read(p)
}

// newID returns an id that no other writer gets. It is lower case, for file
// systems that do not tell case apart.
func newID() string { return strings.ToLower(rand.Text()) }

// now is cut to milliseconds, which is all that S3 tells.
func (b *Bucket) now() time.Time { return b.clock.Now().UTC().Truncate(time.Millisecond) }
