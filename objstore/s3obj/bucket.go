package s3obj

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/softdelete-go/softdelete/internal/clock"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
)

// Client is what this package uses of the SDK; [*s3.Client] satisfies it. The
// client must be safe for concurrent use, as the SDK's is. Its endpoint, its
// credentials and its checksum settings are the caller's; each request sets the
// two options that the package comment names, for itself alone.
type Client interface {
	ListClient
	ReadClient
	WriteClient
	ConfigClient
	LockClient
}

// ListClient lists a bucket.
type ListClient interface {
	ListObjectsV2(context.Context, *s3.ListObjectsV2Input, ...func(*s3.Options)) (*s3.ListObjectsV2Output, error)
	ListObjectVersions(context.Context, *s3.ListObjectVersionsInput, ...func(*s3.Options)) (*s3.ListObjectVersionsOutput, error)
}

// ReadClient reads objects.
type ReadClient interface {
	HeadObject(context.Context, *s3.HeadObjectInput, ...func(*s3.Options)) (*s3.HeadObjectOutput, error)
	GetObject(context.Context, *s3.GetObjectInput, ...func(*s3.Options)) (*s3.GetObjectOutput, error)
}

// WriteClient stores and deletes objects.
type WriteClient interface {
	PutObject(context.Context, *s3.PutObjectInput, ...func(*s3.Options)) (*s3.PutObjectOutput, error)
	DeleteObject(context.Context, *s3.DeleteObjectInput, ...func(*s3.Options)) (*s3.DeleteObjectOutput, error)
	DeleteObjects(context.Context, *s3.DeleteObjectsInput, ...func(*s3.Options)) (*s3.DeleteObjectsOutput, error)
}

// ConfigClient reads a bucket's configuration.
type ConfigClient interface {
	GetBucketVersioning(context.Context, *s3.GetBucketVersioningInput, ...func(*s3.Options)) (*s3.GetBucketVersioningOutput, error)
	GetBucketLifecycleConfiguration(context.Context, *s3.GetBucketLifecycleConfigurationInput, ...func(*s3.Options)) (*s3.GetBucketLifecycleConfigurationOutput, error)
}

// LockClient reads what keeps a version from being deleted.
type LockClient interface {
	GetObjectRetention(context.Context, *s3.GetObjectRetentionInput, ...func(*s3.Options)) (*s3.GetObjectRetentionOutput, error)
	GetObjectLegalHold(context.Context, *s3.GetObjectLegalHoldInput, ...func(*s3.Options)) (*s3.GetObjectLegalHoldOutput, error)
}

// Options are the optional terms of New. Nil means every default.
type Options struct {
	// TempDir is the directory for bodies that cannot be read twice and are
	// larger than 1 MiB. Defaults to [os.TempDir].
	TempDir string
	// Clock tells whether a retention that a refused delete met is still
	// running. Defaults to the machine's clock.
	Clock lifecycle.Clock
	// VirtualHost leaves the place of the bucket's name in the URL to the client,
	// for the few stores with an endpoint of their own that want it in the host
	// name. Defaults to false: with such an endpoint the name is in the path.
	VirtualHost bool
}

// Bucket is one bucket of an S3 store. It is safe for concurrent use.
type Bucket struct {
	client      Client
	name        string
	tempDir     string
	clock       lifecycle.Clock
	virtualHost bool
	retryer     aws.Retryer // of deletes
}

var (
	_ Client              = (*s3.Client)(nil)
	_ objstore.Bucket     = (*Bucket)(nil)
	_ objstore.Versioner  = (*Bucket)(nil)
	_ objstore.RuleReader = (*Bucket)(nil)
	_ objstore.LockReader = (*Bucket)(nil)
)

// New returns the bucket of that name. It sends nothing: a bucket that does
// not exist shows in the first call. A nil client and an empty name are
// [objstore.ErrInvalid].
func New(client Client, bucket string, opts *Options) (*Bucket, error) {
	if client == nil {
		return nil, fmt.Errorf("s3obj: client is nil: %w", objstore.ErrInvalid)
	}
	if bucket == "" {
		return nil, fmt.Errorf("s3obj: bucket has no name: %w", objstore.ErrInvalid)
	}
	b := &Bucket{client: client, name: bucket, clock: clock.System, retryer: newRetryer()}
	if opts != nil {
		b.tempDir, b.virtualHost = opts.TempDir, opts.VirtualHost
		if opts.Clock != nil {
			b.clock = opts.Clock
		}
	}
	return b, nil
}

// Name returns the bucket's name.
func (b *Bucket) Name() string { return b.name }
