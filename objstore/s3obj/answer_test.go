package s3obj

import (
	"errors"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/softdelete-go/softdelete/objstore"
)

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
