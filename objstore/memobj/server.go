package memobj

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/softdelete-go/softdelete/internal/clock"
)

// Server speaks the S3 protocol, path style, over buckets in memory.
type Server struct {
	opts     Options
	requests atomic.Int64

	mu      sync.Mutex
	buckets map[string]*Bucket
	created map[string]time.Time
}

// NewServer returns a server without buckets. The options are those of the
// buckets that requests create; their clock is also the server's.
func NewServer(opts *Options) (*Server, error) {
	s := &Server{buckets: map[string]*Bucket{}, created: map[string]time.Time{}}
	if opts != nil {
		s.opts = *opts
	}
	if s.opts.Clock == nil {
		s.opts.Clock = clock.System
	}
	// What New refuses is refused here, and not at a request.
	_, err := New("probe", &s.opts)
	return s, err
}

// Add serves a bucket, in the place of one with the same name.
func (s *Server) Add(b *Bucket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buckets[b.name], s.created[b.name] = b, s.opts.Clock.Now()
}

// Bucket returns the bucket with the name, or nil.
func (s *Server) Bucket(name string) *Bucket {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buckets[name]
}

// ServeHTTP answers one request, or breaks the connection where a Fault says so.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := s.serve(w, r); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// serve answers every error that is a Code, and returns any other.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) error {
	id := fmt.Sprintf("%016X", s.requests.Add(1))
	w.Header().Set("Date", s.opts.Clock.Now().UTC().Format(http.TimeFormat))
	w.Header().Set("X-Amz-Request-Id", id)
	q := &request{Request: r, server: s, w: w, query: r.URL.Query()}
	err := q.route()
	code := codeOf(err)
	if err == nil || code == "" {
		return err
	}
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(code.httpStatus())
	if r.Method == http.MethodHead {
		return nil
	}
	var x xmlWriter
	x.open("Error")
	x.elem("Code", string(code))
	x.elem("Message", err.Error())
	x.elem("Resource", r.URL.Path)
	x.elem("RequestId", id)
	x.close("Error")
	_, err = w.Write(x.Bytes())
	return err
}
