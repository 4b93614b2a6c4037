package plans

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
)

var rows = flag.Int("plans.rows", 20_000, "how many documents the tables have; from a million on SQLite's queries are timed as well")

var dialects = map[string]*guard.Dialect{"postgres": guard.Postgres, "mariadb": guard.MySQL, "sqlite": guard.SQLite}

// fill makes the tables: a third of the rows are deleted.
func fill(ctx context.Context, db *sql.DB, product string, n int) error {
	life := ", deleted_at TIMESTAMP NULL, is_deleted INT NOT NULL)"
	statements := []string{
		"CREATE TABLE folder (id INT PRIMARY KEY, owner_id INT NOT NULL, parent_id INT NULL, name VARCHAR(40) NOT NULL" + life,
		"CREATE TABLE document (id INT PRIMARY KEY, folder_id INT NOT NULL, owner_id INT NOT NULL, size INT NOT NULL, created INT NOT NULL, title VARCHAR(40) NOT NULL" + life,
		"CREATE TABLE tag (id INT PRIMARY KEY, document_id INT NOT NULL, label VARCHAR(20) NOT NULL" + life,
		"CREATE TABLE number (i INT PRIMARY KEY)",
		"INSERT INTO number VALUES (1)",
	}
	for have := 1; have < n; have *= 2 {
		statements = append(statements, fmt.Sprintf("INSERT INTO number SELECT i + %d FROM number WHERE i + %d <= %d", have, have, n))
	}
	gone := ", CASE WHEN i %% 3 = 0 THEN '2026-01-01 00:00:00' END, CASE WHEN i %% 7 = 0 AND i %% 3 = 0 THEN 1 ELSE 0 END FROM number WHERE i <= %d"
	if product == "postgres" {
		gone = strings.Replace(gone, "'2026-01-01 00:00:00'", "TIMESTAMP '2026-01-01 00:00:00'", 1)
	}
	name := "CONCAT('name ', i)"
	if product == "sqlite" {
		name = "'name ' || i"
	}
	statements = append(statements,
		fmt.Sprintf("INSERT INTO folder SELECT i, i %% 1000, CASE WHEN i > 10 THEN i / 10 END, "+name+gone, n/10),
		fmt.Sprintf("INSERT INTO document SELECT i, i %% %d + 1, i %% 1000, i %% 977, i * 7 %% 100003, "+name+gone, n/10, n),
		fmt.Sprintf("INSERT INTO tag SELECT i, i * 2, "+name+gone, n/2),
	)
	partial := " WHERE deleted_at IS NULL AND is_deleted = 0"
	if product == "mariadb" {
		partial = ""
	}
	for _, on := range []string{"folder (owner_id)", "folder (parent_id)", "document (folder_id)", "document (owner_id, created)", "tag (document_id)"} {
		index := strings.NewReplacer(" ", "_", "(", "", ")", "", ",", "").Replace(on)
		statements = append(statements, "CREATE INDEX live_"+index+" ON "+on+partial)
	}
	for _, table := range []string{"folder", "document", "tag"} {
		analyze := map[string]string{"postgres": "ANALYZE ", "mariadb": "ANALYZE TABLE ", "sqlite": "ANALYZE "}
		statements = append(statements, analyze[product]+table)
	}
	for _, s := range statements {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

var filter = regexp.MustCompile(`\{(\w+)\}`)

// written returns the hand-written query.
func (p pair) written(product string) string {
	text := p.hand
	if product == "sqlite" && p.sqlite != "" {
		text = p.sqlite
	}
	return filter.ReplaceAllString(text, "$1.deleted_at IS NULL AND $1.is_deleted = 0")
}

// plan returns how a query is planned, without figures.
func plan(ctx context.Context, db *sql.DB, product, query string) ([]string, error) {
	explain := map[string]string{"postgres": "EXPLAIN (COSTS OFF) ", "mariadb": "EXPLAIN ", "sqlite": "EXPLAIN QUERY PLAN "}[product]
	found, err := db.QueryContext(ctx, explain+query)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	names, err := found.Columns()
	if err != nil {
		return nil, err
	}
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range into {
		into[i] = &values[i]
	}
	var lines []string
	for found.Next() {
		if err := found.Scan(into...); err != nil {
			return nil, err
		}
		var line []string
		for i, v := range values {
			if b, ok := v.([]byte); ok {
				v = string(b)
			}
			// What the statistics say changes from run to run, and SQLite's numbers of
			// steps with the length of the program.
			if figures := []string{"rows", "filtered", "parent", "notused"}; slices.Contains(figures, names[i]) || product == "sqlite" && names[i] == "id" {
				continue
			}
			line = append(line, fmt.Sprint(v))
		}
		lines = append(lines, strings.Join(line, " | "))
	}
	return lines, found.Err()
}

func TestPlans(t *testing.T) {
	t.Parallel()
	catalog := lifecycle.MustCatalog(&lifecycle.Table{Name: "folder"}, &lifecycle.Table{Name: "document"}, &lifecycle.Table{Name: "tag"})
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		ctx := t.Context()
		if err := fill(ctx, d.DB, d.Name, *rows); err != nil {
			t.Fatal(err)
		}
		g, err := guard.New(catalog, dialects[d.Name], nil)
		if err != nil {
			t.Fatal(err)
		}
		partial := false
		for _, q := range queries {
			if slices.Contains(q.but, d.Name) {
				continue
			}
			guarded, err := g.Rewrite(q.plain)
			if err != nil {
				t.Fatalf("%s: %v", q.name, err)
			}
			want, err := plan(ctx, d.DB, d.Name, q.written(d.Name))
			if err != nil {
				t.Fatalf("%s: %v", q.name, err)
			}
			got, err := plan(ctx, d.DB, d.Name, guarded)
			if err != nil {
				t.Fatalf("%s: %v", q.name, err)
			}
			partial = partial || strings.Contains(fmt.Sprint(got), "live_document")
			verdict := "the same plan"
			if diff := cmp.Diff(want, got); diff != "" {
				verdict = "another plan"
				t.Errorf("%s: plan (-by hand +guarded)\n%s", q.name, diff)
			}
			if d.Name == "sqlite" && *rows >= 1_000_000 {
				ratio, err := compare(ctx, d.DB, q.written(d.Name), guarded)
				if err != nil {
					t.Fatalf("%s: %v", q.name, err)
				}
				verdict += fmt.Sprintf(", %.2f times as long", ratio)
				if ratio > 1.2 {
					t.Errorf("%s: guarded takes %.2f times as long", q.name, ratio)
				}
			}
			t.Logf("%-36s %s", q.name, verdict)
		}
		if !partial {
			t.Error("no plan uses an index on live documents")
		}
	})
}

// compare returns how long b takes in relation to a: the least of several runs
// each, taken in turns.
func compare(ctx context.Context, db *sql.DB, a, b string) (float64, error) {
	least := [2]time.Duration{time.Hour, time.Hour}
	begun := time.Now()
	for n := 0; n < 5 || n < 200 && time.Since(begun) < time.Second; n++ {
		for i, query := range []string{a, b} {
			start := time.Now()
			found, err := db.QueryContext(ctx, query)
			if err != nil {
				return 0, err
			}
			for found.Next() {
				continue
			}
			if err := found.Close(); err != nil {
				return 0, err
			}
			least[i] = min(least[i], time.Since(start))
		}
	}
	return float64(least[1]) / float64(least[0]), nil
}
