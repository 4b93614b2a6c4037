package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// takeLock makes a transaction a writer before it reads, in databases without
// row locks.
func (s *Store) takeLock(ctx context.Context, tx lifecycle.DB, table string) error {
	if s.d.TakeLock == "" {
		return nil
	}
	_, err := exec(ctx, tx, strings.ReplaceAll(s.d.TakeLock, "%s", table))
	return err
}

// lockKeys locks rows by their keys, in that order, and reads them. Where other
// tables have a say they are read in a statement of their own after the lock
// was had: a statement that waited for a lock would look at them as they were
// before it waited.
func (b *batch) lockKeys(ctx context.Context, keys []lifecycle.Key) ([]row, error) {
	if err := b.s.takeLock(ctx, b.tx, b.p.from); err != nil {
		return nil, err
	}
	if !b.ep.related {
		return b.read(ctx, keys, false)
	}
	w := &writer{d: b.s.d}
	w.put("SELECT ")
	b.p.writeKeyColumns(w)
	w.put(" FROM ", b.p.from, " WHERE ")
	b.p.writeKeys(w, "", keys)
	b.p.writeLockedOrder(w, 0)
	locked, err := b.keys(ctx, w.prepared())
	if err != nil || len(locked) == 0 {
		return nil, err
	}
	return b.readLocked(ctx, locked)
}

// lockWhere locks up to n rows from which the edge starts and that meet a
// condition, behind a key, and returns their keys.
func (b *batch) lockWhere(ctx context.Context, where *condition, after lifecycle.Key, n int) ([]lifecycle.Key, error) {
	if err := b.s.takeLock(ctx, b.tx, b.p.from); err != nil {
		return nil, err
	}
	w := &writer{d: b.s.d}
	w.put("SELECT ")
	b.p.writeKeyColumns(w)
	w.put(" FROM ", b.p.from, " WHERE (")
	where.write(w)
	w.put(")")
	if b.ep != nil {
		w.put(" AND ")
		columns{writer: w, t: b.p.t}.state(b.ep.start)
	}
	if after != nil {
		w.put(" AND ")
		b.p.writeAfter(w, after)
	}
	b.p.writeLockedOrder(w, n)
	return b.keys(ctx, w.prepared())
}

// writeLockedOrder ends a locking SELECT: the order of the keys is the order of
// the locks, so that two bulk calls cannot wait for each other.
func (p *plan) writeLockedOrder(w *writer, limit int) {
	w.put(" ORDER BY ")
	p.writeKeyColumns(w)
	if limit > 0 {
		w.put(" LIMIT ")
		w.value(int64(limit))
	}
	w.put(w.d.ForUpdate)
}

// writeAfter writes that a row's key comes behind another one.
func (p *plan) writeAfter(w *writer, after lifecycle.Key) {
	w.put("(")
	w.list(len(p.t.Key), " OR ", func(i int) {
		w.put("(")
		for j := range i {
			w.put(p.d.ident(p.t.Key[j]), " = ")
			w.value(after[j])
			w.put(" AND ")
		}
		w.put(p.d.ident(p.t.Key[i]), " > ")
		w.value(after[i])
		w.put(")")
	})
	w.put(")")
}

func (b *batch) keys(ctx context.Context, q prepared) ([]lifecycle.Key, error) {
	return query(ctx, b.tx, q.text, q.bind(b.c), func(rows *sql.Rows) (lifecycle.Key, error) {
		raw, err := scanAny(rows, len(b.p.t.Key))
		if err != nil {
			return nil, err
		}
		return b.p.scanKey(rows, raw)
	})
}

// readLocked reads rows that are locked already, with what their relations say.
// Their parents are locked too before a restore looks at them.
func (b *batch) readLocked(ctx context.Context, keys []lifecycle.Key) ([]row, error) {
	if b.ep.Needs.Has(lifecycle.ParentsLive) {
		for _, parent := range b.p.t.Parents {
			w := &writer{d: b.s.d}
			b.p.writeParentLock(w, parent, keys)
			q := w.prepared()
			if _, err := query(ctx, b.tx, q.text, q.bind(b.c), func(*sql.Rows) (struct{}, error) { return struct{}{}, nil }); err != nil {
				return nil, err
			}
		}
	}
	return b.read(ctx, keys, b.ep.related)
}

func (b *batch) read(ctx context.Context, keys []lifecycle.Key, relations bool) ([]row, error) {
	w := &writer{d: b.s.d}
	b.p.writeRead(w, relations)
	w.put(" WHERE ")
	b.p.writeKeys(w, "", keys)
	b.p.writeLockedOrder(w, 0)
	q := w.prepared()
	return query(ctx, b.tx, q.text, q.bind(b.c), b.p.scanRow)
}

// compareKeys orders keys so that bulk calls lock alike, whatever order they
// were asked in.
func compareKeys(a, b lifecycle.Key) int {
	for i := range min(len(a), len(b)) {
		if c := compareParts(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

func compareParts(a, b any) int {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return cmp.Compare(a, b)
		}
	case string:
		if b, ok := b.(string); ok {
			return cmp.Compare(a, b)
		}
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}
