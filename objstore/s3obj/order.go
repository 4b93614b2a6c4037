package s3obj

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/softdelete-go/softdelete/objstore"
)

const (
	maxPage = 1000
	// maxEmpty is how many pages without an entry may follow each other. Stores
	// that filter while they page do send some; one that sends nothing else
	// would keep the loop for ever.
	maxEmpty = 1000
)

// order notices a listing that contradicts itself. Stores exist whose paging
// repeats some entries and loses others, without an error.
type order struct {
	prefix   string
	last     string
	versions bool
	seen     map[string]struct{} // versions of the last key
	empty    int
}

func (o *order) entry(e objstore.Object) error {
	if !strings.HasPrefix(e.Key, o.prefix) {
		return broken("lists %q, which is not under the prefix", e.Key)
	}
	switch {
	case e.Key > o.last:
		o.last = e.Key
		o.seen = nil
		if o.versions {
			o.seen = map[string]struct{}{e.Version: {}}
		}
		return nil
	case e.Key < o.last:
		return broken("lists %q behind %q", e.Key, o.last)
	case o.seen == nil:
		return broken("lists %q again", e.Key)
	}
	if _, again := o.seen[e.Version]; again {
		return broken("lists version %q of %q again", e.Version, e.Key)
	}
	o.seen[e.Version] = struct{}{}
	return nil
}

// turn checks that the next page can be another one.
func (o *order) turn(at marker, p page) error {
	if p.next == at {
		return broken("says there is more but not where: %q", at.token)
	}
	// A token is opaque; a marker is a key, and may not lead back.
	if o.versions && p.next.token < max(o.last, at.token) {
		return broken("goes on behind %q, before %q", p.next.token, max(o.last, at.token))
	}
	if len(p.entries) > 0 {
		o.empty = 0
		return nil
	}
	if o.empty++; o.empty > maxEmpty {
		return broken("sends nothing but empty pages, %d by now", o.empty)
	}
	return nil
}

// whole checks what an answer says of itself. The SDK's own paginator takes a
// cut without a token for the end.
func whole(truncated *bool, marked bool, hidden []types.CommonPrefix) error {
	switch {
	case truncated == nil && marked, truncated != nil && *truncated && !marked:
		return broken("is cut, and does not say where it goes on")
	case len(hidden) > 0:
		return broken("rolls up keys, which nobody asked for")
	}
	return nil
}

func broken(format string, args ...any) error {
	return fmt.Errorf("the store "+format+": %w", append(args, objstore.ErrIncomplete)...)
}
