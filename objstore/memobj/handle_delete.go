package memobj

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/softdelete-go/softdelete/objstore"
)

type deleteRequest struct {
	XMLName xml.Name `xml:"Delete"`
	Quiet   bool
	Objects []struct {
		Key       string
		VersionID string `xml:"VersionId"`
		ETag      string
	} `xml:"Object"`
}

// deleteObjects takes the keys as the XML holds them. A character that XML
// cannot hold was replaced by the client, so that another key arrives here.
func (q *request) deleteObjects() error {
	if err := q.requireChecksum(); err != nil {
		return err
	}
	var in deleteRequest
	if err := q.decode(&in); err != nil {
		return err
	}
	if len(in.Objects) == 0 || len(in.Objects) > objstore.MaxDelete {
		return fmt.Errorf("%d keys: %w", len(in.Objects), malformedXML)
	}
	var (
		ids   []objstore.ID
		etags []string
	)
	for _, o := range in.Objects {
		if o.Key == "" {
			return fmt.Errorf("empty key: %w", malformedXML)
		}
		ids = append(ids, objstore.ID{Key: o.Key, Version: o.VersionID})
		etags = append(etags, strings.Trim(o.ETag, `"`))
	}
	out, err := q.bucket.batch(q.Context(), ids, etags, q.bypass())
	if err != nil {
		return err
	}
	var x xmlWriter
	x.open("DeleteResult")
	// S3 promises no order, so that a client must not count on one.
	for _, d := range slices.Backward(out) {
		d.write(&x, in.Quiet)
	}
	x.close("DeleteResult")
	return q.reply(&x)
}

func (q *request) requireChecksum() error {
	for name := range checksums {
		if q.Header.Get(name) != "" || strings.EqualFold(q.Header.Get("X-Amz-Trailer"), name) {
			return nil
		}
	}
	return fmt.Errorf("no Content-MD5 and no checksum: %w", invalidRequest)
}

func (d deleted) write(x *xmlWriter, quiet bool) {
	switch {
	case d.silent:
	case d.code != "":
		x.open("Error")
		x.elem("Key", d.Key)
		x.some("VersionId", d.Version)
		x.elem("Code", string(d.code))
		x.elem("Message", string(d.code))
		x.close("Error")
	case !quiet:
		x.open("Deleted")
		x.elem("Key", d.Key)
		x.some("VersionId", d.Version)
		if d.marker {
			x.bool("DeleteMarker", true)
			x.elem("DeleteMarkerVersionId", d.version)
		}
		x.close("Deleted")
	}
}
