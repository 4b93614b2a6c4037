package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// States of an object in the ledger. Bytes are deleted in reclaiming only, which
// leads to reclaimed and nowhere else.
const (
	objectLive       = "live"
	objectDoomed     = "doomed"
	objectReclaiming = "reclaiming"
	objectReclaimed  = "reclaimed"
)

// noObject is the ledger's number for "nothing to free".
const noObject int64 = 0

// doomRows writes, in the transaction of the edge that ended the rows, that
// their objects have to go and that the rows wait for it. Whether another row
// still needs a key is asked when the key is claimed, not here.
func (s *Store) doomRows(ctx context.Context, tx lifecycle.DB, p *plan, rows []row, c *call) error {
	ids := map[objectName]int64{}
	byBucket := p.objectsOf(rows)
	for _, bucket := range slices.Sorted(maps.Keys(byBucket)) {
		if err := s.doomKeys(ctx, tx, bucket, byBucket[bucket], false, c, ids); err != nil {
			return err
		}
	}
	if p.t.Columns.ReclaimedAt.Name == "" || p.t.Columns.IsDeleted.Name == "" {
		return nil
	}
	return s.await(ctx, tx, p, rows, ids, c)
}

type objectName struct{ bucket, key string }

// objectsOf lists the distinct keys of rows by bucket, sorted, so that two
// purges with keys in common lock them in one order.
func (p *plan) objectsOf(rows []row) map[string][]string {
	byBucket := map[string][]string{}
	for _, r := range rows {
		for i, key := range r.objects {
			if key != "" {
				bucket := p.t.Objects[i].Bucket
				byBucket[bucket] = append(byBucket[bucket], key)
			}
		}
	}
	for bucket, keys := range byBucket {
		slices.Sort(keys)
		byBucket[bucket] = slices.Compact(keys)
	}
	return byBucket
}

// doomKeys writes keys of one bucket as doomed, and files their numbers in ids. A
// key whose deletion is under way stays as it is; one that was reclaimed or kept
// before is doomed again.
func (s *Store) doomKeys(ctx context.Context, tx lifecycle.DB, bucket string, keys []string, orphan bool, c *call, ids map[objectName]int64) error {
	flag := 0
	if orphan {
		flag = 1
	}
	at := s.own.bind(c.at)
	for chunk := range slices.Chunk(keys, s.opts.Batch) {
		w := &writer{d: s.d}
		w.put("INSERT INTO ", s.own.object, " (bucket, obj_key, state, orphan, doomed_at, next_at) VALUES ")
		w.list(len(chunk), ", ", func(i int) { w.tuple(bucket, chunk[i], objectDoomed, flag, at, at) })
		w.ignoreDuplicate("id")
		if err := s.exec(ctx, tx, w, c); err != nil {
			return err
		}
		if err := s.lockObjects(ctx, tx, bucket, chunk, ids); err != nil {
			return err
		}
		w = &writer{d: s.d}
		w.put("UPDATE ", s.own.object, " SET state = '", objectDoomed, "', attempts = 0, last_code = '', orphan = ")
		w.value(flag)
		w.put(", doomed_at = ")
		w.value(at)
		w.put(", next_at = ")
		w.value(at)
		w.put(" WHERE bucket = ")
		w.value(bucket)
		w.put(" AND ")
		w.in("obj_key", chunk)
		w.put(" AND (state IN ('", objectLive, "', '", objectReclaimed, "') OR state = '", objectDoomed, "' AND orphan = 1)")
		if err := s.exec(ctx, tx, w, c); err != nil {
			return err
		}
	}
	return nil
}

// lockObjects locks the entries of keys, in their order, and files their
// numbers. Without the lock a claim might take a key out of the debt, because
// the row was still in the trash, while the purge that dooms it once more is
// about to commit: nobody would owe it then. A locking read also sees entries
// that are younger than the transaction's snapshot.
func (s *Store) lockObjects(ctx context.Context, tx lifecycle.DB, bucket string, keys []string, ids map[objectName]int64) error {
	w := &writer{d: s.d}
	w.put("SELECT id, obj_key FROM ", s.own.object, " WHERE bucket = ")
	w.value(bucket)
	w.put(" AND ")
	w.in("obj_key", keys)
	w.put(" ORDER BY obj_key", s.d.ForUpdate)
	q := w.prepared()
	_, err := query(ctx, tx, q.text, q.bind(nil), func(rows *sql.Rows) (struct{}, error) {
		raw, err := scanAny(rows, 2)
		if err != nil {
			return struct{}{}, err
		}
		id, err := number(raw[0])
		ids[objectName{bucket, text(raw[1])}] = id
		return struct{}{}, err
	})
	return err
}

// await writes which objects each row waits for before it is reclaimed. A row
// without objects waits for nothing, which the next pass finds.
func (s *Store) await(ctx context.Context, tx lifecycle.DB, p *plan, rows []row, ids map[objectName]int64, c *call) error {
	type wait struct {
		key string
		id  int64
	}
	var waits []wait
	for _, r := range rows {
		var own []int64
		for i, key := range r.objects {
			if key == "" {
				continue
			}
			name := objectName{p.t.Objects[i].Bucket, key}
			id, ok := ids[name]
			if !ok {
				return fmt.Errorf("the ledger lost the key of %s%s in bucket %s", p.name, r.key, name.bucket)
			}
			own = append(own, id)
		}
		if len(own) == 0 {
			own = []int64{noObject}
		}
		slices.Sort(own)
		for _, id := range slices.Compact(own) {
			waits = append(waits, wait{r.key.String(), id})
		}
	}
	for chunk := range slices.Chunk(waits, s.opts.Batch) {
		w := &writer{d: s.d}
		w.put("INSERT INTO ", s.own.waiting, " (table_name, row_key, object_id) VALUES ")
		w.list(len(chunk), ", ", func(i int) { w.tuple(p.name, chunk[i].key, chunk[i].id) })
		// Other software may have put a new row in the place of one that waits.
		w.ignoreDuplicate("object_id")
		if err := s.exec(ctx, tx, w, c); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) ignoreDuplicate(column string) {
	w.put(strings.ReplaceAll(w.d.IgnoreDuplicate, "%s", column))
}

// in writes that a column is one of some texts, their number rounded up as in
// writeKeys.
func (w *writer) in(column string, values []string) {
	n := padded(len(values))
	w.put(column, " IN (")
	w.list(n, ", ", func(i int) { w.value(values[min(i, len(values)-1)]) })
	w.put(")")
}

func (s *Store) exec(ctx context.Context, tx lifecycle.DB, w *writer, c *call) error {
	q := w.prepared()
	_, err := exec(ctx, tx, q.text, q.bind(c)...)
	return err
}

// foldKey is what a database may take for the same key: letter case and
// trailing spaces do not count.
func foldKey(key string) string { return strings.ToLower(strings.TrimRight(key, " ")) }
