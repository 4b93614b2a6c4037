package memobj

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"syscall"
)

// RoundTripper answers requests in the caller's goroutine, without a socket, so
// that a client's retries and time-outs run inside testing/synctest. A broken
// connection is an error that wraps syscall.ECONNRESET.
func (s *Server) RoundTripper() http.RoundTripper { return roundTripper{s} }

type roundTripper struct{ server *Server }

func (t roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	body, err := readBody(req)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in := req.Clone(ctx)
	// The URL as it would come off the wire.
	if in.URL, err = url.ParseRequestURI(req.URL.RequestURI()); err != nil {
		return nil, err
	}
	in.Body = io.NopCloser(bytes.NewReader(body))
	if in.ContentLength == 0 && len(body) > 0 {
		in.ContentLength = -1 // what a server sees of a length that was not told
	}
	out := &recorder{header: http.Header{}}
	err = t.server.serve(out, in)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("memobj: %w: %w", err, syscall.ECONNRESET)
	}
	return out.response(req), nil
}

// readBody reads what a client sends, and refuses as net/http does what is not
// of the length that was announced.
func readBody(req *http.Request) ([]byte, error) {
	if req.Body == nil {
		return nil, nil
	}
	defer req.Body.Close()
	body, err := io.ReadAll(req.Body)
	if err == nil && req.ContentLength > 0 && int64(len(body)) != req.ContentLength {
		err = fmt.Errorf("memobj: ContentLength=%d with Body length %d", req.ContentLength, len(body))
	}
	return body, err
}

// recorder is the http.ResponseWriter of a RoundTripper.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(p)
}

func (r *recorder) response(req *http.Request) *http.Response {
	r.WriteHeader(http.StatusOK)
	length := int64(r.body.Len())
	if n, err := strconv.ParseInt(r.header.Get("Content-Length"), 10, 64); err == nil {
		length = n // a HEAD has one without a body
	}
	return &http.Response{
		Status:        fmt.Sprintf("%d %s", r.status, http.StatusText(r.status)),
		StatusCode:    r.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        r.header,
		Body:          io.NopCloser(bytes.NewReader(r.body.Bytes())),
		ContentLength: length,
		Request:       req,
	}
}
