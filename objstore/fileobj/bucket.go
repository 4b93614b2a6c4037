package fileobj

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/softdelete-go/softdelete/internal/clock"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
)

// The names at the top of the directory.
const (
	configFile  = "bucket.json"
	lockFile    = "lock"
	freeingFile = "freeing"
	tmpDir      = "tmp"
	keysDir     = "keys"
)

// format is the number of this layout.
const format = 1

// Options are the optional terms of New. Nil means every default.
type Options struct {
	// Create makes a bucket of a directory that is none, and the directory.
	// Defaults to false: a disk that is not mounted must not look like a bucket
	// that lost its objects.
	Create bool
	// Name is the bucket's name. It stays what it was when the bucket was made;
	// another one is refused. Defaults to that name, and at first to the last
	// element of the directory's path.
	Name string
	// Versioning is the status of a bucket that New makes. One that exists keeps
	// its own. Defaults to objstore.Unversioned.
	Versioning objstore.VersioningStatus
	// Clock gives the instants of objects. Defaults to the machine's clock.
	Clock lifecycle.Clock
}

// Bucket is one bucket in a directory. It is safe for concurrent use.
type Bucket struct {
	disk  disk
	name  string
	clock lifecycle.Clock
	turn  chan struct{} // held with the lock file, so that one goroutine waits there
	names int           // how many file names a listing takes from a directory at once
}

var (
	_ objstore.Bucket     = (*Bucket)(nil)
	_ objstore.Versioner  = (*Bucket)(nil)
	_ objstore.RuleReader = (*Bucket)(nil)
)

// New opens the bucket in the directory, and frees the bytes that crashed
// writers left. A directory without a bucket is an error that wraps
// [fs.ErrNotExist], unless Options.Create is set; a wrong option is
// [objstore.ErrInvalid].
func New(dir string, opts *Options) (*Bucket, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	b, err := open(dir, o, nil)
	if err != nil {
		return nil, fmt.Errorf("fileobj: open %s: %w", dir, err)
	}
	return b, nil
}

// open is New with a hook before each step that changes the directory.
func open(dir string, o Options, before func(step string) error) (*Bucket, error) {
	if o.Versioning == "" {
		o.Versioning = objstore.Unversioned
	}
	if o.Clock == nil {
		o.Clock = clock.System
	}
	if !known(o.Versioning) {
		return nil, fmt.Errorf("Options.Versioning %q: %w", o.Versioning, objstore.ErrInvalid)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if o.Create {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	b := &Bucket{disk: disk{root: root, before: before}, clock: o.Clock, turn: make(chan struct{}, 1), names: maxNames}
	if err := b.start(filepath.Base(dir), o); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return b, nil
}

// start makes the bucket where it has to, and checks and tidies the one there.
func (b *Bucket) start(base string, o Options) error {
	if _, err := b.config(); errors.Is(err, errNoBucket) && !o.Create {
		// Nothing is written to a directory that may be anybody's.
		return fmt.Errorf("%w: %w", err, fs.ErrNotExist)
	}
	release, err := b.lock(context.Background())
	if err != nil {
		return err
	}
	defer release()
	c, err := b.config()
	if errors.Is(err, errNoBucket) {
		c = config{Format: format, Name: o.Name, Versioning: o.Versioning}
		if c.Name == "" {
			c.Name = base
		}
		err = b.make(c)
	}
	if err != nil {
		return err
	}
	if o.Name != "" && o.Name != c.Name {
		return fmt.Errorf("Options.Name %q, but the bucket is %q: %w", o.Name, c.Name, objstore.ErrInvalid)
	}
	b.name = c.Name
	if err := b.finish(); err != nil {
		return notMissing(err)
	}
	return b.sweep()
}

func (b *Bucket) make(c config) error {
	for _, dir := range []string{tmpDir, keysDir} {
		if err := b.disk.mkdir(dir); err != nil {
			return err
		}
	}
	return b.disk.replace(configFile, c)
}

// Close releases the directory. Readers that Open returned stay usable.
func (b *Bucket) Close() error { return b.disk.root.Close() }

// Name returns the bucket's name.
func (b *Bucket) Name() string { return b.name }

// Versioning returns the bucket's versioning status.
func (b *Bucket) Versioning(ctx context.Context) (objstore.Versioning, error) {
	if err := ctx.Err(); err != nil {
		return objstore.Versioning{}, b.fail("versioning of", objstore.ID{}, err)
	}
	c, err := b.config()
	if err != nil {
		return objstore.Versioning{}, b.fail("versioning of", objstore.ID{}, err)
	}
	return objstore.Versioning{Status: c.Versioning}, nil
}

// SetVersioning turns versioning on, or suspends it. As in S3, a bucket that had
// versioning never becomes unversioned again: that is [objstore.ErrInvalid].
func (b *Bucket) SetVersioning(ctx context.Context, status objstore.VersioningStatus) error {
	if err := b.setVersioning(ctx, status); err != nil {
		return b.fail("set versioning of", objstore.ID{}, err)
	}
	return nil
}

func (b *Bucket) setVersioning(ctx context.Context, status objstore.VersioningStatus) error {
	release, err := b.lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	c, err := b.config()
	if err != nil {
		return err
	}
	if !known(status) || status == objstore.Unversioned && c.Versioning != objstore.Unversioned {
		return fmt.Errorf("status %q after %q: %w", status, c.Versioning, objstore.ErrInvalid)
	}
	c.Versioning = status
	return b.disk.replace(configFile, c)
}

func known(s objstore.VersioningStatus) bool {
	return s == objstore.Unversioned || s == objstore.Versioned || s == objstore.Suspended
}

// Rules returns none: a directory has no lifecycle rules.
func (b *Bucket) Rules(context.Context) ([]objstore.Rule, error) { return nil, nil }

// config is what the bucket is, as bucket.json has it.
type config struct {
	Format     int                       `json:"format"`
	Name       string                    `json:"name"`
	Versioning objstore.VersioningStatus `json:"versioning"`
}

// errNoBucket does not wrap fs.ErrNotExist: a bucket that is gone does not make
// its objects missing ones.
var errNoBucket = errors.New("the directory holds no bucket")

func (b *Bucket) config() (config, error) {
	var c config
	found, err := b.disk.load(configFile, &c)
	switch {
	case err != nil:
		return c, err
	case !found:
		return c, errNoBucket
	case c.Format != format:
		return c, fmt.Errorf("layout %d, want %d", c.Format, format)
	}
	return c, nil
}

// fail gives an error its place.
func (b *Bucket) fail(op string, id objstore.ID, err error) error {
	where := b.name
	if id.Key != "" {
		where += fmt.Sprintf(" %q", id.Key)
	}
	if id.Version != "" {
		where += " version " + id.Version
	}
	return fmt.Errorf("fileobj: %s %s: %w", op, where, err)
}

// load reads a JSON file; false where there is none.
func (d disk) load(name string, into any) (bool, error) {
	data, err := d.root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return true, nil
}
