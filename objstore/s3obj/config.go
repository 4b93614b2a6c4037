package s3obj

import (
	"context"
	"errors"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/softdelete-go/softdelete/objstore"
)

// Versioning reads the bucket's versioning status and its MFA delete.
func (b *Bucket) Versioning(ctx context.Context) (objstore.Versioning, error) {
	out, err := b.client.GetBucketVersioning(ctx, &s3.GetBucketVersioningInput{Bucket: aws.String(b.name)}, b.address)
	if err != nil {
		return objstore.Versioning{}, b.fail("versioning of", objstore.ID{}, err)
	}
	v := objstore.Versioning{
		Status:    objstore.Unversioned,
		MFADelete: out.MFADelete == types.MFADeleteStatusEnabled,
	}
	switch out.Status {
	case types.BucketVersioningStatusEnabled:
		v.Status = objstore.Versioned
	case types.BucketVersioningStatusSuspended:
		v.Status = objstore.Suspended
	}
	return v, nil
}

// Rules reads the bucket's lifecycle rules, in the order of the store.
func (b *Bucket) Rules(ctx context.Context) ([]objstore.Rule, error) {
	out, err := b.client.GetBucketLifecycleConfiguration(ctx, &s3.GetBucketLifecycleConfigurationInput{Bucket: aws.String(b.name)}, b.address)
	if codeOf(err) == "NoSuchLifecycleConfiguration" {
		return nil, nil
	}
	if err != nil {
		return nil, b.fail("lifecycle rules of", objstore.ID{}, err)
	}
	rules := make([]objstore.Rule, len(out.Rules))
	for i, r := range out.Rules {
		rules[i] = ruleOf(r)
	}
	return rules, nil
}

func ruleOf(r types.LifecycleRule) objstore.Rule {
	rule := objstore.Rule{
		ID:      aws.ToString(r.ID),
		Enabled: r.Status == types.ExpirationStatusEnabled,
		Prefix:  aws.ToString(r.Prefix), // the deprecated place
	}
	if f := r.Filter; f != nil {
		narrow(&rule, f.Prefix, f.Tag != nil, f.ObjectSizeGreaterThan, f.ObjectSizeLessThan)
		if and := f.And; and != nil {
			narrow(&rule, and.Prefix, len(and.Tags) > 0, and.ObjectSizeGreaterThan, and.ObjectSizeLessThan)
		}
	}
	if e := r.Expiration; e != nil {
		rule.ExpirationDays = int(aws.ToInt32(e.Days))
		rule.ExpirationDate = instant(e.Date)
	}
	if n := r.NoncurrentVersionExpiration; n != nil {
		rule.NoncurrentDays = int(aws.ToInt32(n.NoncurrentDays))
	}
	if a := r.AbortIncompleteMultipartUpload; a != nil {
		rule.AbortMultipartAfterDays = int(aws.ToInt32(a.DaysAfterInitiation))
	}
	return rule
}

func narrow(rule *objstore.Rule, prefix *string, tagged bool, over, under *int64) {
	if prefix != nil {
		rule.Prefix = *prefix
	}
	rule.Filtered = rule.Filtered || tagged || over != nil || under != nil
}

// Lock reads the retention and the legal hold of one version. Stores and
// buckets without object lock answer in several ways, each of which is a zero
// Lock; so is a delete marker, which cannot be locked.
func (b *Bucket) Lock(ctx context.Context, id objstore.ID) (objstore.Lock, error) {
	const op = "lock of"
	var lock objstore.Lock
	if err := checkKey(id.Key); err != nil {
		return lock, b.fail(op, id, err)
	}
	retention, err := b.client.GetObjectRetention(ctx, &s3.GetObjectRetentionInput{
		Bucket: aws.String(b.name), Key: aws.String(id.Key), VersionId: optional(id.Version),
	}, b.address)
	if err != nil && !lockless(err) {
		return lock, b.fail(op, id, err)
	}
	if err == nil && retention.Retention != nil {
		lock.Until = instant(retention.Retention.RetainUntilDate)
		lock.Governance = retention.Retention.Mode == types.ObjectLockRetentionModeGovernance
	}
	hold, err := b.client.GetObjectLegalHold(ctx, &s3.GetObjectLegalHoldInput{
		Bucket: aws.String(b.name), Key: aws.String(id.Key), VersionId: optional(id.Version),
	}, b.address)
	if err != nil && !lockless(err) {
		return objstore.Lock{}, b.fail(op, id, err)
	}
	if err == nil && hold.LegalHold != nil {
		lock.LegalHold = hold.LegalHold.Status == types.ObjectLockLegalHoldStatusOn
	}
	return lock, nil
}

func lockless(err error) bool {
	switch codeOf(err) {
	case "NoSuchObjectLockConfiguration", "ObjectLockConfigurationNotFoundError", "InvalidRequest", "MethodNotAllowed",
		"NoSuchObjectRetention", "NoSuchObjectLegalHold": // SeaweedFS
		return true
	}
	return errors.Is(kindOf(codeOf(err), statusOf(err)), errors.ErrUnsupported) || statusOf(err) == http.StatusMethodNotAllowed
}
