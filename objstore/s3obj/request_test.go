package s3obj

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/softdelete-go/softdelete/objstore"
)

// wire answers the SDK's requests as a test has it.
type wire func(*http.Request) (*http.Response, error)

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) { return w(r) }

// status is an answer without a body, which has no error code either.
func status(code int) *http.Response {
	return &http.Response{StatusCode: code, Header: http.Header{}, Body: http.NoBody}
}

func newSDK(transport http.RoundTripper, options ...func(*s3.Options)) *s3.Client {
	return s3.New(s3.Options{
		HTTPClient: &http.Client{Transport: transport},
		Region:     "us-east-1",
	}, options...)
}

// TestAddress looks where each request of a Bucket goes.
func TestAddress(t *testing.T) {
	t.Parallel()
	endpoint := func(o *s3.Options) { o.BaseEndpoint = aws.String("http://store:9000") }
	tests := []struct {
		name    string
		client  func(*s3.Options)
		virtual bool
		want    string
	}{
		{name: "Amazon", client: func(*s3.Options) {}, want: "docs.s3.us-east-1.amazonaws.com"},
		{name: "endpoint", client: endpoint, want: "store:9000"},
		{name: "endpoint with hosts", client: endpoint, virtual: true, want: "docs.store:9000"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			requests := 0
			client := newSDK(wire(func(r *http.Request) (*http.Response, error) {
				requests++
				if r.URL.Host != test.want {
					t.Errorf("%s %s", r.Method, r.URL)
				}
				return status(http.StatusNotImplemented), nil
			}), test.client)
			b, err := New(client, "docs", &Options{VirtualHost: test.virtual})
			if err != nil {
				t.Fatal(err)
			}
			everyRequest(t, b)
			if requests != 11 {
				t.Errorf("%d requests", requests)
			}
		})
	}
}

// everyRequest sends one request of each kind to a store that knows none.
func everyRequest(t *testing.T, b *Bucket) {
	t.Helper()
	id := objstore.ID{Key: "k"}
	_, objects := collect(t, b.Objects(t.Context(), "", nil))
	_, versions := collect(t, b.Versions(t.Context(), "", nil))
	_, head := b.Head(t.Context(), id)
	_, open := b.Open(t.Context(), id)
	_, put := b.Put(t.Context(), "k", http.NoBody, 0, nil)
	_, batch := b.Delete(t.Context(), []objstore.ID{id})
	one, err := b.Delete(t.Context(), []objstore.ID{{Key: "k\x01"}})
	if err != nil {
		t.Fatal(err)
	}
	_, versioning := b.Versioning(t.Context())
	_, rules := b.Rules(t.Context())
	for _, err := range []error{objects, versions, head, open, put, batch, one[0].Err, versioning, rules} {
		checkKind(t, err, errors.ErrUnsupported)
	}
	if lock, err := b.Lock(t.Context(), id); err != nil || lock != (objstore.Lock{}) {
		t.Errorf("a store without locks: %v, %v", lock, err)
	}
}

// TestDeletesHaveTheirOwnRetryer: a storm of refused deletes costs the requests
// of others nothing, and is not made worse by repeating it.
func TestDeletesHaveTheirOwnRetryer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		deletes, lists := 0, 0
		client := newSDK(wire(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodGet {
				lists++
				return status(http.StatusInternalServerError), nil
			}
			deletes++
			return status(http.StatusServiceUnavailable), nil
		}))
		b := newBucket(t, client)
		const storm = 200 // the quota pays for 100 throttled retries
		for range storm {
			if _, err := b.Delete(t.Context(), []objstore.ID{{Key: "k"}}); !errors.Is(err, objstore.ErrThrottled) {
				t.Fatalf("got %v", err)
			}
		}
		if deletes != storm {
			t.Errorf("%d deletes became %d requests", storm, deletes)
		}
		if _, err := collect(t, b.Objects(t.Context(), "", nil)); err == nil {
			t.Error("a listing succeeded")
		}
		if lists != retry.DefaultMaxAttempts {
			t.Errorf("the listing was sent %d times", lists)
		}
	})
}

// TestDeletesAreTriedAgain where the store, and not the caller, was at fault,
// however often that was before.
func TestDeletesAreTriedAgain(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]wire{
		"internal error": func(*http.Request) (*http.Response, error) { return status(http.StatusInternalServerError), nil },
		"reset":          func(*http.Request) (*http.Response, error) { return nil, &reset{} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				requests := 0
				b := newBucket(t, newSDK(wire(func(r *http.Request) (*http.Response, error) {
					requests++
					return failure(r)
				})))
				const calls = 100 // the quota pays for 35 retries
				start := time.Now()
				for range calls {
					_, err := b.Delete(t.Context(), []objstore.ID{{Key: "k"}})
					if err == nil {
						t.Fatal("a delete succeeded")
					}
				}
				if want := calls * retry.DefaultMaxAttempts; requests != want {
					t.Errorf("%d requests, want %d", requests, want)
				}
				if time.Since(start) == 0 {
					t.Error("tried again without a pause")
				}
			})
		})
	}
}

// reset is a connection that broke, as the SDK asks for it.
type reset struct{}

func (*reset) Error() string   { return "connection reset by peer" }
func (*reset) Temporary() bool { return true }
