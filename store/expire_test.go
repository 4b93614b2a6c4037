package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// TestExpireDue fills a table with rows of every age and takes what is due. The
// machine, asked row by row, says what that is.
func TestExpireDue(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 0, store.Options{Batch: 16})
		rng := rand.New(rand.NewPCG(7, uint64(len(d.Name))))
		var want []string
		var held, objects int64
		oldest := time.Time{}
		for n := range int64(120) {
			seed := randomSeed(rng)
			if err := s.insert(t.Context(), s.doc, lifecycle.Key{n + 1}, seed); err != nil {
				t.Fatal(err)
			}
			record := lifecycle.Record{State: seed.State, DeletedAt: seed.DeletedAt, PurgeAfter: seed.PurgeAfter, Held: seed.Held}
			switch lifecycle.TwoStage.Decide(record, lifecycle.Expire, noon, s.doc.Policy) {
			case lifecycle.Transitioned:
				want = append(want, fmt.Sprintf("[%d]", n+1))
				objects += int64(len(seed.Objects))
				end := seed.PurgeAfter
				if end.IsZero() {
					end = s.doc.Policy.Deadline(seed.DeletedAt)
				}
				if oldest.IsZero() || end.Before(oldest) {
					oldest = end
				}
			case lifecycle.Held:
				record.Held = false
				if lifecycle.TwoStage.Decide(record, lifecycle.Expire, noon, s.doc.Policy) == lifecycle.Transitioned {
					held++
				}
			}
		}
		due, err := s.store.Due(t.Context(), s.db, s.doc, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(store.Due{Rows: int64(len(want)), Held: held, Oldest: oldest, Objects: objects}, due); diff != "" {
			t.Errorf("due (-want +got):\n%s", diff)
		}
		if few, err := s.store.Due(t.Context(), s.db, s.doc, 3); err != nil || few.Rows != 3 {
			t.Errorf("due up to 3: %+v, %v", few, err)
		}
		var got []string
		for {
			results := s.expire(t, 10)
			if len(results.Rows) == 0 {
				break
			}
			if len(results.Rows) > 10 || results.Err() != nil {
				t.Fatalf("a pass of %d rows, %v", len(results.Rows), results.Err())
			}
			for _, r := range results.Rows {
				got = append(got, r.Key.String())
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("expired (-want +got):\n%s", diff)
		}
		if due, err = s.store.Due(t.Context(), s.db, s.doc, 1000); err != nil || due.Rows != 0 || due.Held != held {
			t.Errorf("due afterwards: %+v, %v", due, err)
		}
	})
}

func randomSeed(rng *rand.Rand) memstore.Seed {
	states := []lifecycle.State{lifecycle.Active, lifecycle.Trashed, lifecycle.Trashed, lifecycle.Trashed, lifecycle.Purged}
	seed := memstore.Seed{State: states[rng.IntN(len(states))], Held: rng.IntN(5) == 0}
	seed.Objects = []string{"a", "b"}[:rng.IntN(3)]
	if seed.State == lifecycle.Active {
		return seed
	}
	seed.DeletedAt = noon.Add(-time.Duration(rng.Int64N(int64(60 * lifecycle.Day)))).Truncate(time.Microsecond)
	switch rng.IntN(4) {
	case 0: // the deadline is computed
	case 1:
		seed.PurgeAfter = noon.Add(time.Duration(rng.IntN(3)-1) * time.Microsecond)
	default:
		seed.PurgeAfter = seed.DeletedAt.Add(30 * lifecycle.Day)
	}
	return seed
}

func (s *shelf) expire(t *testing.T, n int) lifecycle.Results {
	t.Helper()
	tx, err := s.db.BeginTx(t.Context(), &sql.TxOptions{Isolation: s.dialect.Isolation})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	results, err := s.store.ExpireDue(t.Context(), tx, s.doc, n, who)
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	return results
}

// TestExpireDuePassesOverLocks holds one due row and takes the others.
func TestExpireDuePassesOverLocks(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		if d.Name == "sqlite" {
			return // one writer: there is nothing to pass over
		}
		s := openShelf(t, d, 0, store.Options{})
		for n := range int64(3) {
			seed := memstore.Seed{State: lifecycle.Trashed, DeletedAt: noon.Add(-40 * lifecycle.Day), PurgeAfter: noon.Add(-10 * lifecycle.Day)}
			if err := s.insert(t.Context(), s.doc, lifecycle.Key{n + 1}, seed); err != nil {
				t.Fatal(err)
			}
		}
		tx := s.begin(t)
		exec(t, tx, "UPDATE doc SET updated_by = 'somebody' WHERE id = 2")
		results := s.expire(t, 10)
		var got []string
		for _, r := range results.Rows {
			got = append(got, r.Key.String())
		}
		if diff := cmp.Diff([]string{"[1]", "[3]"}, got); diff != "" {
			t.Errorf("expired (-want +got):\n%s", diff)
		}
	})
}

// TestExpireDueExcept passes over rows by their keys, and names the row that
// fails a call for one.
func TestExpireDueExcept(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 0, store.Options{})
		s.trashedWith(t, "a", "b", "c", "d")
		s.run(t, refusing(d.Name, "NEW.id = 1 AND NEW.is_deleted = 1")...)
		for n, want := range map[int]lifecycle.Key{1: {int64(1)}, 3: nil} {
			tx := s.begin(t)
			_, err := s.store.ExpireDue(t.Context(), tx, s.doc, n, who)
			var typed *lifecycle.Error
			if !errors.As(err, &typed) || typed.Key.String() != want.String() {
				t.Errorf("%d rows: %v, want an error with the key %s", n, err, want)
			}
			tx.Rollback()
		}
		tx := s.begin(t)
		results, err := s.store.ExpireDue(t.Context(), tx, s.doc, 10, who, lifecycle.Keys(3, 1)...)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range results.Rows {
			got = append(got, r.Key.String())
		}
		if diff := cmp.Diff([]string{"[2]", "[4]"}, got); diff != "" {
			t.Errorf("expired (-want +got):\n%s", diff)
		}
		if _, err := s.store.ExpireDue(t.Context(), tx, s.doc, 10, who, lifecycle.Key{nil}); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("a nil key: %v, want ErrInvalid", err)
		}
	})
}

// TestExpireDueOrder takes those first that are overdue longest, whatever their
// keys are.
func TestExpireDueOrder(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 0, store.Options{})
		for n := range int64(6) {
			at := noon.Add(-time.Duration(40+n) * lifecycle.Day)
			seed := memstore.Seed{State: lifecycle.Trashed, DeletedAt: at, PurgeAfter: at.Add(30 * lifecycle.Day)}
			if n >= 4 {
				seed.PurgeAfter = time.Time{} // computed deadlines have a turn of their own
			}
			if err := s.insert(t.Context(), s.doc, lifecycle.Key{n + 1}, seed); err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range [][]string{{"[3]", "[4]"}, {"[1]", "[2]"}, {"[6]"}, {"[5]"}, nil} {
			var got []string
			for _, r := range s.expire(t, max(1, len(want))).Rows {
				got = append(got, r.Key.String())
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("expired (-want +got):\n%s", diff)
			}
		}
	})
}

func TestExpireDueBadInput(t *testing.T) {
	t.Parallel()
	s := openShelf(t, testdb.SQLite(t), 0, store.Options{})
	tx := s.begin(t)
	for _, n := range []int{0, -1} {
		if _, err := s.store.ExpireDue(t.Context(), tx, s.doc, n, who); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("%d rows: %v, want ErrInvalid", n, err)
		}
		if _, err := s.store.Due(t.Context(), tx, s.doc, int64(n)); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("due up to %d: %v, want ErrInvalid", n, err)
		}
	}
	if _, err := s.store.ExpireDue(t.Context(), tx, &lifecycle.Table{Name: "doc"}, 1, who); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("a table of no catalog: %v, want ErrInvalid", err)
	}
}
