package s3obj

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/softdelete-go/softdelete/objstore"
)

// Delete deletes with one DeleteObjects, and believes nothing but an
// acknowledgement of the very key and version. It does not try again: an entry
// refused with InternalError or ErrThrottled is the caller's to repeat, with
// the pause that only the caller can judge.
//
// An acknowledgement is the store's word and no proof: SeaweedFS acknowledges
// the delete of a null delete marker, and keeps it. List the key again before
// you record that it is gone.
//
// A key that XML cannot hold is deleted by itself, with the key in the URL, in
// a request after the batch. A key with an empty, "." or ".." segment is
// [objstore.ErrInvalid] in its result and never sent, because proxies make
// another request of it.
//
// A version that the store refused to delete is looked up: with a legal hold or
// a running retention the entry is [objstore.ErrLocked], otherwise
// [fs.ErrPermission]. This takes up to two requests for each refused entry; it
// ends for the batch where the caller may not read locks.
//
// A store that acknowledges what nobody asked for has deleted something else:
// the call fails as a whole, with the results of what was answered until then.
func (b *Bucket) Delete(ctx context.Context, ids []objstore.ID) ([]objstore.DeleteResult, error) {
	const op = "delete"
	if err := checkBatch(ids); err != nil {
		return nil, b.fail(op, objstore.ID{}, err)
	}
	results := make([]objstore.DeleteResult, len(ids))
	var batch, single []*objstore.DeleteResult
	for i, id := range ids {
		r := &results[i]
		r.ID = id
		if err := checkKey(id.Key); err != nil {
			r.Err = b.fail(op, id, err)
		} else if objstore.XMLSafe(id.Key) && objstore.XMLSafe(id.Version) {
			batch = append(batch, r)
		} else {
			single = append(single, r)
		}
	}
	d := &removal{bucket: b}
	if len(batch) > 0 {
		out, err := b.client.DeleteObjects(ctx, b.batchInput(batch), b.deletion)
		if err != nil {
			return nil, b.fail(op, objstore.ID{}, err)
		}
		if err := d.read(ctx, batch, out); err != nil {
			err = b.fail(op, objstore.ID{}, err)
			for _, r := range single {
				r.Err = err
			}
			return results, err
		}
	}
	for _, r := range single {
		d.one(ctx, r)
	}
	return results, nil
}

func checkBatch(ids []objstore.ID) error {
	if len(ids) > objstore.MaxDelete {
		return fmt.Errorf("%d entries, more than %d: %w", len(ids), objstore.MaxDelete, objstore.ErrInvalid)
	}
	seen := make(map[objstore.ID]struct{}, len(ids))
	for _, id := range ids {
		if id.Key == "" {
			return fmt.Errorf("an entry without a key: %w", objstore.ErrInvalid)
		}
		if _, again := seen[id]; again {
			return fmt.Errorf("key %q version %q twice: %w", id.Key, id.Version, objstore.ErrInvalid)
		}
		seen[id] = struct{}{}
	}
	return nil
}

func (b *Bucket) batchInput(batch []*objstore.DeleteResult) *s3.DeleteObjectsInput {
	objects := make([]types.ObjectIdentifier, len(batch))
	for i, r := range batch {
		objects[i] = types.ObjectIdentifier{Key: aws.String(r.Key), VersionId: optional(r.Version)}
	}
	return &s3.DeleteObjectsInput{
		Bucket: aws.String(b.name),
		// S3 insists on a checksum; a client made without a configuration file
		// sends none unless it is asked to.
		ChecksumAlgorithm: types.ChecksumAlgorithmCrc32,
		Delete:            &types.Delete{Objects: objects, Quiet: aws.Bool(false)},
	}
}

// removal is one Delete under way.
type removal struct {
	bucket *Bucket
	// blind says that locks cannot be read, so that they are not asked for
	// again.
	blind bool
}

// one deletes a single entry.
func (d *removal) one(ctx context.Context, r *objstore.DeleteResult) {
	out, err := d.bucket.client.DeleteObject(ctx, &s3.DeleteObjectInput{
		Bucket: aws.String(d.bucket.name), Key: aws.String(r.Key), VersionId: optional(r.Version),
	}, d.bucket.deletion)
	switch {
	case err == nil:
		if got := aws.ToString(out.VersionId); r.Version != "" && got != "" && got != r.Version {
			r.Err = d.unacknowledged(r.ID, fmt.Errorf("the store answered for version %s", got))
		}
	case absent(err):
	case codeOf(err) == "" && kindOf("", statusOf(err)) == nil:
		r.Err = d.unacknowledged(r.ID, err)
	default:
		// There may be no code, because the key of the answer, which XML cannot
		// hold, keeps the SDK from reading it. The status still tells a refusal.
		d.refuse(ctx, r, codeOf(err), statusOf(err), err)
	}
}

func (d *removal) unacknowledged(id objstore.ID, err error) error {
	return d.bucket.failAs(objstore.ErrUnacknowledged, "delete", id, err)
}

// refuse records that the store did not delete an entry, and why.
func (d *removal) refuse(ctx context.Context, r *objstore.DeleteResult, code string, status int, cause error) {
	r.Code = code
	kind := kindOf(code, status)
	// Stores refuse a locked version as AccessDenied, some as InvalidRequest:
	// neither says more than that. Only an explicit version can be locked.
	if r.Version != "" && (errors.Is(kind, fs.ErrPermission) || code == "InvalidRequest") && d.locked(ctx, r.ID) {
		kind = objstore.ErrLocked
	}
	r.Err = d.bucket.failAs(kind, "delete", r.ID, cause)
}

func (d *removal) locked(ctx context.Context, id objstore.ID) bool {
	if d.blind {
		return false
	}
	lock, err := d.bucket.Lock(ctx, id)
	if err != nil {
		d.blind = errors.Is(err, fs.ErrPermission)
		return false
	}
	return held(lock, d.bucket.clock.Now())
}

func held(lock objstore.Lock, now time.Time) bool {
	return lock.LegalHold || lock.Until.After(now)
}
