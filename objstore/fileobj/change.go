package fileobj

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/softdelete-go/softdelete/objstore"
)

// lock excludes everybody else who changes the bucket. Waiting ends with the
// context.
func (b *Bucket) lock(ctx context.Context) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case b.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	f, err := b.disk.root.OpenFile(lockFile, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		<-b.turn
		return nil, fmt.Errorf("lock: %w", notMissing(err))
	}
	release = func() {
		_ = f.Close()
		<-b.turn
	}
	if held, err := tryFlock(f); held {
		return release, nil
	} else if err != nil {
		release()
		return nil, fmt.Errorf("lock: %w", err)
	}
	return b.await(ctx, f, release)
}

// await waits for another process. The system call that waits knows no context:
// when that ends, the turn stays taken until the lock comes, so that there is
// never more than one such wait.
func (b *Bucket) await(ctx context.Context, f *os.File, release func()) (func(), error) {
	got := make(chan error, 1)
	go func() { got <- flock(f) }()
	select {
	case err := <-got:
		if err != nil {
			release()
			return nil, fmt.Errorf("lock: %w", err)
		}
		return release, nil
	case <-ctx.Done():
		go func() {
			<-got
			release()
		}()
		return nil, ctx.Err()
	}
}

// edit changes the entries of a key, and tells whether it did.
type edit func(*chain, objstore.VersioningStatus) (bool, error)

// change is the one way by which a key changes. Staged is the file in tmp with
// the bytes of a new entry, which is then the first; empty where there are none.
//
// The key is written down first and struck out last, so that a crash in between
// leaves a note of where unowned files may be.
func (b *Bucket) change(ctx context.Context, key, staged string, do edit) error {
	release, err := b.lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	return notMissing(b.changeLocked(key, staged, do))
}

func (b *Bucket) changeLocked(key, staged string, do edit) error {
	if err := b.finish(); err != nil {
		return err
	}
	cfg, err := b.config()
	if err != nil {
		return err
	}
	c, err := b.chain(key)
	if err != nil {
		return err
	}
	fresh := len(c.Entries) == 0
	if changed, err := do(&c, cfg.Versioning); err != nil || !changed {
		return err
	}
	if err := b.disk.write(freeingFile, []byte(key)); err != nil {
		return err
	}
	if err := b.disk.syncDir("."); err != nil {
		return err
	}
	if fresh {
		if err := b.disk.mkdir(dirOf(key)); err != nil {
			return err
		}
	}
	if err := b.commit(&c, staged); err != nil {
		return err
	}
	return b.finish()
}

// commit puts the bytes into place and then, at one instant, the index.
func (b *Bucket) commit(c *chain, staged string) error {
	dir := dirOf(c.Key)
	if staged != "" {
		if err := b.disk.rename(staged, path.Join(dir, c.Entries[0].ID+dataSuffix)); err != nil {
			return err
		}
		// The index must not become durable before the name of the bytes.
		if err := b.disk.syncDir(dir); err != nil {
			return err
		}
	}
	if len(c.Entries) > 0 {
		return b.disk.replace(path.Join(dir, indexFile), c)
	}
	if err := b.disk.remove(path.Join(dir, indexFile)); err != nil {
		return err
	}
	return b.disk.syncDir(dir)
}

// finish frees what the last change left, after a crash too. It needs the lock.
func (b *Bucket) finish() error {
	key, err := b.disk.root.ReadFile(freeingFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	// A crash may have cut the note short, before anything else was done.
	// Tidying another key does no harm.
	if checkKey(string(key)) == nil {
		if err := b.tidy(string(key)); err != nil {
			return err
		}
	}
	return b.disk.remove(freeingFile)
}

// tidy removes the files of a key that no entry owns, and the directories of a
// key without entries.
func (b *Bucket) tidy(key string) error {
	c, err := b.chain(key)
	if err != nil {
		return err
	}
	dir := dirOf(key)
	names, err := b.disk.list(dir)
	if errors.Is(err, fs.ErrNotExist) && len(c.Entries) == 0 {
		return b.prune(path.Dir(dir))
	}
	if err != nil {
		return err
	}
	removed := false
	for _, name := range names {
		if c.holds(name) {
			continue
		}
		removed = true
		if err := b.disk.remove(path.Join(dir, name)); err != nil {
			return err
		}
	}
	if removed {
		if err := b.disk.syncDir(dir); err != nil {
			return err
		}
	}
	if len(c.Entries) == 0 {
		return b.prune(dir)
	}
	return nil
}

// prune removes a directory and those above it, as far as they are empty.
func (b *Bucket) prune(dir string) error {
	for ; dir != keysDir; dir = path.Dir(dir) {
		if used, err := b.disk.used(dir); used || err != nil {
			return err
		}
		if err := b.disk.remove(dir); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes the bytes of writers that died before their change. A live
// writer holds the lock of its file, which it made with the bucket's lock.
func (b *Bucket) sweep() error {
	names, err := b.disk.list(tmpDir)
	if err != nil {
		return notMissing(err)
	}
	for _, name := range names {
		if err := b.sweepFile(path.Join(tmpDir, name)); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bucket) sweepFile(name string) error {
	f, err := b.disk.root.Open(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) { // its writer has given up
			return nil
		}
		return err
	}
	defer f.Close()
	dead, err := tryFlock(f)
	if err != nil || !dead {
		return err
	}
	return b.disk.remove(name)
}

// notMissing hides that a file of the bucket itself is missing, which must not
// be taken for a missing object.
func notMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the bucket is damaged: %v", err)
	}
	return err
}
