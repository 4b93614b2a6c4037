package s3obj

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/softdelete-go/softdelete/objstore"
)

// kinds are all that a caller can tell apart.
var kinds = []error{
	objstore.ErrThrottled, objstore.ErrLocked, objstore.ErrUnacknowledged, objstore.ErrExists, objstore.ErrIncomplete,
	objstore.ErrInvalid, fs.ErrPermission, fs.ErrNotExist, errors.ErrUnsupported,
}

// checkKind wants an error of one kind and of no other; nil is a plain error.
func checkKind(t *testing.T, err, want error) {
	t.Helper()
	if err == nil {
		t.Error("there is no error")
	}
	for _, kind := range kinds {
		if errors.Is(err, kind) != (kind == want) {
			t.Errorf("%v is, or is not, %v", err, kind)
		}
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
		{name: "unknown to the store", code: "NotImplemented", want: errors.ErrUnsupported},
		{name: "internal", code: "InternalError"},
		{name: "missing bucket", code: "NoSuchBucket"},
	}
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
				checkKind(t, r.Err, test.want)
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
