package s3obj

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
)

func TestHead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		id   objstore.ID
		out  *s3.HeadObjectOutput
		want objstore.Object
	}{
		{
			name: "current", id: objstore.ID{Key: "k"},
			out: &s3.HeadObjectOutput{
				ContentLength: aws.Int64(5), ETag: aws.String(`"e"`), VersionId: aws.String("v"),
				LastModified: aws.Time(now.In(time.FixedZone("", 3600))),
			},
			want: objstore.Object{Key: "k", Version: "v", Latest: true, Size: 5, ETag: "e", Modified: now},
		},
		{
			name: "a version", id: objstore.ID{Key: "k", Version: "v"},
			out:  &s3.HeadObjectOutput{VersionId: aws.String("v")},
			want: objstore.Object{Key: "k", Version: "v"},
		},
		{
			name: "unversioned", id: objstore.ID{Key: "k"},
			out:  &s3.HeadObjectOutput{ETag: aws.String("bare")},
			want: objstore.Object{Key: "k", Latest: true, ETag: "bare"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, &fake{head: func(in *s3.HeadObjectInput) (*s3.HeadObjectOutput, error) {
				if *in.Bucket != "b" || *in.Key != test.id.Key || aws.ToString(in.VersionId) != test.id.Version {
					t.Errorf("asked %+v", in)
				}
				return test.out, nil
			}})
			got, err := b.Head(t.Context(), test.id)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestHeadAsksAgain: the answer to a HEAD does not say what is missing.
func TestHeadAsksAgain(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		get  error
		want error // nil is a plain error
		good bool
	}{
		{name: "no object", get: answer{code: "NoSuchKey", status: 404}, want: fs.ErrNotExist},
		{name: "no version", get: answer{code: "NoSuchVersion", status: 404}, want: fs.ErrNotExist},
		{name: "no bucket", get: answer{code: "NoSuchBucket", status: 404}},
		{name: "a proxy's page", get: answer{code: "UnknownError", status: 404}},
		{name: "written meanwhile", good: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, &fake{
				head: func(*s3.HeadObjectInput) (*s3.HeadObjectOutput, error) {
					return nil, answer{code: "NotFound", status: 404}
				},
				get: func(*s3.GetObjectInput) (*s3.GetObjectOutput, error) {
					out := &s3.GetObjectOutput{ContentLength: aws.Int64(1), Body: io.NopCloser(strings.NewReader("1"))}
					return out, test.get
				},
			})
			got, err := b.Head(t.Context(), objstore.ID{Key: "k"})
			if test.good {
				if want := (objstore.Object{Key: "k", Latest: true, Size: 1}); err != nil || got != want {
					t.Errorf("got %v, %v", got, err)
				}
				return
			}
			checkKind(t, err, test.want)
		})
	}
}

// TestReadFailures has both reads fail.
func TestReadFailures(t *testing.T) {
	t.Parallel()
	reset := errors.New("connection reset")
	tests := []struct {
		name string
		err  error
		want error // nil is a plain error
	}{
		{name: "delete marker", err: answer{code: "MethodNotAllowed", status: 405}, want: fs.ErrNotExist},
		{name: "denied", err: answer{code: "Forbidden", status: 403}, want: fs.ErrPermission},
		{name: "wrong signature", err: answer{code: "SignatureDoesNotMatch", status: 403}, want: fs.ErrPermission},
		{name: "slow down", err: answer{code: "SlowDown", status: 503}, want: objstore.ErrThrottled},
		{name: "throttled without a code", err: answer{status: 429}, want: objstore.ErrThrottled},
		{name: "bad request", err: answer{code: "BadRequest", status: 400}},
		{name: "internal", err: answer{code: "InternalError", status: 500}},
		{name: "reset", err: reset},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, &fake{
				head: func(*s3.HeadObjectInput) (*s3.HeadObjectOutput, error) { return nil, test.err },
				get:  func(*s3.GetObjectInput) (*s3.GetObjectOutput, error) { return nil, test.err },
			})
			id := objstore.ID{Key: "k", Version: "v"}
			_, head := b.Head(t.Context(), id)
			_, open := b.Open(t.Context(), id)
			for op, err := range map[string]error{"head": head, "open": open} {
				checkKind(t, err, test.want)
				if !errors.Is(err, test.err) || !strings.HasPrefix(err.Error(), "s3obj: "+op+` b "k" version v: `) {
					t.Errorf("got %v", err)
				}
			}
		})
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	b := newBucket(t, &fake{get: func(in *s3.GetObjectInput) (*s3.GetObjectOutput, error) {
		if *in.Bucket != "b" || *in.Key != "k" || *in.VersionId != "v" {
			t.Errorf("asked %+v", in)
		}
		return &s3.GetObjectOutput{Body: io.NopCloser(strings.NewReader("bytes"))}, nil
	}})
	r, err := b.Open(t.Context(), objstore.ID{Key: "k", Version: "v"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, err := io.ReadAll(r); err != nil || string(got) != "bytes" {
		t.Errorf("read %q, %v", got, err)
	}
}

func TestReadsOfKeysThatCannotBe(t *testing.T) {
	t.Parallel()
	b := newBucket(t, &fake{})
	for _, key := range []string{"", "..", "in/./x", "/x", strings.Repeat("k", objstore.MaxKey+1)} {
		_, head := b.Head(t.Context(), objstore.ID{Key: key})
		_, open := b.Open(t.Context(), objstore.ID{Key: key})
		_, lock := b.Lock(t.Context(), objstore.ID{Key: key})
		for _, err := range []error{head, open, lock} {
			if !errors.Is(err, objstore.ErrInvalid) {
				t.Errorf("%q: %v", key, err)
			}
		}
	}
}
