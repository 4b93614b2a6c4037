package fileobj

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strings"

	"github.com/softdelete-go/softdelete/objstore"
)

// maxPage is the largest page that a listing may ask for.
const maxPage = 1000

// Objects lists the current objects. As in S3, it tells no version ids.
// ListOptions.Page has no effect, since nothing is requested.
func (b *Bucket) Objects(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return b.list(ctx, "list", prefix, opts, func(c chain, yield func(objstore.Object, error) bool) bool {
		e := c.current()
		if e == nil {
			return true
		}
		o := e.object(c.Key)
		o.Version, o.Latest = "", true
		return yield(o, nil)
	})
}

// Versions lists versions and delete markers. As in S3, a bucket that never had
// versioning lists its objects under [objstore.NullVersion].
func (b *Bucket) Versions(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return b.list(ctx, "list versions", prefix, opts, func(c chain, yield func(objstore.Object, error) bool) bool {
		for i, e := range c.Entries {
			o := e.object(c.Key)
			o.Latest = i == 0
			if !yield(o, nil) {
				return false
			}
		}
		return true
	})
}

// emit yields what a listing shows of a key, and tells whether to go on.
type emit func(chain, func(objstore.Object, error) bool) bool

func (b *Bucket) list(ctx context.Context, op, prefix string, opts *objstore.ListOptions, show emit) iter.Seq2[objstore.Object, error] {
	return func(yield func(objstore.Object, error) bool) {
		w := walk{bucket: b, prefix: prefix, visit: func(c chain) bool { return show(c, yield) }}
		if err := w.run(ctx, opts); err != nil {
			yield(objstore.Object{}, b.fail(op, objstore.ID{Key: prefix}, err))
		}
	}
}

// walk visits the keys of a listing in their order.
type walk struct {
	bucket        *Bucket
	prefix, after string
	visit         func(chain) bool
	stopped       bool
}

func (w *walk) run(ctx context.Context, opts *objstore.ListOptions) error {
	if opts != nil {
		if opts.Page < 0 || opts.Page > maxPage {
			return fmt.Errorf("a page of %d entries: %w", opts.Page, objstore.ErrInvalid)
		}
		w.after = opts.After
	}
	if _, err := w.bucket.config(); err != nil {
		return err
	}
	return w.dir(ctx, keysDir, "")
}

// dir visits the keys below a directory, all of which begin with base.
func (w *walk) dir(ctx context.Context, dir, base string) error {
	names, err := w.bucket.disk.names(dir)
	if errors.Is(err, fs.ErrNotExist) && dir != keysDir {
		return nil // its last key was deleted meanwhile
	}
	if err != nil {
		return notMissing(err)
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		piece, whole, ok := pieceOf(name)
		switch {
		case !ok:
			continue
		case whole:
			err = w.key(base + piece)
		case w.reaches(base + piece):
			err = w.dir(ctx, path.Join(dir, name), base+piece)
		}
		if err != nil || w.stopped {
			return err
		}
	}
	return nil
}

func (w *walk) key(key string) error {
	if !strings.HasPrefix(key, w.prefix) || key <= w.after {
		return nil
	}
	c, err := w.bucket.chain(key)
	if err != nil {
		return err
	}
	w.stopped = !w.visit(c)
	return nil
}

// reaches tells whether a key that begins with base may be in the listing.
func (w *walk) reaches(base string) bool {
	inside := strings.HasPrefix(base, w.prefix) || strings.HasPrefix(w.prefix, base)
	return inside && (base > w.after || strings.HasPrefix(w.after, base))
}
