package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// refer says which rows refer to a key.
type refer struct {
	living bool // an active or trashed row, or one in a state nobody knows
	purged bool // a purged row that is not reclaimed
	held   bool // such a row under legal hold
}

// reference is one column that holds keys.
type reference struct {
	p *plan
	o lifecycle.ObjectRef
}

// references lists the columns that hold keys of the bucket.
func (s *Store) references(bucket string) []reference {
	var refs []reference
	for _, t := range s.catalog.Tables() {
		for _, o := range t.Objects {
			if o.Bucket == bucket {
				refs = append(refs, reference{s.plans[t], o})
			}
		}
	}
	return refs
}

// protection asks every table with objects in the bucket for rows that refer to
// the keys, by equality.
func (s *Store) protection(ctx context.Context, db lifecycle.DB, bucket string, keys []string) (map[string]refer, error) {
	found := map[string]refer{}
	return found, s.ask(ctx, db, s.references(bucket), keys, found)
}

// certain asks twice, the second time in the opposite order. Each column is read
// at an instant of its own: a reference that moves from one that is read later
// to one that was read before would be in neither.
func (s *Store) certain(ctx context.Context, db lifecycle.DB, bucket string, keys []string) (map[string]refer, error) {
	found, refs := map[string]refer{}, s.references(bucket)
	if err := s.ask(ctx, db, refs, keys, found); err != nil || len(refs) < 2 {
		return found, err
	}
	slices.Reverse(refs)
	left := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return found[key].living })
	return found, s.ask(ctx, db, refs, left, found)
}

// ask files in found what each column says of the keys.
func (s *Store) ask(ctx context.Context, db lifecycle.DB, refs []reference, keys []string, found map[string]refer) error {
	asked := newAsked(keys)
	for _, ref := range refs {
		for chunk := range slices.Chunk(keys, s.opts.Batch) {
			if err := s.refersTo(ctx, db, ref.p, ref.o, chunk, asked, found); err != nil {
				return err
			}
		}
	}
	return nil
}

// asked finds the keys that a stored one stands for: the same key, and where
// that was not asked for, each that a database takes for it (letter case does
// not count, nor do trailing spaces).
type asked struct {
	exact  map[string]bool
	folded map[string][]string
}

func newAsked(keys []string) *asked {
	a := &asked{exact: map[string]bool{}, folded: map[string][]string{}}
	for _, key := range keys {
		a.exact[key] = true
		a.folded[foldKey(key)] = append(a.folded[foldKey(key)], key)
	}
	return a
}

func (a *asked) find(stored string) []string {
	if a.exact[stored] {
		return []string{stored}
	}
	return a.folded[foldKey(stored)]
}

func (s *Store) refersTo(ctx context.Context, db lifecycle.DB, p *plan, o lifecycle.ObjectRef, keys []string, asked *asked, found map[string]refer) error {
	w := &writer{d: s.d}
	c := columns{writer: w, t: p.t}
	// The exact text keeps apart what the column takes for equal: a key that two
	// rows spell in two ways are two objects.
	key := s.d.ident(o.Key)
	w.put("SELECT DISTINCT ", key, ", ", strings.ReplaceAll(s.d.Exact, "%s", key), ", ")
	c.stateCase()
	w.put(", ")
	if hold := p.t.Columns.Hold; hold.Name != "" {
		w.writeAny(1, func(int) { c.set(hold) })
	} else {
		w.put("0")
	}
	w.put(" FROM ", p.from, " WHERE ")
	w.in(key, keys)
	q := w.prepared()
	_, err := query(ctx, db, q.text, q.bind(nil), func(rows *sql.Rows) (struct{}, error) {
		raw, err := scanAny(rows, 4)
		if err != nil {
			return struct{}{}, err
		}
		held, err := number(raw[3])
		for _, key := range asked.find(text(raw[0])) {
			r := found[key]
			switch lifecycle.State(text(raw[2])) {
			case lifecycle.Reclaimed:
			case lifecycle.Purged:
				r.purged, r.held = true, r.held || held != 0
			default:
				r.living = true
			}
			found[key] = r
		}
		return struct{}{}, err
	})
	return err
}

// maxReferences bounds the count of References in each column.
const maxReferences = 1000

// References implements [objstore.Referee]. It counts up to 1000 rows of each
// column: enough to tell that there are any.
func (l *Ledger) References(ctx context.Context, bucket string) (int64, error) {
	var total int64
	for _, ref := range l.s.references(bucket) {
		key := l.s.d.ident(ref.o.Key)
		w := &writer{d: l.s.d}
		w.put("SELECT COUNT(*) FROM (SELECT 1 AS one FROM ", ref.p.from, " WHERE ", key, " IS NOT NULL AND ", key, " <> '' AND ")
		columns{writer: w, t: ref.p.t}.stateCase()
		w.put(" <> '", string(lifecycle.Reclaimed), "' LIMIT ")
		w.value(int64(maxReferences))
		w.put(") refs")
		err := l.one(ctx, w, func(raw []any) error {
			n, err := number(raw[0])
			total += n
			return err
		}, 1)
		if err != nil {
			return 0, l.s.fault("references", ref.p, nil, err)
		}
	}
	return total, nil
}

// Unprotected implements [objstore.Referee]. A key that the database cannot
// hold counts as protected: nothing can be asked about it.
func (l *Ledger) Unprotected(ctx context.Context, bucket string, keys []string) ([]string, error) {
	free, err := l.unprotected(ctx, l.db, bucket, keys)
	return free, l.s.fault("unprotected", nil, nil, err)
}

func (l *Ledger) unprotected(ctx context.Context, db lifecycle.DB, bucket string, keys []string) ([]string, error) {
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		return key == "" || !utf8.ValidString(key) || strings.IndexByte(key, 0) >= 0
	})
	if len(keys) == 0 {
		return nil, nil
	}
	refers, err := l.s.protection(ctx, db, bucket, keys)
	if err != nil {
		return nil, err
	}
	busy, err := l.busy(ctx, db, bucket, keys)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(keys, func(key string) bool { return refers[key] != refer{} || busy[key] }), nil
}

// busy tells which keys the ledger has promised to delete already.
func (l *Ledger) busy(ctx context.Context, db lifecycle.DB, bucket string, keys []string) (map[string]bool, error) {
	busy := map[string]bool{}
	for chunk := range slices.Chunk(keys, l.s.opts.Batch) {
		w := &writer{d: l.s.d}
		w.put("SELECT obj_key FROM ", l.s.own.object, " WHERE bucket = ")
		w.value(bucket)
		w.put(" AND ")
		w.in("obj_key", chunk)
		w.put(" AND state IN ('", objectDoomed, "', '", objectReclaiming, "')")
		q := w.prepared()
		_, err := query(ctx, db, q.text, q.bind(nil), func(rows *sql.Rows) (struct{}, error) {
			raw, err := scanAny(rows, 1)
			if err == nil {
				busy[text(raw[0])] = true
			}
			return struct{}{}, err
		})
		if err != nil {
			return nil, err
		}
	}
	return busy, nil
}

// Doom implements [objstore.Referee].
func (l *Ledger) Doom(ctx context.Context, bucket string, keys []string) ([]string, error) {
	var doomed []string
	err := l.in(ctx, "doom", func(tx *sql.Tx) (err error) {
		if doomed, err = l.unprotected(ctx, tx, bucket, keys); err != nil || len(doomed) == 0 {
			return err
		}
		slices.Sort(doomed)
		doomed = slices.Compact(doomed)
		return l.s.doomKeys(ctx, tx, bucket, doomed, true, &call{at: l.s.now()}, map[objectName]int64{})
	})
	if err != nil {
		return nil, err
	}
	return doomed, nil
}
