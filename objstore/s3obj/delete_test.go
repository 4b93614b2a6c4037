package s3obj

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
)

func TestDeleteRefusesTheBatch(t *testing.T) {
	t.Parallel()
	many := make([]objstore.ID, objstore.MaxDelete+1)
	for i := range many {
		many[i].Key = fmt.Sprint(i)
	}
	tests := []struct {
		name string
		ids  []objstore.ID
	}{
		{name: "1,001", ids: many},
		{name: "duplicate", ids: []objstore.ID{{Key: "k"}, {Key: "k"}}},
		{name: "empty key", ids: []objstore.ID{{Key: "k"}, {}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			results, err := newBucket(t, &fake{}).Delete(t.Context(), test.ids)
			if len(results) > 0 || !errors.Is(err, objstore.ErrInvalid) {
				t.Errorf("got %v, %v", results, err)
			}
		})
	}
}

func TestDeleteOfNothingSendsNothing(t *testing.T) {
	t.Parallel()
	if results, err := newBucket(t, &fake{}).Delete(t.Context(), nil); len(results) > 0 || err != nil {
		t.Errorf("got %v, %v", results, err)
	}
}

// TestDeleteSendsEachKeyTheSafeWay: in the batch, by itself, or not at all.
func TestDeleteSendsEachKeyTheSafeWay(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		key  string
		want string
	}{
		{name: "plain", key: "in/a", want: "batch"},
		{name: "slash at the end", key: "in/", want: "batch"},
		{name: "é", key: "é", want: "batch"},
		{name: "control character", key: "a\x01b", want: "single"},
		{name: "tabulator", key: "a\tb", want: "single"},
		{name: "U+FFFD", key: "a\uFFFDb", want: "single"},
		{name: "U+FFFE", key: "a\uFFFEb", want: "single"},
		{name: "not UTF-8", key: "a\xffb", want: "single"},
		{name: "dot", key: "./a", want: "unsent"},
		{name: "dots", key: "in/../a", want: "unsent"},
		{name: "dots at the end", key: "in/..", want: "unsent"},
		{name: "slash at the start", key: "/a", want: "unsent"},
		{name: "slashes", key: "in//a", want: "unsent"},
		{name: "slashes at the end", key: "in//", want: "unsent"},
		{name: "slash", key: "/", want: "unsent"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			way := "unsent"
			b := newBucket(t, &fake{
				deleteOne: func(in *s3.DeleteObjectInput) (*s3.DeleteObjectOutput, error) {
					way = "single"
					if *in.Key != test.key || *in.VersionId != "v" {
						t.Errorf("deleted %q %q", *in.Key, *in.VersionId)
					}
					return &s3.DeleteObjectOutput{VersionId: in.VersionId}, nil
				},
				deleteBatch: func(in *s3.DeleteObjectsInput) (*s3.DeleteObjectsOutput, error) {
					way = "batch"
					return acknowledge(in), nil
				},
			})
			results, err := b.Delete(t.Context(), []objstore.ID{{Key: test.key, Version: "v"}})
			if err != nil {
				t.Fatal(err)
			}
			if way != test.want {
				t.Errorf("went %s", way)
			}
			if refused := way == "unsent"; refused != errors.Is(results[0].Err, objstore.ErrInvalid) || !refused && results[0].Err != nil {
				t.Errorf("got %v", results[0].Err)
			}
		})
	}
}

// acknowledge answers each entry of a batch, in another order.
func acknowledge(in *s3.DeleteObjectsInput) *s3.DeleteObjectsOutput {
	out := &s3.DeleteObjectsOutput{}
	for _, o := range slices.Backward(in.Delete.Objects) {
		out.Deleted = append(out.Deleted, types.DeletedObject{Key: o.Key, VersionId: o.VersionId})
	}
	return out
}

func TestBatchesAreLoudAndSummed(t *testing.T) {
	t.Parallel()
	b := newBucket(t, &fake{deleteBatch: func(in *s3.DeleteObjectsInput) (*s3.DeleteObjectsOutput, error) {
		want := []types.ObjectIdentifier{
			{Key: aws.String("a")}, {Key: aws.String("b"), VersionId: aws.String("null")}, {Key: aws.String("c"), VersionId: aws.String("v")},
		}
		if aws.ToBool(in.Delete.Quiet) || in.ChecksumAlgorithm == "" || *in.Bucket != "b" {
			t.Errorf("sent %+v", in)
		}
		for i, o := range in.Delete.Objects {
			if aws.ToString(o.Key) != *want[i].Key || aws.ToString(o.VersionId) != aws.ToString(want[i].VersionId) || o.ETag != nil {
				t.Errorf("sent %+v", o)
			}
		}
		return acknowledge(in), nil
	}})
	ids := []objstore.ID{{Key: "a"}, {Key: "b", Version: "null"}, {Key: "c", Version: "v"}}
	results, err := b.Delete(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	var got []objstore.ID
	for _, r := range results {
		got = append(got, r.ID)
		if r.Err != nil || r.Code != "" {
			t.Errorf("%v: %v %q", r.ID, r.Err, r.Code)
		}
	}
	if diff := cmp.Diff(ids, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestOnlyAnAcknowledgementCounts: each answer acknowledges the entries in gone,
// and says nothing of the others.
func TestOnlyAnAcknowledgementCounts(t *testing.T) {
	t.Parallel()
	deleted := func(key, version, marker string) types.DeletedObject {
		d := types.DeletedObject{Key: aws.String(key), VersionId: optional(version), DeleteMarkerVersionId: optional(marker)}
		if marker != "" {
			d.DeleteMarker = aws.Bool(true)
		}
		return d
	}
	failure := func(key, version, code string) types.Error {
		return types.Error{Key: aws.String(key), VersionId: optional(version), Code: optional(code)}
	}
	tests := []struct {
		name    string
		asked   []string
		deleted []types.DeletedObject
		errors  []types.Error
		gone    []string
		strange bool
	}{
		{name: "empty answer", asked: []string{"a 1", "b 1"}},
		{name: "one is missing", asked: []string{"a 1", "b 1"}, deleted: []types.DeletedObject{deleted("b", "1", "")}, gone: []string{"b 1"}},
		{name: "another version", asked: []string{"a 1"}, deleted: []types.DeletedObject{deleted("a", "2", "")}, strange: true},
		{name: "another key", asked: []string{"a 1"}, deleted: []types.DeletedObject{deleted("a\uFFFD", "1", "")}, strange: true},
		{name: "no key", asked: []string{"a 1"}, deleted: []types.DeletedObject{{}}, strange: true},
		{name: "an unknown failure", asked: []string{"a 1"}, errors: []types.Error{failure("b", "1", "AccessDenied")}, strange: true},
		{name: "hidden under a new marker", asked: []string{"a"}, deleted: []types.DeletedObject{deleted("a", "", "m")}, gone: []string{"a"}},
		{name: "version ignored, new marker", asked: []string{"a 1"}, deleted: []types.DeletedObject{deleted("a", "", "m")}, strange: true},
		{name: "marker without an id", asked: []string{"a null"}, deleted: []types.DeletedObject{{Key: aws.String("a"), DeleteMarker: aws.Bool(true)}}, strange: true},
		{name: "a marker, as S3 says it", asked: []string{"a m"}, deleted: []types.DeletedObject{deleted("a", "m", "m")}, gone: []string{"a m"}},
		{name: "a marker, as SeaweedFS says it", asked: []string{"a m", "a 1"}, deleted: []types.DeletedObject{deleted("a", "", "m")}, gone: []string{"a m"}},
		{name: "null, left out", asked: []string{"a null"}, deleted: []types.DeletedObject{deleted("a", "", "")}, gone: []string{"a null"}},
		{name: "a version, left out", asked: []string{"a 1"}, deleted: []types.DeletedObject{deleted("a", "", "")}, strange: true},
		{name: "no such key", asked: []string{"a 1"}, errors: []types.Error{failure("a", "1", "NoSuchKey")}, gone: []string{"a 1"}},
		{name: "no such version", asked: []string{"a 1"}, errors: []types.Error{failure("a", "", "NoSuchVersion")}, gone: []string{"a 1"}},
		{name: "a failure of one of two versions", asked: []string{"a 1", "a 2"}, errors: []types.Error{failure("a", "", "NoSuchVersion")}, strange: true},
		{name: "a failure without a code", asked: []string{"a 1"}, errors: []types.Error{failure("a", "1", "")}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, &fake{deleteBatch: func(*s3.DeleteObjectsInput) (*s3.DeleteObjectsOutput, error) {
				return &s3.DeleteObjectsOutput{Deleted: test.deleted, Errors: test.errors}, nil
			}})
			var ids []objstore.ID
			for _, text := range test.asked {
				ids = append(ids, pair(text))
			}
			results, err := b.Delete(t.Context(), ids)
			if test.strange != (err != nil) {
				t.Errorf("got %v", err)
			}
			if len(results) != len(ids) {
				t.Fatalf("%d results for %d entries", len(results), len(ids))
			}
			for i, r := range results {
				gone := slices.Contains(test.gone, test.asked[i])
				if gone != (r.Err == nil) || !gone && !errors.Is(r.Err, objstore.ErrUnacknowledged) {
					t.Errorf("%s: %v", test.asked[i], r.Err)
				}
			}
		})
	}
}

func TestFailureOutweighsAcknowledgement(t *testing.T) {
	t.Parallel()
	b := newBucket(t, &fake{deleteBatch: func(in *s3.DeleteObjectsInput) (*s3.DeleteObjectsOutput, error) {
		out := acknowledge(in)
		out.Errors = []types.Error{{Key: aws.String("a"), Code: aws.String("InternalError")}}
		return out, nil
	}})
	results, err := b.Delete(t.Context(), []objstore.ID{{Key: "a"}})
	if err != nil || results[0].Err == nil || results[0].Code != "InternalError" {
		t.Errorf("got %v, %v", results, err)
	}
}

func TestStrangeAnswerStopsTheSingleDeletes(t *testing.T) {
	t.Parallel()
	b := newBucket(t, &fake{deleteBatch: func(*s3.DeleteObjectsInput) (*s3.DeleteObjectsOutput, error) {
		return &s3.DeleteObjectsOutput{Deleted: []types.DeletedObject{{Key: aws.String("x")}}}, nil
	}})
	results, err := b.Delete(t.Context(), []objstore.ID{{Key: "a"}, {Key: "b\x01"}})
	if err == nil || results[0].Err == nil || results[1].Err == nil {
		t.Errorf("got %v, %v", results, err)
	}
}

// TestCodes has the store refuse an entry, in a batch and by itself.
func TestCodes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		code string
		want error // nil is a plain error
		gone bool
	}{
		{name: "missing key", code: "NoSuchKey", gone: true},
		{name: "missing version", code: "NoSuchVersion", gone: true},
		{name: "slow down", code: "SlowDown", want: objstore.ErrThrottled},
		{name: "unavailable", code: "ServiceUnavailable", want: objstore.ErrThrottled},
		{name: "throttling", code: "ThrottlingException", want: objstore.ErrThrottled},
		{name: "denied", code: "AccessDenied", want: fs.ErrPermission},
		{name: "not implemented", code: "NotImplemented", want: errors.ErrUnsupported},
		{name: "internal", code: "InternalError"},
		{name: "missing bucket", code: "NoSuchBucket"},
	}
	kinds := []error{objstore.ErrThrottled, objstore.ErrLocked, objstore.ErrUnacknowledged, fs.ErrPermission, fs.ErrNotExist, errors.ErrUnsupported}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, &fake{
				deleteOne: func(*s3.DeleteObjectInput) (*s3.DeleteObjectOutput, error) {
					return nil, answer{code: test.code}
				},
				deleteBatch: func(in *s3.DeleteObjectsInput) (*s3.DeleteObjectsOutput, error) {
					return &s3.DeleteObjectsOutput{Errors: []types.Error{{
						Key: in.Delete.Objects[0].Key, Code: &test.code, Message: aws.String("because"),
					}}}, nil
				},
			})
			results, err := b.Delete(t.Context(), []objstore.ID{{Key: "k"}, {Key: "k\x01"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range results {
				if test.gone {
					if r.Err != nil || r.Code != "" {
						t.Errorf("%q: %v %q", r.Key, r.Err, r.Code)
					}
					continue
				}
				if r.Err == nil || r.Code != test.code {
					t.Errorf("%q: %v %q", r.Key, r.Err, r.Code)
				}
				for _, kind := range kinds {
					if errors.Is(r.Err, kind) != (kind == test.want) {
						t.Errorf("%q: %v is, or is not, %v", r.Key, r.Err, kind)
					}
				}
			}
		})
	}
}

// TestDeniedVersionsAreLookedUp: a refusal is a lock's, or a permission's.
func TestDeniedVersionsAreLookedUp(t *testing.T) {
	t.Parallel()
	until := func(d time.Duration) *s3.GetObjectRetentionOutput {
		return &s3.GetObjectRetentionOutput{Retention: &types.ObjectLockRetention{RetainUntilDate: aws.Time(now.Add(d))}}
	}
	off := &s3.GetObjectLegalHoldOutput{}
	on := &s3.GetObjectLegalHoldOutput{LegalHold: &types.ObjectLockLegalHold{Status: types.ObjectLockLegalHoldStatusOn}}
	tests := []struct {
		name      string
		retention *s3.GetObjectRetentionOutput // nil: the lock cannot be read
		hold      *s3.GetObjectLegalHoldOutput
		code      string
		version   string
		want      error
	}{
		{name: "retention", retention: until(time.Hour), hold: off, want: objstore.ErrLocked},
		{name: "hold", retention: until(-time.Hour), hold: on, want: objstore.ErrLocked},
		{name: "retention is over", retention: until(-time.Hour), hold: off, want: fs.ErrPermission},
		{name: "neither", retention: &s3.GetObjectRetentionOutput{}, hold: off, want: fs.ErrPermission},
		{name: "invalid request", code: "InvalidRequest", retention: until(time.Hour), hold: off, want: objstore.ErrLocked},
		{name: "unreadable", want: fs.ErrPermission},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			code := "AccessDenied"
			if test.code != "" {
				code = test.code
			}
			b := newBucket(t, &fake{
				deleteBatch: func(in *s3.DeleteObjectsInput) (*s3.DeleteObjectsOutput, error) {
					out := &s3.DeleteObjectsOutput{}
					for _, o := range in.Delete.Objects {
						out.Errors = append(out.Errors, types.Error{Key: o.Key, VersionId: o.VersionId, Code: &code})
					}
					return out, nil
				},
				retention: func(in *s3.GetObjectRetentionInput) (*s3.GetObjectRetentionOutput, error) {
					asked++
					if aws.ToString(in.VersionId) == "" {
						t.Errorf("asked for the lock of %s without a version", *in.Key)
					}
					if test.retention == nil {
						return nil, answer{code: "AccessDenied", status: 403}
					}
					return test.retention, nil
				},
				hold: func(*s3.GetObjectLegalHoldInput) (*s3.GetObjectLegalHoldOutput, error) { return test.hold, nil },
			})
			results, err := b.Delete(t.Context(), []objstore.ID{{Key: "k", Version: "1"}, {Key: "k", Version: "2"}, {Key: "j"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range results[:2] {
				if !errors.Is(r.Err, test.want) || errors.Is(r.Err, objstore.ErrLocked) != (test.want == objstore.ErrLocked) || r.Code != code {
					t.Errorf("got %v %q", r.Err, r.Code)
				}
			}
			if errors.Is(results[2].Err, objstore.ErrLocked) {
				t.Errorf("a delete without a version: %v", results[2].Err)
			}
			if test.retention == nil && asked != 1 {
				t.Errorf("asked %d times for locks that cannot be read", asked)
			}
		})
	}
}

func TestSingleDeletesWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	reset := errors.New("connection reset")
	tests := []struct {
		name string
		out  *s3.DeleteObjectOutput
		err  error
		want error
	}{
		{name: "acknowledged", out: &s3.DeleteObjectOutput{VersionId: aws.String("v")}},
		{name: "acknowledged without a version", out: &s3.DeleteObjectOutput{}},
		{name: "another version", out: &s3.DeleteObjectOutput{VersionId: aws.String("w")}, want: objstore.ErrUnacknowledged},
		{name: "reset", err: reset, want: objstore.ErrUnacknowledged},
		{name: "reset, cause", err: reset, want: reset},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, &fake{deleteOne: func(*s3.DeleteObjectInput) (*s3.DeleteObjectOutput, error) {
				return test.out, test.err
			}})
			results, err := b.Delete(t.Context(), []objstore.ID{{Key: "k\x01", Version: "v"}})
			if err != nil || !errors.Is(results[0].Err, test.want) {
				t.Errorf("got %v, %v", results, err)
			}
		})
	}
}

func TestWholeBatchFails(t *testing.T) {
	t.Parallel()
	b := newBucket(t, &fake{deleteBatch: func(*s3.DeleteObjectsInput) (*s3.DeleteObjectsOutput, error) {
		return nil, answer{code: "SlowDown", status: 503}
	}})
	results, err := b.Delete(t.Context(), []objstore.ID{{Key: "a"}, {Key: "b\x01"}})
	if len(results) > 0 || !errors.Is(err, objstore.ErrThrottled) || !strings.HasPrefix(err.Error(), "s3obj: delete b: ") {
		t.Errorf("got %v, %v", results, err)
	}
}
