package memobj_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/softdelete-go/softdelete/internal/clock"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

// TestBodies sends what clients put on the wire, and what should not get there.
func TestBodies(t *testing.T) {
	t.Parallel()
	chunked := func(length string, more ...string) []string {
		return append([]string{"X-Amz-Content-Sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "X-Amz-Decoded-Content-Length", length}, more...)
	}
	crc := []string{"X-Amz-Trailer", "x-amz-checksum-crc32"}
	tests := []struct {
		name   string
		header []string
		body   string
		status int
		code   string
	}{
		{"plain", nil, "hello", 200, ""},
		{"digest", []string{"Content-Md5", "XUFAKrxLKna5cZ2REBfFkg=="}, "hello", 200, ""},
		{"wrong digest", []string{"Content-Md5", "XUFAKrxLKna5cZ2REBfFkA=="}, "hello", 400, "BadDigest"},
		{"sha256", []string{"X-Amz-Checksum-Sha256", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="}, "hello", 200, ""},
		{"sha1", []string{"X-Amz-Checksum-Sha1", "qvTGHdzF6KLavt4PO0gs2a6pQ00="}, "hello", 200, ""},
		{"crc32c", []string{"X-Amz-Checksum-Crc32c", "mnG7TA=="}, "hello", 200, ""},
		{"crc64nvme", []string{"X-Amz-Checksum-Crc64nvme", "M3eFcAZSQlc="}, "hello", 200, ""},
		{"wrong crc32", []string{"X-Amz-Checksum-Crc32", "AAAAAA=="}, "hello", 400, "BadDigest"},
		{"one chunk", chunked("5"), "5\r\nhello\r\n0\r\n\r\n", 200, ""},
		{"chunks", chunked("5"), "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", 200, ""},
		{"signed chunks", chunked("5"), "5;chunk-signature=00\r\nhello\r\n0;chunk-signature=00\r\n\r\n", 200, ""},
		{"trailer", chunked("5", crc...), "5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n", 200, ""},
		{"wrong trailer", chunked("5", crc...), "5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhA==\r\n\r\n", 400, "BadDigest"},
		{"chunks of another length", chunked("6"), "5\r\nhello\r\n0\r\n\r\n", 400, "IncompleteBody"},
		{"chunks without a length", chunked(""), "5\r\nhello\r\n0\r\n\r\n", 411, "MissingContentLength"},
		{"chunk cut short", chunked("5"), "5\r\nhel", 400, "IncompleteBody"},
		{"no last chunk", chunked("5"), "5\r\nhello\r\n", 400, "IncompleteBody"},
		{"no chunk size", chunked("5"), "hello\r\n", 400, "InvalidRequest"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b, server := serve(t, nil)
			status, answer := send(t, server, http.MethodPut, "/archive/k", tt.body, tt.header...)
			if status != tt.status || !strings.Contains(answer, "<Code>"+tt.code+"</Code>") == (tt.code != "") {
				t.Errorf("%d %s, want %d %s", status, answer, tt.status, tt.code)
			}
			var want []string
			if tt.status == http.StatusOK {
				want = []string{"k hello"}
			}
			equal(t, "held", want, held(t, b))
		})
	}
}

func serve(t *testing.T, fault func(context.Context, memobj.Call) memobj.Fault) (*memobj.Bucket, *memobj.Server) {
	t.Helper()
	b := open(t, &memobj.Options{Fault: fault})
	server := must[*memobj.Server](t)(memobj.NewServer(nil))
	server.Add(b)
	return b, server
}

// send sends one request as it is, without a socket.
func send(t *testing.T, server *memobj.Server, method, path, body string, header ...string) (int, string) {
	t.Helper()
	req := must[*http.Request](t)(http.NewRequestWithContext(t.Context(), method, "http://memobj"+path, strings.NewReader(body)))
	for pair := range slices.Chunk(header, 2) {
		req.Header.Set(pair[0], pair[1])
	}
	res := must[*http.Response](t)(server.RoundTripper().RoundTrip(req))
	return res.StatusCode, readAll(t, res.Body)
}

func TestRequests(t *testing.T) {
	t.Parallel()
	const wrongDigest = "n3RVCQmYd2+aCHyqcdX/cA=="
	var many strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&many, "<Object><Key>%d</Key></Object>", i)
	}
	digest := []string{"X-Amz-Trailer", "x-amz-checksum-crc32"}
	tests := []struct {
		name, method, path, body string
		header                   []string
		status                   int
		want                     string // in the answer
	}{
		{"no bucket", "GET", "/other/k", "", nil, 404, "NoSuchBucket"},
		{"bucket name", "PUT", "/Other", "", nil, 400, "InvalidBucketName"},
		{"key that is not UTF-8", "PUT", "/archive/%ff", "", nil, 400, "InvalidURI"},
		{"missing key names itself", "GET", "/archive/a%01b", "", nil, 404, "/archive/a&#x1;b"},
		{"page", "GET", "/archive?list-type=2&max-keys=x", "", nil, 400, "InvalidArgument"},
		{"negative page", "GET", "/archive?versions&max-keys=-1", "", nil, 400, "InvalidArgument"},
		{"large page", "GET", "/archive?versions&max-keys=5000", "", nil, 200, "<MaxKeys>1000</MaxKeys>"},
		{"encoding", "GET", "/archive?versions&encoding-type=base64", "", nil, 400, "InvalidArgument"},
		{"token", "GET", "/archive?list-type=2&continuation-token=%21", "", nil, 400, "InvalidArgument"},
		{"version marker alone", "GET", "/archive?versions&version-id-marker=null", "", nil, 400, "InvalidArgument"},
		{"method", "PATCH", "/archive/k", "", nil, 501, "NotImplemented"},
		{"location", "GET", "/archive?location", "", nil, 200, "LocationConstraint"},
		{"empty batch", "POST", "/archive?delete", "<Delete></Delete>", []string{"Content-Md5", wrongDigest}, 400, "BadDigest"},
		{"batch without a digest", "POST", "/archive?delete", "<Delete></Delete>", nil, 400, "InvalidRequest"},
		{"batch of nothing", "POST", "/archive?delete", "<Delete></Delete>", digest, 400, "MalformedXML"},
		{"batch of 1,001", "POST", "/archive?delete", "<Delete>" + many.String() + "</Delete>", digest, 400, "MalformedXML"},
		{"batch with an empty key", "POST", "/archive?delete", "<Delete><Object><Key></Key></Object></Delete>", digest, 400, "MalformedXML"},
		{"batch with a control character", "POST", "/archive?delete", "<Delete><Object><Key>a&#x1;b</Key></Object></Delete>", digest, 400, "MalformedXML"},
		{"batch that is cut", "POST", "/archive?delete", "<Delete><Object>", digest, 400, "MalformedXML"},
		{"batch with a wrong version", "POST", "/archive?delete", "<Delete><Object><Key>k</Key><VersionId>x</VersionId></Object></Delete>", digest, 200, "NoSuchVersion"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b, server := serve(t, nil)
			store(t, b, "k", "bytes")
			status, answer := send(t, server, tt.method, tt.path, tt.body, tt.header...)
			if status != tt.status || !strings.Contains(answer, tt.want) {
				t.Errorf("%d %s, want %d %s", status, answer, tt.status, tt.want)
			}
			equal(t, "held", []string{"k bytes"}, held(t, b))
		})
	}
}

// TestUnknownLength: net/http sends a body of unknown length in chunks of its
// own, which S3 refuses.
func TestUnknownLength(t *testing.T) {
	t.Parallel()
	b, server := serve(t, nil)
	req := must[*http.Request](t)(http.NewRequestWithContext(t.Context(), http.MethodPut, "http://memobj/archive/k",
		io.MultiReader(strings.NewReader("bytes"))))
	res := must[*http.Response](t)(server.RoundTripper().RoundTrip(req))
	equal(t, "status", http.StatusLengthRequired, res.StatusCode)
	equal(t, "held", []string(nil), held(t, b))
}

// TestBrokenConnection: a fault that is no code of S3's answers nothing, on a
// socket and without one.
func TestBrokenConnection(t *testing.T) {
	t.Parallel()
	for _, applied := range []bool{false, true} {
		_, server := serve(t, func(context.Context, memobj.Call) memobj.Fault {
			if applied {
				return memobj.Fault{After: errInjected}
			}
			return memobj.Fault{Before: errInjected}
		})
		req := must[*http.Request](t)(http.NewRequestWithContext(t.Context(), http.MethodDelete, "http://memobj/archive/k", nil))
		if _, err := server.RoundTripper().RoundTrip(req); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("without a socket: %v", err)
		}
		host := httptest.NewServer(server)
		req = must[*http.Request](t)(http.NewRequestWithContext(t.Context(), http.MethodDelete, host.URL+"/archive/k", nil))
		if _, err := host.Client().Do(req); !errors.Is(err, io.EOF) {
			t.Errorf("on a socket: %v", err)
		}
		host.Close()
	}
}

// TestSocket: the handler on a real socket is the same store.
func TestSocket(t *testing.T) {
	t.Parallel()
	b, server := serve(t, nil)
	host := httptest.NewServer(server)
	defer host.Close()
	c := client(host.Client().Transport)
	at := func(o *s3.Options) { o.BaseEndpoint = &host.URL }
	for _, key := range []string{"in/a b+c%2F", "in//x", "../y", "in/é\x01"} {
		must[*s3.PutObjectOutput](t)(c.PutObject(t.Context(), &s3.PutObjectInput{Bucket: archive, Key: &key, Body: strings.NewReader(key)}, at))
		got := must[*s3.GetObjectOutput](t)(c.GetObject(t.Context(), &s3.GetObjectInput{Bucket: archive, Key: &key}, at))
		equal(t, "get", key, readAll(t, got.Body))
		equal(t, "read directly", key, read(t, b, objstore.ID{Key: key}))
	}
}

// TestRetriesInBubble: the SDK waits between its attempts in the bubble's time.
func TestRetriesInBubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		_, server := serve(t, func(context.Context, memobj.Call) memobj.Fault {
			if calls.Add(1) < 3 {
				return memobj.Fault{Before: memobj.SlowDown}
			}
			return memobj.Fault{}
		})
		began := clock.System.Now()
		must[*s3.PutObjectOutput](t)(client(server.RoundTripper()).PutObject(t.Context(), &s3.PutObjectInput{
			Bucket: archive, Key: aws.String("k"), Body: strings.NewReader("bytes"),
		}))
		equal(t, "calls", int32(3), calls.Load())
		if clock.System.Now().Equal(began) {
			t.Error("the attempts did not wait for each other")
		}
	})
}

// TestContextEndsWithBody: nothing is stored for a caller who has gone.
func TestContextEndsWithBody(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	b, server := serve(t, nil)
	req := must[*http.Request](t)(http.NewRequestWithContext(ctx, http.MethodPut, "http://memobj/archive/k", endsWith{strings.NewReader("bytes"), cancel}))
	if _, err := server.RoundTripper().RoundTrip(req); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	equal(t, "held", []string(nil), held(t, b))
}

// endsWith cancels when the body was read.
type endsWith struct {
	io.Reader
	cancel context.CancelFunc
}

func (r endsWith) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err == io.EOF {
		r.cancel()
	}
	return n, err
}
