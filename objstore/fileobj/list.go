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

const (
	// maxPage is the largest page that a listing may ask for.
	maxPage = 1000
	// maxNames bounds the memory of a listing. A directory of more names is read
	// once for each so many of them, since it comes in no order.
	maxNames = 1 << 14
)

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
	for last, n := "", w.bucket.names; ; {
		names, err := w.bucket.disk.first(dir, n, func(name string) bool {
			return name > last && w.wants(base, name)
		})
		if errors.Is(err, fs.ErrNotExist) && dir != keysDir {
			return nil // its last key was deleted meanwhile
		}
		if err != nil {
			return notMissing(err)
		}
		for _, name := range names {
			if err := w.visitName(ctx, dir, base, name); err != nil || w.stopped {
				return err
			}
		}
		if len(names) < n {
			return nil
		}
		last = names[n-1]
	}
}

// wants tells whether there may be keys of the listing in that file.
func (w *walk) wants(base, name string) bool {
	piece, whole, ok := pieceOf(name)
	key := base + piece
	if whole {
		return ok && strings.HasPrefix(key, w.prefix) && key > w.after
	}
	inside := strings.HasPrefix(key, w.prefix) || strings.HasPrefix(w.prefix, key)
	return ok && inside && (key > w.after || strings.HasPrefix(w.after, key))
}

func (w *walk) visitName(ctx context.Context, dir, base, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	piece, whole, _ := pieceOf(name)
	if !whole {
		return w.dir(ctx, path.Join(dir, name), base+piece)
	}
	c, err := w.bucket.chain(base + piece)
	if err != nil {
		return err
	}
	w.stopped = !w.visit(c)
	return nil
}
