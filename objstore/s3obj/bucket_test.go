package s3obj

import (
	"errors"
	"testing"

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
