// Package objstoretest is the conformance suite of buckets: every adapter of
// this module runs it, and so can one of yours.
//
//	func TestConformance(t *testing.T) {
//		objstoretest.Run(t, func(t *testing.T) objstore.Bucket {
//			return open(t) // fresh and empty
//		}, objstoretest.Features{})
//	}
//
// What it asks for is what the reclaimer and the sweeper of package objstore
// stand on, and mostly what other stores were seen to break: listings out of
// order, keys that come back as other keys, deletes that are acknowledged and
// not done, null versions that stay.
//
// Check asks the same of a live bucket, before a program is let loose on it:
//
//	if err := objstoretest.Check(ctx, bucket); err != nil {
//		return err // each finding on a line of its own
//	}
//
// Check works in objects of its own under a random prefix. It leaves the
// bucket's configuration and every other object alone.
//
// # Features
//
// The zero Features is a store that does all that S3 does to objects. Each field
// is one difference between products, and says what the suite wants in its
// place: a difference changes a test, it never removes one silently.
//
// # Errors
//
// Findings name the probe that made them and say what was got and what was
// wanted. A probe goes on behind a finding where it can.
package objstoretest
