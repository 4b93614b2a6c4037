package store_test

import (
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// The benchmarks pair each edge with the same work written by hand: the same
// columns, the same guard, the same audit, in one transaction with a prepared
// key list. `make bench` prints the ratios.

const benchRows = 1000

var benchEdges = []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Restore}

func BenchmarkEdge(b *testing.B) {
	for _, d := range testdb.All(b) {
		if d.Name == "mariadb" {
			continue
		}
		for _, audit := range []bool{false, true} {
			for _, n := range []int{1, benchRows} {
				name := fmt.Sprintf("db=%s/audit=%t/rows=%d", d.Name, audit, n)
				b.Run(name, func(b *testing.B) { benchEdge(b, d, audit, n) })
			}
		}
	}
}

// benchEdge runs trash and restore in turn, each in a transaction of its own,
// first by hand and then with the store, on the same rows.
func benchEdge(b *testing.B, d *testdb.Database, audit bool, n int) {
	s := benchShelf(b, d, audit)
	keys := make([]lifecycle.Key, n)
	for i := range keys {
		keys[i] = lifecycle.Key{int64(i + 1)}
	}
	work := map[string]func(tx *sql.Tx, edge lifecycle.EdgeName) error{
		"hand": func(tx *sql.Tx, edge lifecycle.EdgeName) error { return s.byHand(b, tx, edge, n, audit) },
		"store": func(tx *sql.Tx, edge lifecycle.EdgeName) error {
			if n == 1 {
				_, err := s.store.Apply(b.Context(), tx, edge, s.doc.Row(1), who)
				return err
			}
			results, err := s.store.ApplyAll(b.Context(), tx, edge, s.doc.Rows(keys...), who)
			if err == nil && results.Count(lifecycle.Transitioned) != n {
				err = fmt.Errorf("%d of %d rows", results.Count(lifecycle.Transitioned), n)
			}
			return err
		},
	}
	for _, by := range []string{"hand", "store"} {
		b.Run("by="+by, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				tx, err := s.db.BeginTx(b.Context(), nil)
				if err == nil {
					err = work[by](tx, benchEdges[i%2])
				}
				if err == nil {
					err = tx.Commit()
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			if b.N%2 == 1 { // leave the rows active
				tx, err := s.db.BeginTx(b.Context(), nil)
				if err != nil {
					b.Fatal(err)
				}
				if err := s.byHand(b, tx, lifecycle.Restore, n, false); err != nil {
					b.Fatal(err)
				}
				if err := tx.Commit(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchShelf(b *testing.B, d *testdb.Database, audit bool) *shelf {
	b.Helper()
	for _, table := range []string{"doc", "softdelete_op", "softdelete_audit", "softdelete_object", "softdelete_waiting", "softdelete_attempt"} {
		if _, err := d.DB.ExecContext(b.Context(), "DROP TABLE IF EXISTS "+table); err != nil {
			b.Fatal(err)
		}
	}
	s := openShelf(b, d, 0, store.Options{NoAudit: !audit, Batch: 1024})
	for i := range benchRows {
		if err := s.insert(b.Context(), s.doc, lifecycle.Key{int64(i + 1)}, memstore.Seed{State: lifecycle.Active}); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// byHand is what a careful service writes without the library.
func (s *shelf) byHand(b *testing.B, tx *sql.Tx, edge lifecycle.EdgeName, n int, audit bool) error {
	at := s.clock.Now()
	op := string(lifecycle.NewOp(at))
	stamp, until := s.at(lifecycle.Timestamp, at), s.at(lifecycle.Timestamp, at.Add(30*24*time.Hour))
	var q query
	from, to := "active", "trashed"
	if edge == lifecycle.Trash {
		q.add("UPDATE doc SET deleted_at = ?, deleted_by = ?, purge_after = ?, delete_op = ?, updated_at = ?, updated_by = ? WHERE id IN (",
			stamp, who.By, until, op, stamp, who.By)
		q.ids(n)
		q.add(") AND deleted_at IS NULL AND is_deleted = 0")
	} else {
		from, to = to, from
		q.add("UPDATE doc SET deleted_at = NULL, deleted_by = NULL, purge_after = NULL, delete_op = NULL, updated_at = ?, updated_by = ? WHERE id IN (",
			stamp, who.By)
		q.ids(n)
		q.add(") AND deleted_at IS NOT NULL AND is_deleted = 0 AND purge_after > ?", stamp)
	}
	// A restore can meet a unique index. Where an error ends the transaction, a
	// service that wants to answer 409 and go on needs a savepoint too.
	shield := s.dialect.AbortsOnError && edge == lifecycle.Restore
	if shield {
		if _, err := tx.ExecContext(b.Context(), "SAVEPOINT hand"); err != nil {
			return err
		}
	}
	result, err := tx.ExecContext(b.Context(), q.text(s.dialect), q.args...)
	if err != nil {
		return err
	}
	if shield {
		if _, err := tx.ExecContext(b.Context(), "RELEASE SAVEPOINT hand"); err != nil {
			return err
		}
	}
	if changed, err := result.RowsAffected(); err != nil || changed != int64(n) {
		return fmt.Errorf("%d of %d rows, %w", changed, n, err)
	}
	if !audit {
		return nil
	}
	q = query{}
	q.add("INSERT INTO softdelete_op (id, edge, actor, reason, at) VALUES (?, ?, ?, ?, ?)", op, string(edge), who.By, who.Why, stamp)
	if _, err := tx.ExecContext(b.Context(), q.text(s.dialect), q.args...); err != nil {
		return err
	}
	q = query{}
	q.add("INSERT INTO softdelete_audit (op, table_name, row_key, edge, from_state, to_state, at) VALUES ")
	for i := range n {
		if i > 0 {
			q.add(", ")
		}
		q.add("(?, ?, ?, ?, ?, ?, ?)", op, "doc", "["+strconv.Itoa(i+1)+"]", string(edge), from, to, stamp)
	}
	_, err = tx.ExecContext(b.Context(), q.text(s.dialect), q.args...)
	return err
}

// query is a text with ? and its arguments.
type query struct {
	pieces strings.Builder
	args   []any
}

func (q *query) add(text string, args ...any) {
	q.pieces.WriteString(text)
	q.args = append(q.args, args...)
}

func (q *query) ids(n int) {
	for i := range n {
		if i > 0 {
			q.add(", ")
		}
		q.add("?", int64(i+1))
	}
}

func (q *query) text(d *store.Dialect) string {
	if !d.Numbered {
		return q.pieces.String()
	}
	var b strings.Builder
	n := 0
	for _, r := range q.pieces.String() {
		if r == '?' {
			n++
			b.WriteString("$" + strconv.Itoa(n))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
