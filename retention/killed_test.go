package retention_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/retention"
)

// kill ends every other session of the test's database.
func kill(ctx context.Context, name string, conn *sql.Conn) error {
	if name == "postgres" {
		_, err := conn.ExecContext(ctx, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = current_setting('application_name')")
		return err
	}
	rows, err := conn.QueryContext(ctx, "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()")
	if err != nil {
		return err
	}
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		ids = append(ids, id)
	}
	if err := rows.Close(); err != nil {
		return err
	}
	for _, id := range ids {
		conn.ExecContext(ctx, fmt.Sprintf("KILL %d", id)) // it may be gone
	}
	return nil
}

// TestSessionsKilled ends the sessions of a pass while it works, again and
// again. However often a pass dies, each row takes each edge once, and nothing
// is owed in the end.
func TestSessionsKilled(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		if d.Name == "sqlite" {
			return // no sessions but our own
		}
		const files = 60
		w := newWorld(t, d.Name, d.DB)
		var ids []int
		for n := range files {
			ids = append(ids, n+1)
		}
		w.upload(t, append(ids, files+1)...)
		w.trash(t, ids...)
		w.clock.Set(noon)
		conn, err := testdb.Open(t, d.Driver, d.DSN).Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		// One goroutine kills whenever a pass says how far it is, while the pass
		// goes on: it dies in the middle of whatever comes next.
		now, killed := make(chan struct{}, 1), make(chan error, 1)
		go func() {
			var err error
			for range now {
				if err == nil {
					err = kill(t.Context(), d.Name, conn)
				}
			}
			killed <- err
		}()
		for n := range 40 {
			steps := 0
			w.pass(t, d.DB, retention.Options{Batch: 4, Progress: func(retention.Progress) {
				if steps++; steps > n%4 {
					select {
					case now <- struct{}{}:
					default:
					}
				}
			}}).Run(t.Context())
			w.clock.Advance(10 * time.Minute)
		}
		close(now)
		if err := <-killed; err != nil {
			t.Fatal(err)
		}
		w.db = testdb.Open(t, d.Driver, d.DSN) // without dead connections
		for range 3 {
			w.clock.Advance(10 * time.Minute)
			if _, err := w.pass(t, w.db, retention.Options{}).Run(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]int{"trash": files, "expire": files, "reclaim": files}
		got := map[string]int{}
		for edge := range want {
			var n int
			if err := w.db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM softdelete_audit WHERE edge = '"+edge+"'").Scan(&n); err != nil {
				t.Fatal(err)
			}
			got[edge] = n
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("edges taken (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"f/061"}, w.stored(t)); diff != "" {
			t.Errorf("objects (-want +got):\n%s", diff)
		}
		for _, s := range w.states(t, ids...) {
			if s != lifecycle.Reclaimed {
				t.Errorf("a row is %s", s)
			}
		}
	})
}
