package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
)

// recorder is a transaction that notes the queries it is asked.
type recorder struct {
	*sql.Tx
	texts []string
	args  [][]any
}

func (r *recorder) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	r.texts, r.args = append(r.texts, text), append(r.args, args)
	return r.Tx.QueryContext(ctx, text, args...)
}

// explain returns the database's plan for a query, as one text.
func (b *schemaBed) explain(t *testing.T, tx *sql.Tx, text string, args []any) string {
	t.Helper()
	word := map[string]string{"postgres": "EXPLAIN ", "mariadb": "EXPLAIN ", "sqlite": "EXPLAIN QUERY PLAN "}[b.Name]
	rows, err := tx.QueryContext(t.Context(), word+text, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		targets := make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := rows.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			// MariaDB also lists the indexes that it did not take.
			if columns[i] != "possible_keys" {
				lines = append(lines, v.String)
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// TestIndexesAreUsed asks each database how it would find what is due, in the
// middle of many rows that are not.
func TestIndexesAreUsed(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		b, cases := newSchemaBed(d), ddlCases()
		s := b.open(t, tablesOf(cases)...)
		for _, c := range cases {
			b.createDeclared(t, s, c.table)
			if c.table.Kind != lifecycle.Asset || len(c.table.Key) > 0 || slices.Contains([]string{"long", "quotes"}, c.name) {
				continue
			}
			var rows []string
			for i := range 1000 {
				rows = append(rows, fmt.Sprintf("(%d)", i+1))
			}
			b.run(t, "INSERT INTO "+b.table(c.table)+" (id) VALUES "+strings.Join(rows, ", "))
			switch b.Name {
			case "postgres", "sqlite":
				b.run(t, "ANALYZE "+b.table(c.table))
			case "mariadb":
				b.run(t, "ANALYZE TABLE "+b.table(c.table)+" PERSISTENT FOR ALL")
			}
			checkUse(t, b, s.ExpireDue, c)
		}
	})
}

type expireDue func(context.Context, lifecycle.Tx, *lifecycle.Table, int, lifecycle.Cause, ...lifecycle.Key) (lifecycle.Results, error)

func checkUse(t *testing.T, b *schemaBed, expire expireDue, c ddlCase) {
	t.Helper()
	tx, err := b.DB.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	r := &recorder{Tx: tx}
	if _, err := expire(t.Context(), r, c.table, 10, who); err != nil {
		t.Fatal(err)
	}
	if len(r.texts) == 0 {
		t.Errorf("%s: nothing was asked", c.name)
	}
	for i, text := range r.texts {
		index := c.table.Name + "_softdelete_window"
		if order := text[strings.Index(text, "ORDER BY"):]; c.table.Columns.PurgeAfter.Name != "" && strings.Contains(order, c.table.Columns.PurgeAfter.Name) ||
			strings.Contains(order, "purge_after") {
			index = c.table.Name + "_softdelete_due"
		}
		plan := b.explain(t, tx, text, r.args[i])
		if !strings.Contains(plan, index) {
			t.Errorf("%s: %s\nis not answered by %s:\n%s", c.name, text, index, plan)
		}
		if strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "filesort") {
			t.Errorf("%s: %s\nis sorted:\n%s", c.name, text, plan)
		}
	}
}

// TestMendKeepsInstants changes the types of columns with instants in them, in
// a session far from UTC.
func TestMendKeepsInstants(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		open   func(testing.TB) (*testdb.Database, bool)
		damage []string
		ask    string
	}{
		{
			"postgres", func(tb testing.TB) (*testdb.Database, bool) {
				return testdb.Postgres(tb, "TimeZone=Asia/Tokyo", "default_query_exec_mode=simple_protocol")
			},
			[]string{"ALTER TABLE doc ALTER COLUMN updated_at TYPE timestamp", "UPDATE doc SET updated_at = '2026-01-02 03:04:05.678901'"},
			"SELECT to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') FROM doc",
		},
		{
			"mariadb", func(tb testing.TB) (*testdb.Database, bool) {
				return testdb.MySQL(tb, "time_zone='+09:00'", "interpolateParams=true")
			},
			[]string{"ALTER TABLE doc MODIFY updated_at TIMESTAMP(6) NULL", "UPDATE doc SET updated_at = '2026-01-02 12:04:05.678901'"},
			"SELECT CAST(updated_at AS CHAR) FROM doc",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, ok := tt.open(t)
			if !ok {
				return
			}
			b, tables := newSchemaBed(d), checkedTables()
			s := b.open(t, tables...)
			for _, table := range tables {
				b.createDeclared(t, s, table)
			}
			b.run(t, "INSERT INTO doc (id) VALUES (1)")
			b.run(t, tt.damage...)
			for _, p := range problemsOf(t, b, s) {
				b.run(t, p.Mend...)
			}
			var got string
			if err := b.DB.QueryRowContext(t.Context(), tt.ask).Scan(&got); err != nil {
				t.Fatal(err)
			}
			if want := "2026-01-02 03:04:05.678901"; got != want {
				t.Errorf("updated_at = %s, want %s", got, want)
			}
		})
	}
}

// TestAdoptPartitioned adopts a table on which no index can be built while
// others write.
func TestAdoptPartitioned(t *testing.T) {
	t.Parallel()
	d, ok := testdb.Postgres(t)
	if !ok {
		return
	}
	b, table := newSchemaBed(d), &lifecycle.Table{Name: "doc"}
	s := b.open(t, table)
	b.run(t, "CREATE TABLE doc (id bigint PRIMARY KEY) PARTITION BY RANGE (id)",
		"CREATE TABLE doc_1 PARTITION OF doc FOR VALUES FROM (0) TO (100)", "INSERT INTO doc VALUES (7)")
	b.run(t, b.adopt(t, s, table)...)
	if err := s.Check(t.Context(), b.DB); err != nil {
		t.Error(err)
	}
	b.live(t, s, table.Row(7))
}
