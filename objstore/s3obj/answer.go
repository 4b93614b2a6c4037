package s3obj

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/softdelete-go/softdelete/objstore"
)

// read takes the answer to a batch apart. What it does not find there stays
// unacknowledged; what it finds and nobody asked for is its error.
func (d *removal) read(ctx context.Context, batch []*objstore.DeleteResult, out *s3.DeleteObjectsOutput) error {
	asked := make(asked, len(batch))
	for _, r := range batch {
		asked[r.ID] = r
		r.Err = d.bucket.failAs(nil, "delete", r.ID, objstore.ErrUnacknowledged)
	}
	var strange []string
	for _, a := range out.Deleted {
		if r := asked.deleted(a); r != nil {
			r.Err = nil
		} else {
			strange = append(strange, fmt.Sprintf("%q version %q", aws.ToString(a.Key), aws.ToString(a.VersionId)))
		}
	}
	// Errors come second: of an entry in both lists only the failure is sure.
	for _, e := range out.Errors {
		r := asked.failed(e)
		if r == nil {
			strange = append(strange, fmt.Sprintf("%q version %q (%s)", aws.ToString(e.Key), aws.ToString(e.VersionId), aws.ToString(e.Code)))
			continue
		}
		d.failed(ctx, r, e)
	}
	if len(strange) > 0 {
		return fmt.Errorf("the store answered for entries that were not in the batch: %s", strings.Join(strange, ", "))
	}
	return nil
}

func (d *removal) failed(ctx context.Context, r *objstore.DeleteResult, e types.Error) {
	code := aws.ToString(e.Code)
	switch code {
	case "NoSuchKey", "NoSuchVersion":
		r.Err = nil
	case "":
		// Neither deleted nor refused for a reason: still unacknowledged.
	default:
		d.refuse(ctx, r, code, 0, fmt.Errorf("%s: %s", code, aws.ToString(e.Message)))
	}
}

// asked are the entries of a batch.
type asked map[objstore.ID]*objstore.DeleteResult

// deleted returns the entry that is acknowledged, nil for none. SeaweedFS leaves
// the version id out where the entry was a delete marker, which it then names
// in the other field, or the null version of a bucket without versioning.
// Neither can be mistaken for the delete that ignored the version and made a
// new marker: that one names a marker nobody knew.
func (a asked) deleted(d types.DeletedObject) *objstore.DeleteResult {
	key, version := aws.ToString(d.Key), aws.ToString(d.VersionId)
	mark := aws.ToString(d.DeleteMarkerVersionId)
	if r := a[objstore.ID{Key: key, Version: version}]; r != nil || version != "" {
		return r
	}
	if mark != "" {
		return a[objstore.ID{Key: key, Version: mark}]
	}
	if aws.ToBool(d.DeleteMarker) {
		return nil
	}
	return a[objstore.ID{Key: key, Version: objstore.NullVersion}]
}

// failed returns the entry that was refused. Stores leave the version id out;
// then the entry is found where the batch has one version of that key.
func (a asked) failed(e types.Error) *objstore.DeleteResult {
	key, version := aws.ToString(e.Key), aws.ToString(e.VersionId)
	if r := a[objstore.ID{Key: key, Version: version}]; r != nil || version != "" {
		return r
	}
	var only *objstore.DeleteResult
	for id, r := range a {
		if id.Key != key {
			continue
		}
		if only != nil {
			return nil
		}
		only = r
	}
	return only
}
