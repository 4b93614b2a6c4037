package s3obj

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/softdelete-go/softdelete/objstore"
)

// checkKey refuses keys that cannot be sent safely in a URL: of "../x" a
// normalising proxy makes a request on the bucket itself. A trailing slash is
// an ordinary byte.
func checkKey(key string) error {
	switch {
	case key == "":
		return fmt.Errorf("the key is empty: %w", objstore.ErrInvalid)
	case len(key) > objstore.MaxKey:
		return fmt.Errorf("the key has %d bytes, more than %d: %w", len(key), objstore.MaxKey, objstore.ErrInvalid)
	}
	for segment := range strings.SplitSeq(strings.TrimSuffix(key, "/"), "/") {
		if segment == "" || segment == "." || segment == ".." {
			return fmt.Errorf("the key has the segment %q, which clients and proxies normalise: %w", segment, objstore.ErrInvalid)
		}
	}
	return nil
}

// checkNewKey is checkKey for writes. What is not UTF-8 may be read and deleted,
// where a store has let it in, but no store should be asked to.
func checkNewKey(key string) error {
	if !utf8.ValidString(key) {
		return fmt.Errorf("the key is not UTF-8: %w", objstore.ErrInvalid)
	}
	return checkKey(key)
}
