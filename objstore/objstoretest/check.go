package objstoretest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
)

// tidying is how long Check may clean up after its context has ended.
const tidying = time.Minute

// Check asks a live bucket to keep its promises and returns all that it found,
// joined, or nil. It is for an operator: before a first run, after an upgrade of
// the store.
//
// It makes some thousand requests and a few megabytes, all under
// "softdelete-check-", 26 random characters and a slash, and deletes every
// version of it in the end, also when ctx ends early. What it could not delete
// is a finding that names the prefix; in a bucket with a default retention, and
// in one with MFA delete, that is everything.
//
// The versioning status decides what is asked of versions; a bucket that does
// not tell it is asked nothing of them. Neither are locks tried, nor are keys
// stored that [objstore.CheckKey] refuses. Many checks may run at once.
func Check(ctx context.Context, b objstore.Bucket) error {
	return check(ctx, b, Features{MarkersApart: true})
}

// check is Check for a product whose differences are known.
func check(ctx context.Context, b objstore.Bucket, f Features) error {
	root := "softdelete-check-" + strings.ToLower(rand.Text()) + "/"
	found, err := checkUnder(ctx, b, root, f)
	// The bucket must not stay littered because the caller lost patience.
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidying)
	defer cancel()
	if e := empty(after, b, root); e != nil {
		found = append(found, fmt.Errorf("objstoretest: %s%s is not empty: %w", b.Name()+"/", root, e))
	}
	return errors.Join(append(found, err)...)
}

// checkUnder runs each probe under a prefix of its own.
func checkUnder(ctx context.Context, b objstore.Bucket, root string, f Features) (found []error, err error) {
	v, err := objstore.VersioningOf(ctx, b)
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("objstoretest: versioning: %w", err)
	}
	for i, p := range f.adapt(common(f, v.Status), v.Status) {
		if ctx.Err() != nil {
			return found, fmt.Errorf("objstoretest: ended before %q: %w", p.name, ctx.Err())
		}
		if e := p.run(ctx, view{b, fmt.Sprintf("%s%d/", root, i)}); e != nil {
			found = append(found, fmt.Errorf("objstoretest: %s: %w", p.name, e))
		}
	}
	return found, nil
}

// empty deletes every version under the prefix. It lists anew after each batch,
// since a store may lose its place where the listed entries go, and believes
// only an empty listing. It gives up where a round deletes nothing, and where
// something is acknowledged and still there: to go on could make more of it.
func empty(ctx context.Context, b objstore.Bucket, prefix string) error {
	var gone map[objstore.ID]bool
	for {
		ids, err := some(ctx, b, prefix)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if gone[id] {
				return fmt.Errorf("%s was deleted and is still there", name(id))
			}
		}
		results, err := b.Delete(ctx, ids)
		if err != nil {
			return err
		}
		if gone, err = acknowledged(ids, results); len(gone) == 0 {
			return err
		}
	}
}

// acknowledged returns what was deleted, and why the rest was not.
func acknowledged(ids []objstore.ID, results []objstore.DeleteResult) (map[objstore.ID]bool, error) {
	gone := map[objstore.ID]bool{}
	var errs []error
	for i, id := range ids {
		if i >= len(results) || results[i].ID != id {
			return nil, fmt.Errorf("delete does not answer for %s", name(id))
		}
		if errs = append(errs, results[i].Err); results[i].Err == nil {
			gone[id] = true
		}
	}
	return gone, errors.Join(errs...)
}

// some lists as much as one batch takes.
func some(ctx context.Context, b objstore.Bucket, prefix string) (ids []objstore.ID, err error) {
	for o, err := range b.Versions(ctx, prefix, nil) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, objstore.ID{Key: o.Key, Version: o.Version})
		if len(ids) == objstore.MaxDelete {
			break
		}
	}
	return ids, nil
}
