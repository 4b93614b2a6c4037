package testdb

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

func TestS3KeepsVersions(t *testing.T) {
	t.Parallel()
	b, ok := S3(t, Versioned)
	if !ok {
		return
	}
	ctx := t.Context()
	first := put(t, b, "doc", "one")
	second := put(t, b, "doc", "two")
	deleted, err := b.Client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.Bucket, Key: aws.String("doc")})
	if err != nil {
		t.Fatal(err)
	}
	if !aws.ToBool(deleted.DeleteMarker) {
		t.Error("the delete left no marker")
	}
	page, err := b.Client.ListObjectVersions(ctx, &s3.ListObjectVersionsInput{Bucket: &b.Bucket})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Versions) != 2 || len(page.DeleteMarkers) != 1 {
		t.Errorf("listed %d versions and %d markers, want 2 and 1", len(page.Versions), len(page.DeleteMarkers))
	}
	for version, want := range map[string]string{first: "one", second: "two"} {
		if got := get(t, b, "doc", version); got != want {
			t.Errorf("version %s reads %q, want %q", version, got, want)
		}
	}
}

func TestS3LocksObjects(t *testing.T) {
	t.Parallel()
	b, ok := S3(t, Locked)
	if !ok {
		return
	}
	version := put(t, b, "doc", "one")
	_, err := b.Client.PutObjectRetention(t.Context(), &s3.PutObjectRetentionInput{
		Bucket: &b.Bucket, Key: aws.String("doc"), VersionId: &version,
		Retention: &types.ObjectLockRetention{
			Mode:            types.ObjectLockRetentionModeGovernance,
			RetainUntilDate: aws.Time(time.Now().Add(time.Hour)),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Client.DeleteObject(t.Context(), &s3.DeleteObjectInput{
		Bucket: &b.Bucket, Key: aws.String("doc"), VersionId: &version,
	})
	if err == nil {
		t.Error("a version under governance was deleted")
	}
}

func TestS3TakesLifecycleRules(t *testing.T) {
	t.Parallel()
	b, ok := S3(t, Versioned)
	if !ok {
		return
	}
	_, err := b.Client.PutBucketLifecycleConfiguration(t.Context(), &s3.PutBucketLifecycleConfigurationInput{
		Bucket: &b.Bucket,
		LifecycleConfiguration: &types.BucketLifecycleConfiguration{Rules: []types.LifecycleRule{{
			ID:                          aws.String("expire"),
			Status:                      types.ExpirationStatusEnabled,
			Filter:                      &types.LifecycleRuleFilter{Prefix: aws.String("trash/")},
			NoncurrentVersionExpiration: &types.NoncurrentVersionExpiration{NoncurrentDays: aws.Int32(30)},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.Client.GetBucketLifecycleConfiguration(t.Context(),
		&s3.GetBucketLifecycleConfigurationInput{Bucket: &b.Bucket})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Rules) != 1 || got.Rules[0].NoncurrentVersionExpiration == nil {
		t.Errorf("the rule came back as %+v", got.Rules)
	}
}

// TestS3Removed leaves everything behind that resists removal.
func TestS3Removed(t *testing.T) {
	t.Parallel()
	client, ok := S3Client(t)
	if !ok {
		return
	}
	var bucket string
	t.Run("use", func(t *testing.T) {
		b, _ := S3(t, Locked)
		bucket = b.Bucket
		put(t, b, "deep/er/doc", "one")
		held := put(t, b, "held", "one")
		_, err := client.PutObjectLegalHold(t.Context(), &s3.PutObjectLegalHoldInput{
			Bucket: &bucket, Key: aws.String("held"), VersionId: &held,
			LegalHold: &types.ObjectLockLegalHold{Status: types.ObjectLockLegalHoldStatusOn},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.CreateMultipartUpload(t.Context(), &s3.CreateMultipartUploadInput{
			Bucket: &bucket, Key: aws.String("upload"),
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.DeleteObject(t.Context(), &s3.DeleteObjectInput{Bucket: &bucket, Key: aws.String("gone")})
		if err != nil {
			t.Fatal(err)
		}
	})
	_, err := client.HeadBucket(context.WithoutCancel(t.Context()), &s3.HeadBucketInput{Bucket: &bucket})
	var notFound *types.NotFound
	if !errors.As(err, &notFound) {
		t.Errorf("the bucket is still there: %v", err)
	}
}

func put(t *testing.T, b *S3Bucket, key, content string) (version string) {
	t.Helper()
	out, err := b.Client.PutObject(t.Context(), &s3.PutObjectInput{
		Bucket: &b.Bucket, Key: &key, Body: strings.NewReader(content),
	})
	if err != nil {
		t.Fatal(err)
	}
	return aws.ToString(out.VersionId)
}

func get(t *testing.T, b *S3Bucket, key, version string) string {
	t.Helper()
	out, err := b.Client.GetObject(t.Context(), &s3.GetObjectInput{
		Bucket: &b.Bucket, Key: &key, VersionId: &version,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer out.Body.Close()
	content, err := io.ReadAll(out.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
