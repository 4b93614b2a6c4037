package store_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/internal/clock"
	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/store"
)

// The benchmarks take each edge twice in turn, by hand and with the store, on the
// same rows of the same table: the same columns, the same guard, the same audit,
// each in a transaction of its own. What counts is the ratio of the two medians,
// which a busy machine disturbs less than either.

const benchRows = 1000

func BenchmarkEdge(b *testing.B) {
	databases := []*testdb.Database{testdb.SQLite(b, "_synchronous=FULL")}
	if d, ok := testdb.Postgres(b); ok {
		databases = append(databases, d)
	}
	for _, d := range databases { // MariaDB locks first, which is another work
		for _, audit := range []bool{false, true} {
			for _, edge := range []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Restore, lifecycle.Purge, lifecycle.Expire, lifecycle.Reclaim} {
				s := benchShelf(b, d, edge, audit)
				for _, n := range []int{1, benchRows} {
					b.Run(fmt.Sprintf("db=%s/edge=%s/audit=%t/rows=%d", d.Name, edge, audit, n), func(b *testing.B) {
						(&edgeBench{shelf: s, edge: edge, audit: audit, n: n}).run(b)
					})
				}
			}
		}
	}
}

type edgeBench struct {
	*shelf
	edge  lifecycle.EdgeName
	audit bool
	n     int
}

func (e *edgeBench) run(b *testing.B) {
	keys := make([]lifecycle.Key, e.n)
	for i := range keys {
		keys[i] = lifecycle.Key{int64(i + 1)}
	}
	var hand, withStore []time.Duration
	for range b.N {
		hand = append(hand, e.time(b, func(tx *sql.Tx) error { return e.byHand(b, tx) }))
		withStore = append(withStore, e.time(b, func(tx *sql.Tx) error { return e.byStore(b, tx, keys) }))
	}
	b.ReportMetric(0, "ns/op") // of both and of what puts the rows back: says nothing
	b.ReportMetric(float64(median(hand)), "hand-ns")
	b.ReportMetric(float64(median(withStore)), "store-ns")
	b.ReportMetric(float64(median(withStore))/float64(median(hand)), "ratio")
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// time puts the rows where the edge starts, and then times one transaction.
func (e *edgeBench) time(b *testing.B, work func(tx *sql.Tx) error) time.Duration {
	b.Helper()
	e.clock.Set(noon)
	var q query
	switch e.edge {
	case lifecycle.Trash:
		q.add("UPDATE doc SET deleted_at = NULL, purge_after = NULL, is_deleted = 0")
	case lifecycle.Reclaim:
		q.add("UPDATE doc SET deleted_at = ?, purge_after = ?, is_deleted = 1, reclaimed_at = NULL", e.instant(noon), e.instant(noon.Add(window)))
	default:
		q.add("UPDATE doc SET deleted_at = ?, purge_after = ?, is_deleted = 0", e.instant(noon), e.instant(noon.Add(window)))
	}
	q.add(" WHERE id <= ?", int64(e.n))
	if _, err := e.db.ExecContext(b.Context(), q.text(e.dialect), q.args...); err != nil {
		b.Fatal(err)
	}
	if e.edge == lifecycle.Expire {
		e.clock.Set(noon.Add(2 * window))
	}
	begin := clock.System.Now()
	tx, err := e.db.BeginTx(b.Context(), nil)
	if err == nil {
		err = work(tx)
	}
	if err == nil {
		err = tx.Commit()
	}
	took := clock.System.Now().Sub(begin)
	if err != nil {
		b.Fatal(err)
	}
	return took
}

const window = 30 * lifecycle.Day

func (e *edgeBench) instant(t time.Time) any { return e.at(lifecycle.Timestamp, t) }

func (e *edgeBench) byStore(b *testing.B, tx *sql.Tx, keys []lifecycle.Key) error {
	if e.n == 1 {
		_, err := e.store.Apply(b.Context(), tx, e.edge, e.doc.Row(1), who)
		return err
	}
	results, err := e.store.ApplyAll(b.Context(), tx, e.edge, e.doc.Rows(keys...), who)
	if err == nil && results.Count(lifecycle.Transitioned) != e.n {
		err = fmt.Errorf("%d of %d rows", results.Count(lifecycle.Transitioned), e.n)
	}
	return err
}

// benchShelf opens a table without objects: what a purge does for those is more
// than an UPDATE. Only a reclaim needs the column that says when.
func benchShelf(b *testing.B, d *testdb.Database, edge lifecycle.EdgeName, audit bool) *shelf {
	b.Helper()
	for _, table := range []string{"doc", "softdelete_op", "softdelete_audit", "softdelete_object", "softdelete_waiting", "softdelete_attempt"} {
		if _, err := d.DB.ExecContext(b.Context(), "DROP TABLE IF EXISTS "+table); err != nil {
			b.Fatal(err)
		}
	}
	table := &lifecycle.Table{Name: "doc", Columns: lifecycle.CanonicalColumns()}
	if edge != lifecycle.Reclaim {
		table.Columns.ReclaimedAt = lifecycle.Column{}
	}
	s := &shelf{backend: backendOf(d.Name, d.DB), doc: table, clock: lifecycletest.NewClock(noon)}
	var err error
	if s.store, err = store.New(lifecycle.MustCatalog(table), s.dialect, &store.Options{Clock: s.clock, NoAudit: !audit, Batch: 1024}); err != nil {
		b.Fatal(err)
	}
	ddl, err := s.store.DDL(table)
	if err != nil {
		b.Fatal(err)
	}
	columns := append([]string{"id BIGINT NOT NULL PRIMARY KEY"}, ddl.Columns...)
	texts := append([]string{"CREATE TABLE doc (" + strings.Join(columns, ", ") + ")"}, ddl.Indexes...)
	for i := range benchRows {
		texts = append(texts, fmt.Sprintf("INSERT INTO doc (id) VALUES (%d)", i+1))
	}
	for _, text := range texts {
		if _, err := s.db.ExecContext(b.Context(), text); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.store.Install(b.Context(), s.db); err != nil {
		b.Fatal(err)
	}
	return s
}

// byHand is what a careful service writes without the library.
func (e *edgeBench) byHand(b *testing.B, tx *sql.Tx) error {
	now := e.clock.Now()
	op := string(lifecycle.NewOp(now))
	at := e.instant(now)
	var q query
	from, to := "trashed", "purged"
	switch e.edge {
	case lifecycle.Trash:
		from, to = "active", "trashed"
		q.add("UPDATE doc SET deleted_at = ?, deleted_by = ?, purge_after = ?, delete_op = ?, updated_at = ?, updated_by = ? WHERE ",
			at, who.By, e.instant(now.Add(window)), op, at, who.By)
		q.ids(e.n)
		q.add(" AND deleted_at IS NULL AND is_deleted = 0")
	case lifecycle.Restore:
		to = "active"
		q.add("UPDATE doc SET deleted_at = NULL, deleted_by = NULL, purge_after = NULL, delete_op = NULL, updated_at = ?, updated_by = ? WHERE ", at, who.By)
		q.ids(e.n)
		q.add(" AND deleted_at IS NOT NULL AND is_deleted = 0 AND purge_after > ?", at)
	case lifecycle.Reclaim:
		from, to = "purged", "reclaimed"
		q.add("UPDATE doc SET reclaimed_at = ?, updated_at = ?, updated_by = ? WHERE ", at, at, who.By)
		q.ids(e.n)
		q.add(" AND is_deleted <> 0 AND reclaimed_at IS NULL AND legal_hold = 0")
	default:
		q.add("UPDATE doc SET is_deleted = 1, updated_at = ?, updated_by = ? WHERE ", at, who.By)
		q.ids(e.n)
		q.add(" AND deleted_at IS NOT NULL AND is_deleted = 0 AND legal_hold = 0")
		if e.edge == lifecycle.Expire {
			q.add(" AND purge_after <= ?", at)
		}
	}
	if err := e.update(b, tx, q); err != nil || !e.audit {
		return err
	}
	return e.auditByHand(b, tx, op, from, to, at)
}

// update runs the statement. A restore can meet a unique index: where an error
// ends the transaction, a service that wants to answer 409 and go on needs a
// savepoint too.
func (e *edgeBench) update(b *testing.B, tx *sql.Tx, q query) error {
	shield := e.dialect.AbortsOnError && e.edge == lifecycle.Restore
	if shield {
		if _, err := tx.ExecContext(b.Context(), "SAVEPOINT hand"); err != nil {
			return err
		}
	}
	result, err := tx.ExecContext(b.Context(), q.text(e.dialect), q.args...)
	if err != nil {
		return err
	}
	if changed, err := result.RowsAffected(); err != nil || changed != int64(e.n) {
		return fmt.Errorf("%d of %d rows, %w", changed, e.n, err)
	}
	if shield {
		_, err = tx.ExecContext(b.Context(), "RELEASE SAVEPOINT hand")
	}
	return err
}

func (e *edgeBench) auditByHand(b *testing.B, tx *sql.Tx, op, from, to string, at any) error {
	var q query
	q.add("INSERT INTO softdelete_op (id, edge, actor, reason, at) VALUES (?, ?, ?, ?, ?)", op, string(e.edge), who.By, who.Why, at)
	if _, err := tx.ExecContext(b.Context(), q.text(e.dialect), q.args...); err != nil {
		return err
	}
	q = query{}
	q.add("INSERT INTO softdelete_audit (op, table_name, row_key, edge, from_state, to_state, at) VALUES ")
	for i := range e.n {
		if i > 0 {
			q.add(", ")
		}
		q.add("(?, ?, ?, ?, ?, ?, ?)", op, "doc", "["+strconv.Itoa(i+1)+"]", string(e.edge), from, to, at)
	}
	_, err := tx.ExecContext(b.Context(), q.text(e.dialect), q.args...)
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
	if n == 1 {
		q.add("id = ?", int64(1))
		return
	}
	q.add("id IN (")
	for i := range n {
		if i > 0 {
			q.add(", ")
		}
		q.add("?", int64(i+1))
	}
	q.add(")")
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
