package guarddriver_test

import (
	"database/sql"
	"errors"
	"testing"

	sq "github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"
	"github.com/jmoiron/sqlx"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
)

const idsOf = "SELECT id FROM document WHERE id > ? OR id = ? ORDER BY id"

// TestWaysIn reads the same rows in every way that database/sql, sqlx and
// squirrel have.
func TestWaysIn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p product, d *testdb.Database) {
		fill(t, d.DB)
		db := sqlx.NewDb(open(t, d, newGuard(t, p.d, nil)), d.Driver)
		format := sq.PlaceholderFormat(sq.Question)
		if p.d == guard.Postgres {
			format = sq.Dollar
		}
		text, err := format.ReplacePlaceholders(idsOf)
		if err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		scan := func(rows *sql.Rows, err error) ([]int, error) {
			if err != nil {
				return nil, err
			}
			defer rows.Close()
			var ids []int
			for rows.Next() {
				var id int
				if err := rows.Scan(&id); err != nil {
					return nil, err
				}
				ids = append(ids, id)
			}
			return ids, rows.Err()
		}
		into := func(read func(ids *[]int) error) ([]int, error) {
			var ids []int
			err := read(&ids)
			return ids, err
		}
		ways := []struct {
			name string
			read func() ([]int, error)
		}{
			{"query", func() ([]int, error) { return scan(db.QueryContext(ctx, text, 0, 1)) }},
			{"query without arguments", func() ([]int, error) { return scan(db.QueryContext(ctx, "SELECT id FROM document ORDER BY id")) }},
			{"prepared", func() ([]int, error) {
				stmt, err := db.PrepareContext(ctx, text)
				if err != nil {
					return nil, err
				}
				defer stmt.Close()
				return scan(stmt.QueryContext(ctx, 0, 1))
			}},
			{"transaction", func() ([]int, error) {
				tx, err := db.BeginTx(ctx, nil)
				if err != nil {
					return nil, err
				}
				defer tx.Rollback() // it has only read
				return scan(tx.QueryContext(ctx, text, 0, 1))
			}},
			{"one connection", func() ([]int, error) {
				conn, err := db.Conn(ctx)
				if err != nil {
					return nil, err
				}
				defer conn.Close()
				return scan(conn.QueryContext(ctx, text, 0, 1))
			}},
			{"sqlx select", func() ([]int, error) {
				return into(func(ids *[]int) error { return db.SelectContext(ctx, ids, text, 0, 1) })
			}},
			{"sqlx get", func() ([]int, error) {
				ids := make([]int, 2)
				for i := range ids {
					if err := db.GetContext(ctx, &ids[i], text+" LIMIT 1", i*10, 1); err != nil {
						return nil, err
					}
				}
				return ids, nil
			}},
			{"sqlx named", func() ([]int, error) {
				rows, err := db.NamedQueryContext(ctx, "SELECT id FROM document WHERE id > :least ORDER BY id", map[string]any{"least": 0})
				if err != nil {
					return nil, err
				}
				return scan(rows.Rows, nil)
			}},
			{"sqlx in", func() ([]int, error) {
				text, args, err := sqlx.In("SELECT id FROM document WHERE id IN (?) ORDER BY id", []int{10, 11, 20})
				if err != nil {
					return nil, err
				}
				return into(func(ids *[]int) error { return db.SelectContext(ctx, ids, db.Rebind(text), args...) })
			}},
			{"sqlx prepared", func() ([]int, error) {
				stmt, err := db.PreparexContext(ctx, text)
				if err != nil {
					return nil, err
				}
				defer stmt.Close()
				return into(func(ids *[]int) error { return stmt.SelectContext(ctx, ids, 0, 1) })
			}},
			{"squirrel", func() ([]int, error) {
				build := sq.Select("id").From("document").Where("id > ? OR id = ?", 0, 1).OrderBy("id").PlaceholderFormat(format)
				return scan(build.RunWith(db.DB).QueryContext(ctx))
			}},
		}
		for _, way := range ways {
			got, err := way.read()
			if err != nil {
				t.Fatalf("%s: %v", way.name, err)
			}
			want := []int{10, 20}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got)\n%s", way.name, diff)
			}
		}
	})
}

// TestWrites changes what is visible, and nothing else.
func TestWrites(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p product, d *testdb.Database) {
		fill(t, d.DB)
		db := open(t, d, newGuard(t, p.d, nil))
		done, err := db.ExecContext(t.Context(), "UPDATE document SET title = 'new' WHERE folder_id = 1")
		if err != nil {
			t.Fatal(err)
		}
		if n, err := done.RowsAffected(); n != 1 || err != nil {
			t.Errorf("UPDATE changed %d rows (%v), want the visible one", n, err)
		}
		for text, want := range map[string]error{
			"DELETE FROM document WHERE id = 10":  guard.ErrWrite,
			"UPDATE document SET title = 'other'": guard.ErrUnconditional,
			"SELECT (id FROM document":            guard.ErrNotUnderstood,
		} {
			var refused *guard.Error
			if _, err := db.ExecContext(t.Context(), text); !errors.Is(err, want) || !errors.As(err, &refused) {
				t.Errorf("Exec(%q) = %v, want %v", text, err, want)
			}
			if _, err := db.PrepareContext(t.Context(), text); !errors.Is(err, want) {
				t.Errorf("Prepare(%q) = %v, want %v", text, err, want)
			}
			rows, err := db.QueryContext(t.Context(), text)
			if err == nil {
				err = errors.Join(rows.Err(), rows.Close())
			}
			if !errors.Is(err, want) {
				t.Errorf("Query(%q) = %v, want %v", text, err, want)
			}
		}
		var n int
		if err := d.DB.QueryRowContext(t.Context(), "SELECT count(*) FROM document WHERE title = 'other' OR id = 10").Scan(&n); err != nil || n != 1 {
			t.Errorf("%d rows were changed or left (%v), want one", n, err)
		}
	})
}

// TestScope reads the trash through a second pool.
func TestScope(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p product, d *testdb.Database) {
		fill(t, d.DB)
		g := newGuard(t, p.d, nil)
		var id int
		db := open(t, d, g.With(lifecycle.OnlyTrashed, "d"))
		if err := db.QueryRowContext(t.Context(), "SELECT d.id FROM document d JOIN folder f ON f.id = d.folder_id").Scan(&id); err != nil || id != 11 {
			t.Errorf("the trash shows %d (%v), want 11", id, err)
		}
	})
}
