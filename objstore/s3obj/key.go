package s3obj

import (
	"errors"
	"fmt"
	"strings"

	"github.com/softdelete-go/softdelete/objstore"
)

var errPath = errors.New("the key has a segment that clients and proxies normalise")

// checkKey refuses keys that cannot be sent safely in a URL: of "../x" a
// normalising proxy makes a request on the bucket itself. A trailing slash is
// an ordinary byte.
func checkKey(key string) error {
	if key == "" {
		return fmt.Errorf("the key is empty: %w", objstore.ErrInvalid)
	}
	for segment := range strings.SplitSeq(strings.TrimSuffix(key, "/"), "/") {
		if segment == "" || segment == "." || segment == ".." {
			return fmt.Errorf("%w: %w", errPath, objstore.ErrInvalid)
		}
	}
	return nil
}
