package memobj

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/softdelete-go/softdelete/internal/clock"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
)

var (
	_ objstore.Bucket     = (*Bucket)(nil)
	_ objstore.Versioner  = (*Bucket)(nil)
	_ objstore.RuleReader = (*Bucket)(nil)
	_ objstore.LockReader = (*Bucket)(nil)
)

// Options are the optional terms of a Bucket. Nil means every default.
type Options struct {
	// Clock gives the instants of objects. Defaults to the machine's clock.
	Clock lifecycle.Clock
	// Versioning is the bucket's status at first.
	// Defaults to objstore.Unversioned, or Versioned with ObjectLock.
	Versioning objstore.VersioningStatus
	// ObjectLock makes a bucket whose versions can be locked; its versioning
	// cannot be suspended. Defaults to false.
	ObjectLock bool
	// Fault is asked before every call what goes wrong with it. It runs without
	// any lock and may wait. Defaults to nothing going wrong.
	Fault func(context.Context, Call) Fault
}

// Bucket is one bucket in memory, made by New. It is safe for concurrent use.
type Bucket struct {
	name  string
	clock lifecycle.Clock
	fault func(context.Context, Call) Fault
	calls atomic.Int64

	mu         sync.Mutex
	status     objstore.VersioningStatus
	mfaDelete  bool
	objectLock bool
	retention  defaultRetention
	rules      []lifecycleRule
	keys       []string // of chains, ascending
	chains     map[string]*chain
	seq        uint64
	uploads    map[string]*upload
}

// New returns an empty bucket. A name that S3 would not permit, and an option
// that contradicts itself, are objstore.ErrInvalid.
func New(name string, opts *Options) (*Bucket, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	if err := checkName(name); err != nil {
		return nil, err
	}
	if o.Clock == nil {
		o.Clock = clock.System
	}
	switch {
	case o.Versioning == "" && o.ObjectLock:
		o.Versioning = objstore.Versioned
	case o.Versioning == "":
		o.Versioning = objstore.Unversioned
	case !known(o.Versioning):
		return nil, fmt.Errorf("memobj: Options.Versioning %q: %w", o.Versioning, objstore.ErrInvalid)
	case o.ObjectLock && o.Versioning != objstore.Versioned:
		return nil, fmt.Errorf("memobj: Options.ObjectLock needs versioning: %w", objstore.ErrInvalid)
	}
	return &Bucket{
		name:       name,
		clock:      o.Clock,
		fault:      o.Fault,
		status:     o.Versioning,
		objectLock: o.ObjectLock,
		chains:     map[string]*chain{},
		uploads:    map[string]*upload{},
	}, nil
}

func known(s objstore.VersioningStatus) bool {
	return s == objstore.Unversioned || s == objstore.Versioned || s == objstore.Suspended
}

func checkName(name string) error {
	valid := len(name) >= 3 && len(name) <= 63
	for _, c := range []byte(name) {
		valid = valid && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.')
	}
	if !valid {
		return fmt.Errorf("memobj: bucket name %q, want 3 to 63 of a-z, 0-9, dot and hyphen: %w: %w",
			name, invalidBucketName, objstore.ErrInvalid)
	}
	return nil
}

// Name returns the bucket's name.
func (b *Bucket) Name() string { return b.name }

// Versioning returns the bucket's versioning status.
func (b *Bucket) Versioning(ctx context.Context) (objstore.Versioning, error) {
	var v objstore.Versioning
	err := b.do(ctx, OpVersioning, nil, func(Fault) error {
		v = objstore.Versioning{Status: b.status, MFADelete: b.mfaDelete}
		return nil
	})
	return v, b.convert(OpVersioning, "", err)
}

// SetVersioning turns versioning on, or suspends it. As in S3, a bucket that
// had versioning never becomes unversioned again, which is objstore.ErrInvalid,
// and a bucket with object lock stays versioned. No Fault meets it.
func (b *Bucket) SetVersioning(_ context.Context, status objstore.VersioningStatus) error {
	err := b.locked(func() error { return b.setVersioning(status) })
	if err != nil {
		return fmt.Errorf("memobj: set versioning of %s to %q: %w", b.name, status, err)
	}
	return nil
}

func (b *Bucket) setVersioning(status objstore.VersioningStatus) error {
	switch {
	case !known(status), status == objstore.Unversioned && b.status != objstore.Unversioned:
		return objstore.ErrInvalid
	case b.objectLock && status != objstore.Versioned:
		return invalidBucketState
	}
	b.status = status
	return nil
}

// SetMFADelete makes the bucket refuse to delete any version, since no caller
// here has a hardware token.
func (b *Bucket) SetMFADelete(on bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mfaDelete = on
}
