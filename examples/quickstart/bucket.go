package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/softdelete-go/softdelete/internal/clock"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/objstore/s3obj"
)

// prefix is the managed part of the bucket. Nothing outside of it is listed.
const prefix objstore.Prefix = "quickstart/"

func systemNow() time.Time { return clock.System.Now().UTC().Truncate(time.Second) }

// named gives a bucket the name by which rows refer to it.
type named struct{ *s3obj.Bucket }

func (named) Name() string { return bucketName }

// openBucket opens a bucket of a real store, or one in this process. Both are
// spoken to by the same SDK in the same protocol.
func (w *world) openBucket(ctx context.Context, endpoint string) error {
	if endpoint == "" {
		return w.embeddedBucket()
	}
	u, err := url.Parse(endpoint)
	if err != nil {
		return fmt.Errorf("-s3: %w", err)
	}
	name := strings.Trim(u.Path, "/")
	if u.Host == "" || name == "" || strings.Contains(name, "/") {
		return fmt.Errorf("-s3: %q is not of the form http://host/bucket", endpoint)
	}
	u.Path = ""
	client := s3.New(s3.Options{
		BaseEndpoint: aws.String(u.String()), Region: "us-east-1", UsePathStyle: true,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: os.Getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY")}, nil
		}),
	})
	if err := w.createBucket(ctx, client, name); err != nil {
		return fmt.Errorf("-s3: %w", err)
	}
	return w.useBucket(ctx, client, name, "S3 at "+u.Host)
}

func (w *world) embeddedBucket() error {
	server, err := memobj.NewServer(nil)
	if err != nil {
		return err
	}
	memory, err := memobj.New(bucketName, &memobj.Options{Clock: w.clock, Versioning: objstore.Versioned})
	if err != nil {
		return err
	}
	server.Add(memory)
	w.ours = true
	client := s3.New(s3.Options{
		BaseEndpoint: aws.String("http://embedded"), Region: "us-east-1", UsePathStyle: true,
		HTTPClient: &http.Client{Transport: server.RoundTripper()},
	})
	return w.useBucket(context.Background(), client, bucketName, "an S3 bucket in this process")
}

func (w *world) useBucket(ctx context.Context, client *s3.Client, name, where string) error {
	b, err := s3obj.New(client, name, &s3obj.Options{Clock: w.clock})
	if err != nil {
		return err
	}
	w.bucket, w.where = named{b}, w.where+" and "+where
	for o, err := range w.bucket.Versions(ctx, string(prefix), nil) {
		if err != nil {
			return err
		}
		return fmt.Errorf("the bucket already holds %s (was a quickstart left with -keep?)", o.Key)
	}
	w.undo = append(w.undo, func() error { return w.emptyBucket(context.WithoutCancel(ctx)) })
	return nil
}

// createBucket makes a bucket with versions, unless there is one already.
func (w *world) createBucket(ctx context.Context, client *s3.Client, name string) error {
	_, err := client.HeadBucket(ctx, &s3.HeadBucketInput{Bucket: aws.String(name)})
	var missing *types.NotFound
	if !errors.As(err, &missing) {
		return err
	}
	if _, err := client.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String(name)}); err != nil {
		return err
	}
	w.undo = append(w.undo, func() error {
		_, err := client.DeleteBucket(context.WithoutCancel(ctx), &s3.DeleteBucketInput{Bucket: aws.String(name)})
		return err
	})
	_, err = client.PutBucketVersioning(ctx, &s3.PutBucketVersioningInput{
		Bucket:                  aws.String(name),
		VersioningConfiguration: &types.VersioningConfiguration{Status: types.BucketVersioningStatusEnabled},
	})
	return err
}

// emptyBucket removes every version under the prefix.
func (w *world) emptyBucket(ctx context.Context) error {
	for {
		var ids []objstore.ID
		for o, err := range w.bucket.Versions(ctx, string(prefix), nil) {
			if err != nil {
				return err
			}
			if ids = append(ids, objstore.ID{Key: o.Key, Version: o.Version}); len(ids) == objstore.MaxDelete {
				break
			}
		}
		if len(ids) == 0 {
			return nil
		}
		results, err := w.bucket.Delete(ctx, ids)
		for _, r := range results {
			err = errors.Join(err, r.Err)
		}
		if err != nil {
			return err
		}
	}
}
