package memobj

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/softdelete-go/softdelete/objstore"
)

// request is one request on its way through the handlers.
type request struct {
	*http.Request
	server *Server
	w      http.ResponseWriter
	query  url.Values
	bucket *Bucket
	key    string
}

// verb is a method and the sub-resource it acts on.
type verb struct{ method, sub string }

var bucketVerbs = map[verb]func(*request) error{
	{"HEAD", ""}:            (*request).headBucket,
	{"DELETE", ""}:          (*request).deleteBucket,
	{"GET", "location"}:     (*request).getLocation,
	{"GET", "list-type"}:    (*request).listObjects,
	{"GET", "versions"}:     (*request).listVersions,
	{"GET", "uploads"}:      (*request).listUploads,
	{"POST", "delete"}:      (*request).deleteObjects,
	{"GET", "versioning"}:   (*request).getVersioning,
	{"PUT", "versioning"}:   (*request).putVersioning,
	{"GET", "lifecycle"}:    (*request).getLifecycle,
	{"PUT", "lifecycle"}:    (*request).putLifecycle,
	{"DELETE", "lifecycle"}: (*request).deleteLifecycle,
	{"GET", "object-lock"}:  (*request).getLockConfig,
	{"PUT", "object-lock"}:  (*request).putLockConfig,
}

var objectVerbs = map[verb]func(*request) error{
	{"PUT", ""}:            (*request).putObject,
	{"GET", ""}:            (*request).getObject,
	{"HEAD", ""}:           (*request).getObject,
	{"DELETE", ""}:         (*request).deleteObject,
	{"GET", "retention"}:   (*request).getRetention,
	{"PUT", "retention"}:   (*request).putRetention,
	{"GET", "legal-hold"}:  (*request).getLegalHold,
	{"PUT", "legal-hold"}:  (*request).putLegalHold,
	{"POST", "uploads"}:    (*request).createUpload,
	{"PUT", "uploadId"}:    (*request).uploadPart,
	{"POST", "uploadId"}:   (*request).completeUpload,
	{"DELETE", "uploadId"}: (*request).abortUpload,
	{"GET", "uploadId"}:    (*request).listParts,
}

// subresources are looked for in this order. Those without a verb are refused:
// taken for the object itself, a DELETE of its tags would delete it.
var subresources = []string{
	"list-type", "versions", "uploads", "uploadId", "delete", "location", "versioning", "lifecycle", "object-lock",
	"retention", "legal-hold", "acl", "accelerate", "analytics", "attributes", "cors", "encryption",
	"intelligent-tiering", "inventory", "logging", "metrics", "notification", "ownershipControls", "policy",
	"policyStatus", "publicAccessBlock", "replication", "requestPayment", "restore", "select", "tagging", "torrent",
	"website",
}

func (q *request) sub() string {
	for _, s := range subresources {
		if q.query.Has(s) {
			return s
		}
	}
	return ""
}

func (q *request) route() error {
	name, key, _ := strings.Cut(strings.TrimPrefix(q.URL.Path, "/"), "/")
	v := verb{q.Method, q.sub()}
	switch {
	case name == "" && v == verb{"GET", ""}:
		return q.listBuckets()
	case key == "" && v == verb{"PUT", ""}:
		return q.createBucket(name)
	}
	if q.bucket = q.server.Bucket(name); q.bucket == nil {
		return noSuchBucket
	}
	verbs := bucketVerbs
	if q.key = key; key != "" {
		verbs = objectVerbs
	}
	if handle := verbs[v]; handle != nil {
		return handle(q)
	}
	return fmt.Errorf("%s of %q: %w", v.method, v.sub, notImplemented)
}

func (q *request) id() objstore.ID {
	return objstore.ID{Key: q.key, Version: q.query.Get("versionId")}
}

func (q *request) reply(x *xmlWriter) error {
	q.w.Header().Set("Content-Type", "application/xml")
	_, err := q.w.Write(x.Bytes())
	return err
}

// limit reads the size of a page.
func (q *request) limit(name string) (int, error) {
	text := q.query.Get(name)
	if text == "" {
		return maxPage, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s %q: %w", name, text, invalidArgument)
	}
	return min(n, maxPage), nil
}

func (q *request) bypass() bool {
	return q.Header.Get("X-Amz-Bypass-Governance-Retention") == "true"
}
