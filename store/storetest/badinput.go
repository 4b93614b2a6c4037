package storetest

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
)

// silent is a transaction in which nothing may happen.
type silent struct{ calls []string }

var errSilent = errors.New("SQL was sent")

func (s *silent) ExecContext(_ context.Context, query string, _ ...any) (sql.Result, error) {
	s.calls = append(s.calls, query)
	return nil, errSilent
}

func (s *silent) QueryContext(_ context.Context, query string, _ ...any) (*sql.Rows, error) {
	s.calls = append(s.calls, query)
	return nil, errSilent
}

func (s *silent) Commit() error   { return errSilent }
func (s *silent) Rollback() error { return errSilent }

func badRows(f *fixture) map[string]lifecycle.Row {
	stranger := &lifecycle.Table{Name: "doc"}
	var none *lifecycle.Table
	var nobody *string
	return map[string]lifecycle.Row{
		"the zero row":               {},
		"no table":                   none.Row(1),
		"a table of no catalog":      stranger.Row(1),
		"no key":                     f.doc.Row(),
		"a nil value":                f.doc.Row(nil),
		"a nil pointer":              f.doc.Row(nobody),
		"zero":                       f.doc.Row(0),
		"an empty string":            f.note.Row(""),
		"the zero UUID":              f.note.Row([16]byte{}),
		"a NUL byte":                 f.note.Row("a\x00b"),
		"a float":                    f.doc.Row(1.5),
		"a bool":                     f.doc.Row(true),
		"too many values":            f.doc.Row(1, 2),
		"too few values":             f.pair.Row("a"),
		"one nil of two":             f.pair.Row("a", nil),
		"a key longer than audited":  f.note.Row(strings.Repeat("x", 600)),
		"a version without a column": f.note.Row("a").IfVersion(1),
	}
}

func badCauses() map[string]lifecycle.Cause {
	return map[string]lifecycle.Cause{
		"nobody":         {},
		"blank":          {By: " \t"},
		"a long name":    {By: strings.Repeat("x", lifecycle.MaxActor+1)},
		"a long reason":  {By: "user:1", Why: strings.Repeat("x", lifecycle.MaxReason+1)},
		"not UTF-8":      {By: "user:\xff"},
		"a NUL in a why": {By: "user:1", Why: "\x00"},
	}
}

func badSelections(f *fixture) map[string]lifecycle.Selection {
	where := func(text string, args ...any) lifecycle.Selection { return f.doc.Where(clause{text, args}, 10) }
	both := f.doc.Rows(lifecycle.Key{1})
	both.Where = clause{"id = ?", []any{1}}
	return map[string]lifecycle.Selection{
		"nothing":               {},
		"no keys":               f.doc.Rows(),
		"no condition":          f.doc.Where(nil, 10),
		"keys and a condition":  both,
		"no limit":              f.doc.Where(clause{"id = ?", []any{1}}, 0),
		"a negative limit":      f.doc.Where(clause{"id = ?", []any{1}}, -1),
		"one bad key of three":  f.doc.Rows(lifecycle.Key{1}, lifecycle.Key{nil}, lifecycle.Key{3}),
		"an empty condition":    where(""),
		"blanks":                where(" \n\t"),
		"true for every row":    where("1 = 1"),
		"TRUE":                  where("TRUE"),
		"no column":             where("? = ?", 1, 1),
		"an open parenthesis":   where("(id = ?", 1),
		"a closing parenthesis": where("id = ?) OR (1 = 1", 1),
		"a semicolon":           where("id = ?; DELETE FROM doc", 1),
		"a comment":             where("id = ? --", 1),
		"an open comment":       where("id = ? /*", 1),
		"an open string":        where("note = 'x", 1),
		"a missing argument":    where("id = ? OR id = ?", 1),
		"an argument too many":  where("id = ?", 1, 2),
		"no argument":           where("id = ?"),
	}
}

func testBadInput(t *testing.T, open Open) {
	f := newFixture()
	h := open(t, f.catalog, lifecycletest.NewClock(start))
	check := func(name string, want error, call func(ctx context.Context, tx lifecycle.Tx) error) {
		t.Run(name, func(t *testing.T) {
			tx := &silent{}
			err := call(t.Context(), tx)
			if !errors.Is(err, want) {
				t.Errorf("error %v, want %v", err, want)
			}
			var typed *lifecycle.Error
			if !errors.As(err, &typed) {
				t.Errorf("error %v is no *lifecycle.Error", err)
			}
			if diff := cmp.Diff([]string(nil), tx.calls); diff != "" {
				t.Errorf("SQL was sent (-want +got):\n%s", diff)
			}
		})
	}
	one := func(edge lifecycle.EdgeName, r lifecycle.Row, c lifecycle.Cause) func(context.Context, lifecycle.Tx) error {
		return func(ctx context.Context, tx lifecycle.Tx) error {
			_, err := h.Store.Apply(ctx, tx, edge, r, c)
			return err
		}
	}
	all := func(edge lifecycle.EdgeName, s lifecycle.Selection) func(context.Context, lifecycle.Tx) error {
		return func(ctx context.Context, tx lifecycle.Tx) error {
			_, err := h.Store.ApplyAll(ctx, tx, edge, s, cause)
			return err
		}
	}
	for name, r := range badRows(f) {
		check("row: "+name, lifecycle.ErrInvalid, one(lifecycle.Restore, r, cause))
		check("read: "+name, lifecycle.ErrInvalid, func(ctx context.Context, tx lifecycle.Tx) error {
			if _, ok := r.Version(); ok {
				return &lifecycle.Error{Err: lifecycle.ErrInvalid} // a read asks for no version
			}
			_, err := h.Store.Record(ctx, tx, r)
			return err
		})
	}
	for name, c := range badCauses() {
		check("cause: "+name, lifecycle.ErrInvalid, one(lifecycle.Trash, row(f.doc, 1), c))
	}
	for _, edge := range []lifecycle.EdgeName{"", "explode", "trash "} {
		check("edge: "+string(edge), lifecycle.ErrInvalid, one(edge, row(f.doc, 1), cause))
	}
	for name, s := range badSelections(f) {
		if s.Where != nil && !h.Conditions {
			continue
		}
		check("selection: "+name, lifecycle.ErrInvalid, all(lifecycle.Purge, s))
	}
	check("no transaction", lifecycle.ErrInvalid, func(ctx context.Context, _ lifecycle.Tx) error {
		_, err := h.Store.Apply(ctx, nil, lifecycle.Trash, row(f.doc, 1), cause)
		return err
	})
	check("a nil transaction", lifecycle.ErrInvalid, func(ctx context.Context, _ lifecycle.Tx) error {
		var none *sql.Tx
		_, err := h.Store.Apply(ctx, none, lifecycle.Trash, row(f.doc, 1), cause)
		return err
	})
	check("a read without a database", lifecycle.ErrInvalid, func(ctx context.Context, _ lifecycle.Tx) error {
		_, err := h.Store.Record(ctx, nil, row(f.doc, 1))
		return err
	})
	check("a history without a database", lifecycle.ErrInvalid, func(ctx context.Context, _ lifecycle.Tx) error {
		_, err := h.Store.History(ctx, nil, row(f.doc, 1))
		return err
	})
	check("a hard delete that is no edge", lifecycle.ErrInvalid, one(lifecycle.HardDelete, row(f.ticket, 1), cause))
	check("hard deletes that are no edge", lifecycle.ErrInvalid, all(lifecycle.HardDelete, f.ticket.Rows(lifecycle.Key{1})))
	check("a reclaim without a column", lifecycle.ErrInvalid, one(lifecycle.Reclaim, row(f.note, 1), cause))
	check("trash of a status", lifecycle.ErrNotDeletable, one(lifecycle.Trash, row(f.employee, 1), cause))
	check("trash of a ticket", lifecycle.ErrNotDeletable, all(lifecycle.Trash, f.ticket.Rows(lifecycle.Key{1})))
	check("hard delete of a document", lifecycle.ErrNotDeletable, func(ctx context.Context, tx lifecycle.Tx) error {
		_, err := h.Store.HardDelete(ctx, tx, f.doc.Rows(lifecycle.Key{1}), cause)
		return err
	})
}

// testRollback shows that what a transaction did is gone with it.
func testRollback(t *testing.T, open Open) {
	w := newTwin(t, open)
	errBack := errors.New("changed my mind")
	w.insert(t, w.doc, key(w.doc, 1), active)
	for _, edge := range []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Purge, lifecycle.Reclaim} {
		for _, h := range []*Harness{w.model, w.real} {
			before := snapshot(t.Context(), t, h, row(w.doc, 1))
			err := h.in(t.Context(), func(tx lifecycle.Tx) error {
				result, err := h.Store.Apply(t.Context(), tx, edge, row(w.doc, 1), cause)
				if err != nil || result.Outcome != lifecycle.Transitioned {
					t.Errorf("%s: %s, %v", edge, result.Outcome, err)
				}
				return errBack
			})
			if !errors.Is(err, errBack) {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, snapshot(t.Context(), t, h, row(w.doc, 1))); diff != "" {
				t.Errorf("%s was rolled back and left something (-before +after):\n%s", edge, diff)
			}
		}
		w.apply(t, edge, row(w.doc, 1))
		w.same(t, row(w.doc, 1))
	}
}
