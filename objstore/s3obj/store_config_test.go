package s3obj

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/objstore"
)

func TestStoresKeepLockedVersions(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, b *Bucket) {
		retained, held, free := store(t, b, "k", "retained"), store(t, b, "k", "held"), store(t, b, "k", "free")
		client := b.client.(*s3.Client)
		until := time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
		_, err := client.PutObjectRetention(t.Context(), &s3.PutObjectRetentionInput{
			Bucket: &b.name, Key: aws.String("k"), VersionId: &retained.Version,
			Retention: &types.ObjectLockRetention{Mode: types.ObjectLockRetentionModeGovernance, RetainUntilDate: &until},
		}, b.address)
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.PutObjectLegalHold(t.Context(), &s3.PutObjectLegalHoldInput{
			Bucket: &b.name, Key: aws.String("k"), VersionId: &held.Version,
			LegalHold: &types.ObjectLockLegalHold{Status: types.ObjectLockLegalHoldStatusOn},
		}, b.address)
		if err != nil {
			t.Fatal(err)
		}
		tests := []struct {
			version string
			lock    objstore.Lock
			want    error
		}{
			{version: retained.Version, lock: objstore.Lock{Until: until, Governance: true}, want: objstore.ErrLocked},
			{version: held.Version, lock: objstore.Lock{LegalHold: true}, want: objstore.ErrLocked},
			{version: free.Version},
		}
		var ids []objstore.ID
		for _, test := range tests {
			id := objstore.ID{Key: "k", Version: test.version}
			ids = append(ids, id)
			lock, err := b.Lock(t.Context(), id)
			if diff := cmp.Diff(test.lock, lock); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", id.Version, err, diff)
			}
		}
		results, err := b.Delete(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		for i, test := range tests {
			if !errors.Is(results[i].Err, test.want) {
				t.Errorf("%s: %v, want %v", test.version, results[i].Err, test.want)
			}
		}
		checkVersions(t, b, "retained", "held")
	}, testdb.Locked)
}

func TestStoresTellTheirRules(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, b *Bucket) {
		if rules, err := b.Rules(t.Context()); err != nil || len(rules) > 0 {
			t.Errorf("none: %v, %v", rules, err)
		}
		_, err := b.client.(*s3.Client).PutBucketLifecycleConfiguration(t.Context(), &s3.PutBucketLifecycleConfigurationInput{
			Bucket: &b.name,
			LifecycleConfiguration: &types.BucketLifecycleConfiguration{Rules: []types.LifecycleRule{{
				ID: aws.String("week"), Status: types.ExpirationStatusEnabled,
				Filter:     &types.LifecycleRuleFilter{Prefix: aws.String("tmp/")},
				Expiration: &types.LifecycleExpiration{Days: aws.Int32(7)},
			}}},
		}, b.address)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := b.Rules(t.Context())
		want := []objstore.Rule{{ID: "week", Enabled: true, Prefix: "tmp/", ExpirationDays: 7}}
		if diff := cmp.Diff(want, rules); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}

// TestStoresWithoutTheBucket: no object is missing because its bucket is.
func TestStoresWithoutTheBucket(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, b *Bucket) {
		none := storeBucket(t, b.client, "softdelete-no-such-bucket")
		_, head := none.Head(t.Context(), objstore.ID{Key: "k"})
		_, open := none.Open(t.Context(), objstore.ID{Key: "k"})
		_, objects := collect(t, none.Objects(t.Context(), "", nil))
		_, versions := collect(t, none.Versions(t.Context(), "", nil))
		_, versioning := none.Versioning(t.Context())
		_, rules := none.Rules(t.Context())
		_, batch := none.Delete(t.Context(), []objstore.ID{{Key: "k"}})
		for _, err := range []error{head, open, objects, versions, versioning, rules, batch} {
			checkKind(t, err, nil)
		}
		results, err := none.Delete(t.Context(), []objstore.ID{{Key: "k\x01"}})
		if err != nil || results[0].Err == nil {
			t.Errorf("a single delete: %v, %v", results, err)
		}
	})
}
