package testdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// S3Bucket is a fresh, empty bucket for one test, emptied and removed
// afterwards.
type S3Bucket struct {
	// Client reaches the server the bucket is on.
	Client *s3.Client

	// Bucket is the bucket's name.
	Bucket string
}

// BucketOption asks for a bucket with more than objects.
type BucketOption int

const (
	// Versioned turns versioning on.
	Versioned BucketOption = iota

	// Locked enables object lock, and versioning with it. There is no default
	// retention. Versions in compliance mode outlive the test.
	Locked
)

// S3 returns a fresh bucket, and false if no S3 server is configured.
func S3(tb testing.TB, options ...BucketOption) (*S3Bucket, bool) {
	tb.Helper()
	client, ok := S3Client(tb)
	if !ok {
		return nil, false
	}
	b := &S3Bucket{Client: client, Bucket: uniqueName("-")}
	create := &s3.CreateBucketInput{
		Bucket:                     &b.Bucket,
		ObjectLockEnabledForBucket: aws.Bool(slices.Contains(options, Locked)),
	}
	if _, err := client.CreateBucket(tb.Context(), create); err != nil {
		tb.Fatalf("testdb: create bucket: %v", err)
	}
	cleanup(tb, b.remove)
	if slices.Contains(options, Versioned) {
		if err := b.enableVersioning(tb.Context()); err != nil {
			tb.Fatalf("testdb: enable versioning: %v", err)
		}
	}
	return b, true
}

// S3Client returns a client of the S3 server, for tests which manage buckets
// themselves, and false if none is configured.
func S3Client(tb testing.TB) (*s3.Client, bool) {
	tb.Helper()
	endpoint, ok := lookup(tb, envS3Endpoint)
	if !ok {
		return nil, false
	}
	return s3.New(s3.Options{
		BaseEndpoint: &endpoint,
		Region:       "us-east-1",
		UsePathStyle: true,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{
				AccessKeyID:     os.Getenv(envS3AccessKey),
				SecretAccessKey: os.Getenv(envS3SecretKey),
			}, nil
		}),
		// The zero values would neither send nor check any checksum.
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenSupported,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenSupported,
	}), true
}

// enableVersioning turns versioning on.
func (b *S3Bucket) enableVersioning(ctx context.Context) error {
	_, err := b.Client.PutBucketVersioning(ctx, &s3.PutBucketVersioningInput{
		Bucket: &b.Bucket,
		VersioningConfiguration: &types.VersioningConfiguration{
			Status: types.BucketVersioningStatusEnabled,
		},
	})
	return err
}

// remove empties the bucket and removes it, unless the test did.
func (b *S3Bucket) remove(ctx context.Context) error {
	_, err := b.Client.HeadBucket(ctx, &s3.HeadBucketInput{Bucket: &b.Bucket})
	var notFound *types.NotFound
	if errors.As(err, &notFound) {
		return nil
	}
	if err := b.abortUploads(ctx); err != nil {
		return err
	}
	if err := b.deleteVersions(ctx); err != nil {
		return err
	}
	_, err = b.Client.DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: &b.Bucket})
	return err
}

// abortUploads aborts the multipart uploads which were never completed.
func (b *S3Bucket) abortUploads(ctx context.Context) error {
	pages := s3.NewListMultipartUploadsPaginator(b.Client, &s3.ListMultipartUploadsInput{Bucket: &b.Bucket})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, upload := range page.Uploads {
			_, err := b.Client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{
				Bucket: &b.Bucket, Key: upload.Key, UploadId: upload.UploadId,
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// deleteVersions deletes every version and every delete marker. It lists anew
// after each page: servers skip entries when the listed ones disappear. It gives
// up on a page that stays as it was: some servers keep null markers, and some
// list keys that cannot be asked for.
func (b *S3Bucket) deleteVersions(ctx context.Context) error {
	last := ""
	for {
		page, err := b.Client.ListObjectVersions(ctx, &s3.ListObjectVersionsInput{Bucket: &b.Bucket})
		if err != nil {
			return err
		}
		if len(page.Versions)+len(page.DeleteMarkers) == 0 {
			return nil
		}
		if now := contents(page); now == last {
			return fmt.Errorf("bucket %s keeps %s", b.Bucket, now)
		} else {
			last = now
		}
		for _, version := range page.Versions {
			if err := b.deleteVersion(ctx, version.Key, version.VersionId); err != nil {
				return err
			}
		}
		for _, marker := range page.DeleteMarkers {
			if err := b.deleteVersion(ctx, marker.Key, marker.VersionId); err != nil {
				return err
			}
		}
	}
}

// contents is what a page lists.
func contents(page *s3.ListObjectVersionsOutput) string {
	var all []string
	for _, v := range page.Versions {
		all = append(all, aws.ToString(v.Key)+" "+aws.ToString(v.VersionId))
	}
	for _, m := range page.DeleteMarkers {
		all = append(all, "marker "+aws.ToString(m.Key)+" "+aws.ToString(m.VersionId))
	}
	return strings.Join(all, ", ")
}

// deleteVersion deletes a version in spite of governance and legal hold.
func (b *S3Bucket) deleteVersion(ctx context.Context, key, version *string) error {
	input := &s3.DeleteObjectInput{Bucket: &b.Bucket, Key: key, VersionId: version}
	if _, err := b.Client.DeleteObject(ctx, input); err == nil {
		return nil
	}
	// Both fail without object lock, and where there is nothing to lift.
	b.Client.PutObjectLegalHold(ctx, &s3.PutObjectLegalHoldInput{
		Bucket: &b.Bucket, Key: key, VersionId: version,
		LegalHold: &types.ObjectLockLegalHold{Status: types.ObjectLockLegalHoldStatusOff},
	})
	input.BypassGovernanceRetention = aws.Bool(true)
	_, err := b.Client.DeleteObject(ctx, input)
	return err
}
