package memobj_test

import (
	"bytes"
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

func TestSDKBuckets(t *testing.T) {
	t.Parallel()
	clock := lifecycletest.NewClock(epoch)
	server := must[*memobj.Server](t)(memobj.NewServer(&memobj.Options{Clock: clock, Versioning: objstore.Versioned}))
	c := client(server.RoundTripper())
	must[*s3.CreateBucketOutput](t)(c.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: archive}))
	_, err := c.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: archive})
	wantCode(t, "again", err, "BucketAlreadyOwnedByYou")
	must[*s3.CreateBucketOutput](t)(c.CreateBucket(t.Context(), &s3.CreateBucketInput{
		Bucket: aws.String("locking"), ObjectLockEnabledForBucket: aws.Bool(true),
	}))
	list := must[*s3.ListBucketsOutput](t)(c.ListBuckets(t.Context(), &s3.ListBucketsInput{}))
	var names []string
	for _, b := range list.Buckets {
		names = append(names, *b.Name)
		equal(t, "created", epoch.Truncate(time.Millisecond), *b.CreationDate)
	}
	equal(t, "buckets", []string{"archive", "locking"}, names)
	store(t, server.Bucket("archive"), "k", "bytes")
	_, err = c.DeleteBucket(t.Context(), &s3.DeleteBucketInput{Bucket: archive})
	wantCode(t, "delete of a bucket in use", err, "BucketNotEmpty")
	must[*s3.DeleteBucketOutput](t)(c.DeleteBucket(t.Context(), &s3.DeleteBucketInput{Bucket: aws.String("locking")}))
	_, err = c.HeadBucket(t.Context(), &s3.HeadBucketInput{Bucket: aws.String("locking")})
	wantCode(t, "deleted bucket", err, "NotFound")
	_, err = c.GetObject(t.Context(), &s3.GetObjectInput{Bucket: aws.String("locking"), Key: aws.String("k")})
	wantCode(t, "object of a deleted bucket", err, "NoSuchBucket")
	if server.Bucket("locking") != nil {
		t.Error("the deleted bucket is still served")
	}
}

func TestSDKVersioning(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, nil)
	for _, want := range []types.BucketVersioningStatus{"", "Enabled", "Suspended", "Enabled"} {
		if want != "" {
			must[*s3.PutBucketVersioningOutput](t)(c.PutBucketVersioning(t.Context(), &s3.PutBucketVersioningInput{
				Bucket: archive, VersioningConfiguration: &types.VersioningConfiguration{Status: want},
			}))
		}
		got := must[*s3.GetBucketVersioningOutput](t)(c.GetBucketVersioning(t.Context(), &s3.GetBucketVersioningInput{Bucket: archive}))
		equal(t, "status", want, got.Status)
	}
	b.SetMFADelete(true)
	got := must[*s3.GetBucketVersioningOutput](t)(c.GetBucketVersioning(t.Context(), &s3.GetBucketVersioningInput{Bucket: archive}))
	equal(t, "MFA delete", types.MFADeleteStatusEnabled, got.MFADelete)
	_, err := c.PutBucketVersioning(t.Context(), &s3.PutBucketVersioningInput{
		Bucket: archive, VersioningConfiguration: &types.VersioningConfiguration{Status: "On"},
	})
	wantCode(t, "wrong status", err, "MalformedXML")
}

func TestSDKLifecycle(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, nil)
	get := func() ([]types.LifecycleRule, error) {
		out, err := c.GetBucketLifecycleConfiguration(t.Context(), &s3.GetBucketLifecycleConfigurationInput{Bucket: archive})
		if err != nil {
			return nil, err
		}
		return out.Rules, nil
	}
	_, err := get()
	wantCode(t, "no rules", err, "NoSuchLifecycleConfiguration")
	rule := func(change func(*types.LifecycleRule)) types.LifecycleRule {
		r := types.LifecycleRule{
			ID: aws.String("r"), Status: types.ExpirationStatusEnabled, Filter: &types.LifecycleRuleFilter{Prefix: aws.String("in/")},
			Expiration: &types.LifecycleExpiration{Days: aws.Int32(3)},
		}
		change(&r)
		return r
	}
	put := func(r types.LifecycleRule) error {
		_, err := c.PutBucketLifecycleConfiguration(t.Context(), &s3.PutBucketLifecycleConfigurationInput{
			Bucket: archive, LifecycleConfiguration: &types.BucketLifecycleConfiguration{Rules: []types.LifecycleRule{r}},
		})
		return err
	}
	tests := []struct {
		name string
		rule types.LifecycleRule
		want objstore.Rule
	}{
		{"prefix", rule(func(*types.LifecycleRule) {}), objstore.Rule{ID: "r", Enabled: true, Prefix: "in/", ExpirationDays: 3}},
		{"old prefix", rule(func(r *types.LifecycleRule) { r.Filter, r.Prefix = nil, aws.String("out/") }),
			objstore.Rule{ID: "r", Enabled: true, Prefix: "out/", ExpirationDays: 3}},
		{"tag", rule(func(r *types.LifecycleRule) {
			r.Filter = &types.LifecycleRuleFilter{Tag: &types.Tag{Key: aws.String("a"), Value: aws.String("b")}}
		}), objstore.Rule{ID: "r", Enabled: true, Filtered: true, ExpirationDays: 3}},
		{"and", rule(func(r *types.LifecycleRule) {
			r.Filter = &types.LifecycleRuleFilter{And: &types.LifecycleRuleAndOperator{Prefix: aws.String("x/"), ObjectSizeGreaterThan: aws.Int64(9)}}
		}), objstore.Rule{ID: "r", Enabled: true, Prefix: "x/", Filtered: true, ExpirationDays: 3}},
		{"date", rule(func(r *types.LifecycleRule) {
			r.Expiration = &types.LifecycleExpiration{Date: aws.Time(epoch.Truncate(day))}
		}), objstore.Rule{ID: "r", Enabled: true, Prefix: "in/", ExpirationDate: epoch.Truncate(day)}},
		{"disabled", rule(func(r *types.LifecycleRule) {
			r.Status, r.Expiration = types.ExpirationStatusDisabled, nil
			r.NoncurrentVersionExpiration = &types.NoncurrentVersionExpiration{NoncurrentDays: aws.Int32(2)}
			r.AbortIncompleteMultipartUpload = &types.AbortIncompleteMultipartUpload{DaysAfterInitiation: aws.Int32(1)}
		}), objstore.Rule{ID: "r", Prefix: "in/", NoncurrentDays: 2, AbortMultipartAfterDays: 1}},
	}
	for _, tt := range tests {
		if err := put(tt.rule); err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		equal(t, tt.name, []objstore.Rule{tt.want}, must[[]objstore.Rule](t)(b.Rules(t.Context())))
		equal(t, tt.name, "r", *must[[]types.LifecycleRule](t)(get())[0].ID)
	}
	wantCode(t, "no action", put(rule(func(r *types.LifecycleRule) { r.Expiration = nil })), "MalformedXML")
	must[*s3.DeleteBucketLifecycleOutput](t)(c.DeleteBucketLifecycle(t.Context(), &s3.DeleteBucketLifecycleInput{Bucket: archive}))
	_, err = get()
	wantCode(t, "no rules again", err, "NoSuchLifecycleConfiguration")
}

func TestSDKLock(t *testing.T) {
	t.Parallel()
	clock := lifecycletest.NewClock(epoch)
	c, b := sdk(t, &memobj.Options{Clock: clock, ObjectLock: true})
	id := store(t, b, "k", "bytes")
	retain := func(mode types.ObjectLockRetentionMode, until time.Time, bypass bool) error {
		_, err := c.PutObjectRetention(t.Context(), &s3.PutObjectRetentionInput{
			Bucket: archive, Key: &id.Key, VersionId: &id.Version, BypassGovernanceRetention: &bypass,
			Retention: &types.ObjectLockRetention{Mode: mode, RetainUntilDate: &until},
		})
		return err
	}
	remove := func(bypass bool) error {
		_, err := c.DeleteObject(t.Context(), &s3.DeleteObjectInput{
			Bucket: archive, Key: &id.Key, VersionId: &id.Version, BypassGovernanceRetention: &bypass,
		})
		return err
	}
	const governance, compliance = types.ObjectLockRetentionModeGovernance, types.ObjectLockRetentionModeCompliance
	_, err := c.GetObjectRetention(t.Context(), &s3.GetObjectRetentionInput{Bucket: archive, Key: &id.Key, VersionId: &id.Version})
	wantCode(t, "no retention", err, "NoSuchObjectLockConfiguration")
	steps := []struct {
		name string
		do   func() error
		want string // empty is success
	}{
		{"in the past", func() error { return retain(governance, epoch.Add(-day), false) }, "InvalidArgument"},
		{"governance", func() error { return retain(governance, epoch.Add(5*day), false) }, ""},
		{"delete", func() error { return remove(false) }, "AccessDenied"},
		{"shorter", func() error { return retain(governance, epoch.Add(4*day), false) }, "AccessDenied"},
		{"shorter, bypassed", func() error { return retain(governance, epoch.Add(4*day), true) }, ""},
		{"compliance", func() error { return retain(compliance, epoch.Add(4*day), false) }, ""},
		{"back to governance", func() error { return retain(governance, epoch.Add(9*day), true) }, "AccessDenied"},
		{"compliance, shorter", func() error { return retain(compliance, epoch.Add(3*day), true) }, "AccessDenied"},
		{"delete, bypassed", func() error { return remove(true) }, "AccessDenied"},
		{"longer", func() error { return retain(compliance, epoch.Add(6*day), false) }, ""},
	}
	for _, s := range steps {
		if err := s.do(); codeOf(err) != s.want || (err == nil) != (s.want == "") {
			t.Errorf("%s: %v, want %q", s.name, err, s.want)
		}
	}
	got := must[*s3.GetObjectRetentionOutput](t)(c.GetObjectRetention(t.Context(), &s3.GetObjectRetentionInput{Bucket: archive, Key: &id.Key, VersionId: &id.Version}))
	equal(t, "until", epoch.Add(6*day).Truncate(time.Second), got.Retention.RetainUntilDate.Truncate(time.Second))
	hold := func(status types.ObjectLockLegalHoldStatus) {
		must[*s3.PutObjectLegalHoldOutput](t)(c.PutObjectLegalHold(t.Context(), &s3.PutObjectLegalHoldInput{
			Bucket: archive, Key: &id.Key, VersionId: &id.Version, LegalHold: &types.ObjectLockLegalHold{Status: status},
		}))
		out := must[*s3.GetObjectLegalHoldOutput](t)(c.GetObjectLegalHold(t.Context(), &s3.GetObjectLegalHoldInput{Bucket: archive, Key: &id.Key, VersionId: &id.Version}))
		equal(t, "legal hold", status, out.LegalHold.Status)
	}
	hold(types.ObjectLockLegalHoldStatusOn)
	clock.Advance(30 * day)
	wantCode(t, "delete of a held one", remove(true), "AccessDenied")
	hold(types.ObjectLockLegalHoldStatusOff)
	if err := remove(false); err != nil {
		t.Error(err)
	}
}

func TestSDKDefaultRetention(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, &memobj.Options{Clock: lifecycletest.NewClock(epoch), Versioning: objstore.Versioned})
	_, err := c.GetObjectLockConfiguration(t.Context(), &s3.GetObjectLockConfigurationInput{Bucket: archive})
	wantCode(t, "no lock", err, "ObjectLockConfigurationNotFoundError")
	put := func(r types.DefaultRetention) error {
		_, err := c.PutObjectLockConfiguration(t.Context(), &s3.PutObjectLockConfigurationInput{
			Bucket: archive, ObjectLockConfiguration: &types.ObjectLockConfiguration{
				ObjectLockEnabled: types.ObjectLockEnabledEnabled, Rule: &types.ObjectLockRule{DefaultRetention: &r},
			},
		})
		return err
	}
	wantCode(t, "no length", put(types.DefaultRetention{Mode: "COMPLIANCE"}), "MalformedXML")
	wantCode(t, "two lengths", put(types.DefaultRetention{Mode: "COMPLIANCE", Days: aws.Int32(1), Years: aws.Int32(1)}), "MalformedXML")
	if err := put(types.DefaultRetention{Mode: "GOVERNANCE", Days: aws.Int32(2)}); err != nil {
		t.Fatal(err)
	}
	out := must[*s3.GetObjectLockConfigurationOutput](t)(c.GetObjectLockConfiguration(t.Context(), &s3.GetObjectLockConfigurationInput{Bucket: archive}))
	equal(t, "days", int32(2), aws.ToInt32(out.ObjectLockConfiguration.Rule.DefaultRetention.Days))
	id := store(t, b, "k", "bytes")
	equal(t, "lock", objstore.Lock{Until: epoch.Add(2 * day), Governance: true}, must[objstore.Lock](t)(b.Lock(t.Context(), id)))
}

func TestSDKMultipart(t *testing.T) {
	t.Parallel()
	clock := lifecycletest.NewClock(epoch)
	c, b := sdk(t, &memobj.Options{Clock: clock})
	key := aws.String("in/large")
	up := must[*s3.CreateMultipartUploadOutput](t)(c.CreateMultipartUpload(t.Context(), &s3.CreateMultipartUploadInput{Bucket: archive, Key: key}))
	clock.Advance(time.Hour)
	var parts []types.CompletedPart
	for i, content := range [][]byte{bytes.Repeat([]byte("a"), 5<<20), []byte("small"), []byte("last")} {
		n := aws.Int32(int32(i + 1))
		out := must[*s3.UploadPartOutput](t)(c.UploadPart(t.Context(), &s3.UploadPartInput{
			Bucket: archive, Key: key, UploadId: up.UploadId, PartNumber: n, Body: bytes.NewReader(content),
		}))
		parts = append(parts, types.CompletedPart{PartNumber: n, ETag: out.ETag})
	}
	complete := func(parts ...types.CompletedPart) error {
		_, err := c.CompleteMultipartUpload(t.Context(), &s3.CompleteMultipartUploadInput{
			Bucket: archive, Key: key, UploadId: up.UploadId, MultipartUpload: &types.CompletedMultipartUpload{Parts: parts},
		})
		return err
	}
	uploads := func() int {
		return len(must[*s3.ListMultipartUploadsOutput](t)(c.ListMultipartUploads(t.Context(), &s3.ListMultipartUploadsInput{Bucket: archive})).Uploads)
	}
	listed := must[*s3.ListPartsOutput](t)(c.ListParts(t.Context(), &s3.ListPartsInput{Bucket: archive, Key: key, UploadId: up.UploadId, MaxParts: aws.Int32(2)}))
	equal(t, "parts", []any{2, true}, []any{len(listed.Parts), aws.ToBool(listed.IsTruncated)})
	equal(t, "uploads and objects", []int{1, 0}, []int{uploads(), len(held(t, b))})
	wantCode(t, "small in the middle", complete(parts...), "EntityTooSmall")
	wantCode(t, "order", complete(parts[0], parts[0]), "InvalidPartOrder")
	wantCode(t, "etag", complete(types.CompletedPart{PartNumber: aws.Int32(1), ETag: aws.String("x")}), "InvalidPart")
	if err := complete(parts[0], parts[2]); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "twice", complete(parts[0], parts[2]), "NoSuchUpload")
	head := must[objstore.Object](t)(b.Head(t.Context(), objstore.ID{Key: *key}))
	equal(t, "size", int64(5<<20+4), head.Size)
	equal(t, "instant", epoch.Truncate(time.Second), head.Modified)
	if !strings.HasSuffix(head.ETag, "-2") {
		t.Errorf("etag %s, want that of two parts", head.ETag)
	}
	up = must[*s3.CreateMultipartUploadOutput](t)(c.CreateMultipartUpload(t.Context(), &s3.CreateMultipartUploadInput{Bucket: archive, Key: key}))
	b.SetRules(objstore.Rule{ID: "abort", Enabled: true, Prefix: "in/", AbortMultipartAfterDays: 1})
	clock.Advance(3 * day)
	equal(t, "aborted by the rule", []int{1, 0}, []int{b.ApplyLifecycle(), uploads()})
	_, err := c.AbortMultipartUpload(t.Context(), &s3.AbortMultipartUploadInput{Bucket: archive, Key: key, UploadId: up.UploadId})
	wantCode(t, "abort again", err, "NoSuchUpload")
}

// TestSDKRefuses what a fake that took it for something else would do harm with.
func TestSDKRefuses(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, nil)
	store(t, b, "k", "bytes")
	_, err := c.DeleteObjectTagging(t.Context(), &s3.DeleteObjectTaggingInput{Bucket: archive, Key: aws.String("k")})
	wantCode(t, "delete of tags", err, "NotImplemented")
	_, err = c.DeleteBucketPolicy(t.Context(), &s3.DeleteBucketPolicyInput{Bucket: archive})
	wantCode(t, "delete of a policy", err, "NotImplemented")
	_, err = c.ListObjects(t.Context(), &s3.ListObjectsInput{Bucket: archive})
	wantCode(t, "old listing", err, "NotImplemented")
	_, err = c.PutObject(t.Context(), &s3.PutObjectInput{Bucket: archive, Key: aws.String(strings.Repeat("k", 1025)), Body: strings.NewReader("")})
	wantCode(t, "long key", err, "KeyTooLongError")
	equal(t, "held", []string{"k bytes"}, held(t, b))
}
