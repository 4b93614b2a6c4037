package s3obj

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/softdelete-go/softdelete/objstore"
)

// Head returns what the store says of one version. Latest is known, and set,
// only where no version was asked for.
//
// The answer to a HEAD has no body, so that a missing object and a missing
// bucket look alike; before it says [fs.ErrNotExist] Head asks again with a
// GET. A missing bucket is an error of its own.
func (b *Bucket) Head(ctx context.Context, id objstore.ID) (objstore.Object, error) {
	const op = "head"
	if err := checkKey(id.Key); err != nil {
		return objstore.Object{}, b.fail(op, id, err)
	}
	out, err := b.client.HeadObject(ctx, &s3.HeadObjectInput{
		Bucket: aws.String(b.name), Key: aws.String(id.Key), VersionId: optional(id.Version),
	}, b.address)
	if err == nil {
		return objstore.Object{
			Key: id.Key, Version: aws.ToString(out.VersionId), Latest: id.Version == "",
			Size: aws.ToInt64(out.ContentLength), ETag: bare(out.ETag), Modified: instant(out.LastModified),
		}, nil
	}
	if statusOf(err) != http.StatusNotFound {
		return objstore.Object{}, b.failRead(ctx, op, id, err)
	}
	got, err := b.get(ctx, id)
	if err != nil {
		return objstore.Object{}, b.failRead(ctx, op, id, err)
	}
	// Written between the two requests. The bytes are not wanted; a connection
	// that is closed early is the price.
	_ = got.Body.Close()
	return objstore.Object{
		Key: id.Key, Version: aws.ToString(got.VersionId), Latest: id.Version == "",
		Size: aws.ToInt64(got.ContentLength), ETag: bare(got.ETag), Modified: instant(got.LastModified),
	}, nil
}

// Open returns the bytes of one version. The caller closes the reader.
func (b *Bucket) Open(ctx context.Context, id objstore.ID) (io.ReadCloser, error) {
	const op = "open"
	if err := checkKey(id.Key); err != nil {
		return nil, b.fail(op, id, err)
	}
	out, err := b.get(ctx, id)
	if err != nil {
		return nil, b.failRead(ctx, op, id, err)
	}
	return out.Body, nil
}

func (b *Bucket) get(ctx context.Context, id objstore.ID) (*s3.GetObjectOutput, error) {
	return b.client.GetObject(ctx, &s3.GetObjectInput{
		Bucket: aws.String(b.name), Key: aws.String(id.Key), VersionId: optional(id.Version),
	}, b.address)
}

// failRead is fail for reads, where 405 means that the version is a delete
// marker.
func (b *Bucket) failRead(ctx context.Context, op string, id objstore.ID, err error) error {
	if statusOf(err) == http.StatusMethodNotAllowed || b.unreadable(ctx, id, err) {
		return b.failAs(fs.ErrNotExist, op, id, err)
	}
	return b.fail(op, id, err)
}

// unreadable tells whether a 404 without a code is about the object: of a key
// that XML cannot hold, the answer that names it cannot be read. Then the bucket
// is asked whether it is there.
func (b *Bucket) unreadable(ctx context.Context, id objstore.ID, err error) bool {
	if statusOf(err) != http.StatusNotFound || codeOf(err) != "" || objstore.XMLSafe(id.Key) {
		return false
	}
	_, err = b.Versioning(ctx)
	return err == nil
}

// bare returns an entity tag without quotes.
func bare(etag *string) string { return strings.Trim(aws.ToString(etag), `"`) }

// absent tells whether the store answered that there is no such thing.
func absent(err error) bool {
	return errors.Is(kindOf(codeOf(err), statusOf(err)), fs.ErrNotExist)
}
