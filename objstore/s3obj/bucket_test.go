package s3obj

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/softdelete-go/softdelete/objstore"
)

func TestNew(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		client Client
		bucket string
		want   error
	}{
		{name: "good", client: &fake{}, bucket: "b"},
		{name: "no client", bucket: "b", want: objstore.ErrInvalid},
		{name: "no name", client: &fake{}, want: objstore.ErrInvalid},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b, err := New(test.client, test.bucket, nil)
			if !errors.Is(err, test.want) {
				t.Fatalf("got %v, want %v", err, test.want)
			}
			if err == nil && b.Name() != test.bucket {
				t.Errorf("the name is %q", b.Name())
			}
		})
	}
}

// TestNoRetryerIsSet looks at the one place where this package could set any.
func TestNoRetryerIsSet(t *testing.T) {
	t.Parallel()
	client := &options{Client: s3.New(s3.Options{Region: "us-east-1"}), t: t}
	b := newBucket(t, client)
	for range b.Objects(t.Context(), "", nil) {
	}
	if client.calls == 0 {
		t.Error("nothing was asked")
	}
}

// options fails the test where a request changes the client's options.
type options struct {
	*s3.Client
	Client
	t     *testing.T
	calls int
}
