package memstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// TestVersions wants each edge to raise the version by one, a row of another
// version to be refused, and what is Already not to ask for one.
func TestVersions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.doc, memstore.Seed{Version: 5}, 1)
	row := w.doc.Row(1)
	for _, step := range []struct {
		edge    lifecycle.EdgeName
		version int64
		want    lifecycle.Outcome
		after   int64
	}{
		{lifecycle.Trash, 4, lifecycle.VersionMismatch, 5},
		{lifecycle.Trash, 5, lifecycle.Transitioned, 6},
		{lifecycle.Trash, 5, lifecycle.Already, 6},
		{lifecycle.Restore, 5, lifecycle.VersionMismatch, 6},
		{lifecycle.Restore, 6, lifecycle.Transitioned, 7},
		{lifecycle.Purge, 1, lifecycle.Illegal, 7},
	} {
		result, err := w.apply(t.Context(), step.edge, row.IfVersion(step.version))
		if result.Outcome != step.want || !errors.Is(err, step.want.Err()) {
			t.Errorf("%s of version %d: %s, %v; want %s", step.edge, step.version, result.Outcome, err, step.want)
		}
		if seed, _ := w.Peek(row); seed.Version != step.after {
			t.Errorf("%s of version %d leaves %d, want %d", step.edge, step.version, seed.Version, step.after)
		}
	}
	if result, err := w.apply(t.Context(), lifecycle.Trash, w.doc.Row(9).IfVersion(1)); result.Outcome != lifecycle.NotFound {
		t.Errorf("no such row: %s, %v", result.Outcome, err)
	}
	if _, err := w.apply(t.Context(), lifecycle.Trash, w.note.Row(1).IfVersion(1)); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("no such column: %v, want ErrInvalid", err)
	}
}

// TestResult is the whole of one answer.
func TestResult(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.coarse, active, 1)
	w.clock.Set(noon.Add(987654321))
	got := w.take(t, lifecycle.Trash, w.coarse.Row(uint8(1)))
	want := lifecycle.Result{
		Outcome: lifecycle.Transitioned, Key: lifecycle.Key{int64(1)}, State: lifecycle.Trashed, Op: got.Op,
		At: noon.Add(987654 * time.Microsecond), Deadline: noon.Add(window + time.Second),
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got.Op) != 32 {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	record, err := w.Record(t.Context(), w.Store, w.coarse.Row(1))
	stored := lifecycle.Record{State: lifecycle.Trashed, DeletedAt: noon, PurgeAfter: noon.Add(window + time.Second)}
	if diff := cmp.Diff(stored, record); diff != "" || err != nil {
		t.Errorf("record: %v (-want +got):\n%s", err, diff)
	}
	w.clock.Set(noon.Add(window + time.Second))
	_, refused := w.apply(t.Context(), lifecycle.Restore, w.coarse.Row(1))
	if diff := cmp.Diff("lifecycle: restore coarse[1]: window closed 2026-03-31T12:00:01Z", refused.Error()); diff != "" {
		t.Errorf("refusal (-want +got):\n%s", diff)
	}
}

func TestRestoreClears(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.doc, active, 1)
	w.take(t, lifecycle.Trash, w.doc.Row(1))
	w.take(t, lifecycle.Restore, w.doc.Row(1))
	record, err := w.Record(t.Context(), w.Store, w.doc.Row(1))
	if diff := cmp.Diff(lifecycle.Record{State: lifecycle.Active}, record); diff != "" || err != nil {
		t.Errorf("record: %v (-want +got):\n%s", err, diff)
	}
}

// TestVerbs wants each name to be its edge.
func TestVerbs(t *testing.T) {
	t.Parallel()
	type verb func(m *memstore.Store, ctx context.Context, tx lifecycle.Tx, r lifecycle.Row) error
	one := func(f func(*memstore.Store, context.Context, lifecycle.Tx, lifecycle.Row, lifecycle.Cause) (lifecycle.Result, error)) verb {
		return func(m *memstore.Store, ctx context.Context, tx lifecycle.Tx, r lifecycle.Row) error {
			_, err := f(m, ctx, tx, r, cause)
			return err
		}
	}
	all := func(f func(*memstore.Store, context.Context, lifecycle.Tx, lifecycle.Selection, lifecycle.Cause) (lifecycle.Results, error)) verb {
		return func(m *memstore.Store, ctx context.Context, tx lifecycle.Tx, r lifecycle.Row) error {
			results, err := f(m, ctx, tx, r.Table.Rows(r.Key), cause)
			return errors.Join(err, results.Err())
		}
	}
	trashed := memstore.Seed{State: lifecycle.Trashed}
	for _, tt := range []struct {
		name string
		seed memstore.Seed
		verb verb
		want lifecycle.EdgeName
	}{
		{"Trash", active, one((*memstore.Store).Trash), lifecycle.Trash},
		{"Restore", trashed, one((*memstore.Store).Restore), lifecycle.Restore},
		{"Purge", trashed, one((*memstore.Store).Purge), lifecycle.Purge},
		{"TrashAll", active, all((*memstore.Store).TrashAll), lifecycle.Trash},
		{"RestoreAll", trashed, all((*memstore.Store).RestoreAll), lifecycle.Restore},
		{"PurgeAll", trashed, all((*memstore.Store).PurgeAll), lifecycle.Purge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, memstore.Options{})
			w.insert(t, w.doc, tt.seed, 1)
			if err := w.in(func(tx *memstore.Tx) error { return tt.verb(w.Store, t.Context(), tx, w.doc.Row(1)) }); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]lifecycle.EdgeName{tt.want}, w.edges(t, w.doc.Row(1))); diff != "" {
				t.Errorf("history (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFamilyInOneCall judges the rows of one call by what was there before it:
// a parent and its child cannot go together, whatever their order.
func TestFamilyInOneCall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		edge lifecycle.EdgeName
		keys []lifecycle.Key
		want []lifecycle.Outcome
	}{
		{"trash the parent first", lifecycle.Trash, lifecycle.Keys(1, 2), []lifecycle.Outcome{lifecycle.Restricted, lifecycle.Transitioned}},
		{"trash the child first", lifecycle.Trash, lifecycle.Keys(2, 1), []lifecycle.Outcome{lifecycle.Transitioned, lifecycle.Restricted}},
		{"restore the parent first", lifecycle.Restore, lifecycle.Keys(3, 4), []lifecycle.Outcome{lifecycle.Transitioned, lifecycle.ParentTrashed}},
		{"restore the child first", lifecycle.Restore, lifecycle.Keys(4, 3), []lifecycle.Outcome{lifecycle.ParentTrashed, lifecycle.Transitioned}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, memstore.Options{})
			under := func(id int, s lifecycle.State) memstore.Seed {
				return memstore.Seed{State: s, Parents: map[string]lifecycle.Key{"app.folder": {id}}}
			}
			w.insert(t, w.folder, active, 1)
			w.insert(t, w.folder, under(1, lifecycle.Active), 2)
			w.insert(t, w.folder, memstore.Seed{State: lifecycle.Trashed}, 3)
			w.insert(t, w.folder, under(3, lifecycle.Trashed), 4)
			var got []lifecycle.Outcome
			err := w.in(func(tx *memstore.Tx) error {
				results, err := w.ApplyAll(t.Context(), tx, tt.edge, w.folder.Rows(tt.keys...), cause)
				for _, r := range results.Rows {
					got = append(got, r.Outcome)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMissingParent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.file, memstore.Seed{State: lifecycle.Trashed, Parents: map[string]lifecycle.Key{"app.folder": {99}}}, 1)
	if _, err := w.apply(t.Context(), lifecycle.Restore, w.file.Row(1)); !errors.Is(err, lifecycle.ErrParentTrashed) {
		t.Errorf("restore below a parent that is not there: %v", err)
	}
}

func TestBulkOperation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.doc, active, 1, 2)
	call := func(keys ...int) (results lifecycle.Results) {
		err := w.in(func(tx *memstore.Tx) (err error) {
			results, err = w.TrashAll(t.Context(), tx, w.doc.Rows(lifecycle.Keys(keys...)...), cause)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return results
	}
	first := call(2, 1, 7)
	if first.Op == "" || first.Rows[0].Op != first.Op || first.Rows[1].Op != first.Op || first.Rows[2].Op != "" {
		t.Errorf("operations of %+v", first)
	}
	if again := call(1, 2); again.Op != "" || again.Count(lifecycle.Already) != 2 {
		t.Errorf("an operation in which nothing changed: %+v", again)
	}
}

type clause string

func (c clause) ToSql() (string, []any, error) { return string(c), nil, nil }

func TestUnsupportedAndIllegalCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.ticket, active, 1)
	all := func(edge lifecycle.EdgeName, sel lifecycle.Selection) func(*memstore.Tx) error {
		return func(tx *memstore.Tx) error {
			_, err := w.ApplyAll(t.Context(), tx, edge, sel, cause)
			return err
		}
	}
	for _, tt := range []struct {
		name string
		call func(tx *memstore.Tx) error
		want error
	}{
		{"a condition", all(lifecycle.Trash, w.doc.Where(clause("id > 1"), 10)), errors.ErrUnsupported},
		{"a condition without a limit", all(lifecycle.Trash, w.doc.Where(clause("id > 1"), 0)), lifecycle.ErrInvalid},
		{"a hard delete by condition", func(tx *memstore.Tx) error {
			_, err := w.HardDelete(t.Context(), tx, w.ticket.Where(clause("id > 1"), 10), cause)
			return err
		}, errors.ErrUnsupported},
		{"the hard delete is no edge", all(lifecycle.HardDelete, w.ticket.Rows(lifecycle.Keys(1)...)), lifecycle.ErrInvalid},
		{"an unknown edge", all("explode", w.doc.Rows(lifecycle.Keys(1)...)), lifecycle.ErrInvalid},
		{"nobody", func(tx *memstore.Tx) error {
			_, err := w.Trash(t.Context(), tx, w.doc.Row(1), lifecycle.Cause{})
			return err
		}, lifecycle.ErrInvalid},
		{"reclaim without a column", all(lifecycle.Reclaim, w.note.Rows(lifecycle.Keys(1)...)), lifecycle.ErrInvalid},
		{"trash of a person", all(lifecycle.Trash, w.person.Rows(lifecycle.Keys(1)...)), lifecycle.ErrNotDeletable},
		{"nothing is due in a limit of nothing", func(tx *memstore.Tx) error {
			_, err := w.ExpireDue(t.Context(), tx, w.doc, 0, cause)
			return err
		}, lifecycle.ErrInvalid},
		{"tickets are not due", func(tx *memstore.Tx) error {
			_, err := w.ExpireDue(t.Context(), tx, w.ticket, 1, cause)
			return err
		}, lifecycle.ErrNotDeletable},
		{"a long key", func(tx *memstore.Tx) error {
			_, err := w.Trash(t.Context(), tx, w.doc.Row(strings.Repeat("x", 600)), cause)
			return err
		}, lifecycle.ErrInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := w.in(tt.call)
			var typed *lifecycle.Error
			if !errors.Is(err, tt.want) || !errors.As(err, &typed) {
				t.Errorf("%v, want an *lifecycle.Error with %v", err, tt.want)
			}
		})
	}
}

// TestExpireDue takes those first that are overdue longest, and only those.
func TestExpireDue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	due := func(days int) memstore.Seed {
		at := noon.Add(-time.Duration(days) * lifecycle.Day)
		return memstore.Seed{State: lifecycle.Trashed, DeletedAt: at.Add(-lifecycle.Day), PurgeAfter: at}
	}
	undated := func(days int) memstore.Seed {
		return memstore.Seed{State: lifecycle.Trashed, DeletedAt: noon.Add(-window - time.Duration(days)*lifecycle.Day)}
	}
	held := due(9)
	held.Held = true
	w.insert(t, w.doc, active, 1)
	w.insert(t, w.doc, due(-1), 2)
	w.insert(t, w.doc, held, 3)
	w.insert(t, w.doc, due(1), 4)
	w.insert(t, w.doc, undated(7), 5)
	w.insert(t, w.doc, undated(8), 6)
	w.insert(t, w.doc, due(0), 20)
	w.insert(t, w.doc, due(5), 30)
	w.insert(t, w.note, undated(1), 1)
	w.insert(t, w.doc, due(50), 40)
	except := lifecycle.Keys(int32(40))
	for _, want := range [][]string{{"[4]", "[30]"}, {"[20]", "[6]"}, {"[5]"}, nil} {
		var got []string
		err := w.in(func(tx *memstore.Tx) error {
			results, err := w.ExpireDue(t.Context(), tx, w.doc, 2, cause, except...)
			for _, r := range results.Rows {
				got = append(got, r.Key.String())
			}
			return errors.Join(err, results.Err())
		})
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("ExpireDue: %v (-want +got):\n%s", err, diff)
		}
	}
	w.insert(t, w.note, undated(1), 2)
	if err := w.Insert(w.note, lifecycle.Key{"b"}, undated(1)); err != nil {
		t.Fatal(err)
	}
	var texts []string
	err := w.in(func(tx *memstore.Tx) error {
		results, err := w.ExpireDue(t.Context(), tx, w.note, 10, cause)
		for _, r := range results.Rows {
			texts = append(texts, r.Key.String())
		}
		return err
	})
	if diff := cmp.Diff([]string{"[1]", "[2]", `["b"]`}, texts); diff != "" || err != nil {
		t.Errorf("ExpireDue of rows without a stored deadline: %v (-want +got):\n%s", err, diff)
	}
	for id, want := range map[int]lifecycle.State{1: "active", 2: "trashed", 3: "trashed", 4: "purged", 5: "purged", 40: "trashed"} {
		if got := w.state(t, w.Store, w.doc.Row(id)); got != want {
			t.Errorf("row %d is %s, want %s", id, got, want)
		}
	}
}
