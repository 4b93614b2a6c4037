package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	_ "github.com/lib/pq" // driver "postgres"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/memstore"
	"github.com/softdelete-go/softdelete/store/mysql"
	"github.com/softdelete-go/softdelete/store/postgres"
	"github.com/softdelete-go/softdelete/store/sqlite"
	"github.com/softdelete-go/softdelete/store/storetest"
)

// backend is a live database with what a test has to know to fill it by hand.
// It shares no code with the store: what both wrote alike would be judged alike.
type backend struct {
	dialect *store.Dialect
	db      *sql.DB
	quote   string
	types   map[lifecycle.Encoding]string
	boolean string
	text    string
	at      func(e lifecycle.Encoding, t time.Time) any
}

func backendOf(name string, db *sql.DB) *backend {
	switch name {
	case "postgres":
		return &backend{
			dialect: postgres.Dialect, db: db, quote: `"`, boolean: "boolean", text: "text",
			types: map[lifecycle.Encoding]string{
				lifecycle.Timestamp: "timestamptz", lifecycle.TimestampMillis: "timestamptz(3)", lifecycle.TimestampSeconds: "timestamptz(0)",
				lifecycle.RFC3339: "text",
			},
			at: func(_ lifecycle.Encoding, t time.Time) any { return t },
		}
	case "mariadb":
		return &backend{
			dialect: mysql.Dialect, db: db, quote: "`", boolean: "BOOLEAN", text: "VARCHAR(191) COLLATE utf8mb4_bin",
			types: map[lifecycle.Encoding]string{
				lifecycle.Timestamp: "DATETIME(6)", lifecycle.TimestampMillis: "DATETIME(3)", lifecycle.TimestampSeconds: "DATETIME",
				lifecycle.RFC3339: "VARCHAR(40)",
			},
			at: func(_ lifecycle.Encoding, t time.Time) any { return t.Format("2006-01-02 15:04:05.999999") },
		}
	}
	return &backend{
		dialect: sqlite.Dialect, db: db, quote: `"`, boolean: "BOOLEAN", text: "TEXT",
		types: map[lifecycle.Encoding]string{
			lifecycle.Timestamp: "DATETIME", lifecycle.TimestampMillis: "TIMESTAMP", lifecycle.TimestampSeconds: "TEXT",
			lifecycle.RFC3339: "TEXT",
		},
		at: func(_ lifecycle.Encoding, t time.Time) any { return t.Format("2006-01-02T15:04:05.000000Z") },
	}
}

func (b *backend) q(name string) string { return b.quote + name + b.quote }

// columnType follows the naming rule of storetest's fixture.
func (b *backend) columnType(name string) string {
	if name == "id" || name == "seq" || strings.HasSuffix(name, "_id") || name == "row_version" {
		return "BIGINT"
	}
	return b.text
}

func (b *backend) lifeType(c lifecycle.Column) string {
	null := " NULL"
	switch {
	case c.As == lifecycle.Flag || c.As == lifecycle.Boolean:
		typ := map[lifecycle.Encoding]string{lifecycle.Flag: "SMALLINT", lifecycle.Boolean: b.boolean}[c.As]
		if c.Nullable {
			return typ + " NULL"
		}
		return typ + " NOT NULL DEFAULT " + map[lifecycle.Encoding]string{lifecycle.Flag: "0", lifecycle.Boolean: "FALSE"}[c.As]
	case c.As.Epoch():
		return "BIGINT" + null
	}
	return b.types[c.As] + null
}

// create makes the tables of a catalog.
func (b *backend) create(t testing.TB, c *lifecycle.Catalog) {
	t.Helper()
	for _, table := range c.Tables() {
		var cols, keys []string
		add := func(name, typ string) {
			if name != "" {
				cols = append(cols, b.q(name)+" "+typ)
			}
		}
		for _, k := range table.Key {
			add(k, b.columnType(k)+" NOT NULL")
			keys = append(keys, b.q(k))
		}
		l := table.Columns
		for _, col := range []lifecycle.Column{l.DeletedAt, l.PurgeAfter, l.IsDeleted, l.ReclaimedAt, l.UpdatedAt, l.Hold} {
			add(col.Name, b.lifeType(col))
		}
		for _, name := range []string{l.DeletedBy, l.UpdatedBy, l.Operation} {
			add(name, b.text+" NULL")
		}
		add(l.Version, "BIGINT NOT NULL DEFAULT 1")
		for _, p := range table.Parents {
			for _, name := range p.Columns {
				add(name, b.columnType(name)+" NULL")
			}
		}
		for _, o := range table.Objects {
			add(o.Key, b.text+" NULL")
		}
		text := fmt.Sprintf("CREATE TABLE %s (%s, PRIMARY KEY (%s))", b.q(table.Name), strings.Join(cols, ", "), strings.Join(keys, ", "))
		if _, err := b.db.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// insert writes a row as other software would.
func (b *backend) insert(ctx context.Context, table *lifecycle.Table, key lifecycle.Key, seed memstore.Seed) error {
	var cols, marks []string
	var args []any
	add := func(name string, v any) {
		if name == "" {
			return
		}
		cols, args = append(cols, b.q(name)), append(args, v)
		mark := "?"
		if b.dialect.Numbered {
			mark = fmt.Sprintf("$%d", len(args))
		}
		marks = append(marks, mark)
	}
	life := func(c lifecycle.Column, set bool, at time.Time) {
		if c.Name != "" {
			add(c.Name, b.value(c, set, at))
		}
	}
	for i, k := range table.Key {
		add(k, key[i])
	}
	l := table.Columns
	state := seed.State
	ended := state == lifecycle.Purged || state == lifecycle.Reclaimed
	life(l.DeletedAt, state != lifecycle.Active, seed.DeletedAt)
	life(l.PurgeAfter, !seed.PurgeAfter.IsZero(), seed.PurgeAfter)
	life(l.IsDeleted, ended, seed.DeletedAt)
	life(l.ReclaimedAt, state == lifecycle.Reclaimed, seed.DeletedAt)
	life(l.Hold, seed.Held, time.Time{})
	if seed.Version != 0 {
		add(l.Version, seed.Version)
	}
	for _, p := range table.Parents {
		for i, v := range seed.Parents[p.Table.Name] {
			add(p.Columns[i], v)
		}
	}
	for i, o := range seed.Objects {
		add(table.Objects[i].Key, o)
	}
	text := fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", b.q(table.Name), strings.Join(cols, ", "), strings.Join(marks, ", "))
	_, err := b.db.ExecContext(ctx, text, args...)
	return err
}

func (b *backend) value(c lifecycle.Column, set bool, at time.Time) any {
	switch {
	case c.As == lifecycle.Boolean:
		return set
	case c.As == lifecycle.Flag && set:
		return 1
	case c.As == lifecycle.Flag:
		return 0
	case !set:
		return nil
	case c.As == lifecycle.UnixSeconds:
		return at.Unix()
	case c.As == lifecycle.UnixMillis:
		return at.UnixMilli()
	case c.As == lifecycle.UnixMicros:
		return at.UnixMicro()
	case c.As == lifecycle.RFC3339:
		return at.Format("2006-01-02T15:04:05.000000Z")
	}
	return b.at(c.As, at)
}

// harness is a store on a fresh database.
func harness(t *testing.T, name string, db *sql.DB, c *lifecycle.Catalog, clock lifecycle.Clock) *storetest.Harness {
	t.Helper()
	b := backendOf(name, db)
	s, err := store.New(c, b.dialect, &store.Options{Clock: clock, Batch: 64})
	if err != nil {
		t.Fatal(err)
	}
	b.create(t, c)
	if err := s.Install(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	return b.harness(t, s)
}

// harness is a store on a database that has its tables.
func (b *backend) harness(t *testing.T, s *store.Store) *storetest.Harness {
	t.Helper()
	db := b.db
	ledger, err := store.NewLedger(s, db, &store.LedgerOptions{Lease: storetest.Lease})
	if err != nil {
		t.Fatal(err)
	}
	return &storetest.Harness{
		Store: s,
		Begin: func(ctx context.Context) (lifecycle.Tx, error) {
			tx, err := db.BeginTx(ctx, nil)
			return callersTx{tx, s}, asRetry(s, err)
		},
		Insert:     b.insert,
		DB:         db,
		Conditions: true,
		Ledger:     ledger,
		Settle: func(ctx context.Context) error {
			_, err := ledger.Settle(ctx)
			return err
		},
	}
}

// callersTx asks the store what the caller's own errors mean: SQLite may refuse
// the begin or the commit.
type callersTx struct {
	*sql.Tx
	store *store.Store
}

func (tx callersTx) Commit() error { return asRetry(tx.store, tx.Tx.Commit()) }

func asRetry(s *store.Store, err error) error {
	if s.Retryable(err) {
		return fmt.Errorf("%w: %w", lifecycle.ErrRetry, err)
	}
	return err
}

// variant is a way of reaching a database that must make no difference.
type variant struct {
	name string
	open func(testing.TB) (*testdb.Database, bool)
}

func variants() []variant {
	return append(cgoVariants, []variant{
		{"postgres", func(tb testing.TB) (*testdb.Database, bool) { return testdb.Postgres(tb) }},
		{"postgres in Tokyo", func(tb testing.TB) (*testdb.Database, bool) {
			return testdb.Postgres(tb, "TimeZone=Asia/Tokyo", "default_query_exec_mode=simple_protocol")
		}},
		{"postgres by lib/pq", func(tb testing.TB) (*testdb.Database, bool) {
			d, ok := testdb.Postgres(tb)
			if ok {
				d.Driver, d.DB = "postgres", testdb.Open(tb, "postgres", d.DSN)
			}
			return d, ok
		}},
		{"mariadb", func(tb testing.TB) (*testdb.Database, bool) { return testdb.MySQL(tb) }},
		{"mariadb with other settings", func(tb testing.TB) (*testdb.Database, bool) {
			return testdb.MySQL(tb, "clientFoundRows=true", "parseTime=true", "loc=Asia/Tokyo", "time_zone='-07:00'", "interpolateParams=true")
		}},
		{"sqlite", func(tb testing.TB) (*testdb.Database, bool) { return testdb.SQLite(tb), true }},
		{"sqlite deferred", func(tb testing.TB) (*testdb.Database, bool) { return testdb.SQLite(tb, "_txlock=deferred"), true }},
	}...)
}

// cgoVariants need a C compiler.
var cgoVariants []variant

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, v := range variants() {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			if _, ok := v.open(t); !ok {
				return
			}
			storetest.Run(t, func(t *testing.T, c *lifecycle.Catalog, clock lifecycle.Clock) *storetest.Harness {
				d, _ := v.open(t)
				return harness(t, d.Name, d.DB, c, clock)
			})
		})
	}
}
