// Package memobj is a bucket in memory that behaves as an S3 bucket does,
// because a fake that is kinder than S3 hides the faults that lose data.
//
// A Bucket is used directly, as any objstore.Bucket, or through a Server, which
// speaks the S3 protocol over any number of buckets: as an http.Handler on a
// socket, or as an http.RoundTripper without one, so that an S3 client runs
// inside testing/synctest.
//
//	b, err := memobj.New("archive", &memobj.Options{Versioning: objstore.Versioned})
//	obj, err := b.Put(ctx, "in/a", strings.NewReader("bytes"), 5, nil)
//
//	srv, err := memobj.NewServer(nil)
//	srv.Add(b)
//	client := s3.New(s3.Options{
//		HTTPClient:   &http.Client{Transport: srv.RoundTripper()},
//		BaseEndpoint: aws.String("http://memobj"),
//		UsePathStyle: true,
//	})
//
// It is kept in memory and forgotten with the Bucket. What it leaves out: tags,
// ACLs, policies, encryption, signatures (every caller may do everything), the
// old listing without list-type=2, and uploads by copying parts.
//
// # Differences from S3
//
// Version ids and ETags are the same in every run. A batch delete answers its
// entries in the reverse order, since S3 promises none. The version of a
// completed upload is the newest by its completion, although its Modified is,
// as in S3, the instant of the upload's initiation.
//
// # Errors
//
// Direct calls return the sentinels of package objstore and io/fs, and keep S3's
// own error code, a Code, in the chain. Options.Fault makes calls fail.
//
// # Concurrency
//
// Every type of this package is safe for use by many goroutines. It starts none.
package memobj
