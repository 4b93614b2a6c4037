package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/store"
)

// refusing is a trigger that refuses updates of doc which meet a condition.
func refusing(name, when string) []string {
	switch name {
	case "postgres":
		return []string{
			"CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$",
			"CREATE TRIGGER refuse BEFORE UPDATE ON doc FOR EACH ROW WHEN (" + when + ") EXECUTE FUNCTION refuse()",
		}
	case "mariadb":
		return []string{"CREATE TRIGGER refuse BEFORE UPDATE ON doc FOR EACH ROW BEGIN IF " + when + " THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF; END"}
	}
	return []string{"CREATE TRIGGER refuse BEFORE UPDATE ON doc FOR EACH ROW WHEN " + when + " BEGIN SELECT RAISE(ABORT, 'refused'); END"}
}

// TestRowThatRefusesReclaim has one row that a trigger keeps from its last edge,
// among others that wait for the same objects. What became of the objects is
// recorded, the other rows are reclaimed, and the report names the one.
func TestRowThatRefusesReclaim(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 0, store.Options{Batch: 8})
		var keys []string
		var ids []int
		for n := range 20 {
			keys, ids = append(keys, "shared"), append(ids, n+1)
		}
		s.trashedWith(t, append(keys, "kept", "kept")...)
		s.run(t, refusing(d.Name, "NEW.id IN (7, 21) AND NEW.reclaimed_at IS NOT NULL")...)
		s.purge(t, append(ids, 21)...)
		l := s.ledger(t)
		claims, got := claimed(t, l)
		if diff := cmp.Diff([]string{"shared"}, got); diff != "" {
			t.Fatalf("claimed (-want +got):\n%s", diff)
		}
		if err := l.Done(t.Context(), claims[0], objstore.Attempt{Versions: 1}); err != nil {
			t.Errorf("done: %v", err)
		}
		settled, err := l.Settle(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var failed []string
		for _, f := range settled.Failed {
			failed = append(failed, f.Error())
		}
		if len(failed) != 2 || !strings.Contains(failed[0], "doc[21]") || !strings.Contains(failed[1], "doc[7]") {
			t.Errorf("failed: %q, want rows 21 and 7", failed)
		}
		for _, id := range ids {
			want := lifecycle.Reclaimed
			if id == 7 {
				want = lifecycle.Purged
			}
			if got := s.state(t, id); got != want {
				t.Errorf("row %d is %s, want %s", id, got, want)
			}
		}
		if debt, err := l.Debt(t.Context(), "files"); debt != (objstore.Debt{}) || err != nil {
			t.Errorf("debt %+v, %v", debt, err)
		}
	})
}

// TestCodesOfStores records what no column would take as it is.
func TestCodesOfStores(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 0, store.Options{})
		s.trashedWith(t, "k")
		s.purge(t, 1)
		l := s.ledger(t)
		for _, code := range []string{strings.Repeat("ж", 63) + "x", strings.Repeat("x", 63) + "ж", "\xff\xfe", "a\x00b"} {
			claims, _ := claimed(t, l)
			if len(claims) != 1 {
				t.Fatalf("%q: %d claims", code, len(claims))
			}
			if err := l.Fail(t.Context(), claims[0], objstore.Attempt{Code: code}); err != nil {
				t.Errorf("fail with %q: %v", code, err)
			}
			s.clock.Advance(time.Hour)
		}
		if n := s.count(t, "softdelete_attempt"); n != 4 {
			t.Errorf("%d attempts are recorded, want 4", n)
		}
	})
}

// TestWaitingEnds has rows that wait for their objects and end in every way. Each
// is forgotten but the one under legal hold, which is counted.
func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 0, store.Options{})
		s.trashedWith(t, "a", "b", "c", "d", "")
		s.purge(t, 1, 2, 3, 4, 5)
		l := s.ledger(t)
		claims, _ := claimed(t, l)
		s.run(t, "DELETE FROM doc WHERE id = 2", "UPDATE doc SET legal_hold = 1 WHERE id = 3")
		tx := s.begin(t)
		mustApply(t, s, tx, lifecycle.Reclaim, 1)
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		for _, c := range claims {
			if err := l.Done(t.Context(), c, objstore.Attempt{Versions: 1}); err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range []store.Settled{{Rows: 1, Held: 1}, {Held: 1}} {
			got, err := l.Settle(t.Context())
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("settled: %v (-want +got):\n%s", err, diff)
			}
			if n := s.count(t, "softdelete_waiting"); n != 1 {
				t.Errorf("%d rows wait, want the held one", n)
			}
		}
		if n := s.count(t, "softdelete_attempt"); n != len(claims) {
			t.Errorf("%d attempts are recorded, want %d", n, len(claims))
		}
		s.run(t, "UPDATE doc SET legal_hold = 0")
		if got, err := l.Settle(t.Context()); got.Rows != 1 || err != nil {
			t.Errorf("settled after the hold: %+v, %v", got, err)
		}
	})
}

func (s *shelf) count(t *testing.T, table string) (n int) {
	t.Helper()
	if err := s.db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
