package s3obj

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
)

func TestVersioning(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		out  s3.GetBucketVersioningOutput
		err  error
		want objstore.Versioning
		kind error
	}{
		{name: "never", want: objstore.Versioning{Status: objstore.Unversioned}},
		{name: "on", out: s3.GetBucketVersioningOutput{Status: types.BucketVersioningStatusEnabled}, want: objstore.Versioning{Status: objstore.Versioned}},
		{name: "suspended", out: s3.GetBucketVersioningOutput{Status: types.BucketVersioningStatusSuspended}, want: objstore.Versioning{Status: objstore.Suspended}},
		{
			name: "hardware token",
			out:  s3.GetBucketVersioningOutput{Status: types.BucketVersioningStatusEnabled, MFADelete: types.MFADeleteStatusEnabled},
			want: objstore.Versioning{Status: objstore.Versioned, MFADelete: true},
		},
		{name: "denied", err: answer{code: "AccessDenied", status: 403}, kind: fs.ErrPermission},
		{name: "unknown to the store", err: answer{code: "NotImplemented", status: 501}, kind: errors.ErrUnsupported},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, &fake{versioning: func() (*s3.GetBucketVersioningOutput, error) { return &test.out, test.err }})
			got, err := b.Versioning(t.Context())
			if test.err != nil {
				checkKind(t, err, test.kind)
			} else if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		rule types.LifecycleRule
		want objstore.Rule
	}{
		{
			name: "expiration",
			rule: types.LifecycleRule{
				ID: aws.String("r"), Status: types.ExpirationStatusEnabled,
				Filter:     &types.LifecycleRuleFilter{Prefix: aws.String("in/")},
				Expiration: &types.LifecycleExpiration{Days: aws.Int32(7)},
			},
			want: objstore.Rule{ID: "r", Enabled: true, Prefix: "in/", ExpirationDays: 7},
		},
		{
			name: "date, with the prefix where it was",
			rule: types.LifecycleRule{
				Status: types.ExpirationStatusDisabled, Prefix: aws.String("in/"),
				Expiration: &types.LifecycleExpiration{Date: aws.Time(now)},
			},
			want: objstore.Rule{Prefix: "in/", ExpirationDate: now},
		},
		{
			name: "tag",
			rule: types.LifecycleRule{Filter: &types.LifecycleRuleFilter{Tag: &types.Tag{}}},
			want: objstore.Rule{Filtered: true},
		},
		{
			name: "prefix and size",
			rule: types.LifecycleRule{Filter: &types.LifecycleRuleFilter{And: &types.LifecycleRuleAndOperator{
				Prefix: aws.String("in/"), ObjectSizeLessThan: aws.Int64(9),
			}}},
			want: objstore.Rule{Prefix: "in/", Filtered: true},
		},
		{
			name: "noncurrent versions and uploads",
			rule: types.LifecycleRule{
				NoncurrentVersionExpiration:    &types.NoncurrentVersionExpiration{NoncurrentDays: aws.Int32(3)},
				AbortIncompleteMultipartUpload: &types.AbortIncompleteMultipartUpload{DaysAfterInitiation: aws.Int32(2)},
			},
			want: objstore.Rule{NoncurrentDays: 3, AbortMultipartAfterDays: 2},
		},
		{
			name: "another action",
			rule: types.LifecycleRule{ID: aws.String("r"), Expiration: &types.LifecycleExpiration{ExpiredObjectDeleteMarker: aws.Bool(true)}},
			want: objstore.Rule{ID: "r"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, &fake{lifecycle: func() (*s3.GetBucketLifecycleConfigurationOutput, error) {
				return &s3.GetBucketLifecycleConfigurationOutput{Rules: []types.LifecycleRule{test.rule, {ID: aws.String("last")}}}, nil
			}})
			got, err := b.Rules(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]objstore.Rule{test.want, {ID: "last"}}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoRules(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		code string
		good bool
		want error
	}{
		{name: "none", code: "NoSuchLifecycleConfiguration", good: true},
		{name: "no bucket", code: "NoSuchBucket"},
		{name: "denied", code: "AccessDenied", want: fs.ErrPermission},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, &fake{lifecycle: func() (*s3.GetBucketLifecycleConfigurationOutput, error) {
				return nil, answer{code: test.code}
			}})
			rules, err := b.Rules(t.Context())
			if len(rules) > 0 || test.good != (err == nil) {
				t.Errorf("got %v, %v", rules, err)
			}
			if !test.good {
				checkKind(t, err, test.want)
			}
		})
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	retained := &s3.GetObjectRetentionOutput{Retention: &types.ObjectLockRetention{
		Mode: types.ObjectLockRetentionModeGovernance, RetainUntilDate: aws.Time(now),
	}}
	held := &s3.GetObjectLegalHoldOutput{LegalHold: &types.ObjectLockLegalHold{Status: types.ObjectLockLegalHoldStatusOn}}
	code := func(c string) error { return answer{code: c} }
	tests := []struct {
		name            string
		retention, hold error // nil is a lock
		want            objstore.Lock
		bad             bool
		kind            error
	}{
		{name: "both", want: objstore.Lock{LegalHold: true, Until: now, Governance: true}},
		{name: "retention", hold: code("NoSuchObjectLockConfiguration"), want: objstore.Lock{Until: now, Governance: true}},
		{name: "retention, as SeaweedFS says it", hold: code("NoSuchObjectLegalHold"), want: objstore.Lock{Until: now, Governance: true}},
		{name: "hold", retention: code("NoSuchObjectLockConfiguration"), want: objstore.Lock{LegalHold: true}},
		{name: "bucket without locks", retention: code("InvalidRequest"), hold: code("ObjectLockConfigurationNotFoundError")},
		{name: "store without locks", retention: code("NotImplemented"), hold: answer{status: 501}},
		{name: "delete marker", retention: code("MethodNotAllowed"), hold: answer{status: 405}},
		{name: "retention unknown", retention: code("AccessDenied"), bad: true, kind: fs.ErrPermission},
		{name: "hold unknown", hold: code("InternalError"), bad: true},
		{name: "no version", retention: code("NoSuchVersion"), bad: true, kind: fs.ErrNotExist},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, &fake{
				retention: func(*s3.GetObjectRetentionInput) (*s3.GetObjectRetentionOutput, error) {
					return retained, test.retention
				},
				hold: func(*s3.GetObjectLegalHoldInput) (*s3.GetObjectLegalHoldOutput, error) { return held, test.hold },
			})
			got, err := b.Lock(t.Context(), objstore.ID{Key: "k", Version: "v"})
			if test.bad {
				checkKind(t, err, test.kind)
			} else if err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
