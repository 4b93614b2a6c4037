package retention_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/retention"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/mysql"
	"github.com/softdelete-go/softdelete/store/postgres"
	"github.com/softdelete-go/softdelete/store/sqlite"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// world is a table with files in a bucket.
type world struct {
	db     *sql.DB
	st     *store.Store
	table  *lifecycle.Table
	bucket *memobj.Bucket
	clock  *lifecycletest.Clock
	faults func(memobj.Call) memobj.Fault
}

var who = lifecycle.Cause{By: "user:42"}

func dialectOf(name string) *store.Dialect {
	return map[string]*store.Dialect{"postgres": postgres.Dialect, "mariadb": mysql.Dialect, "sqlite": sqlite.Dialect}[name]
}

func newWorld(t *testing.T, name string, db *sql.DB) *world {
	t.Helper()
	w := &world{db: db, clock: lifecycletest.NewClock(noon)}
	w.table = &lifecycle.Table{Name: "file", Objects: []lifecycle.ObjectRef{{Bucket: "files", Key: "object_key", Size: "size"}}}
	var err error
	if w.st, err = store.New(lifecycle.MustCatalog(w.table), dialectOf(name), &store.Options{Clock: w.clock, Batch: 4}); err != nil {
		t.Fatal(err)
	}
	ddl, err := w.st.DDL(w.table)
	if err != nil {
		t.Fatal(err)
	}
	key := map[string]string{"mariadb": "VARBINARY(1024)"}[name]
	if key == "" {
		key = "varchar(1024)"
	}
	columns := append([]string{"id BIGINT NOT NULL PRIMARY KEY", "object_key " + key, "size BIGINT"}, ddl.Columns...)
	w.exec(t, "CREATE TABLE file ("+strings.Join(columns, ", ")+")")
	for _, text := range ddl.Indexes {
		w.exec(t, text)
	}
	if err := w.st.Install(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if err := w.st.Check(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	w.reset(t)
	return w
}

// reset empties the world, and puts the clock back.
func (w *world) reset(t *testing.T) {
	t.Helper()
	w.clock.Set(noon.Add(-100 * lifecycle.Day))
	for _, table := range []string{"file", "softdelete_op", "softdelete_audit", "softdelete_object", "softdelete_waiting", "softdelete_attempt"} {
		w.exec(t, "DELETE FROM "+table)
	}
	var err error
	w.bucket, err = memobj.New("files", &memobj.Options{
		Clock: w.clock, Versioning: objstore.Versioned,
		Fault: func(_ context.Context, c memobj.Call) memobj.Fault {
			if w.faults == nil {
				return memobj.Fault{}
			}
			return w.faults(c)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) exec(t *testing.T, text string) {
	t.Helper()
	if _, err := w.db.ExecContext(t.Context(), text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// upload stores a file and its row, and an overwritten version of it.
func (w *world) upload(t *testing.T, ids ...int) {
	t.Helper()
	var rows []string
	for _, id := range ids {
		key := fmt.Sprintf("f/%03d", id)
		for _, body := range []string{"old", "newer"} {
			if _, err := w.bucket.Put(t.Context(), key, strings.NewReader(body), int64(len(body)), nil); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, fmt.Sprintf("(%d, '%s', 5)", id, key))
	}
	w.exec(t, "INSERT INTO file (id, object_key, size) VALUES "+strings.Join(rows, ", "))
}

func (w *world) trash(t *testing.T, ids ...int) {
	t.Helper()
	tx, err := w.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	results, err := w.st.TrashAll(t.Context(), tx, w.table.Rows(lifecycle.Keys(ids...)...), who)
	if err == nil {
		err = errors.Join(results.Err(), tx.Commit())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) pass(t *testing.T, db store.Beginner, opts retention.Options) *retention.Pass {
	t.Helper()
	opts.Buckets = []retention.Bucket{{
		Bucket:  w.bucket,
		Reclaim: &objstore.ReclaimOptions{Clock: w.clock},
		Sweep:   &objstore.SweepOptions{Prefixes: []objstore.Prefix{"f/"}, Clock: w.clock, MaxShare: 1},
	}}
	p, err := retention.New(w.st, db, &opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// stored lists the keys of the bucket, each version of them.
func (w *world) stored(t *testing.T) []string {
	t.Helper()
	w.faults = nil
	var keys []string
	for o, err := range w.bucket.Versions(t.Context(), "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, o.Key)
	}
	return slices.Compact(keys)
}

func (w *world) states(t *testing.T, ids ...int) map[int]lifecycle.State {
	t.Helper()
	states := map[int]lifecycle.State{}
	for _, id := range ids {
		r, err := w.st.Record(t.Context(), w.db, w.table.Row(id))
		if err != nil {
			t.Fatal(err)
		}
		states[id] = r.State
	}
	return states
}

var all = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}

// populate makes twelve files: 1 to 4 live, 5 in the trash and in time, 6 to 12
// past their window, 12 of them under legal hold; and two orphans, one too
// young to be one.
func (w *world) populate(t *testing.T) {
	t.Helper()
	w.upload(t, all...)
	w.trash(t, 6, 7, 8, 9, 10, 11, 12)
	w.exec(t, "UPDATE file SET legal_hold = 1 WHERE id = 12")
	w.put(t, "f/orphan")
	w.put(t, "elsewhere")
	w.clock.Set(noon.Add(-lifecycle.Day))
	w.trash(t, 5)
	w.clock.Set(noon.Add(-time.Hour))
	w.put(t, "f/young")
	w.clock.Set(noon)
}

func (w *world) put(t *testing.T, key string) {
	t.Helper()
	if _, err := w.bucket.Put(t.Context(), key, strings.NewReader("x"), 1, nil); err != nil {
		t.Fatal(err)
	}
}

// ended is what a complete run has to leave.
func (w *world) ended(t *testing.T) {
	t.Helper()
	want := []string{"elsewhere", "f/001", "f/002", "f/003", "f/004", "f/005", "f/012", "f/young"}
	if diff := cmp.Diff(want, w.stored(t)); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	states := map[int]lifecycle.State{}
	for _, id := range all {
		states[id] = lifecycle.Reclaimed
		if id <= 4 {
			states[id] = lifecycle.Active
		}
	}
	states[5], states[12] = lifecycle.Trashed, lifecycle.Trashed
	if diff := cmp.Diff(states, w.states(t, all...)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}
