// Package s3obj is an objstore.Bucket over aws-sdk-go-v2.
//
// The SDK speaks the protocol; this package keeps the promises of objstore on
// stores that are not all alike. Each of its rules answers to a failure that
// was seen: listings that end early without an error, keys that arrive encoded,
// a batch delete that acknowledges nothing, or another object.
//
//	client := s3.NewFromConfig(cfg)
//	bucket, err := s3obj.New(client, "documents", nil)
//	if err != nil {
//		return err
//	}
//	reclaimer, err := objstore.NewReclaimer(bucket, ledger, nil)
//
// # Stores
//
// It runs on Amazon S3 and on what speaks its protocol, over TLS or not, and
// needs of the store: listings in byte order, version ids in markers, and an
// acknowledgement for each entry of a batch delete. A store without them is
// noticed, and is an error: [objstore.ErrIncomplete] and
// [objstore.ErrUnacknowledged]. Directory buckets, which do not list in order,
// are therefore refused by the first listing.
//
// # Errors
//
// Every error names the operation, the bucket and the key, and wraps both the
// SDK's error and what objstore calls it: [fs.ErrNotExist], [fs.ErrPermission],
// [objstore.ErrThrottled], [objstore.ErrExists], [errors.ErrUnsupported] for
// requests the store does not implement. A missing bucket is none of them.
//
// # Retries
//
// Reads and writes are tried again by the client's own retryer. Requests that
// delete have another one, with the SDK's usual number of attempts, which takes
// nothing from the client's quota of retries and never repeats what the store
// throttled. Refused entries of a batch are not tried again: see
// [Bucket.Delete].
//
// # Endpoints
//
// With a client that has a BaseEndpoint, requests are of the path style, unless
// Options.VirtualHost is set. An endpoint resolver of the client's decides for
// itself.
//
// # Concurrency
//
// A Bucket holds no state; any number of goroutines may use it.
package s3obj
