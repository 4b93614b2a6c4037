package memobj_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

func TestSDKRoundTrip(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 1000, 1<<20 + 1} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			c, b := sdk(t, nil)
			data := bytes.Repeat([]byte("x"), size)
			out := must[*s3.PutObjectOutput](t)(c.PutObject(t.Context(), &s3.PutObjectInput{
				Bucket: archive, Key: aws.String("in/a b+c%é"), Body: bytes.NewReader(data), ContentType: aws.String("text/plain"),
				Metadata: map[string]string{"owner": "me"},
			}))
			if out.VersionId != nil {
				t.Errorf("a version without versioning: %s", *out.VersionId)
			}
			got := must[*s3.GetObjectOutput](t)(c.GetObject(t.Context(), &s3.GetObjectInput{Bucket: archive, Key: aws.String("in/a b+c%é")}))
			if content := readAll(t, got.Body); content != string(data) {
				t.Errorf("%d bytes, want %d", len(content), size)
			}
			equal(t, "content type", "text/plain", aws.ToString(got.ContentType))
			equal(t, "metadata", map[string]string{"owner": "me"}, got.Metadata)
			equal(t, "etag", aws.ToString(out.ETag), aws.ToString(got.ETag))
			equal(t, "read directly", string(data), read(t, b, objstore.ID{Key: "in/a b+c%é"}))
		})
	}
}

func TestSDKRange(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, nil)
	store(t, b, "k", "0123456789")
	got := must[*s3.GetObjectOutput](t)(c.GetObject(t.Context(), &s3.GetObjectInput{
		Bucket: archive, Key: aws.String("k"), Range: aws.String("bytes=2-4"),
	}))
	equal(t, "range", "234", readAll(t, got.Body))
	equal(t, "content range", "bytes 2-4/10", aws.ToString(got.ContentRange))
}

func TestSDKConditions(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, &memobj.Options{Versioning: objstore.Versioned})
	put := func(in s3.PutObjectInput) error {
		in.Bucket, in.Key, in.Body = archive, aws.String("k"), strings.NewReader("new")
		_, err := c.PutObject(t.Context(), &in)
		return err
	}
	star, other := aws.String("*"), aws.String(`"other"`)
	wantCode(t, "replace what is missing", put(s3.PutObjectInput{IfMatch: other}), "NoSuchKey")
	if err := put(s3.PutObjectInput{IfNoneMatch: star}); err != nil {
		t.Error(err)
	}
	wantCode(t, "make what is there", put(s3.PutObjectInput{IfNoneMatch: star}), "PreconditionFailed")
	wantCode(t, "replace another", put(s3.PutObjectInput{IfMatch: other}), "PreconditionFailed")
	_, err := c.DeleteObject(t.Context(), &s3.DeleteObjectInput{Bucket: archive, Key: aws.String("k"), IfMatch: other})
	wantCode(t, "delete another", err, "PreconditionFailed")
	hide(t, b, "k")
	if err := put(s3.PutObjectInput{IfNoneMatch: star}); err != nil {
		t.Errorf("make what is hidden: %v", err)
	}
}

// TestSDKDeleteBatchMangles: the SDK makes U+FFFD of what XML cannot hold, so
// that another object dies and success is reported. A delete by URL does not.
func TestSDKDeleteBatchMangles(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, nil)
	store(t, b, "a\x01b", "meant")
	store(t, b, "a\uFFFDb", "live")
	out := must[*s3.DeleteObjectsOutput](t)(c.DeleteObjects(t.Context(), &s3.DeleteObjectsInput{
		Bucket: archive, Delete: identifiers(objstore.ID{Key: "a\x01b"}),
	}))
	if len(out.Deleted) != 1 || len(out.Errors) != 0 {
		t.Errorf("%+v", out)
	}
	equal(t, "held", []string{"a\x01b meant"}, held(t, b))
	must[*s3.DeleteObjectOutput](t)(c.DeleteObject(t.Context(), &s3.DeleteObjectInput{Bucket: archive, Key: aws.String("a\x01b")}))
	equal(t, "held", []string(nil), held(t, b))
}

func TestSDKDeleteBatchLimits(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, nil)
	var ids []objstore.ID
	for i := range 1001 {
		ids = append(ids, objstore.ID{Key: fmt.Sprintf("in/%04d", i)})
	}
	store(t, b, ids[0].Key, "bytes")
	remove := func(ids ...objstore.ID) (*s3.DeleteObjectsOutput, error) {
		return c.DeleteObjects(t.Context(), &s3.DeleteObjectsInput{Bucket: archive, Delete: identifiers(ids...)})
	}
	_, err := remove(ids...)
	wantCode(t, "1,001 keys", err, "MalformedXML")
	equal(t, "held", []string{"in/0000 bytes"}, held(t, b))
	out := must[*s3.DeleteObjectsOutput](t)(remove(ids[:1000]...))
	equal(t, "acknowledged", 1000, len(out.Deleted))
	equal(t, "first of the answer", "in/0999", aws.ToString(out.Deleted[0].Key))
	equal(t, "held", []string(nil), held(t, b))
}

func TestSDKDeleteBatchAnswers(t *testing.T) {
	t.Parallel()
	b, fault := faulty(t, memobj.Options{Versioning: objstore.Versioned})
	server := must[*memobj.Server](t)(memobj.NewServer(nil))
	server.Add(b)
	c := client(server.RoundTripper())
	id := store(t, b, "a", "bytes")
	fault.Entries = map[string]memobj.Code{"refused": memobj.AccessDenied, "silent": memobj.NoAnswer}
	out := must[*s3.DeleteObjectsOutput](t)(c.DeleteObjects(t.Context(), &s3.DeleteObjectsInput{
		Bucket: archive, Delete: identifiers(id, objstore.ID{Key: "hidden"}, objstore.ID{Key: "refused"}, objstore.ID{Key: "silent"}),
	}))
	var got []string
	for _, d := range out.Deleted {
		got = append(got, fmt.Sprint(*d.Key, " ", aws.ToString(d.VersionId) == id.Version, " ", aws.ToBool(d.DeleteMarker)))
	}
	for _, e := range out.Errors {
		got = append(got, *e.Key+" "+*e.Code)
	}
	equal(t, "answer", []string{"hidden false true", "a true false", "refused AccessDenied"}, got)
	quiet := identifiers(objstore.ID{Key: "a"}, objstore.ID{Key: "refused"})
	quiet.Quiet = aws.Bool(true)
	out = must[*s3.DeleteObjectsOutput](t)(c.DeleteObjects(t.Context(), &s3.DeleteObjectsInput{Bucket: archive, Delete: quiet}))
	equal(t, "quiet answer", []int{0, 1}, []int{len(out.Deleted), len(out.Errors)})
}

func TestSDKListings(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, nil)
	for _, key := range []string{"a", "a b/1", "a b/2", "b+/1", "c"} {
		store(t, b, key, key)
	}
	tests := []struct {
		name string
		in   s3.ListObjectsV2Input
		want []string
		more bool
	}{
		{"all", s3.ListObjectsV2Input{}, []string{"a", "a b/1", "a b/2", "b+/1", "c"}, false},
		{"encoded", s3.ListObjectsV2Input{EncodingType: types.EncodingTypeUrl}, []string{"a", "a+b/1", "a+b/2", "b%2B/1", "c"}, false},
		{"prefix", s3.ListObjectsV2Input{Prefix: aws.String("a ")}, []string{"a b/1", "a b/2"}, false},
		{"start", s3.ListObjectsV2Input{StartAfter: aws.String("a b/1")}, []string{"a b/2", "b+/1", "c"}, false},
		{"page", s3.ListObjectsV2Input{MaxKeys: aws.Int32(2)}, []string{"a", "a b/1"}, true},
		{"empty page", s3.ListObjectsV2Input{MaxKeys: aws.Int32(0)}, nil, false},
		{"folders", s3.ListObjectsV2Input{Delimiter: aws.String("/")}, []string{"a", "c", "a b/ …", "b+/ …"}, false},
		{"page of folders", s3.ListObjectsV2Input{Delimiter: aws.String("/"), MaxKeys: aws.Int32(2)}, []string{"a", "a b/ …"}, true},
		{"behind a folder", s3.ListObjectsV2Input{Delimiter: aws.String("/"), StartAfter: aws.String("a b/")}, []string{"c", "b+/ …"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.in.Bucket = archive
			out := must[*s3.ListObjectsV2Output](t)(c.ListObjectsV2(t.Context(), &tt.in))
			var got []string
			for _, o := range out.Contents {
				got = append(got, *o.Key)
			}
			for _, p := range out.CommonPrefixes {
				got = append(got, *p.Prefix+" …")
			}
			equal(t, "listing", tt.want, got)
			equal(t, "count", len(tt.want), int(aws.ToInt32(out.KeyCount)))
			equal(t, "more", []bool{tt.more, tt.more}, []bool{aws.ToBool(out.IsTruncated), out.NextContinuationToken != nil})
		})
	}
	t.Run("pager", func(t *testing.T) {
		t.Parallel()
		pages := s3.NewListObjectsV2Paginator(c, &s3.ListObjectsV2Input{Bucket: archive, Delimiter: aws.String("/"), MaxKeys: aws.Int32(1)})
		n := 0
		for pages.HasMorePages() {
			page := must[*s3.ListObjectsV2Output](t)(pages.NextPage(t.Context()))
			n += len(page.Contents) + len(page.CommonPrefixes)
		}
		equal(t, "entries", 4, n)
	})
}

// TestSDKListingBreaks: a control character breaks the whole page, unless keys
// are encoded.
func TestSDKListingBreaks(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, nil)
	store(t, b, "a", "1")
	store(t, b, "b\x01", "2")
	if _, err := c.ListObjectsV2(t.Context(), &s3.ListObjectsV2Input{Bucket: archive}); err == nil {
		t.Error("objects: no error")
	}
	if _, err := c.ListObjectVersions(t.Context(), &s3.ListObjectVersionsInput{Bucket: archive}); err == nil {
		t.Error("versions: no error")
	}
	out := must[*s3.ListObjectVersionsOutput](t)(c.ListObjectVersions(t.Context(), &s3.ListObjectVersionsInput{
		Bucket: archive, EncodingType: types.EncodingTypeUrl,
	}))
	equal(t, "encoded", "b%01", aws.ToString(out.Versions[1].Key))
	equal(t, "version", "null", aws.ToString(out.Versions[1].VersionId))
}

func TestSDKVersions(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, &memobj.Options{Versioning: objstore.Versioned})
	id := store(t, b, "k", "bytes")
	out := must[*s3.DeleteObjectOutput](t)(c.DeleteObject(t.Context(), &s3.DeleteObjectInput{Bucket: archive, Key: aws.String("k")}))
	if !aws.ToBool(out.DeleteMarker) || out.VersionId == nil {
		t.Errorf("delete makes %+v", out)
	}
	head := func(version *string) error {
		_, err := c.HeadObject(t.Context(), &s3.HeadObjectInput{Bucket: archive, Key: aws.String("k"), VersionId: version})
		return err
	}
	get := func(version *string) error {
		_, err := c.GetObject(t.Context(), &s3.GetObjectInput{Bucket: archive, Key: aws.String("k"), VersionId: version})
		return err
	}
	wantCode(t, "head of a hidden key", head(nil), "NotFound")
	wantCode(t, "head of a marker", head(out.VersionId), "MethodNotAllowed")
	wantCode(t, "get of a marker", get(out.VersionId), "MethodNotAllowed")
	wantCode(t, "get of a missing version", get(aws.String(strings.Repeat("0", 32))), "NoSuchVersion")
	wantCode(t, "get of a wrong version", get(aws.String("wrong")), "InvalidArgument")
	if err := head(&id.Version); err != nil {
		t.Error(err)
	}
	page := must[*s3.ListObjectVersionsOutput](t)(c.ListObjectVersions(t.Context(), &s3.ListObjectVersionsInput{Bucket: archive, MaxKeys: aws.Int32(1)}))
	equal(t, "page", []int{0, 1}, []int{len(page.Versions), len(page.DeleteMarkers)})
	page = must[*s3.ListObjectVersionsOutput](t)(c.ListObjectVersions(t.Context(), &s3.ListObjectVersionsInput{
		Bucket: archive, KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker,
	}))
	equal(t, "next page", id.Version, aws.ToString(page.Versions[0].VersionId))
	gone := must[*s3.DeleteObjectOutput](t)(c.DeleteObject(t.Context(), &s3.DeleteObjectInput{Bucket: archive, Key: aws.String("k"), VersionId: out.VersionId}))
	equal(t, "deleted", *out.VersionId, aws.ToString(gone.VersionId))
	equal(t, "held", []string{"k bytes"}, held(t, b))
}

func TestSDKCopy(t *testing.T) {
	t.Parallel()
	c, b := sdk(t, &memobj.Options{Versioning: objstore.Versioned})
	old := store(t, b, "in/a b", "old")
	store(t, b, "in/a b", "new")
	for source, want := range map[string]string{"archive/in/a%20b": "new", "archive/in/a%20b?versionId=" + old.Version: "old"} {
		must[*s3.CopyObjectOutput](t)(c.CopyObject(t.Context(), &s3.CopyObjectInput{Bucket: archive, Key: aws.String("out"), CopySource: &source}))
		equal(t, source, want, read(t, b, objstore.ID{Key: "out"}))
	}
	_, err := c.CopyObject(t.Context(), &s3.CopyObjectInput{Bucket: archive, Key: aws.String("out"), CopySource: aws.String("archive/missing")})
	wantCode(t, "missing source", err, "NoSuchKey")
}
