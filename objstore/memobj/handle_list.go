package memobj

import (
	"encoding/base64"
	"fmt"
)

// encoder returns what the client asked to be done to keys.
func (q *request) encoder() (func(string) string, error) {
	switch v := q.query.Get("encoding-type"); v {
	case "":
		return func(s string) string { return s }, nil
	case "url":
		return urlEncode, nil
	default:
		return nil, fmt.Errorf("encoding-type %q: %w", v, invalidArgument)
	}
}

// listing is what both listings have in common.
func (q *request) listing(op Op, after, afterVersion string) (page, *xmlWriter, func(string) string, error) {
	encode, err := q.encoder()
	if err != nil {
		return page{}, nil, nil, err
	}
	limit, err := q.limit("max-keys")
	if err != nil {
		return page{}, nil, nil, err
	}
	in := scan{
		prefix: q.query.Get("prefix"), delimiter: q.query.Get("delimiter"),
		after: after, afterVersion: afterVersion, limit: limit,
	}
	p, err := q.bucket.list(q.Context(), op, in)
	if err != nil {
		return page{}, nil, nil, err
	}
	x := &xmlWriter{}
	x.open(resultOf[op])
	x.elem("Name", q.bucket.name)
	x.elem("Prefix", encode(in.prefix))
	x.some("Delimiter", encode(in.delimiter))
	x.int("MaxKeys", limit)
	x.some("EncodingType", q.query.Get("encoding-type"))
	x.bool("IsTruncated", p.more)
	return p, x, encode, nil
}

var resultOf = map[Op]string{OpListObjects: "ListBucketResult", OpListVersions: "ListVersionsResult"}

func (q *request) listObjects() error {
	after := q.query.Get("start-after")
	if token := q.query.Get("continuation-token"); token != "" {
		key, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil {
			return fmt.Errorf("continuation-token: %w", invalidArgument)
		}
		after = string(key)
	}
	p, x, encode, err := q.listing(OpListObjects, after, "")
	if err != nil {
		return err
	}
	x.some("StartAfter", encode(q.query.Get("start-after")))
	x.some("ContinuationToken", q.query.Get("continuation-token"))
	x.some("NextContinuationToken", base64.RawURLEncoding.EncodeToString([]byte(p.nextKey)))
	x.int("KeyCount", p.size())
	for _, item := range p.items {
		x.open("Contents")
		x.elem("Key", encode(item.key))
		item.write(x)
		x.close("Contents")
	}
	writePrefixes(x, p, encode)
	x.close("ListBucketResult")
	return q.reply(x)
}

func (q *request) listVersions() error {
	after, version := q.query.Get("key-marker"), q.query.Get("version-id-marker")
	if version != "" && (after == "" || !wellFormed(version)) {
		return fmt.Errorf("version-id-marker: %w", invalidArgument)
	}
	p, x, encode, err := q.listing(OpListVersions, after, version)
	if err != nil {
		return err
	}
	x.elem("KeyMarker", encode(after))
	x.elem("VersionIdMarker", version)
	x.some("NextKeyMarker", encode(p.nextKey))
	x.some("NextVersionIdMarker", p.nextVersion)
	for _, item := range p.items {
		name := "Version"
		if item.marker {
			name = "DeleteMarker"
		}
		x.open(name)
		x.elem("Key", encode(item.key))
		x.elem("VersionId", item.version)
		x.bool("IsLatest", item.latest)
		item.write(x)
		x.close(name)
	}
	writePrefixes(x, p, encode)
	x.close("ListVersionsResult")
	return q.reply(x)
}

func (l listed) write(x *xmlWriter) {
	x.time("LastModified", l.modified)
	if l.marker {
		return
	}
	x.elem("ETag", quote(l.etag))
	x.int("Size", len(l.data))
	x.elem("StorageClass", "STANDARD")
}

func writePrefixes(x *xmlWriter, p page, encode func(string) string) {
	for _, prefix := range p.prefixes {
		x.open("CommonPrefixes")
		x.elem("Prefix", encode(prefix))
		x.close("CommonPrefixes")
	}
}
