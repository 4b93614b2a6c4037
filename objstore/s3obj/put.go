package s3obj

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/softdelete-go/softdelete/objstore"
)

// maxMemory is the largest body that is held in memory when it cannot be read
// twice.
const maxMemory = 1 << 20

// Put stores one object with a single PutObject, which on Amazon S3 takes up to
// 5 GiB. Its size is checked before anything is sent; a body of another size is
// [objstore.ErrInvalid].
//
// A body that is no [io.Seeker] is copied first, to memory or, above 1 MiB, to
// a temporary file: the SDK must read it twice, to sign it and to try again,
// and a store must never see the beginning of a body that turns out short.
//
// With IfAbsent a conflict with a write or delete of the same moment is
// [objstore.ErrThrottled], because nothing is known of the outcome of either;
// try again. Where the answer was lost, the client's own retry meets the object
// that this Put stored, and [objstore.ErrExists] is the result. A store that does
// not know the condition refuses it ([errors.ErrUnsupported]) or, worse, ignores
// it.
//
// Modified is zero, since the store does not tell it; the ETag is the store's,
// unverified: it is no checksum where the store encrypts.
func (b *Bucket) Put(ctx context.Context, key string, body io.Reader, size int64, opts *objstore.PutOptions) (objstore.Object, error) {
	const op = "put"
	id := objstore.ID{Key: key}
	if err := checkNewKey(key); err != nil {
		return objstore.Object{}, b.fail(op, id, err)
	}
	content, release, err := b.exact(body, size)
	if err != nil {
		return objstore.Object{}, b.fail(op, id, err)
	}
	defer release()
	in := &s3.PutObjectInput{
		Bucket: aws.String(b.name), Key: aws.String(key),
		Body: content, ContentLength: aws.Int64(size),
		ContentType: aws.String("application/octet-stream"),
	}
	if opts != nil && opts.ContentType != "" {
		in.ContentType = aws.String(opts.ContentType)
	}
	if opts != nil && opts.IfAbsent {
		in.IfNoneMatch = aws.String("*")
	}
	out, err := b.client.PutObject(ctx, in, b.address)
	if err != nil {
		return objstore.Object{}, b.failPut(op, id, err)
	}
	return objstore.Object{
		Key: key, Version: aws.ToString(out.VersionId), Latest: true, Size: size, ETag: bare(out.ETag),
	}, nil
}

func (b *Bucket) failPut(op string, id objstore.ID, err error) error {
	switch {
	case statusOf(err) == http.StatusPreconditionFailed:
		return b.failAs(objstore.ErrExists, op, id, err)
	case codeOf(err) == "ConditionalRequestConflict":
		return b.failAs(objstore.ErrThrottled, op, id, err)
	}
	return b.fail(op, id, err)
}

// exact returns a body of exactly size bytes that can be read again.
func (b *Bucket) exact(body io.Reader, size int64) (io.ReadSeeker, func(), error) {
	if size < 0 {
		return nil, nil, fmt.Errorf("a size of %d bytes: %w", size, objstore.ErrInvalid)
	}
	if s, ok := body.(io.ReadSeeker); ok {
		// A pipe is an *os.File too, and cannot seek.
		if n, err := remaining(s); err == nil {
			return readSeeker{s}, func() {}, sizeError(n, size)
		}
	}
	if size <= maxMemory {
		var buffer bytes.Buffer
		err := copyExactly(&buffer, body, size)
		return bytes.NewReader(buffer.Bytes()), func() {}, err
	}
	return b.spool(body, size)
}

// readSeeker hides that a body can be closed: closing it is the caller's.
type readSeeker struct{ io.ReadSeeker }

func (b *Bucket) spool(body io.Reader, size int64) (io.ReadSeeker, func(), error) {
	file, err := os.CreateTemp(b.tempDir, "s3obj-*")
	if err != nil {
		return nil, nil, err
	}
	release := func() {
		_ = file.Close()
		_ = os.Remove(file.Name())
	}
	err = copyExactly(file, body, size)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		release()
		return nil, nil, err
	}
	return readSeeker{file}, release, nil
}

func copyExactly(to io.Writer, body io.Reader, size int64) error {
	n, err := io.Copy(to, io.LimitReader(body, size))
	if err != nil {
		return err
	}
	if n == size {
		extra, err := io.CopyN(io.Discard, body, 1)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		n += extra
	}
	return sizeError(n, size)
}

func sizeError(n, size int64) error {
	switch {
	case n < size:
		return fmt.Errorf("the body has %d bytes, not %d: %w: %w", n, size, io.ErrUnexpectedEOF, objstore.ErrInvalid)
	case n > size:
		return fmt.Errorf("the body has more than %d bytes: %w", size, objstore.ErrInvalid)
	}
	return nil
}

// remaining returns how many bytes are left to read.
func remaining(s io.Seeker) (int64, error) {
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	end, err := s.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	_, err = s.Seek(at, io.SeekStart)
	return end - at, err
}
