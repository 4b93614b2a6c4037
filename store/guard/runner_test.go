package guard_test

import (
	"errors"
	"testing"

	sq "github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"
	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/store/guard"
)

// The rows of the issue reports' fixture: parent 2 and the children 11 and 30 are
// in the trash.
func TestRunner(t *testing.T) {
	t.Parallel()
	makers := map[*guard.Dialect]func(t *testing.T) (*testdb.Database, bool){
		guard.Postgres: func(t *testing.T) (*testdb.Database, bool) { return testdb.Postgres(t) },
		guard.MySQL:    func(t *testing.T) (*testdb.Database, bool) { return testdb.MySQL(t) },
		guard.SQLite:   func(t *testing.T) (*testdb.Database, bool) { return testdb.SQLite(t), true },
	}
	for _, d := range products {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			made, ok := makers[d](t)
			if !ok {
				return
			}
			db := made.DB
			for _, text := range []string{
				"CREATE TABLE p (id INT PRIMARY KEY, gone TIMESTAMP NULL)", "CREATE TABLE c (id INT PRIMARY KEY, pid INT, gone TIMESTAMP NULL)",
				"INSERT INTO p VALUES (1, NULL), (2, '2026-01-01 00:00:00'), (3, NULL), (4, NULL)",
				"INSERT INTO c VALUES (10, 1, NULL), (11, 1, '2026-01-01 00:00:00'), (20, 2, NULL), (30, 3, '2026-01-01 00:00:00')",
			} {
				if _, err := db.ExecContext(t.Context(), text); err != nil {
					t.Fatal(err)
				}
			}
			r := newGuard(t, d, nil).Runner(db)
			build := sq.Select("p.id", "COALESCE(c.id, 0)").From("p").LeftJoin("c ON c.pid = p.id OR 1 = 0").OrderBy("1", "2")
			tests := []struct {
				name string
				q    sq.SelectBuilder
				want [][2]int
			}{
				{"left join", build, [][2]int{{1, 10}, {3, 0}, {4, 0}}},
				{"anti-join", build.Where("c.id IS NULL"), [][2]int{{3, 0}, {4, 0}}},
				{"NOT IN", build.Where("p.id NOT IN (SELECT pid FROM c)"), [][2]int{{3, 0}, {4, 0}}},
				{"or", build.Where("p.id = 1 OR p.id = 2"), [][2]int{{1, 10}}},
			}
			for _, test := range tests {
				rows, err := test.q.RunWith(r).QueryContext(t.Context())
				if err != nil {
					t.Fatalf("%s: %v", test.name, err)
				}
				var got [][2]int
				for rows.Next() {
					var row [2]int
					if err := rows.Scan(&row[0], &row[1]); err != nil {
						t.Fatal(err)
					}
					got = append(got, row)
				}
				if err := rows.Err(); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("%s (-want +got)\n%s", test.name, diff)
				}
			}
			done, err := r.Exec("UPDATE p SET id = id + 10 WHERE id = 1 OR id = 2")
			if err != nil {
				t.Fatal(err)
			}
			if n, err := done.RowsAffected(); n != 1 || err != nil {
				t.Errorf("UPDATE changed %d rows (%v), want the visible one", n, err)
			}
			if _, err := r.Query("SELECT f(id FROM p)"); !errors.Is(err, guard.ErrNotUnderstood) {
				t.Errorf("Query = %v, want %v", err, guard.ErrNotUnderstood)
			}
		})
	}
}
