package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
)

// TestReferenceThatMoves moves a reference, while a claim looks for it, from the
// column that is read last to the one that was read first.
func TestReferenceThatMoves(t *testing.T) {
	t.Parallel()
	d, ok := testdb.Postgres(t)
	if !ok {
		return
	}
	first, last := docTable(), docTable()
	first.Name, last.Name = "first", "last"
	c := lifecycle.MustCatalog(first, last)
	s := &shelf{backend: backendOf(d.Name, d.DB), doc: c.Tables()[0]}
	var err error
	if s.store, err = store.New(c, s.dialect, nil); err != nil {
		t.Fatal(err)
	}
	s.create(t, c)
	if err := s.store.Install(t.Context(), d.DB); err != nil {
		t.Fatal(err)
	}
	s.run(t, "INSERT INTO last (id, object_key) VALUES (1, 'k')",
		"INSERT INTO first (id, object_key, deleted_at) VALUES (1, 'k', now())")
	s.purge(t, 1)

	tx := s.begin(t)
	exec(t, tx, "LOCK TABLE last")
	result := make(chan error, 1)
	go func() {
		claims, err := s.ledger(t).Claim(t.Context(), "files", 10)
		if len(claims) > 0 {
			err = fmt.Errorf("claimed %q, which an active row has had all the time", claims[0].Key)
		}
		result <- err
	}()
	waitForLock(t.Context(), t, tx)
	exec(t, tx, "INSERT INTO first (id, object_key) VALUES (2, 'k')")
	exec(t, tx, "DELETE FROM last")
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-result; err != nil {
		t.Error(err)
	}
}

// waitForLock waits until another session waits for the transaction.
func waitForLock(ctx context.Context, t *testing.T, tx *sql.Tx) {
	t.Helper()
	for {
		var n int
		err := tx.QueryRowContext(ctx, "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))").Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			return
		}
	}
}
