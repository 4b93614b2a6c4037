package peers

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"
	"gorm.io/gorm"
	"gorm.io/plugin/soft_delete"
)

// many is how many keys an operation on many rows has.
const many = 1000

// peer trashes rows in a transaction of its own and returns how many.
type peer struct {
	name  string
	trash func(ctx context.Context, ids []int64) (int64, error)
}

// peers returns the libraries, each after its statement by hand.
func peers(d *database) []peer {
	return []peer{
		{"flag-by-hand", d.byHand("UPDATE doc SET is_deleted = 1, deleted_at = %s WHERE id IN (%s) AND is_deleted = 0")},
		{"gorm", d.byGorm},
		{"time-by-hand", d.byHand("UPDATE doc SET deleted_at = %s WHERE id IN (%s) AND deleted_at IS NULL")},
		{"bun", d.byBun},
	}
}

// byHand returns what a careful author writes: one statement, whose text is
// made anew, as the libraries make theirs.
func (d *database) byHand(format string) func(context.Context, []int64) (int64, error) {
	return func(ctx context.Context, ids []int64) (int64, error) {
		args := []any{time.Now().UTC()}
		var in strings.Builder
		for i, id := range ids {
			if i > 0 {
				in.WriteString(", ")
			}
			args = append(args, id)
			in.WriteString(d.placeholder(len(args)))
		}
		tx, err := d.db.BeginTx(ctx, nil)
		if err != nil {
			return 0, err
		}
		defer tx.Rollback()
		result, err := tx.ExecContext(ctx, fmt.Sprintf(format, d.placeholder(1), in.String()), args...)
		if err != nil {
			return 0, err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return 0, err
		}
		return n, tx.Commit()
	}
}

// gormDoc is the table's row as gorm wants it.
type gormDoc struct {
	ID        int64
	Body      string
	DeletedAt *time.Time
	IsDeleted soft_delete.DeletedAt `gorm:"softDelete:flag,DeletedAtField:DeletedAt"`
}

// TableName names the table for gorm.
func (gormDoc) TableName() string { return "doc" }

func (d *database) byGorm(ctx context.Context, ids []int64) (n int64, err error) {
	err = d.gorm.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		result := tx.Where("id IN ?", ids).Delete(&gormDoc{})
		n = result.RowsAffected
		return result.Error
	})
	return n, err
}

// bunDoc is the table's row as bun wants it.
type bunDoc struct {
	bun.BaseModel `bun:"table:doc,alias:doc"`

	ID        int64 `bun:",pk"`
	Body      string
	DeletedAt time.Time `bun:",soft_delete,nullzero"`
}

func (d *database) byBun(ctx context.Context, ids []int64) (n int64, err error) {
	err = d.bun.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		result, err := tx.NewDelete().Model((*bunDoc)(nil)).Where("id IN (?)", bun.List(ids)).Exec(ctx)
		if err != nil {
			return err
		}
		n, err = result.RowsAffected()
		return err
	})
	return n, err
}

// sequence returns n ids from one on.
func sequence(from, n int) []int64 {
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = int64(from + i)
	}
	return ids
}

// TestPeersTrash checks that all of them do the same, or the figures would
// compare nothing.
func TestPeersTrash(t *testing.T) {
	t.Parallel()
	for _, d := range databases(t) {
		for _, p := range peers(d) {
			d.fill(t, 2*many)
			for _, ids := range [][]int64{{1}, sequence(2, many)} {
				n, err := p.trash(t.Context(), ids)
				if err != nil || n != int64(len(ids)) {
					t.Fatalf("%s: %s trashed %d of %d rows, %v", d.name, p.name, n, len(ids), err)
				}
			}
			if n, err := p.trash(t.Context(), []int64{1, 2}); err != nil || n != 0 {
				t.Errorf("%s: %s trashed %d rows again, %v", d.name, p.name, n, err)
			}
			if n := d.count(t, "SELECT count(*) FROM doc WHERE deleted_at IS NOT NULL"); n != many+1 {
				t.Errorf("%s: %s left %d rows in the trash, want %d", d.name, p.name, n, many+1)
			}
		}
	}
}

func BenchmarkPeers(b *testing.B) {
	for _, d := range databases(b) {
		for _, size := range []int{1, many} {
			for _, p := range peers(d) {
				b.Run(fmt.Sprintf("%s/rows=%d/%s", d.name, size, p.name), func(b *testing.B) {
					d.fill(b, b.N*size)
					b.ReportAllocs()
					b.ResetTimer()
					for i := range b.N {
						n, err := p.trash(b.Context(), sequence(1+i*size, size))
						if err != nil || n != int64(size) {
							b.Fatalf("trashed %d of %d rows, %v", n, size, err)
						}
					}
				})
			}
		}
	}
}

// database is one of the servers, as each of the libraries knows it.
type database struct {
	name   string
	db     *sql.DB
	gorm   *gorm.DB
	bun    *bun.DB
	dollar bool // placeholders are $1, not ?
}

func (d *database) placeholder(n int) string {
	if d.dollar {
		return fmt.Sprintf("$%d", n)
	}
	return "?"
}

// fill makes the table anew with the ids 1 to n.
func (d *database) fill(tb testing.TB, n int) {
	tb.Helper()
	for _, query := range []string{
		"DROP TABLE IF EXISTS doc",
		"CREATE TABLE doc (id BIGINT PRIMARY KEY, body TEXT NOT NULL, deleted_at TIMESTAMP, is_deleted INTEGER NOT NULL DEFAULT 0)",
		fmt.Sprintf("INSERT INTO doc (id, body) WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n, 'body' FROM s", n),
	} {
		if _, err := d.db.ExecContext(tb.Context(), query); err != nil {
			tb.Fatalf("%s: %s: %v", d.name, query, err)
		}
	}
}

func (d *database) count(tb testing.TB, query string) (n int) {
	tb.Helper()
	if err := d.db.QueryRowContext(tb.Context(), query).Scan(&n); err != nil {
		tb.Fatal(err)
	}
	return n
}
