package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/softdelete-go/softdelete/internal/own"
	"github.com/softdelete-go/softdelete/lifecycle"
)

// row is one row's life as it was read.
type row struct {
	key     lifecycle.Key
	rec     lifecycle.Record
	version int64
	objects []string // one for each ObjectRef; empty where there is none
}

func (p *plan) prepareRead(lock string) prepared {
	w := &writer{d: p.d}
	p.writeRead(w, true)
	w.put(" WHERE ")
	p.writeKey(w)
	w.put(lock)
	return w.prepared()
}

// writeRead writes the SELECT that scanRow reads. Without relations it looks at
// this table alone, as a locking read should.
func (p *plan) writeRead(w *writer, relations bool) {
	c := columns{writer: w, t: p.t}
	optional := func(column string) {
		if column == "" {
			w.put(", NULL")
			return
		}
		w.put(", ", p.d.ident(column))
	}
	w.put("SELECT ")
	p.writeKeyColumns(w)
	w.put(", ")
	c.stateCase()
	dated := func(col lifecycle.Column) {
		switch {
		case col.Name == "" || !col.As.Dated():
			w.put(", NULL")
		case p.d.Textual && p.d.textual(col.As):
			// A driver would parse the text of a column that is declared as a
			// date, and hide that it is not the form that sorts.
			w.put(", CAST(", p.d.ident(col.Name), " AS TEXT)")
		default:
			w.put(", ", p.d.ident(col.Name))
		}
	}
	dated(p.t.Columns.DeletedAt)
	dated(p.t.Columns.PurgeAfter)
	w.put(", ")
	if hold := p.t.Columns.Hold; hold.Name != "" {
		w.writeAny(1, func(int) { c.set(hold) })
	} else {
		w.put("0")
	}
	optional(p.t.Columns.Version)
	parents, children := p.t.Parents, p.children
	if !relations {
		parents, children = nil, nil
	}
	w.put(", ")
	w.writeAny(len(parents), func(i int) { p.writeParentGone(w, parents[i]) })
	w.put(", ")
	w.writeAny(len(children), func(i int) { p.writeLiveChild(w, children[i]) })
	p.writeObjectColumns(w)
	w.put(" FROM ", p.from)
}

// fixedColumns counts the columns of writeRead between the key and the objects.
const fixedColumns = 7

func (p *plan) scanRow(rows *sql.Rows) (row, error) {
	nk := len(p.t.Key)
	raw, err := scanAny(rows, nk+fixedColumns+len(p.t.Objects))
	if err != nil {
		return row{}, err
	}
	r := row{}
	if r.key, err = p.scanKey(rows, raw[:nk]); err != nil {
		return row{}, err
	}
	f := raw[nk:]
	r.rec.State = lifecycle.State(text(f[0]))
	if r.rec.State == "" {
		return row{}, fmt.Errorf("%w: the columns of %s%s fit no state (a flag is NULL that is not declared Nullable)", lifecycle.ErrInvalid, p.name, r.key)
	}
	if r.rec.DeletedAt, err = p.d.decode(p.t.Columns.DeletedAt.As, f[1]); err != nil {
		return row{}, fmt.Errorf("%s of %s%s: %w", p.t.Columns.DeletedAt.Name, p.name, r.key, err)
	}
	if r.rec.PurgeAfter, err = p.d.decode(p.t.Columns.PurgeAfter.As, f[2]); err != nil {
		return row{}, fmt.Errorf("%s of %s%s: %w", p.t.Columns.PurgeAfter.Name, p.name, r.key, err)
	}
	var flags [4]int64
	for i, v := range f[3:7] {
		if flags[i], err = number(v); err != nil {
			return row{}, fmt.Errorf("row %s%s: %w", p.name, r.key, err)
		}
	}
	r.rec.Held, r.version = flags[0] != 0, flags[1]
	r.rec.ParentTrashed, r.rec.LiveChildren = flags[2] != 0, flags[3] != 0
	r.objects = objectKeys(f[fixedColumns:])
	return r, nil
}

func (p *plan) scanKey(rows *sql.Rows, raw []any) (lifecycle.Key, error) {
	key := make(lifecycle.Key, len(raw))
	for i, v := range raw {
		if n, ok := v.(int64); ok {
			key[i] = n
			continue
		}
		types, err := rows.ColumnTypes()
		if err != nil {
			return nil, err
		}
		if key[i], err = keyPart(v, types[i].DatabaseTypeName()); err != nil {
			return nil, fmt.Errorf("key of %s: %w", p.name, err)
		}
	}
	return key, nil
}

func objectKeys(raw []any) []string {
	keys := make([]string, len(raw))
	for i, v := range raw {
		keys[i] = text(v)
	}
	return keys
}

func scanAny(rows *sql.Rows, n int) ([]any, error) {
	values, targets := make([]any, n), make([]any, n)
	for i := range values {
		targets[i] = &values[i]
	}
	return values, rows.Scan(targets...)
}

// exec runs a statement.
func exec(ctx context.Context, db lifecycle.DB, text string, args ...any) (sql.Result, error) {
	return db.ExecContext(own.Mark(ctx), text, args...)
}

// query runs a SELECT and scans each row.
func query[T any](ctx context.Context, db lifecycle.DB, text string, args []any, scan func(*sql.Rows) (T, error)) ([]T, error) {
	rows, err := db.QueryContext(own.Mark(ctx), text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

func (p *plan) readOne(ctx context.Context, db lifecycle.DB, q prepared, c *call) (row, error) {
	rows, err := query(ctx, db, q.text, q.bind(c), p.scanRow)
	switch {
	case err != nil:
		return row{}, err
	case len(rows) > 1:
		return row{}, fmt.Errorf("%w: %s has %d rows with the key %s (Table.Key is not its primary key)", lifecycle.ErrInvalid, p.name, len(rows), c.key)
	case len(rows) == 0:
		return row{key: c.key}, nil
	}
	return rows[0], nil
}
