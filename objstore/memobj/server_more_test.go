package memobj_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

func TestSDKUploads(t *testing.T) {
	t.Parallel()
	clock := lifecycletest.NewClock(epoch)
	c, _ := sdk(t, &memobj.Options{Clock: clock})
	var ids []string
	for _, key := range []string{"b", "a", "b", "in/c", "a"} {
		out := must[*s3.CreateMultipartUploadOutput](t)(c.CreateMultipartUpload(t.Context(), &s3.CreateMultipartUploadInput{Bucket: archive, Key: &key}))
		ids = append(ids, *out.UploadId)
		clock.Advance(time.Minute)
	}
	list := func(in s3.ListMultipartUploadsInput) (got []string) {
		in.Bucket = archive
		for {
			out := must[*s3.ListMultipartUploadsOutput](t)(c.ListMultipartUploads(t.Context(), &in))
			for _, u := range out.Uploads {
				for i, id := range ids {
					if id == *u.UploadId {
						got = append(got, fmt.Sprint(*u.Key, i))
					}
				}
			}
			if !aws.ToBool(out.IsTruncated) {
				return got
			}
			in.KeyMarker, in.UploadIdMarker = out.NextKeyMarker, out.NextUploadIdMarker
		}
	}
	for _, page := range []int32{1, 2, 3, 1000} {
		equal(t, "all", []string{"a1", "a4", "b0", "b2", "in/c3"}, list(s3.ListMultipartUploadsInput{MaxUploads: &page}))
	}
	equal(t, "prefix", []string{"in/c3"}, list(s3.ListMultipartUploadsInput{Prefix: aws.String("in/")}))
	equal(t, "behind a key", []string{"b0", "b2", "in/c3"}, list(s3.ListMultipartUploadsInput{KeyMarker: aws.String("a")}))
	must[*s3.AbortMultipartUploadOutput](t)(c.AbortMultipartUpload(t.Context(), &s3.AbortMultipartUploadInput{Bucket: archive, Key: aws.String("a"), UploadId: &ids[1]}))
	equal(t, "one aborted", []string{"a4"}, list(s3.ListMultipartUploadsInput{Prefix: aws.String("a")}))
	part := func(key, id string, number int32) error {
		_, err := c.UploadPart(t.Context(), &s3.UploadPartInput{
			Bucket: archive, Key: &key, UploadId: &id, PartNumber: &number, Body: strings.NewReader("bytes"),
		})
		return err
	}
	wantCode(t, "part of an aborted upload", part("a", ids[1], 1), "NoSuchUpload")
	wantCode(t, "part of another key's upload", part("a", ids[0], 1), "NoSuchUpload")
	wantCode(t, "part 10,001", part("b", ids[0], 10001), "InvalidArgument")
	_, err := c.ListParts(t.Context(), &s3.ListPartsInput{Bucket: archive, Key: aws.String("a"), UploadId: &ids[1]})
	wantCode(t, "parts of an aborted upload", err, "NoSuchUpload")
}

// TestSDKPutLocked puts a version with its lock, which reads tell.
func TestSDKPutLocked(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, &memobj.Options{Clock: lifecycletest.NewClock(epoch), ObjectLock: true})
	until := epoch.Add(day).Truncate(time.Second)
	put := func(bucket *string) (*s3.PutObjectOutput, error) {
		return c.PutObject(t.Context(), &s3.PutObjectInput{
			Bucket: bucket, Key: aws.String("k"), Body: strings.NewReader("bytes"), ObjectLockRetainUntilDate: &until,
			ObjectLockMode: types.ObjectLockModeGovernance, ObjectLockLegalHoldStatus: types.ObjectLockLegalHoldStatusOn,
		})
	}
	out := must[*s3.PutObjectOutput](t)(put(archive))
	id := objstore.ID{Key: "k", Version: *out.VersionId}
	equal(t, "lock", objstore.Lock{LegalHold: true, Until: until, Governance: true}, must[objstore.Lock](t)(b.Lock(t.Context(), id)))
	head := must[*s3.HeadObjectOutput](t)(c.HeadObject(t.Context(), &s3.HeadObjectInput{Bucket: archive, Key: aws.String("k")}))
	equal(t, "mode", types.ObjectLockModeGovernance, head.ObjectLockMode)
	equal(t, "legal hold", types.ObjectLockLegalHoldStatusOn, head.ObjectLockLegalHoldStatus)
	equal(t, "until", until, *head.ObjectLockRetainUntilDate)
	must[*s3.CreateBucketOutput](t)(c.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("locking"), ObjectLockEnabledForBucket: aws.Bool(true)}))

	other, plain := sdk(t, nil)
	_, err := other.PutObject(t.Context(), &s3.PutObjectInput{
		Bucket: archive, Key: aws.String("k"), Body: strings.NewReader(""), ObjectLockLegalHoldStatus: types.ObjectLockLegalHoldStatusOn,
	})
	wantCode(t, "lock in a bucket without", err, "InvalidRequest")
	_, err = other.GetObjectLegalHold(t.Context(), &s3.GetObjectLegalHoldInput{Bucket: archive, Key: aws.String("k")})
	wantCode(t, "hold of a bucket without", err, "InvalidRequest")
	equal(t, "held", []string(nil), held(t, plain))
}

func TestSDKCopyMetadata(t *testing.T) {
	t.Parallel()
	c, _ := sdk(t, nil)
	must[*s3.PutObjectOutput](t)(c.PutObject(t.Context(), &s3.PutObjectInput{
		Bucket: archive, Key: aws.String("a"), Body: strings.NewReader("bytes"), ContentType: aws.String("text/plain"), Metadata: map[string]string{"k": "old"},
	}))
	for _, tt := range []struct {
		name      string
		directive types.MetadataDirective
		want      []string
	}{
		{"kept", "", []string{"text/plain", "old"}},
		{"copied", types.MetadataDirectiveCopy, []string{"text/plain", "old"}},
		{"replaced", types.MetadataDirectiveReplace, []string{"text/html", "new"}},
	} {
		must[*s3.CopyObjectOutput](t)(c.CopyObject(t.Context(), &s3.CopyObjectInput{
			Bucket: archive, Key: aws.String("b"), CopySource: aws.String("/archive/a"), MetadataDirective: tt.directive,
			ContentType: aws.String("text/html"), Metadata: map[string]string{"k": "new"},
		}))
		head := must[*s3.HeadObjectOutput](t)(c.HeadObject(t.Context(), &s3.HeadObjectInput{Bucket: archive, Key: aws.String("b")}))
		equal(t, tt.name, tt.want, []string{*head.ContentType, head.Metadata["k"]})
	}
	for source, code := range map[string]string{"none/a": "NoSuchBucket", "archive/%zz": "InvalidArgument", "archive/a?%zz": "InvalidArgument"} {
		_, err := c.CopyObject(t.Context(), &s3.CopyObjectInput{Bucket: archive, Key: aws.String("b"), CopySource: &source})
		wantCode(t, source, err, code)
	}
}

// TestSDKRawKeys: what XML can hold comes unharmed without an encoding too.
func TestSDKRawKeys(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, nil)
	want := []string{"\tx", "a&b", "a'b", "a<b>", "a\rb", "a\"b", "a\nb", "é", "\U0001F600"}
	for _, key := range want {
		store(t, b, key, "bytes")
	}
	out := must[*s3.ListObjectsV2Output](t)(c.ListObjectsV2(t.Context(), &s3.ListObjectsV2Input{Bucket: archive}))
	got := map[string]bool{}
	for _, o := range out.Contents {
		got[*o.Key] = true
	}
	for _, key := range want {
		if !got[key] {
			t.Errorf("%q is not listed: %v", key, got)
		}
	}
	must[*s3.HeadBucketOutput](t)(c.HeadBucket(t.Context(), &s3.HeadBucketInput{Bucket: archive}))
}

// TestSDKFaults: each kind of call can be made to fail, by its name.
func TestSDKFaults(t *testing.T) {
	t.Parallel()
	key, id := aws.String("k"), aws.String("0")
	calls := map[memobj.Op]func(c *s3.Client) error{
		memobj.OpCopy: func(c *s3.Client) error {
			_, err := c.CopyObject(t.Context(), &s3.CopyObjectInput{Bucket: archive, Key: key, CopySource: aws.String("archive/k")})
			return err
		},
		memobj.OpDelete: func(c *s3.Client) error {
			_, err := c.DeleteObject(t.Context(), &s3.DeleteObjectInput{Bucket: archive, Key: key})
			return err
		},
		memobj.OpCreateUpload: func(c *s3.Client) error {
			_, err := c.CreateMultipartUpload(t.Context(), &s3.CreateMultipartUploadInput{Bucket: archive, Key: key})
			return err
		},
		memobj.OpUploadPart: func(c *s3.Client) error {
			_, err := c.UploadPart(t.Context(), &s3.UploadPartInput{Bucket: archive, Key: key, UploadId: id, PartNumber: aws.Int32(1), Body: strings.NewReader("")})
			return err
		},
		memobj.OpCompleteUpload: func(c *s3.Client) error {
			_, err := c.CompleteMultipartUpload(t.Context(), &s3.CompleteMultipartUploadInput{Bucket: archive, Key: key, UploadId: id, MultipartUpload: &types.CompletedMultipartUpload{
				Parts: []types.CompletedPart{{PartNumber: aws.Int32(1), ETag: id}},
			}})
			return err
		},
		memobj.OpAbortUpload: func(c *s3.Client) error {
			_, err := c.AbortMultipartUpload(t.Context(), &s3.AbortMultipartUploadInput{Bucket: archive, Key: key, UploadId: id})
			return err
		},
		memobj.OpListUploads: func(c *s3.Client) error {
			_, err := c.ListMultipartUploads(t.Context(), &s3.ListMultipartUploadsInput{Bucket: archive})
			return err
		},
		memobj.OpListParts: func(c *s3.Client) error {
			_, err := c.ListParts(t.Context(), &s3.ListPartsInput{Bucket: archive, Key: key, UploadId: id})
			return err
		},
		memobj.OpRules: func(c *s3.Client) error {
			_, err := c.GetBucketLifecycleConfiguration(t.Context(), &s3.GetBucketLifecycleConfigurationInput{Bucket: archive})
			return err
		},
		memobj.OpVersioning: func(c *s3.Client) error {
			_, err := c.GetBucketVersioning(t.Context(), &s3.GetBucketVersioningInput{Bucket: archive})
			return err
		},
	}
	for op, call := range calls {
		t.Run(string(op), func(t *testing.T) {
			t.Parallel()
			b, fault := faulty(t, memobj.Options{})
			store(t, b, "k", "bytes")
			server := must[*memobj.Server](t)(memobj.NewServer(nil))
			server.Add(b)
			fault.Before = memobj.AccessDenied
			wantCode(t, string(op), call(client(server.RoundTripper())), "AccessDenied")
			*fault = memobj.Fault{}
			equal(t, "held", []string{"k bytes"}, held(t, b))
		})
	}
}
