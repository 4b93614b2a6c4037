package fileobj

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/softdelete-go/softdelete/objstore"
)

// Head returns what is stored of one version. As in S3, Latest is set only where
// no version was asked for.
func (b *Bucket) Head(ctx context.Context, id objstore.ID) (objstore.Object, error) {
	o, err := b.head(ctx, id)
	if err != nil {
		return objstore.Object{}, b.fail("head", id, err)
	}
	return o, nil
}

func (b *Bucket) head(ctx context.Context, id objstore.ID) (objstore.Object, error) {
	cfg, err := b.config()
	if err != nil {
		return objstore.Object{}, err
	}
	e, err := b.entry(ctx, id)
	if err != nil {
		return objstore.Object{}, err
	}
	o := e.shown(id.Key, cfg.Versioning)
	o.Latest = id.Version == ""
	return o, nil
}

// entry returns a version that has bytes.
func (b *Bucket) entry(ctx context.Context, id objstore.ID) (entry, error) {
	if err := ctx.Err(); err != nil {
		return entry{}, err
	}
	if err := checkKey(id.Key); err != nil {
		return entry{}, err
	}
	c, err := b.chain(id.Key)
	if err != nil {
		return entry{}, err
	}
	e := c.current()
	if id.Version != "" {
		e = c.find(id.Version)
	}
	if e == nil || e.Marker {
		return entry{}, fs.ErrNotExist
	}
	return *e, nil
}

// Open returns the bytes of one version, which stay readable when the version is
// deleted meanwhile. The caller closes the reader.
func (b *Bucket) Open(ctx context.Context, id objstore.ID) (io.ReadCloser, error) {
	if _, err := b.config(); err != nil {
		return nil, b.fail("open", id, err)
	}
	for {
		e, err := b.entry(ctx, id)
		if err != nil {
			return nil, b.fail("open", id, err)
		}
		f, err := b.data(id.Key, e)
		if err == nil {
			return f, nil
		}
		// The version may have been replaced since the index was read: then the
		// index now names other bytes.
		if again, otherwise := b.entry(ctx, id); otherwise == nil && again.ID == e.ID {
			return nil, b.fail("open", id, err)
		}
	}
}

// data opens the bytes of an entry. That they are not there is damage, and not
// a missing object.
func (b *Bucket) data(key string, e entry) (*os.File, error) {
	f, err := b.disk.root.Open(path.Join(dirOf(key), e.ID+dataSuffix))
	if err != nil {
		return nil, notMissing(err)
	}
	info, err := f.Stat()
	if err == nil && info.Size() != e.Size {
		err = fmt.Errorf("the bucket is damaged: %d bytes, not %d", info.Size(), e.Size)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
