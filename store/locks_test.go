package store_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	sq "github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"
	"github.com/jmoiron/sqlx"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// shelf is a store over one table with rows 1 to n, active.
type shelf struct {
	*backend
	store *store.Store
	doc   *lifecycle.Table
	clock *lifecycletest.Clock
}

func openShelf(t testing.TB, d *testdb.Database, n int64, opts store.Options) *shelf {
	t.Helper()
	doc := docTable()
	c := lifecycle.MustCatalog(doc)
	doc, err := c.Resolve(doc)
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{backend: backendOf(d.Name, d.DB), doc: doc, clock: lifecycletest.NewClock(noon)}
	opts.Clock = s.clock
	if s.store, err = store.New(c, s.dialect, &opts); err != nil {
		t.Fatal(err)
	}
	s.create(t, c)
	if err := s.store.Install(t.Context(), d.DB); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := s.insert(t.Context(), doc, lifecycle.Key{i + 1}, memstore.Seed{State: lifecycle.Active}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *shelf) begin(t testing.TB) *sql.Tx {
	t.Helper()
	tx, err := s.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tx.Rollback() })
	return tx
}

// impatient opens each database so that a wait for a lock soon ends.
func impatient(t *testing.T, fn func(t *testing.T, d *testdb.Database)) {
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		switch d.Name {
		case "postgres":
			d, _ = testdb.Postgres(t, "lock_timeout=200ms")
		case "mariadb":
			d, _ = testdb.MySQL(t, "innodb_lock_wait_timeout=1")
		default:
			d = testdb.SQLite(t, "_busy_timeout=100", "_txlock=deferred")
		}
		fn(t, d)
	})
}

func TestLockWaitIsRetryable(t *testing.T) {
	t.Parallel()
	impatient(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 2, store.Options{})
		first := s.begin(t)
		if _, err := s.store.Trash(t.Context(), first, s.doc.Row(1), who); err != nil {
			t.Fatal(err)
		}
		for name, verb := range map[string]func(tx lifecycle.Tx) error{
			"one": func(tx lifecycle.Tx) error {
				_, err := s.store.Trash(t.Context(), tx, s.doc.Row(1), who)
				return err
			},
			"many": func(tx lifecycle.Tx) error {
				_, err := s.store.TrashAll(t.Context(), tx, s.doc.Rows(lifecycle.Keys(2, 1)...), who)
				return err
			},
		} {
			err := verb(s.begin(t))
			if !errors.Is(err, lifecycle.ErrRetry) || lifecycle.HTTPStatus(err) != 503 {
				t.Errorf("%s: %v, want ErrRetry", name, err)
			}
		}
	})
}

func TestDeadlockIsRetryable(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		if d.Name == "sqlite" {
			// One writer: what would be a deadlock is two readers that both want
			// to write.
			d = testdb.SQLite(t, "_busy_timeout=100", "_txlock=deferred")
		}
		s := openShelf(t, d, 2, store.Options{})
		errs := make(chan error, 2)
		ready := make(chan struct{}, 2)
		goOn := make(chan struct{})
		for _, order := range [][2]int{{1, 2}, {2, 1}} {
			go func() {
				errs <- func() error {
					tx, err := s.db.BeginTx(t.Context(), nil)
					if err != nil {
						return err
					}
					defer tx.Rollback()
					if d.Name == "sqlite" {
						_, err = s.store.Record(t.Context(), tx, s.doc.Row(order[0]))
					} else {
						_, err = s.store.Trash(t.Context(), tx, s.doc.Row(order[0]), who)
					}
					ready <- struct{}{}
					<-goOn
					if err != nil {
						return err
					}
					if _, err = s.store.Trash(t.Context(), tx, s.doc.Row(order[1]), who); err != nil {
						return err
					}
					return tx.Commit()
				}()
			}()
		}
		<-ready
		<-ready
		close(goOn)
		failed := errors.Join(<-errs, <-errs)
		if !errors.Is(failed, lifecycle.ErrRetry) && !(d.Name == "sqlite" && isBusy(failed)) {
			t.Errorf("a deadlock is %v, want ErrRetry", failed)
		}
	})
}

// isBusy tells SQLite's refusal of a commit, which is the caller's own call.
func isBusy(err error) bool { return err != nil && strings.Contains(err.Error(), "locked") }

func TestSerializationFailureIsRetryable(t *testing.T) {
	t.Parallel()
	d, ok := testdb.Postgres(t)
	if !ok {
		return
	}
	s := openShelf(t, d, 1, store.Options{})
	for _, level := range []sql.IsolationLevel{sql.LevelRepeatableRead, sql.LevelSerializable} {
		tx, err := s.db.BeginTx(t.Context(), &sql.TxOptions{Isolation: level})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.store.Record(t.Context(), tx, s.doc.Row(1)); err != nil {
			t.Fatal(err)
		}
		other := s.begin(t)
		for _, edge := range []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Restore} {
			if _, err := s.store.Apply(t.Context(), other, edge, s.doc.Row(1), who); err != nil {
				t.Fatal(err)
			}
		}
		if err := other.Commit(); err != nil {
			t.Fatal(err)
		}
		if _, err := s.store.Trash(t.Context(), tx, s.doc.Row(1), who); !errors.Is(err, lifecycle.ErrRetry) {
			t.Errorf("%s: %v, want ErrRetry", level, err)
		}
		tx.Rollback()
	}
}

// TestRestoreConflict restores a row whose unique name a newer row has taken.
func TestRestoreConflict(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 2, store.Options{})
		ctx := t.Context()
		for _, text := range uniqueLive(d.Name) {
			if _, err := s.db.ExecContext(ctx, text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		tx := s.begin(t)
		exec(t, tx, "UPDATE doc SET object_key = 'secret' WHERE id = 1")
		mustApply(t, s, tx, lifecycle.Trash, 1)
		exec(t, tx, "UPDATE doc SET object_key = 'secret' WHERE id = 2")
		result, err := s.store.Restore(ctx, tx, s.doc.Row(1), who)
		if !errors.Is(err, lifecycle.ErrConflict) || lifecycle.HTTPStatus(err) != 409 {
			t.Errorf("restore: %+v, %v; want ErrConflict", result, err)
		}
		if result.Outcome != lifecycle.Conflict || result.State != lifecycle.Trashed || !errors.Is(result.Err, lifecycle.ErrConflict) {
			t.Errorf("restore: %+v, want a conflict in the trash", result)
		}
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows another column's value: %v", err)
		}
		if d.Name == "postgres" && !strings.Contains(err.Error(), "doc_live") {
			t.Errorf("the error does not name the constraint: %v", err)
		}
		// The transaction is usable, and the row is where it was.
		mustApply(t, s, tx, lifecycle.Trash, 2)
		mustApply(t, s, tx, lifecycle.Restore, 1)
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		record, err := s.store.Record(ctx, s.db, s.doc.Row(1))
		if err != nil || record.State != lifecycle.Active {
			t.Errorf("row 1: %+v, %v", record, err)
		}
	})
}

// uniqueLive makes object_key unique among active rows.
func uniqueLive(name string) []string {
	if name == "mariadb" {
		return []string{
			"ALTER TABLE doc ADD COLUMN live_key VARCHAR(191) AS (IF(deleted_at IS NULL AND is_deleted = 0, object_key, NULL)) STORED",
			"CREATE UNIQUE INDEX doc_live ON doc (live_key)",
		}
	}
	return []string{"CREATE UNIQUE INDEX doc_live ON doc (object_key) WHERE deleted_at IS NULL AND is_deleted = 0"}
}

func exec(t testing.TB, tx lifecycle.Tx, text string) {
	t.Helper()
	if _, err := tx.ExecContext(t.Context(), text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func mustApply(t testing.TB, s *shelf, tx lifecycle.Tx, edge lifecycle.EdgeName, n int) {
	t.Helper()
	result, err := s.store.Apply(t.Context(), tx, edge, s.doc.Row(n), who)
	if err != nil || result.Outcome != lifecycle.Transitioned {
		t.Fatalf("%s %d: %s, %v", edge, n, result.Outcome, err)
	}
}

// TestSqlxAndSquirrel uses the store as services do that have both.
func TestSqlxAndSquirrel(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 9, store.Options{Batch: 2})
		ctx := t.Context()
		tx, err := sqlx.NewDb(s.db, d.Driver).BeginTxx(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		some := sq.And{sq.Gt{"id": 2}, sq.Or{sq.Lt{"id": 6}, sq.Eq{"id": []int{8, 9}}}}
		results, err := s.store.TrashAll(ctx, tx, s.doc.Where(some, 5), who)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range results.Rows {
			got = append(got, r.Key.String())
		}
		if diff := cmp.Diff([]string{"[3]", "[4]", "[5]", "[8]", "[9]"}, got); diff != "" {
			t.Errorf("trashed (-want +got):\n%s", diff)
		}
		for name, empty := range map[string]sq.Sqlizer{
			"And": sq.And{}, "Or": sq.Or{}, "Eq": sq.Eq{}, "an empty IN": sq.Eq{"id": []int{}}, "Expr": sq.Expr(""),
		} {
			if results, err := s.store.PurgeAll(ctx, tx, s.doc.Where(empty, 5), who); err == nil && len(results.Rows) > 0 || err != nil && !errors.Is(err, lifecycle.ErrInvalid) {
				t.Errorf("an empty %s purged %d rows, %v", name, len(results.Rows), err)
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestCancelled shows that a cancelled context is an error and no refusal.
func TestCancelled(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 1, store.Options{})
		tx := s.begin(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		result, err := s.store.Trash(ctx, tx, s.doc.Row(1), who)
		if !errors.Is(err, context.Canceled) || result.Outcome != 0 {
			t.Errorf("cancelled: %+v, %v", result, err)
		}
	})
}

// TestPrecision trashes a row at .6 s in columns of every width. What is stored
// is never later than what happened, and the window never shorter than promised.
func TestPrecision(t *testing.T) {
	t.Parallel()
	at := noon.Add(600 * time.Millisecond)
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		for _, e := range []lifecycle.Encoding{
			lifecycle.Timestamp, lifecycle.TimestampMillis, lifecycle.TimestampSeconds,
			lifecycle.UnixSeconds, lifecycle.UnixMillis, lifecycle.UnixMicros, lifecycle.RFC3339,
		} {
			table := &lifecycle.Table{Name: "t" + strings.ReplaceAll(e.String(), " ", ""), Columns: lifecycle.Columns{
				DeletedAt: lifecycle.Column{Name: "d", As: e}, PurgeAfter: lifecycle.Column{Name: "p", As: e},
			}}
			c := lifecycle.MustCatalog(table)
			b := backendOf(d.Name, d.DB)
			b.create(t, c)
			s, err := store.New(c, b.dialect, &store.Options{Clock: lifecycletest.NewClock(at)})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Install(t.Context(), d.DB); err != nil {
				t.Fatal(err)
			}
			if err := b.insert(t.Context(), c.Tables()[0], lifecycle.Key{1}, memstore.Seed{State: lifecycle.Active}); err != nil {
				t.Fatal(err)
			}
			tx, err := d.DB.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Trash(t.Context(), tx, table.Row(1), who); err != nil {
				t.Fatal(err)
			}
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
			got, err := s.Record(t.Context(), d.DB, table.Row(1))
			if err != nil {
				t.Fatal(err)
			}
			up := at.Add(30 * lifecycle.Day)
			if p := e.Precision(); p == time.Second {
				up = up.Truncate(p).Add(p)
			}
			want := lifecycle.Record{State: lifecycle.Trashed, DeletedAt: at.Truncate(e.Precision()), PurgeAfter: up}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", e, diff)
			}
		}
	})
}
