package s3obj

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/softdelete-go/softdelete/objstore"
)

// fake is a client that answers as a test has it. A call without an answer is a
// nil pointer's, and the test's end.
type fake struct {
	listObjects  func(*s3.ListObjectsV2Input) (*s3.ListObjectsV2Output, error)
	listVersions func(*s3.ListObjectVersionsInput) (*s3.ListObjectVersionsOutput, error)
	head         func(*s3.HeadObjectInput) (*s3.HeadObjectOutput, error)
	get          func(*s3.GetObjectInput) (*s3.GetObjectOutput, error)
	put          func(*s3.PutObjectInput) (*s3.PutObjectOutput, error)
	deleteOne    func(*s3.DeleteObjectInput) (*s3.DeleteObjectOutput, error)
	deleteBatch  func(*s3.DeleteObjectsInput) (*s3.DeleteObjectsOutput, error)
	versioning   func() (*s3.GetBucketVersioningOutput, error)
	lifecycle    func() (*s3.GetBucketLifecycleConfigurationOutput, error)
	retention    func(*s3.GetObjectRetentionInput) (*s3.GetObjectRetentionOutput, error)
	hold         func(*s3.GetObjectLegalHoldInput) (*s3.GetObjectLegalHoldOutput, error)
}

func (f *fake) ListObjectsV2(_ context.Context, in *s3.ListObjectsV2Input, _ ...func(*s3.Options)) (*s3.ListObjectsV2Output, error) {
	return f.listObjects(in)
}

func (f *fake) ListObjectVersions(_ context.Context, in *s3.ListObjectVersionsInput, _ ...func(*s3.Options)) (*s3.ListObjectVersionsOutput, error) {
	return f.listVersions(in)
}

func (f *fake) HeadObject(_ context.Context, in *s3.HeadObjectInput, _ ...func(*s3.Options)) (*s3.HeadObjectOutput, error) {
	return f.head(in)
}

func (f *fake) GetObject(_ context.Context, in *s3.GetObjectInput, _ ...func(*s3.Options)) (*s3.GetObjectOutput, error) {
	return f.get(in)
}

func (f *fake) PutObject(_ context.Context, in *s3.PutObjectInput, _ ...func(*s3.Options)) (*s3.PutObjectOutput, error) {
	return f.put(in)
}

func (f *fake) DeleteObject(_ context.Context, in *s3.DeleteObjectInput, _ ...func(*s3.Options)) (*s3.DeleteObjectOutput, error) {
	return f.deleteOne(in)
}

func (f *fake) DeleteObjects(_ context.Context, in *s3.DeleteObjectsInput, _ ...func(*s3.Options)) (*s3.DeleteObjectsOutput, error) {
	return f.deleteBatch(in)
}

func (f *fake) GetBucketVersioning(context.Context, *s3.GetBucketVersioningInput, ...func(*s3.Options)) (*s3.GetBucketVersioningOutput, error) {
	return f.versioning()
}

func (f *fake) GetBucketLifecycleConfiguration(context.Context, *s3.GetBucketLifecycleConfigurationInput, ...func(*s3.Options)) (*s3.GetBucketLifecycleConfigurationOutput, error) {
	return f.lifecycle()
}

func (f *fake) GetObjectRetention(_ context.Context, in *s3.GetObjectRetentionInput, _ ...func(*s3.Options)) (*s3.GetObjectRetentionOutput, error) {
	return f.retention(in)
}

func (f *fake) GetObjectLegalHold(_ context.Context, in *s3.GetObjectLegalHoldInput, _ ...func(*s3.Options)) (*s3.GetObjectLegalHoldOutput, error) {
	return f.hold(in)
}

// answer is an error of the store, as the SDK's errors show it.
type answer struct {
	code   string
	status int
}

func (a answer) Error() string       { return fmt.Sprintf("%d %s", a.status, a.code) }
func (a answer) ErrorCode() string   { return a.code }
func (a answer) HTTPStatusCode() int { return a.status }

// now is when the tests of locks happen.
var now = time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)

type stopped struct{}

func (stopped) Now() time.Time { return now }

func newBucket(t *testing.T, client Client) *Bucket {
	t.Helper()
	b, err := New(client, "b", &Options{TempDir: t.TempDir(), Clock: stopped{}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func content(key string) types.Object {
	return types.Object{Key: aws.String(key), LastModified: aws.Time(now)}
}

func version(key, id string) types.ObjectVersion {
	return types.ObjectVersion{Key: aws.String(key), VersionId: aws.String(id), LastModified: aws.Time(now)}
}

func marked(key, id string) types.DeleteMarkerEntry {
	return types.DeleteMarkerEntry{Key: aws.String(key), VersionId: aws.String(id), LastModified: aws.Time(now)}
}

// pair names an entry in a line of a table: "key version".
func pair(text string) objstore.ID {
	key, version, _ := strings.Cut(text, " ")
	return objstore.ID{Key: key, Version: version}
}

// onlyReader hides that a body can seek.
type onlyReader struct{ io.Reader }
