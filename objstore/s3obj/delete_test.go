package s3obj

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

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
		{name: "not found, without a code", err: answer{status: 404}, want: objstore.ErrUnacknowledged},
		{name: "failed, without a code", err: answer{status: 500}, want: objstore.ErrUnacknowledged},
		{name: "slow down, without a code", err: answer{status: 503}, want: objstore.ErrThrottled},
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
