package s3obj

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/softdelete-go/softdelete/objstore"
)

// address is what every request asks of the SDK: a store with an endpoint of its
// own seldom has a host name for each bucket.
func (b *Bucket) address(o *s3.Options) {
	if o.BaseEndpoint != nil && !b.virtualHost {
		o.UsePathStyle = true
	}
}

// deletion is what requests that delete ask in addition.
func (b *Bucket) deletion(o *s3.Options) {
	b.address(o)
	o.Retryer = b.retryer
}

// newRetryer makes the retryer of deletes. The one of the client shares a quota
// of retries between all its requests, and a storm of refused deletes empties it
// within a second; then a request that serves a user is no longer tried again
// either. Throttling is not tried again at all: a batch counts by its entries,
// so that only the caller can slow down enough.
func newRetryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.RateLimiter = ratelimit.None
		o.Retryables = append([]retry.IsErrorRetryable{retry.IsErrorRetryableFunc(notThrottled)}, o.Retryables...)
	})
}

// notThrottled stops the retries of a throttled request, and has no opinion of
// others.
func notThrottled(err error) aws.Ternary {
	if errors.Is(kindOf(codeOf(err), statusOf(err)), objstore.ErrThrottled) {
		return aws.FalseTernary
	}
	return aws.UnknownTernary
}
