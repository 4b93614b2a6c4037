package s3obj

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
)

// closing is a body that must not be closed.
type closing struct {
	*strings.Reader
	t *testing.T
}

func (c closing) Close() error {
	c.t.Error("the caller's body was closed")
	return nil
}

// TestPutSendsWholeBodies: whatever the body can do, the SDK gets one that it can
// read twice.
func TestPutSendsWholeBodies(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("0123456789abcdef", maxMemory/16+1)
	half := strings.NewReader("12345678")
	if _, err := half.Seek(4, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		body io.Reader
		want string
	}{
		{name: "seeker", body: closing{strings.NewReader("bytes"), t}, want: "bytes"},
		{name: "seeker in the middle", body: half, want: "5678"},
		{name: "stream", body: onlyReader{strings.NewReader("bytes")}, want: "bytes"},
		{name: "stream byte by byte", body: iotest.OneByteReader(strings.NewReader("bytes")), want: "bytes"},
		{name: "stream that ends with its last bytes", body: iotest.DataErrReader(strings.NewReader("bytes")), want: "bytes"},
		{name: "large stream", body: onlyReader{strings.NewReader(large)}, want: large},
		{name: "nothing", body: onlyReader{strings.NewReader("")}, want: ""},
		{name: "pipe", body: pipe(t, "bytes"), want: "bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			temp := t.TempDir()
			b, err := New(&fake{put: func(in *s3.PutObjectInput) (*s3.PutObjectOutput, error) {
				body := in.Body.(io.ReadSeeker)
				at, err := body.Seek(0, io.SeekCurrent)
				if err != nil {
					return nil, err
				}
				for range 2 {
					if got, err := io.ReadAll(body); err != nil || string(got) != test.want {
						t.Errorf("sent %d bytes, %v", len(got), err)
					}
					if closer, ok := body.(io.Closer); ok {
						closer.Close() // as a transport may, between two attempts
					}
					if _, err := body.Seek(at, io.SeekStart); err != nil {
						return nil, err
					}
				}
				if *in.ContentLength != int64(len(test.want)) || in.IfNoneMatch != nil || *in.ContentType != "application/octet-stream" {
					t.Errorf("sent %+v", in)
				}
				return &s3.PutObjectOutput{VersionId: aws.String("v"), ETag: aws.String(`"e"`)}, nil
			}}, "b", &Options{TempDir: temp})
			if err != nil {
				t.Fatal(err)
			}
			got, err := b.Put(t.Context(), "k", test.body, int64(len(test.want)), nil)
			if err != nil {
				t.Fatal(err)
			}
			want := objstore.Object{Key: "k", Version: "v", Latest: true, ETag: "e", Size: int64(len(test.want))}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if left, err := filepath.Glob(filepath.Join(temp, "*")); err != nil || len(left) > 0 {
				t.Errorf("left %v (%v)", left, err)
			}
		})
	}
}

// pipe is an *os.File, which has a Seek that fails.
func pipe(t *testing.T, content string) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	if _, err := w.WriteString(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPutSendsNothing: the fake has no answer to a PutObject.
func TestPutSendsNothing(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	large := bytes.NewReader(make([]byte, maxMemory+2))
	tests := []struct {
		name string
		key  string
		body io.Reader
		size int64
		want error
	}{
		{name: "short seeker", key: "k", body: strings.NewReader("1234"), size: 5, want: objstore.ErrInvalid},
		{name: "long seeker", key: "k", body: strings.NewReader("123456"), size: 5, want: objstore.ErrInvalid},
		{name: "short stream", key: "k", body: onlyReader{strings.NewReader("1234")}, size: 5, want: io.ErrUnexpectedEOF},
		{name: "long stream", key: "k", body: onlyReader{strings.NewReader("123456")}, size: 5, want: objstore.ErrInvalid},
		{name: "long large stream", key: "k", body: onlyReader{large}, size: maxMemory + 1, want: objstore.ErrInvalid},
		{name: "broken stream", key: "k", body: iotest.ErrReader(broken), size: 5, want: broken},
		{name: "broken at the end", key: "k", body: io.MultiReader(strings.NewReader("12345"), iotest.ErrReader(broken)), size: 5, want: broken},
		{name: "negative size", key: "k", body: strings.NewReader(""), size: -1, want: objstore.ErrInvalid},
		{name: "no key", body: strings.NewReader(""), want: objstore.ErrInvalid},
		{name: "key with dots", key: "in/../x", body: strings.NewReader(""), want: objstore.ErrInvalid},
		{name: "key that is not UTF-8", key: "a\xff", body: strings.NewReader(""), want: objstore.ErrInvalid},
		{name: "key too long", key: strings.Repeat("k", objstore.MaxKey+1), body: strings.NewReader(""), want: objstore.ErrInvalid},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, &fake{})
			if _, err := b.Put(t.Context(), test.key, test.body, test.size, nil); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if left, err := filepath.Glob(filepath.Join(b.tempDir, "*")); err != nil || len(left) > 0 {
				t.Errorf("left %v (%v)", left, err)
			}
		})
	}
}

func TestPutTellsConflictsApart(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		err  error
		want error
	}{
		{name: "there", err: answer{code: "PreconditionFailed", status: 412}, want: objstore.ErrExists},
		{name: "conflict", err: answer{code: "ConditionalRequestConflict", status: 409}, want: objstore.ErrThrottled},
		{name: "slow down", err: answer{code: "SlowDown", status: 503}, want: objstore.ErrThrottled},
		{name: "unknown condition", err: answer{code: "NotImplemented", status: 501}, want: errors.ErrUnsupported},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, &fake{put: func(in *s3.PutObjectInput) (*s3.PutObjectOutput, error) {
				if aws.ToString(in.IfNoneMatch) != "*" || *in.ContentType != "text/plain" {
					t.Errorf("sent %+v", in)
				}
				return nil, test.err
			}})
			opts := &objstore.PutOptions{IfAbsent: true, ContentType: "text/plain"}
			_, err := b.Put(t.Context(), "k", strings.NewReader("1"), 1, opts)
			checkKind(t, err, test.want)
		})
	}
}
