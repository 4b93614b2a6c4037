package s3obj

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/objstore/objstoretest"
)

// features are those of every store behind this package.
func features() objstoretest.Features {
	return objstoretest.Features{
		SetVersioning: setVersioning, SetLock: setLock,
		NoEmptySegments: true,
		MarkersApart:    true, // the SDK takes the two lists of an answer apart
	}
}

func setVersioning(ctx context.Context, b objstore.Bucket, status objstore.VersioningStatus) error {
	s := types.BucketVersioningStatusEnabled
	if status == objstore.Suspended {
		s = types.BucketVersioningStatusSuspended
	}
	_, err := sdkOf(b).PutBucketVersioning(ctx, &s3.PutBucketVersioningInput{
		Bucket: aws.String(b.Name()), VersioningConfiguration: &types.VersioningConfiguration{Status: s},
	}, b.(*Bucket).address)
	return err
}

func setLock(ctx context.Context, b objstore.Bucket, id objstore.ID, lock objstore.Lock) error {
	hold := types.ObjectLockLegalHoldStatusOff
	if lock.LegalHold {
		hold = types.ObjectLockLegalHoldStatusOn
	}
	_, err := sdkOf(b).PutObjectLegalHold(ctx, &s3.PutObjectLegalHoldInput{
		Bucket: aws.String(b.Name()), Key: &id.Key, VersionId: &id.Version,
		LegalHold: &types.ObjectLockLegalHold{Status: hold},
	}, b.(*Bucket).address)
	if lock.Until.IsZero() {
		return err
	}
	_, retention := sdkOf(b).PutObjectRetention(ctx, &s3.PutObjectRetentionInput{
		Bucket: aws.String(b.Name()), Key: &id.Key, VersionId: &id.Version,
		Retention: &types.ObjectLockRetention{Mode: types.ObjectLockRetentionModeGovernance, RetainUntilDate: &lock.Until},
	}, b.(*Bucket).address)
	return errors.Join(err, retention)
}

func sdkOf(b objstore.Bucket) *s3.Client { return b.(*Bucket).client.(*s3.Client) }

func TestSuiteInMemory(t *testing.T) {
	t.Parallel()
	open := func(opts memobj.Options) func(*testing.T) objstore.Bucket {
		return func(t *testing.T) objstore.Bucket { return inMemory(t, opts) }
	}
	f := features()
	f.OpenLocked = open(memobj.Options{ObjectLock: true})
	objstoretest.Run(t, open(memobj.Options{}), f)
}

func inMemory(t *testing.T, opts memobj.Options) *Bucket {
	t.Helper()
	server, err := memobj.NewServer(nil)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := memobj.New("documents", &opts)
	if err != nil {
		t.Fatal(err)
	}
	server.Add(memory)
	client := newSDK(server.RoundTripper(), func(o *s3.Options) { o.BaseEndpoint = aws.String("http://store") })
	return storeBucket(t, client, "documents")
}

func TestSuiteOnServer(t *testing.T) {
	t.Parallel()
	if _, ok := testdb.S3Client(t); !ok {
		return
	}
	open := func(options ...testdb.BucketOption) func(*testing.T) objstore.Bucket {
		return func(t *testing.T) objstore.Bucket {
			bucket, _ := testdb.S3(t, options...)
			b := storeBucket(t, bucket.Client, bucket.Bucket)
			t.Cleanup(func() { tidy(b) })
			return b
		}
	}
	f := features()
	// SeaweedFS keeps objects as files, does not encode listings of versions, lists
	// the objects of a versioned bucket out of order, and keeps null delete markers
	// whose delete it acknowledges.
	f.Folders, f.ShortNames, f.RawListings, f.UnorderedObjects, f.Unsuspendable = true, true, true, true, true
	f.OpenLocked = open(testdb.Locked)
	objstoretest.Run(t, open(), f)
}

// tidy deletes what has no lock, keys that XML cannot hold among it, which the
// removal of the bucket does one by one or not at all. What is left shows there.
func tidy(b *Bucket) {
	ctx := context.Background()
	var ids []objstore.ID
	for o, err := range b.Versions(ctx, "", nil) {
		if err == nil {
			ids = append(ids, objstore.ID{Key: o.Key, Version: o.Version})
		}
	}
	for batch := range slices.Chunk(ids, objstore.MaxDelete) {
		_, _ = b.Delete(ctx, batch)
	}
	// SeaweedFS removes a bucket with what cannot be listed, and so deleted, in it.
	_, _ = sdkOf(b).DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: &b.name})
}
