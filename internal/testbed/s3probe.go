//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// s3Client returns a client which leaves trying again to its caller.
func s3Client(endpoint, accessKey, secretKey string) *s3.Client {
	return s3.New(s3.Options{
		BaseEndpoint: aws.String(endpoint),
		Region:       "us-east-1",
		UsePathStyle: true,
		HTTPClient:   &http.Client{Timeout: 5 * time.Second},
		Retryer:      aws.NopRetryer{},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: accessKey, SecretAccessKey: secretKey}, nil
		}),
	})
}

// probeS3 writes an object, reads it, and removes it with its bucket: the
// server answers some time before it has a place for objects.
func probeS3(ctx context.Context, client *s3.Client) error {
	bucket, key := aws.String("testbed-probe"), aws.String("key")
	_, err := client.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: bucket})
	var exists *types.BucketAlreadyOwnedByYou
	if err != nil && !errors.As(err, &exists) {
		return err
	}
	const content = "ready?"
	put := &s3.PutObjectInput{Bucket: bucket, Key: key, Body: strings.NewReader(content)}
	if _, err := client.PutObject(ctx, put); err != nil {
		return err
	}
	object, err := client.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: key})
	if err != nil {
		return err
	}
	defer object.Body.Close()
	got, err := io.ReadAll(object.Body)
	if err != nil {
		return err
	}
	if string(got) != content {
		return fmt.Errorf("read %q after writing %q", got, content)
	}
	if _, err := client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: bucket, Key: key}); err != nil {
		return err
	}
	_, err = client.DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: bucket})
	return err
}
