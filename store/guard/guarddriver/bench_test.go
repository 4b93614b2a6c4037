package guarddriver_test

import (
	"database/sql"
	"slices"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/store/guard"
)

// BenchmarkDriver reads a row by its key through the guard and around it, in
// turns. The one around sends what the guard makes of the query.
func BenchmarkDriver(b *testing.B) {
	for _, way := range []string{"query", "prepared"} {
		b.Run("sqlite/"+way, func(b *testing.B) {
			d := testdb.SQLite(b)
			fill(b, d.DB)
			g := newGuard(b, guard.SQLite, nil)
			const query = "SELECT title FROM document WHERE id = ?"
			text, err := g.Rewrite(query)
			if err != nil {
				b.Fatal(err)
			}
			bare := reader(b, d.DB, text, way)
			guarded := reader(b, open(b, d, g), query, way)
			var took [2][]time.Duration
			for b.Loop() {
				for i, read := range []func(){bare, guarded} {
					start := time.Now()
					read()
					took[i] = append(took[i], time.Since(start))
				}
			}
			b.ReportMetric(0, "ns/op")
			for i := range took {
				slices.Sort(took[i])
			}
			middle := len(took[0]) / 2
			b.ReportMetric(float64(took[0][middle]), "bare-ns")
			b.ReportMetric(float64(took[1][middle]), "guarded-ns")
			b.ReportMetric(float64(took[1][middle])/float64(took[0][middle]), "ratio")
		})
	}
}

func reader(b *testing.B, db *sql.DB, query, way string) func() {
	ctx := b.Context()
	var title string
	ask := func() *sql.Row { return db.QueryRowContext(ctx, query, 10) }
	if way == "prepared" {
		stmt, err := db.PrepareContext(ctx, query)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { stmt.Close() })
		ask = func() *sql.Row { return stmt.QueryRowContext(ctx, 10) }
	}
	return func() {
		if err := ask().Scan(&title); err != nil {
			b.Fatal(err)
		}
	}
}
