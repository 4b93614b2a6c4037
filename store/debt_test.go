package store_test

import (
	"database/sql"
	"errors"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// trashedWith writes rows 1 to n, in the trash and due, with one object each.
func (s *shelf) trashedWith(t *testing.T, keys ...string) {
	t.Helper()
	for i, key := range keys {
		seed := memstore.Seed{State: lifecycle.Trashed, DeletedAt: noon.Add(-40 * lifecycle.Day), PurgeAfter: noon.Add(-10 * lifecycle.Day), Objects: []string{key}}
		if err := s.insert(t.Context(), s.doc, lifecycle.Key{int64(i + 1)}, seed); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *shelf) purge(t *testing.T, ids ...int) {
	t.Helper()
	tx := s.begin(t)
	for _, id := range ids {
		mustApply(t, s, tx, lifecycle.Purge, id)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

func (s *shelf) ledger(t *testing.T) *store.Ledger {
	t.Helper()
	l, err := store.NewLedger(s.store, s.db, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func claimed(t *testing.T, l *store.Ledger) (claims []objstore.Claim, keys []string) {
	t.Helper()
	claims, err := l.Claim(t.Context(), "files", 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range claims {
		keys = append(keys, c.Key)
	}
	return claims, keys
}

func (s *shelf) state(t *testing.T, id int) lifecycle.State {
	t.Helper()
	r, err := s.store.Record(t.Context(), s.db, s.doc.Row(id))
	if err != nil {
		t.Fatal(err)
	}
	return r.State
}

func (s *shelf) run(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if _, err := s.db.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// TestClaimDuringPurge claims a key that two rows share while the purge of the
// second one is about to commit. The claim sees that row in the trash; it must
// not take the key out of the debt for good.
func TestClaimDuringPurge(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		if d.Name == "sqlite" {
			return // one writer: a claim waits for the purge
		}
		s := openShelf(t, d, 0, store.Options{})
		s.trashedWith(t, "k", "k")
		l := s.ledger(t)
		s.purge(t, 1)
		tx := s.begin(t)
		mustApply(t, s, tx, lifecycle.Purge, 2)
		if _, keys := claimed(t, l); len(keys) > 0 {
			t.Errorf("claimed %q while a row in the trash has it", keys)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if _, keys := claimed(t, l); len(keys) != 1 {
			t.Errorf("both rows are purged, and %q was claimed, want k", keys)
		}
	})
}

// TestPurgeInAnOldSnapshot purges in a transaction that cannot see the ledger's
// entry, which is younger. The row has to wait for the key all the same.
func TestPurgeInAnOldSnapshot(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		if d.Name == "sqlite" {
			return
		}
		s := openShelf(t, d, 0, store.Options{})
		s.trashedWith(t, "k", "k")
		tx, err := s.db.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		if _, err := s.store.Record(t.Context(), tx, s.doc.Row(2)); err != nil {
			t.Fatal(err)
		}
		s.purge(t, 1)
		_, err = s.store.Purge(t.Context(), tx, s.doc.Row(2), who)
		if d.Name == "postgres" {
			if !errors.Is(err, lifecycle.ErrRetry) {
				t.Errorf("purge: %v, want ErrRetry", err)
			}
			return
		}
		if err == nil {
			err = tx.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.ledger(t).Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := s.state(t, 2); got != lifecycle.Purged {
			t.Errorf("the row is %s and its bytes are there", got)
		}
	})
}

// emptying is a trigger that empties a purged row, as a privacy rule may want.
func emptying(name string) []string {
	switch name {
	case "postgres":
		return []string{
			"CREATE FUNCTION empty() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.object_key := NULL; RETURN NEW; END $$",
			"CREATE TRIGGER empty BEFORE UPDATE ON doc FOR EACH ROW WHEN (NEW.is_deleted = 1) EXECUTE FUNCTION empty()",
		}
	case "mariadb":
		return []string{"CREATE TRIGGER emptying BEFORE UPDATE ON doc FOR EACH ROW BEGIN IF NEW.is_deleted = 1 THEN SET NEW.object_key = NULL; END IF; END"}
	}
	return []string{"CREATE TRIGGER emptying AFTER UPDATE ON doc FOR EACH ROW WHEN NEW.is_deleted = 1 BEGIN UPDATE doc SET object_key = NULL WHERE id = NEW.id; END"}
}

// TestRowEmptiedByItsPurge dooms the object of a row that forgets its key in the
// very statement that purges it.
func TestRowEmptiedByItsPurge(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 0, store.Options{})
		s.trashedWith(t, "a", "b", "c", "d")
		s.run(t, emptying(d.Name)...)
		s.purge(t, 1)
		tx := s.begin(t)
		if _, err := s.store.PurgeAll(t.Context(), tx, s.doc.Rows(lifecycle.Keys(2, 3)...), who); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		s.expire(t, 10)
		if _, keys := claimed(t, s.ledger(t)); len(keys) != 4 {
			t.Errorf("claimed %q, want a to d", keys)
		}
	})
}

// TestKeptKey takes a key out of the debt that a row in the trash has as well.
// The row that waited for it has nothing more to wait for.
func TestKeptKey(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 0, store.Options{})
		s.trashedWith(t, "k", "k")
		s.purge(t, 1)
		if _, keys := claimed(t, s.ledger(t)); len(keys) > 0 {
			t.Errorf("claimed %q", keys)
		}
		if got := s.state(t, 1); got != lifecycle.Reclaimed {
			t.Errorf("row 1 is %s, want reclaimed", got)
		}
	})
}

// TestLedgerTriesAgain lets a lock keep Done from its entry for longer than the
// session waits. It tries again by itself.
func TestLedgerTriesAgain(t *testing.T) {
	t.Parallel()
	d, ok := testdb.Postgres(t, "lock_timeout=100ms")
	if !ok {
		return
	}
	s := openShelf(t, d, 0, store.Options{})
	s.trashedWith(t, "k")
	s.purge(t, 1)
	l := s.ledger(t)
	claims, _ := claimed(t, l)
	tx := s.begin(t)
	exec(t, tx, "SELECT id FROM softdelete_object FOR UPDATE")
	result := make(chan error, 1)
	go func() { result <- l.Done(t.Context(), claims[0], objstore.Attempt{Versions: 1}) }()
	waits := map[string]bool{}
	for len(waits) < 2 {
		var since sql.NullString
		err := tx.QueryRowContext(t.Context(), "SELECT max(waitstart)::text FROM pg_locks WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))").Scan(&since)
		if err != nil {
			t.Fatal(err)
		}
		if since.Valid {
			waits[since.String] = true
		}
		select {
		case err := <-result:
			t.Fatalf("done after %d waits: %v", len(waits), err)
		default:
		}
	}
	tx.Rollback()
	if err := <-result; err != nil {
		t.Errorf("done: %v", err)
	}
}
