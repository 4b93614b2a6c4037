package objstore

import "errors"

// Sentinels of the adapters. A missing object is [io/fs.ErrNotExist], a refused
// permission [io/fs.ErrPermission].
var (
	// ErrInvalid: the call itself is wrong (a key, a size, a batch); nothing
	// was sent.
	ErrInvalid = errors.New("invalid argument")
	// ErrExists: a conditional write met an object.
	ErrExists = errors.New("object exists")
	// ErrUnacknowledged: the store answered a batch without a word on this
	// entry. Nothing is known of it: list again.
	ErrUnacknowledged = errors.New("not acknowledged by the store")
	// ErrLocked: retention or a legal hold keeps the version.
	ErrLocked = errors.New("version is locked")
	// ErrThrottled: the store asked to slow down. Not a failure; retry later.
	ErrThrottled = errors.New("throttled by the store")
	// ErrIncomplete: a listing broke off, or contradicted itself. What was
	// yielded before it must not be taken for the whole.
	ErrIncomplete = errors.New("incomplete listing")
)
