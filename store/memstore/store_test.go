package memstore_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/memstore"
)

func TestNew(t *testing.T) {
	t.Parallel()
	catalog := lifecycle.MustCatalog(&lifecycle.Table{Name: "doc"})
	for _, tt := range []struct {
		name    string
		catalog *lifecycle.Catalog
		opts    *memstore.Options
		err     string
	}{
		{"no options", catalog, nil, ""},
		{"zero options", catalog, &memstore.Options{}, ""},
		{"an empty catalog", lifecycle.MustCatalog(), nil, ""},
		{"no catalog", nil, nil, "no catalog"},
		{"a negative lease", catalog, &memstore.Options{Lease: -1}, "Options.Lease: -1ns is negative"},
		{"a blank actor", catalog, &memstore.Options{Actor: " "}, "Options.Actor"},
		{"a long actor", catalog, &memstore.Options{Actor: strings.Repeat("x", lifecycle.MaxActor+1)}, "Options.Actor"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, err := memstore.New(tt.catalog, tt.opts)
			if tt.err == "" {
				if err != nil || m.Catalog() != tt.catalog {
					t.Errorf("New: %v", err)
				}
				return
			}
			if !errors.Is(err, lifecycle.ErrInvalid) || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("New: %v, want ErrInvalid with %q", err, tt.err)
			}
		})
	}
}

func TestDefaultClock(t *testing.T) {
	t.Parallel()
	doc := &lifecycle.Table{Name: "doc"}
	m, err := memstore.New(lifecycle.MustCatalog(doc), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Insert(doc, lifecycle.Key{1}, active); err != nil {
		t.Fatal(err)
	}
	tx := m.Begin()
	defer tx.Rollback()
	result, err := m.Trash(t.Context(), tx, doc.Row(1), cause)
	if err != nil || result.At.Before(noon) || result.At.Location() != time.UTC {
		t.Errorf("Trash at %s, %v; want the present in UTC", result.At, err)
	}
}

func TestSeedRoundTrip(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	fraction := noon.Add(987654321)
	for _, tt := range []struct {
		name       string
		table      *lifecycle.Table
		seed, want memstore.Seed
	}{
		{"zero is active", w.doc, memstore.Seed{}, memstore.Seed{State: "active", Version: 1, Objects: []string{"", ""}}},
		{
			"everything", w.doc,
			memstore.Seed{State: "purged", DeletedAt: noon, PurgeAfter: noon.Add(window), Held: true, Version: 7, Objects: []string{"a", "b"}},
			memstore.Seed{State: "purged", DeletedAt: noon, PurgeAfter: noon.Add(window), Held: true, Version: 7, Objects: []string{"a", "b"}},
		},
		{"one object of two", w.doc, memstore.Seed{Objects: []string{"a"}}, memstore.Seed{State: "active", Version: 1, Objects: []string{"a", ""}}},
		{
			"trashed just now", w.doc, memstore.Seed{State: "trashed"},
			memstore.Seed{State: "trashed", DeletedAt: noon, PurgeAfter: noon.Add(window), Version: 1, Objects: []string{"", ""}},
		},
		{
			"trashed without a stored deadline", w.doc, memstore.Seed{State: "trashed", DeletedAt: noon},
			memstore.Seed{State: "trashed", DeletedAt: noon, Version: 1, Objects: []string{"", ""}},
		},
		{
			"cut to microseconds", w.doc, memstore.Seed{State: "trashed", DeletedAt: fraction, PurgeAfter: fraction},
			memstore.Seed{State: "trashed", DeletedAt: noon.Add(987654 * time.Microsecond), PurgeAfter: noon.Add(987655 * time.Microsecond), Version: 1, Objects: []string{"", ""}},
		},
		{
			"cut to seconds", w.coarse, memstore.Seed{State: "trashed", DeletedAt: fraction, PurgeAfter: fraction},
			memstore.Seed{State: "trashed", DeletedAt: noon, PurgeAfter: noon.Add(time.Second), Version: 1},
		},
		{
			"no column for the deadline", w.note, memstore.Seed{State: "trashed", DeletedAt: noon, PurgeAfter: noon.Add(window)},
			memstore.Seed{State: "trashed", DeletedAt: noon, Version: 1},
		},
		{
			"a parent", w.file, memstore.Seed{Parents: map[string]lifecycle.Key{"app.folder": {uint8(7)}}},
			memstore.Seed{State: "active", Version: 1, Parents: map[string]lifecycle.Key{"app.folder": {int64(7)}}},
		},
		{"a nil parent", w.file, memstore.Seed{Parents: map[string]lifecycle.Key{"app.folder": {nil}}}, memstore.Seed{State: "active", Version: 1}},
		{"a status row", w.person, active, memstore.Seed{State: "active", Version: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			row := tt.table.Row(tt.name, 0)
			row.Key = row.Key[:1]
			if err := w.Insert(tt.table, row.Key, tt.seed); err != nil {
				t.Fatal(err)
			}
			got, ok := w.Peek(row)
			if diff := cmp.Diff(tt.want, got, emptyIsNil); diff != "" || !ok {
				t.Errorf("Peek: %t (-want +got):\n%s", ok, diff)
			}
		})
	}
}

// emptyIsNil lets empty slices and nil ones be the same.
var emptyIsNil = cmp.FilterValues(
	func(a, b []string) bool { return len(a) == 0 && len(b) == 0 },
	cmp.Comparer(func(a, b []string) bool { return true }),
)

func TestPeekFindsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	for name, row := range map[string]lifecycle.Row{
		"no such row": w.doc.Row(1), "no key": w.doc.Row(), "no table": {}, "another table": (&lifecycle.Table{Name: "doc"}).Row(1),
	} {
		if seed, ok := w.Peek(row); ok {
			t.Errorf("%s: %+v", name, seed)
		}
	}
}

func TestBadSeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	parents := func(name string, key ...any) memstore.Seed {
		return memstore.Seed{Parents: map[string]lifecycle.Key{name: key}}
	}
	for _, tt := range []struct {
		name  string
		table *lifecycle.Table
		key   lifecycle.Key
		seed  memstore.Seed
		want  string
	}{
		{"no table", nil, lifecycle.Key{1}, active, "no table"},
		{"a table of no catalog", &lifecycle.Table{Name: "doc"}, lifecycle.Key{1}, active, "not in the catalog"},
		{"no key", w.doc, nil, active, "the key is empty"},
		{"a zero key", w.doc, lifecycle.Key{0}, active, "the key is zero"},
		{"two values", w.doc, lifecycle.Key{1, 2}, active, "the key has 2 values"},
		{"an unknown state", w.doc, lifecycle.Key{1}, memstore.Seed{State: "pending"}, "Seed.State"},
		{"purged without a mark", w.note, lifecycle.Key{1}, memstore.Seed{State: lifecycle.Purged}, "Seed.State"},
		{"reclaimed without a mark", w.note, lifecycle.Key{1}, memstore.Seed{State: lifecycle.Reclaimed}, "Seed.State"},
		{"a ticket in the trash", w.ticket, lifecycle.Key{1}, memstore.Seed{State: lifecycle.Trashed}, "Seed.State"},
		{"a person in the trash", w.person, lifecycle.Key{1}, memstore.Seed{State: lifecycle.Trashed}, "Seed.State"},
		{"active and dated", w.doc, lifecycle.Key{1}, memstore.Seed{DeletedAt: noon}, "Seed.DeletedAt"},
		{"active with a deadline", w.doc, lifecycle.Key{1}, memstore.Seed{PurgeAfter: noon}, "Seed.DeletedAt"},
		{"held without a column", w.note, lifecycle.Key{1}, memstore.Seed{Held: true}, "Seed.Held"},
		{"too many objects", w.ticket, lifecycle.Key{1}, memstore.Seed{Objects: []string{"a", "b"}}, "Seed.Objects"},
		{"an unknown parent", w.file, lifecycle.Key{1}, parents("folder", 1), `Seed.Parents: "folder" is no parent`},
		{"a zero parent", w.file, lifecycle.Key{1}, parents("app.folder", 0), "Seed.Parents: app.folder"},
		{"a parent of two values", w.file, lifecycle.Key{1}, parents("app.folder", 1, 2), "Seed.Parents: app.folder"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := w.Insert(tt.table, tt.key, tt.seed)
			var typed *lifecycle.Error
			if !errors.Is(err, lifecycle.ErrInvalid) || !errors.As(err, &typed) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Insert: %v, want ErrInvalid with %q", err, tt.want)
			}
		})
	}
}

// TestHistoryIsACopy changes what History has returned.
func TestHistoryIsACopy(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	w.insert(t, w.doc, active, 1)
	w.take(t, lifecycle.Trash, w.doc.Row(1))
	history, err := w.History(t.Context(), w.Store, w.doc.Row(1))
	if err != nil {
		t.Fatal(err)
	}
	history[0].By, history[0].Key[0] = "somebody else", "x"
	want := []lifecycle.Entry{{
		Seq: 1, Op: history[0].Op, Table: "doc", Key: lifecycle.Key{int64(1)}, Edge: lifecycle.Trash,
		From: lifecycle.Active, To: lifecycle.Trashed, By: "user:42", Why: "clean-up", At: noon,
	}}
	again, err := w.History(t.Context(), w.Store, w.doc.Row(1))
	if diff := cmp.Diff(want, again); diff != "" || err != nil {
		t.Errorf("History: %v (-want +got):\n%s", err, diff)
	}
}

func TestReadsRefuse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, memstore.Options{})
	for name, row := range map[string]lifecycle.Row{
		"no table": {}, "no key": w.doc.Row(), "zero": w.doc.Row(0), "another table": (&lifecycle.Table{Name: "doc"}).Row(1),
	} {
		_, read := w.Record(t.Context(), w.Store, row)
		_, history := w.History(t.Context(), w.Store, row)
		if !errors.Is(read, lifecycle.ErrInvalid) || !errors.Is(history, lifecycle.ErrInvalid) {
			t.Errorf("%s: %v and %v, want ErrInvalid", name, read, history)
		}
	}
}
