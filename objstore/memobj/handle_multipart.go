package memobj

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strconv"
)

func (q *request) uploadID() string { return q.query.Get("uploadId") }

func (q *request) createUpload() error {
	t, err := q.terms()
	if err != nil {
		return err
	}
	id, err := q.bucket.createUpload(q.Context(), q.key, t)
	if err != nil {
		return err
	}
	var x xmlWriter
	x.open("InitiateMultipartUploadResult")
	x.elem("Bucket", q.bucket.name)
	x.elem("Key", q.key)
	x.elem("UploadId", id)
	x.close("InitiateMultipartUploadResult")
	return q.reply(&x)
}

func (q *request) uploadPart() error {
	if q.Header.Get("X-Amz-Copy-Source") != "" {
		return fmt.Errorf("part by copy: %w", notImplemented)
	}
	number, err := strconv.Atoi(q.query.Get("partNumber"))
	if err != nil {
		return fmt.Errorf("%w: %w", err, invalidArgument)
	}
	data, err := q.body()
	if err != nil {
		return err
	}
	p, err := q.bucket.uploadPart(q.Context(), q.key, q.uploadID(), number, data)
	if err != nil {
		return err
	}
	q.w.Header().Set("ETag", quote(p.etag))
	q.w.WriteHeader(http.StatusOK)
	return nil
}

func (q *request) completeUpload() error {
	var in struct {
		XMLName xml.Name     `xml:"CompleteMultipartUpload"`
		Parts   []chosenPart `xml:"Part"`
	}
	if err := q.decode(&in); err != nil {
		return err
	}
	t, err := q.terms()
	if err != nil {
		return err
	}
	e, err := q.bucket.completeUpload(q.Context(), q.key, q.uploadID(), in.Parts, t.ifAbsent, t.ifMatch)
	if err != nil {
		return err
	}
	q.setVersion(e.version)
	var x xmlWriter
	x.open("CompleteMultipartUploadResult")
	x.elem("Location", q.URL.EscapedPath())
	x.elem("Bucket", q.bucket.name)
	x.elem("Key", q.key)
	x.elem("ETag", quote(e.etag))
	x.close("CompleteMultipartUploadResult")
	return q.reply(&x)
}

func (q *request) abortUpload() error {
	err := q.bucket.abortUpload(q.Context(), q.key, q.uploadID())
	if err == nil {
		q.w.WriteHeader(http.StatusNoContent)
	}
	return err
}

func (q *request) listUploads() error {
	encode, err := q.encoder()
	if err != nil {
		return err
	}
	limit, err := q.limit("max-uploads")
	if err != nil {
		return err
	}
	prefix, after, afterID := q.query.Get("prefix"), q.query.Get("key-marker"), q.query.Get("upload-id-marker")
	p, err := q.bucket.listUploads(q.Context(), prefix, after, afterID, limit)
	if err != nil {
		return err
	}
	var x xmlWriter
	x.open("ListMultipartUploadsResult")
	x.elem("Bucket", q.bucket.name)
	x.elem("Prefix", encode(prefix))
	x.elem("KeyMarker", encode(after))
	x.elem("UploadIdMarker", afterID)
	x.some("EncodingType", q.query.Get("encoding-type"))
	x.int("MaxUploads", limit)
	x.bool("IsTruncated", p.more)
	if n := len(p.uploads); p.more && n > 0 {
		x.elem("NextKeyMarker", encode(p.uploads[n-1].key))
		x.elem("NextUploadIdMarker", p.uploads[n-1].id)
	}
	for _, u := range p.uploads {
		x.open("Upload")
		x.elem("Key", encode(u.key))
		x.elem("UploadId", u.id)
		x.time("Initiated", u.initiated)
		x.elem("StorageClass", "STANDARD")
		x.close("Upload")
	}
	x.close("ListMultipartUploadsResult")
	return q.reply(&x)
}

func (q *request) listParts() error {
	limit, err := q.limit("max-parts")
	if err != nil {
		return err
	}
	after, err := strconv.Atoi("0" + q.query.Get("part-number-marker"))
	if err != nil {
		return fmt.Errorf("%w: %w", err, invalidArgument)
	}
	parts, more, err := q.bucket.listParts(q.Context(), q.key, q.uploadID(), after, limit)
	if err != nil {
		return err
	}
	var x xmlWriter
	x.open("ListPartsResult")
	x.elem("Bucket", q.bucket.name)
	x.elem("Key", q.key)
	x.elem("UploadId", q.uploadID())
	x.int("PartNumberMarker", after)
	x.int("MaxParts", limit)
	x.bool("IsTruncated", more)
	if n := len(parts); more && n > 0 {
		x.int("NextPartNumberMarker", parts[n-1].number)
	}
	for _, p := range parts {
		x.open("Part")
		x.int("PartNumber", p.number)
		x.elem("ETag", quote(p.etag))
		x.int("Size", len(p.data))
		x.time("LastModified", p.modified)
		x.close("Part")
	}
	x.close("ListPartsResult")
	return q.reply(&x)
}
