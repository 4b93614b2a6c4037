package memobj

import "context"

// Op is a kind of call, by the name of the S3 operation.
type Op string

// The calls that a Fault can meet. Configuring a bucket is not among them.
const (
	OpPut            Op = "PutObject"
	OpHead           Op = "HeadObject"
	OpGet            Op = "GetObject"
	OpCopy           Op = "CopyObject"
	OpDelete         Op = "DeleteObject"
	OpDeleteBatch    Op = "DeleteObjects"
	OpListObjects    Op = "ListObjectsV2"
	OpListVersions   Op = "ListObjectVersions"
	OpVersioning     Op = "GetBucketVersioning"
	OpRules          Op = "GetBucketLifecycleConfiguration"
	OpLock           Op = "GetObjectRetention"
	OpCreateUpload   Op = "CreateMultipartUpload"
	OpUploadPart     Op = "UploadPart"
	OpCompleteUpload Op = "CompleteMultipartUpload"
	OpAbortUpload    Op = "AbortMultipartUpload"
	OpListUploads    Op = "ListMultipartUploads"
	OpListParts      Op = "ListParts"
)

// Call is one call that has reached a bucket and was not applied yet.
type Call struct {
	Op Op
	// Keys are the keys that the call names: one, or a batch's, in its order.
	// A listing names its prefix.
	Keys []string
	// N counts the calls of the bucket from 0.
	N int
}

// Fault says what goes wrong with one call; the zero Fault is nothing.
type Fault struct {
	// Before fails the call, which is not applied. A Code is answered as S3
	// answers it; any other error breaks the connection.
	Before error
	// After fails the call after it was applied, in the ways of Before: a
	// connection that was reset while the answer was on its way, or a store that
	// answers with an error what it did do.
	After error
	// Entries are the keys of a batch delete that are refused with a code, or
	// deleted with NoAnswer.
	Entries map[string]Code
	// NoToken makes a listing say that there is more, and not where.
	NoToken bool
	// Unordered turns a listing's page around, as stores do that do not list in
	// byte order.
	Unordered bool
}

// do runs one call: the fault hook without the lock, so that it may wait, and
// apply with it.
func (b *Bucket) do(ctx context.Context, op Op, keys []string, apply func(Fault) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	n := int(b.calls.Add(1)) - 1
	var f Fault
	if b.fault != nil {
		f = b.fault(ctx, Call{Op: op, Keys: keys, N: n})
	}
	if f.Before != nil {
		return f.Before
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err := b.locked(func() error { return apply(f) })
	if f.After != nil {
		return f.After
	}
	return err
}

func (b *Bucket) locked(f func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return f()
}
