package objstore

import (
	"context"
	"io"
	"iter"
	"time"
)

// MaxDelete is the largest number of entries one Delete call takes, as in S3.
const MaxDelete = 1000

// NullVersion is the version id of an object that was written while its bucket
// had no versioning, or had it suspended.
const NullVersion = "null"

// Object is one version of one key, or a delete marker.
type Object struct {
	Key string
	// Version is the version id: opaque, and NullVersion for the null version,
	// which in a listing of versions is also the one of a bucket that never had
	// versioning. A listing of objects leaves it empty.
	Version string
	// DeleteMarker says that this entry hides the key and holds no bytes.
	DeleteMarker bool
	// Latest says that a read without a version id meets this entry.
	Latest bool
	// Size is the number of bytes; 0 for a delete marker.
	Size int64
	// ETag is the entity tag without quotes; empty for a delete marker.
	ETag string
	// Modified is the store's own time, in UTC. Stores cut it to seconds or
	// milliseconds: never order by it.
	Modified time.Time
}

// ID names one entry of a bucket: a key, and one version of it. An empty
// version in a Delete means what the store makes of it: in a bucket with
// versioning it hides the key under a new delete marker and frees nothing.
type ID struct {
	Key     string
	Version string
}

// ListOptions narrows a listing. Nil means every default.
type ListOptions struct {
	// After starts the listing behind this key, exclusively and for every
	// version of it. Defaults to the beginning.
	After string
	// Page is the number of entries asked for in one request.
	// Defaults to 1000, which is also the largest; a larger or a negative one is
	// ErrInvalid.
	Page int
}

// PutOptions are the optional terms of a Put. Nil means every default.
type PutOptions struct {
	// IfAbsent refuses the write with ErrExists where the key has a current
	// version. Defaults to false.
	IfAbsent bool
	// ContentType is stored with the object.
	// Defaults to application/octet-stream.
	ContentType string
}

// DeleteResult is the answer for one entry of a batch delete.
type DeleteResult struct {
	ID
	// Err is nil where the store acknowledged that the entry is gone, an entry
	// that was already gone included. It wraps ErrUnacknowledged where the
	// store said nothing of the entry; ErrLocked, ErrThrottled and
	// [io/fs.ErrPermission] where it refused.
	Err error
	// Code is the store's own error code. It is empty on success, and where the
	// store gave none or its answer could not be read.
	Code string
}

// Lister reads what a bucket holds. Both listings ascend by the key's bytes,
// page by themselves, hold one page in memory and yield decoded keys. An error
// is yielded once, as the last element: a listing that ended without one is
// complete. Breaking out of the loop stops the paging.
type Lister interface {
	// Objects yields the current version of every key under the prefix. Keys
	// whose latest entry is a delete marker do not appear.
	Objects(ctx context.Context, prefix string, opts *ListOptions) iter.Seq2[Object, error]
	// Versions yields every version and delete marker under the prefix, for
	// one key the newest first as far as the store tells: what it dates alike
	// may come in either order, and Latest alone says which one is read.
	Versions(ctx context.Context, prefix string, opts *ListOptions) iter.Seq2[Object, error]
}

// Reader reads single objects. An empty version means the current one. A
// missing key or version, or a delete marker, is [io/fs.ErrNotExist].
type Reader interface {
	Head(ctx context.Context, id ID) (Object, error)
	// Open returns the object's bytes; the caller closes it.
	Open(ctx context.Context, id ID) (io.ReadCloser, error)
}

// Writer stores and deletes.
type Writer interface {
	// Put writes one object whole or not at all and returns what was stored.
	// Size is the exact number of bytes in body; a body that is shorter or
	// longer is an error and stores nothing.
	Put(ctx context.Context, key string, body io.Reader, size int64, opts *PutOptions) (Object, error)
	// Delete deletes up to MaxDelete entries and returns one result for each,
	// in the order given. The error is for the request as a whole: where it is
	// not nil, nothing is known of any entry without a result. Deleting what
	// is not there is success; a key that cannot be there is ErrInvalid in its
	// own result. Duplicate entries, empty keys and more than MaxDelete entries
	// are ErrInvalid before anything is sent.
	Delete(ctx context.Context, ids []ID) ([]DeleteResult, error)
}

// Bucket is one bucket of an object store: what every adapter does.
// Implementations are safe for concurrent use.
type Bucket interface {
	// Name is the bucket's name, as the ledger records it.
	Name() string
	Lister
	Reader
	Writer
}
