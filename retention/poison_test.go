package retention_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/retention"
)

// graveyard fills the table with rows 1 to n, all of them due, the first first.
func (w *world) graveyard(t *testing.T, name string, n int) {
	t.Helper()
	w.clock.Set(noon)
	layout := map[string]string{"mariadb": "2006-01-02 15:04:05"}[name]
	if layout == "" {
		layout = "2006-01-02T15:04:05.000000Z"
	}
	var rows []string
	for i := range n {
		at := noon.Add(-60*lifecycle.Day + time.Duration(i)*time.Minute).Format(layout)
		rows = append(rows, fmt.Sprintf("(%d, '%s')", i+1, at))
	}
	w.exec(t, "INSERT INTO file (id, deleted_at) VALUES "+strings.Join(rows, ", "))
}

// left lists the rows that were not purged.
func (w *world) left(t *testing.T) []int {
	t.Helper()
	rows, err := w.db.QueryContext(t.Context(), "SELECT id FROM file WHERE is_deleted = 0 ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var ids []int
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// refusing is a trigger that refuses to purge rows which meet a condition.
func refusing(name, when string) []string {
	switch name {
	case "postgres":
		return []string{
			"CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$",
			"CREATE TRIGGER refuse BEFORE UPDATE ON file FOR EACH ROW WHEN (" + when + ") EXECUTE FUNCTION refuse()",
		}
	case "mariadb":
		return []string{"CREATE TRIGGER refuse BEFORE UPDATE ON file FOR EACH ROW BEGIN IF " + when + " THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF; END"}
	}
	return []string{"CREATE TRIGGER refuse BEFORE UPDATE ON file FOR EACH ROW WHEN " + when + " BEGIN SELECT RAISE(ABORT, 'refused'); END"}
}

// undoing is a trigger that takes the purge back.
func undoing(name, when string) []string {
	switch name {
	case "postgres":
		return []string{
			"CREATE FUNCTION take_back() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.is_deleted := 0; RETURN NEW; END $$",
			"CREATE TRIGGER take_back BEFORE UPDATE ON file FOR EACH ROW WHEN (" + when + ") EXECUTE FUNCTION take_back()",
		}
	case "mariadb":
		return []string{"CREATE TRIGGER take_back BEFORE UPDATE ON file FOR EACH ROW BEGIN IF " + when + " THEN SET NEW.is_deleted = 0; END IF; END"}
	}
	return []string{"CREATE TRIGGER take_back AFTER UPDATE ON file FOR EACH ROW WHEN " + when + " BEGIN UPDATE file SET is_deleted = 0 WHERE id = NEW.id; END"}
}

// dropping is a trigger that drops the purge without a word. SQLite has none.
func dropping(name, when string) []string {
	if name != "postgres" {
		return undoing(name, when)
	}
	return []string{
		"CREATE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
		"CREATE TRIGGER drop_it BEFORE UPDATE ON file FOR EACH ROW WHEN (" + when + ") EXECUTE FUNCTION drop_it()",
	}
}

// atCommit is a trigger that refuses only when the transaction ends, where the
// database has such.
func atCommit(name, when string) []string {
	if name != "postgres" {
		return refusing(name, when)
	}
	return []string{
		"CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$",
		"CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE ON file DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (" + when + ") EXECUTE FUNCTION refuse()",
	}
}

// TestPoisonRows has rows among those due that cannot be purged. All others go,
// and the report names each of them.
func TestPoisonRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		rows    int
		poison  []int
		trigger func(name, when string) []string
	}{
		{"the first is refused", 50, []int{1}, refusing},
		{"one in the middle is refused", 50, []int{20}, refusing},
		{"the last is refused", 50, []int{50}, refusing},
		{"more than a batch at the head are refused", 50, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, refusing},
		{"two apart are refused when the transaction ends", 50, []int{3, 33}, atCommit},
		{"one comes back", 50, []int{20}, undoing},
		{"more than a batch come back", 50, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, undoing},
		{"one is dropped without a word", 50, []int{20}, dropping},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			testdb.Each(t, func(t *testing.T, d *testdb.Database) {
				w := newWorld(t, d.Name, d.DB)
				w.graveyard(t, d.Name, c.rows)
				ids := strings.Trim(strings.ReplaceAll(fmt.Sprint(c.poison), " ", ", "), "[]")
				for _, text := range c.trigger(d.Name, "NEW.is_deleted = 1 AND NEW.id IN ("+ids+")") {
					w.exec(t, text)
				}
				p, err := retention.New(w.st, d.DB, &retention.Options{Batch: 8})
				if err != nil {
					t.Fatal(err)
				}
				report, err := p.Run(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.poison, w.left(t)); diff != "" {
					t.Errorf("rows left (-want +got):\n%s", diff)
				}
				one := report.Tables[0]
				var named []int
				for _, f := range one.Failed {
					var e *lifecycle.Error
					if errors.As(f, &e) && len(e.Key) == 1 {
						named = append(named, int(e.Key[0].(int64)))
					}
				}
				slices.Sort(named)
				if diff := cmp.Diff(c.poison, named); diff != "" {
					t.Errorf("rows named (-want +got):\n%s", diff)
				}
				if !one.Complete || one.Err != nil {
					t.Errorf("complete %t, %v", one.Complete, one.Err)
				}
			})
		})
	}
}

// TestNothingCanBePurged gives a table up whose every row is refused.
func TestNothingCanBePurged(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		w := newWorld(t, d.Name, d.DB)
		w.graveyard(t, d.Name, 150)
		for _, text := range refusing(d.Name, "NEW.is_deleted = 1") {
			w.exec(t, text)
		}
		p, err := retention.New(w.st, d.DB, nil)
		if err != nil {
			t.Fatal(err)
		}
		report, err := p.Run(t.Context())
		if err == nil || report.Complete || len(report.Tables[0].Failed) != 100 || len(w.left(t)) != 150 {
			t.Errorf("%d rows named, complete %t, %v; want 100 and an error", len(report.Tables[0].Failed), report.Complete, err)
		}
	})
}

// TestBatchesThatAreTooLarge has a database that ends every statement on more
// than three rows, as a time-out does. Smaller batches get through.
func TestBatchesThatAreTooLarge(t *testing.T) {
	t.Parallel()
	d, ok := testdb.Postgres(t)
	if !ok {
		return
	}
	w := newWorld(t, d.Name, d.DB)
	w.graveyard(t, d.Name, 50)
	w.exec(t, "CREATE FUNCTION few() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF (SELECT count(*) FROM gone) > 3 THEN RAISE query_canceled; END IF; RETURN NULL; END $$")
	w.exec(t, "CREATE TRIGGER few AFTER UPDATE ON file REFERENCING NEW TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION few()")
	p, err := retention.New(w.st, d.DB, nil)
	if err != nil {
		t.Fatal(err)
	}
	report, err := p.Run(t.Context())
	if err != nil || !report.Complete || report.Purged() != 50 || len(report.Tables[0].Failed) > 0 {
		t.Errorf("%d purged, %v; %v", report.Purged(), report.Tables[0].Failed, err)
	}
}

// TestPassesShareTheWork runs several passes at once. Each row is purged by one
// of them.
func TestPassesShareTheWork(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		const rows, passes = 300, 6
		w := newWorld(t, d.Name, d.DB)
		w.graveyard(t, d.Name, rows)
		var mu sync.Mutex
		var purged int64
		var group sync.WaitGroup
		for range passes {
			p, err := retention.New(w.st, testdb.Open(t, d.Driver, d.DSN), &retention.Options{Batch: 7})
			if err != nil {
				t.Fatal(err)
			}
			group.Go(func() {
				report, err := p.Run(t.Context())
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				purged += report.Purged()
			})
		}
		group.Wait()
		var audited int64
		if err := w.db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM softdelete_audit WHERE edge = 'expire'").Scan(&audited); err != nil {
			t.Fatal(err)
		}
		if purged != rows || audited != rows || len(w.left(t)) > 0 {
			t.Errorf("%d purged, %d audited, %d left of %d", purged, audited, len(w.left(t)), rows)
		}
	})
}
