package store

import (
	"context"
	"database/sql"

	"github.com/softdelete-go/softdelete/objstore"
)

// Codes of the ledger's own, for keys that stay in debt.
const (
	// codeHeld: a purged row under legal hold refers to the key.
	codeHeld = "held"
	// codeReferenced: a row began to refer to the key while it was being
	// deleted. It is kept until the row is gone.
	codeReferenced = "referenced"
)

// entry is one row of the object table.
type entry struct {
	id       int64
	key      string
	state    string
	fence    int64
	attempts int64
	orphan   bool
}

// Claim implements [objstore.Ledger].
func (l *Ledger) Claim(ctx context.Context, bucket string, n int) ([]objstore.Claim, error) {
	var claims []objstore.Claim
	err := l.in(ctx, "claim", func(tx *sql.Tx) error {
		claims = nil
		due, err := l.due(ctx, tx, bucket, n)
		if err != nil || len(due) == 0 {
			return err
		}
		keys := make([]string, len(due))
		for i, e := range due {
			keys[i] = e.key
		}
		hold, err := l.s.certain(ctx, tx, bucket, keys)
		if err != nil {
			return err
		}
		claims, err = l.claim(ctx, tx, bucket, due, hold)
		return err
	})
	if err != nil {
		return nil, err
	}
	return claims, nil
}

// due locks entries whose time has come: first those whose worker has vanished
// or failed, then new ones. One query for each state, since only so an index
// gives them in order and no more rows are locked than are taken.
func (l *Ledger) due(ctx context.Context, tx *sql.Tx, bucket string, n int) ([]entry, error) {
	var all []entry
	for _, state := range []string{objectReclaiming, objectDoomed} {
		if n-len(all) <= 0 {
			break
		}
		w := &writer{d: l.s.d}
		w.put("SELECT id, obj_key, state, fence, attempts, orphan FROM ", l.s.own.object, " WHERE bucket = ")
		w.value(bucket)
		w.put(" AND state = '", state, "' AND next_at <= ")
		w.value(l.s.own.bind(l.s.now()))
		w.put(" ORDER BY next_at, id LIMIT ")
		w.value(int64(n - len(all)))
		w.put(l.s.d.ForUpdateSkip)
		q := w.prepared()
		found, err := query(ctx, tx, q.text, q.bind(nil), scanObject)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func scanObject(rows *sql.Rows) (entry, error) {
	var e entry
	err := rows.Scan(&e.id, &e.key, &e.state, &e.fence, &e.attempts, &e.orphan)
	return e, err
}

// claim sorts the entries that are due by what the rows say of them.
func (l *Ledger) claim(ctx context.Context, tx *sql.Tx, bucket string, due []entry, rows map[string]refer) ([]objstore.Claim, error) {
	var take, keep, held, back []entry
	for _, e := range due {
		r := rows[e.key]
		switch {
		case !r.living && !(e.orphan && r.purged) && !r.held:
			take = append(take, e)
		case e.state == objectReclaiming && (r.living || e.orphan && r.purged):
			back = append(back, e)
		case r.living || e.orphan && r.purged:
			keep = append(keep, e)
		default:
			held = append(held, e)
		}
	}
	if err := l.postpone(ctx, tx, held, codeHeld); err != nil {
		return nil, err
	}
	if err := l.postpone(ctx, tx, back, codeReferenced); err != nil {
		return nil, err
	}
	if err := l.revive(ctx, tx, keep); err != nil {
		return nil, err
	}
	return l.take(ctx, tx, bucket, take)
}

// postpone leaves entries in debt, with the reason, for as long as a lease.
func (l *Ledger) postpone(ctx context.Context, tx *sql.Tx, entries []entry, code string) error {
	return l.update(ctx, tx, entries, func(w *writer) {
		w.put("last_code = ")
		w.value(code)
		w.put(", next_at = ")
		w.value(l.s.own.bind(l.s.now().Add(l.lease)))
	})
}

// revive takes keys out of the debt that another row still needs. The rows that
// waited for them have done their part.
func (l *Ledger) revive(ctx context.Context, tx *sql.Tx, entries []entry) error {
	err := l.update(ctx, tx, entries, func(w *writer) { w.put("state = '", objectLive, "', last_code = '', orphan = 0") })
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := l.settleAside(ctx, tx, e.id); err != nil {
			return err
		}
	}
	return nil
}

func (l *Ledger) take(ctx context.Context, tx *sql.Tx, bucket string, entries []entry) ([]objstore.Claim, error) {
	end := l.s.now().Add(l.lease)
	err := l.update(ctx, tx, entries, func(w *writer) {
		w.put("state = '", objectReclaiming, "', fence = fence + 1, next_at = ")
		w.value(l.s.own.bind(end))
	})
	if err != nil {
		return nil, err
	}
	claims := make([]objstore.Claim, len(entries))
	for i, e := range entries {
		claims[i] = objstore.Claim{
			ID: e.id, Bucket: bucket, Key: e.key, Fence: e.fence + 1, Attempts: int(e.attempts), Lease: end, Orphan: e.orphan,
		}
	}
	return claims, nil
}

// update changes entries that this transaction has locked.
func (l *Ledger) update(ctx context.Context, tx *sql.Tx, entries []entry, set func(w *writer)) error {
	if len(entries) == 0 {
		return nil
	}
	w := &writer{d: l.s.d}
	w.put("UPDATE ", l.s.own.object, " SET ")
	set(w)
	w.put(" WHERE id IN (")
	w.list(len(entries), ", ", func(i int) { w.value(entries[i].id) })
	w.put(")")
	return l.s.exec(ctx, tx, w, nil)
}
