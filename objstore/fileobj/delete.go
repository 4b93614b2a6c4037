package fileobj

import (
	"context"
	"fmt"

	"github.com/softdelete-go/softdelete/objstore"
)

// Delete deletes the entries one after the other, each whole or not at all. An
// entry without an error is gone, its bytes too, and stays gone after a crash. A
// key that cannot exist is [objstore.ErrInvalid] in its result. When the context
// ends, its error is the call's, with the results of the entries before.
func (b *Bucket) Delete(ctx context.Context, ids []objstore.ID) ([]objstore.DeleteResult, error) {
	if err := checkBatch(ids); err != nil {
		return nil, b.fail("delete", objstore.ID{}, err)
	}
	results := make([]objstore.DeleteResult, len(ids))
	for i, id := range ids {
		results[i].ID = id
		err := b.delete(ctx, id)
		if err == nil {
			continue
		}
		if results[i].Err = b.fail("delete", id, err); ctx.Err() != nil {
			return results[:i], results[i].Err
		}
	}
	return results, nil
}

func checkBatch(ids []objstore.ID) error {
	if len(ids) > objstore.MaxDelete {
		return fmt.Errorf("%d entries, more than %d: %w", len(ids), objstore.MaxDelete, objstore.ErrInvalid)
	}
	seen := make(map[objstore.ID]struct{}, len(ids))
	for _, id := range ids {
		if id.Key == "" {
			return fmt.Errorf("an entry without a key: %w", objstore.ErrInvalid)
		}
		if _, again := seen[id]; again {
			return fmt.Errorf("key %q version %q twice: %w", id.Key, id.Version, objstore.ErrInvalid)
		}
		seen[id] = struct{}{}
	}
	return nil
}

func (b *Bucket) delete(ctx context.Context, id objstore.ID) error {
	if err := checkKey(id.Key); err != nil {
		return err
	}
	return b.change(ctx, id.Key, "", func(c *chain, status objstore.VersioningStatus) (bool, error) {
		switch {
		case id.Version != "":
			return c.drop(id.Version), nil
		case status == objstore.Unversioned:
			return c.drop(objstore.NullVersion), nil
		}
		c.add(entry{ID: newID(), Marker: true, Modified: b.now()}, status)
		return true, nil
	})
}
