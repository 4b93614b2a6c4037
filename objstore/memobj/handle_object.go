package memobj

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
)

const metaPrefix = "X-Amz-Meta-"

// terms reads what a write's headers say of the object.
func (q *request) terms() (terms, error) {
	t := terms{contentType: q.Header.Get("Content-Type"), meta: map[string]string{}}
	switch q.Header.Get("If-None-Match") {
	case "":
	case "*":
		t.ifAbsent = true
	default:
		return t, fmt.Errorf("If-None-Match with an ETag: %w", notImplemented)
	}
	t.ifMatch = strings.Trim(q.Header.Get("If-Match"), `"`)
	for name := range q.Header {
		if rest, ok := strings.CutPrefix(name, metaPrefix); ok {
			t.meta[rest] = q.Header.Get(name)
		}
	}
	if q.Header.Get("X-Amz-Tagging") != "" {
		return t, fmt.Errorf("tags: %w", notImplemented)
	}
	t.lock.LegalHold = q.Header.Get("X-Amz-Object-Lock-Legal-Hold") == "ON"
	if until := q.Header.Get("X-Amz-Object-Lock-Retain-Until-Date"); until != "" {
		var err error
		if t.lock.Until, err = time.Parse(time.RFC3339, until); err != nil {
			return t, fmt.Errorf("%w: %w", err, invalidArgument)
		}
		t.lock.Governance = q.Header.Get("X-Amz-Object-Lock-Mode") == modeGovernance
	}
	return t, nil
}

func (q *request) putObject() error {
	if q.Header.Get("X-Amz-Copy-Source") != "" {
		return q.copyObject()
	}
	t, err := q.terms()
	if err != nil {
		return err
	}
	data, err := q.body()
	if err != nil {
		return err
	}
	e, err := q.bucket.store(q.Context(), q.key, data, t)
	if err != nil {
		return err
	}
	q.setVersion(e.version)
	q.w.Header().Set("ETag", quote(e.etag))
	q.w.WriteHeader(http.StatusOK)
	return nil
}

// setVersion says which version an answer is about.
func (q *request) setVersion(version string) {
	if v := q.bucket.shown(version); v != "" {
		q.w.Header().Set("X-Amz-Version-Id", v)
	}
}

// getObject serves HEAD too.
func (q *request) getObject() error {
	op := OpGet
	if q.Method == http.MethodHead {
		op = OpHead
	}
	e, err := q.bucket.read(q.Context(), op, q.id())
	h := q.w.Header()
	if e.marker {
		q.setVersion(e.version)
		h.Set("X-Amz-Delete-Marker", "true")
		h.Set("Last-Modified", e.modified.UTC().Format(http.TimeFormat))
	}
	if codeOf(err) == methodNotAllowed {
		h.Set("Allow", http.MethodDelete)
	}
	if err != nil {
		return err
	}
	q.setVersion(e.version)
	h.Set("ETag", quote(e.etag))
	h.Set("Content-Type", e.contentType)
	for name, value := range e.meta {
		h.Set(metaPrefix+name, value)
	}
	setLock(h, e.lock)
	// It knows Range and the conditions of a read.
	http.ServeContent(q.w, q.Request, "", e.modified, bytes.NewReader(e.data))
	return nil
}

func setLock(h http.Header, l objstore.Lock) {
	if !l.Until.IsZero() {
		h.Set("X-Amz-Object-Lock-Mode", mode(l.Governance))
		h.Set("X-Amz-Object-Lock-Retain-Until-Date", xmlTime(l.Until))
	}
	if l.LegalHold {
		h.Set("X-Amz-Object-Lock-Legal-Hold", "ON")
	}
}

func (q *request) deleteObject() error {
	var d deleted
	b, ifMatch := q.bucket, strings.Trim(q.Header.Get("If-Match"), `"`)
	err := b.do(q.Context(), OpDelete, []string{q.key}, func(Fault) (err error) {
		d, err = b.remove(q.id(), ifMatch, q.bypass())
		return err
	})
	if err != nil {
		return err
	}
	if d.version != "" {
		q.w.Header().Set("X-Amz-Version-Id", d.version)
	}
	if d.marker {
		q.w.Header().Set("X-Amz-Delete-Marker", "true")
	}
	q.w.WriteHeader(http.StatusNoContent)
	return nil
}

func (q *request) copyObject() error {
	source, id, err := q.copySource()
	if err != nil {
		return err
	}
	t, err := q.terms()
	if err != nil {
		return err
	}
	var from, made entry
	if err := source.locked(func() (err error) {
		from, err = source.get(id.Key, id.Version)
		return err
	}); err != nil {
		return err
	}
	if q.Header.Get("X-Amz-Metadata-Directive") != "REPLACE" {
		t.contentType, t.meta = from.contentType, from.meta
	}
	if err := q.bucket.do(q.Context(), OpCopy, []string{q.key}, func(Fault) (err error) {
		made, err = q.bucket.put(q.key, from.data, t)
		return err
	}); err != nil {
		return err
	}
	q.setVersion(made.version)
	if v := source.shown(from.version); v != "" {
		q.w.Header().Set("X-Amz-Copy-Source-Version-Id", v)
	}
	var x xmlWriter
	x.open("CopyObjectResult")
	x.elem("ETag", quote(made.etag))
	x.time("LastModified", made.modified)
	x.close("CopyObjectResult")
	return q.reply(&x)
}

// copySource reads "bucket/key?versionId=…", of which bucket and key are
// escaped as in a URL.
func (q *request) copySource() (*Bucket, objstore.ID, error) {
	path, query, _ := strings.Cut(q.Header.Get("X-Amz-Copy-Source"), "?")
	path, err := url.PathUnescape(strings.TrimPrefix(path, "/"))
	if err != nil {
		return nil, objstore.ID{}, fmt.Errorf("%w: %w", err, invalidArgument)
	}
	params, err := url.ParseQuery(query)
	if err != nil {
		return nil, objstore.ID{}, fmt.Errorf("%w: %w", err, invalidArgument)
	}
	name, key, _ := strings.Cut(path, "/")
	b := q.server.Bucket(name)
	if b == nil {
		return nil, objstore.ID{}, noSuchBucket
	}
	return b, objstore.ID{Key: key, Version: params.Get("versionId")}, nil
}
