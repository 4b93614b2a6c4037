package s3obj

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"github.com/softdelete-go/softdelete/objstore"
)

// fail gives an error of the client its place and its kind.
func (b *Bucket) fail(op string, id objstore.ID, err error) error {
	return b.failAs(kindOf(codeOf(err), statusOf(err)), op, id, err)
}

// failAs is fail with a kind the caller knows better; nil means no kind.
func (b *Bucket) failAs(kind error, op string, id objstore.ID, err error) error {
	if kind != nil && !errors.Is(err, kind) {
		err = fmt.Errorf("%w: %w", kind, err)
	}
	where := b.name
	if id.Key != "" {
		where += fmt.Sprintf(" %q", id.Key)
	}
	if id.Version != "" {
		where += " version " + id.Version
	}
	return fmt.Errorf("s3obj: %s %s: %w", op, where, err)
}

// kindOf sorts a store's answer by its code, and by its status where the code
// says nothing. NoSuchBucket is deliberately not a missing object: with a wrong
// endpoint or name every object of a ledger would be missing.
func kindOf(code string, status int) error {
	switch code {
	case "NoSuchKey", "NoSuchVersion", "NotFound":
		return fs.ErrNotExist
	case "AccessDenied", "AllAccessDisabled":
		return fs.ErrPermission
	case "NotImplemented":
		return errors.ErrUnsupported
	case "SlowDown", "SlowDownRead", "SlowDownWrite", "ServiceUnavailable", "Busy",
		"RequestLimitExceeded", "BandwidthLimitExceeded", "TooManyRequests",
		"Throttling", "ThrottlingException", "ThrottledException",
		"RequestThrottled", "RequestThrottledException",
		"ProvisionedThroughputExceededException":
		return objstore.ErrThrottled
	}
	switch status {
	case http.StatusForbidden:
		return fs.ErrPermission
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return objstore.ErrThrottled
	case http.StatusNotImplemented:
		return errors.ErrUnsupported
	}
	return nil
}

// codeOf returns the store's error code, empty where the store did not answer.
func codeOf(err error) string {
	var api interface{ ErrorCode() string }
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return ""
}

// statusOf returns the HTTP status of the answer, 0 where there was none.
func statusOf(err error) int {
	var response interface{ HTTPStatusCode() int }
	if errors.As(err, &response) {
		return response.HTTPStatusCode()
	}
	return 0
}
