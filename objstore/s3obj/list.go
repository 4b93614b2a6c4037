package s3obj

import (
	"context"
	"fmt"
	"iter"
	"net/url"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/softdelete-go/softdelete/objstore"
)

// Objects lists the current objects with ListObjectsV2. That request tells no
// version ids, so Version is empty in buckets with versioning too.
//
// A page that contradicts itself or the pages before is
// [objstore.ErrIncomplete]: keys that repeat, go backwards or leave the prefix,
// a cut without a token, a token that leads nowhere.
func (b *Bucket) Objects(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return b.walk(ctx, listing{op: "list", prefix: prefix, opts: opts, fetch: b.objectsPage})
}

// Versions lists versions and delete markers with ListObjectVersions, and is as
// strict as Objects. A bucket that never had versioning lists its objects under
// [objstore.NullVersion]: the store does not tell the two apart.
//
// The SDK hands out versions and delete markers in two lists, so their order
// within a key is restored from Latest and Modified; between a version and a
// marker of the same instant it is a guess. Besides one page, the version ids
// of one key are held in memory.
func (b *Bucket) Versions(ctx context.Context, prefix string, opts *objstore.ListOptions) iter.Seq2[objstore.Object, error] {
	return b.walk(ctx, listing{op: "list versions", prefix: prefix, opts: opts, fetch: b.versionsPage, versions: true})
}

// marker is the place where a page begins: a token, or a key and a version.
type marker struct{ token, version string }

// page is one page of either listing, decoded.
type page struct {
	entries []objstore.Object
	more    bool
	next    marker
}

// question is what one page is asked for.
type question struct {
	prefix, after string
	size          int32
	at            marker
}

type listing struct {
	op       string
	prefix   string
	opts     *objstore.ListOptions
	versions bool
	fetch    func(context.Context, question) (page, error)
}

func (b *Bucket) walk(ctx context.Context, l listing) iter.Seq2[objstore.Object, error] {
	return func(yield func(objstore.Object, error) bool) {
		err := l.run(ctx, func(o objstore.Object) bool { return yield(o, nil) })
		if err != nil {
			yield(objstore.Object{}, b.fail(l.op, objstore.ID{Key: l.prefix}, err))
		}
	}
}

// run passes the entries on, until there are no more or pass is false.
func (l listing) run(ctx context.Context, pass func(objstore.Object) bool) error {
	q, err := l.first()
	if err != nil {
		return err
	}
	check := order{prefix: l.prefix, last: q.after, versions: l.versions}
	for {
		p, err := l.fetch(ctx, q)
		if err != nil {
			return err
		}
		for _, o := range p.entries {
			if err := check.entry(o); err != nil {
				return err
			}
			if !pass(o) {
				return nil
			}
		}
		if !p.more {
			return nil
		}
		if err := check.turn(q.at, p); err != nil {
			return err
		}
		q.at = p.next
	}
}

func (l listing) first() (question, error) {
	q := question{prefix: l.prefix, size: maxPage}
	if l.opts == nil {
		return q, nil
	}
	if l.opts.Page < 0 || l.opts.Page > maxPage {
		return q, fmt.Errorf("a page of %d entries: %w", l.opts.Page, objstore.ErrInvalid)
	}
	if l.opts.Page > 0 {
		q.size = int32(l.opts.Page)
	}
	q.after = l.opts.After
	return q, nil
}

func (b *Bucket) objectsPage(ctx context.Context, q question) (page, error) {
	out, err := b.client.ListObjectsV2(ctx, &s3.ListObjectsV2Input{
		Bucket:            aws.String(b.name),
		Prefix:            optional(q.prefix),
		StartAfter:        optional(q.after),
		ContinuationToken: optional(q.at.token),
		MaxKeys:           aws.Int32(q.size),
		// Without it one control character in one key breaks the whole page.
		EncodingType: types.EncodingTypeUrl,
	}, b.address)
	if err != nil {
		return page{}, err
	}
	p := page{more: aws.ToBool(out.IsTruncated), next: marker{token: aws.ToString(out.NextContinuationToken)}}
	if err := whole(out.IsTruncated, p.next.token != "", out.CommonPrefixes); err != nil {
		return page{}, err
	}
	p.entries = make([]objstore.Object, 0, len(out.Contents))
	for _, c := range out.Contents {
		key, err := decode(out.EncodingType, c.Key)
		if err != nil {
			return page{}, err
		}
		p.entries = append(p.entries, objstore.Object{
			Key: key, Latest: true, Size: aws.ToInt64(c.Size),
			ETag: bare(c.ETag), Modified: instant(c.LastModified),
		})
	}
	return p, nil
}

func (b *Bucket) versionsPage(ctx context.Context, q question) (page, error) {
	at := q.at.token
	if at == "" {
		at = q.after // a key marker without a version begins behind the key
	}
	out, err := b.client.ListObjectVersions(ctx, &s3.ListObjectVersionsInput{
		Bucket:          aws.String(b.name),
		Prefix:          optional(q.prefix),
		KeyMarker:       optional(at),
		VersionIdMarker: optional(q.at.version),
		MaxKeys:         aws.Int32(q.size),
		EncodingType:    types.EncodingTypeUrl,
	}, b.address)
	if err != nil {
		return page{}, err
	}
	// Both halves are needed: a key alone would pass over the key's other
	// versions.
	marked := aws.ToString(out.NextKeyMarker) != "" && aws.ToString(out.NextVersionIdMarker) != ""
	if err := whole(out.IsTruncated, marked, out.CommonPrefixes); err != nil {
		return page{}, err
	}
	p := page{more: aws.ToBool(out.IsTruncated)}
	if p.more {
		key, err := decode(out.EncodingType, out.NextKeyMarker)
		if err != nil {
			return page{}, err
		}
		p.next = marker{token: key, version: aws.ToString(out.NextVersionIdMarker)}
	}
	p.entries, err = mergeVersions(out)
	return p, err
}

// mergeVersions joins the page's two lists into the order of the store.
func mergeVersions(out *s3.ListObjectVersionsOutput) ([]objstore.Object, error) {
	versions := make([]objstore.Object, 0, len(out.Versions))
	for _, v := range out.Versions {
		key, err := decode(out.EncodingType, v.Key)
		if err != nil {
			return nil, err
		}
		versions = append(versions, objstore.Object{
			Key: key, Version: aws.ToString(v.VersionId), Latest: aws.ToBool(v.IsLatest),
			Size: aws.ToInt64(v.Size), ETag: bare(v.ETag), Modified: instant(v.LastModified),
		})
	}
	markers := make([]objstore.Object, 0, len(out.DeleteMarkers))
	for _, m := range out.DeleteMarkers {
		key, err := decode(out.EncodingType, m.Key)
		if err != nil {
			return nil, err
		}
		markers = append(markers, objstore.Object{
			Key: key, Version: aws.ToString(m.VersionId), Latest: aws.ToBool(m.IsLatest),
			DeleteMarker: true, Modified: instant(m.LastModified),
		})
	}
	merged := make([]objstore.Object, 0, len(versions)+len(markers))
	for len(versions) > 0 && len(markers) > 0 {
		from := &markers
		if before(versions[0], markers[0]) {
			from = &versions
		}
		merged = append(merged, (*from)[0])
		*from = (*from)[1:]
	}
	return append(append(merged, versions...), markers...), nil
}

// before tells whether a version stood before a delete marker in the answer.
func before(version, mark objstore.Object) bool {
	if version.Key != mark.Key {
		return version.Key < mark.Key
	}
	if version.Latest != mark.Latest {
		return version.Latest
	}
	return version.Modified.After(mark.Modified)
}

// decode undoes the encoding of a listed key where the answer says there is
// one. The SDK does not, and not every store honours the request. A key that
// XML cannot hold comes mangled from the others, as another key: it is no key
// to act on.
func decode(encoding types.EncodingType, key *string) (string, error) {
	raw := aws.ToString(key)
	if encoding != types.EncodingTypeUrl {
		if !objstore.XMLSafe(raw) {
			return "", fmt.Errorf("the store does not encode keys, and %q may be another key: %w", raw, objstore.ErrIncomplete)
		}
		return raw, nil
	}
	decoded, err := url.QueryUnescape(raw)
	if err != nil {
		return "", fmt.Errorf("%w: %w", err, objstore.ErrIncomplete)
	}
	return decoded, nil
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func instant(t *time.Time) time.Time { return aws.ToTime(t).UTC() }
