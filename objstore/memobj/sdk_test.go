package memobj_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

// sdk serves a bucket named archive to the SDK, without a socket.
func sdk(t *testing.T, opts *memobj.Options) (*s3.Client, *memobj.Bucket) {
	t.Helper()
	b := open(t, opts)
	server, err := memobj.NewServer(opts)
	if err != nil {
		t.Fatal(err)
	}
	server.Add(b)
	return client(server.RoundTripper()), b
}

func client(transport http.RoundTripper) *s3.Client {
	return s3.New(s3.Options{
		HTTPClient:                 &http.Client{Transport: transport},
		BaseEndpoint:               aws.String("http://memobj"),
		UsePathStyle:               true,
		Region:                     "us-east-1",
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenSupported,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenSupported,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "any", SecretAccessKey: "any"}, nil
		}),
	})
}

var archive = aws.String("archive")

// codeOf is the store's code in an error of the SDK's, empty for none.
func codeOf(err error) string {
	var api interface{ ErrorCode() string }
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return ""
}

func wantCode(t *testing.T, what string, err error, want string) {
	t.Helper()
	if err == nil || codeOf(err) != want {
		t.Errorf("%s: %v, want %s", what, err, want)
	}
}

func must[T any](t *testing.T) func(T, error) T {
	t.Helper()
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func readAll(t *testing.T, r io.ReadCloser) string {
	t.Helper()
	defer r.Close()
	return string(must[[]byte](t)(io.ReadAll(r)))
}

func identifiers(ids ...objstore.ID) *types.Delete {
	d := &types.Delete{}
	for _, id := range ids {
		o := types.ObjectIdentifier{Key: aws.String(id.Key)}
		if id.Version != "" {
			o.VersionId = aws.String(id.Version)
		}
		d.Objects = append(d.Objects, o)
	}
	return d
}
