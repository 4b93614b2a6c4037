package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
)

// damage is what somebody did to a schema that was right, and what Check has
// to say of it.
type damage struct {
	name string
	do   []string
	want []string // "table.column: kind", then "warning", then "mend"
	says string   // a part of the message
}

// checkedTables are the tables of a damaged database.
func checkedTables() []*lifecycle.Table {
	at := func(name string) lifecycle.Column { return lifecycle.Column{Name: name, As: lifecycle.UnixSeconds} }
	folder := &lifecycle.Table{Name: "folder", Columns: lifecycle.Columns{DeletedAt: at("deleted_at"), PurgeAfter: at("purge_after")}}
	columns := lifecycle.CanonicalColumns()
	columns.Version = "v"
	doc := &lifecycle.Table{
		Name: "doc", Columns: columns,
		Parents: []lifecycle.Parent{{Table: folder, Columns: []string{"folder_id"}}},
		Objects: []lifecycle.ObjectRef{{Bucket: "files", Key: "object_key"}},
	}
	return []*lifecycle.Table{folder, doc}
}

// short is a problem without its prose.
func short(p store.Problem) string {
	s := p.Table
	if p.Column != "" {
		s += "." + p.Column
	}
	s += ": " + p.Kind
	if p.Warning {
		s += " warning"
	}
	if len(p.Mend) > 0 {
		s += " mend"
	}
	return s
}

// problemsOf asks Check, and fails the test for any other error.
func problemsOf(t *testing.T, b *schemaBed, s *store.Store) []store.Problem {
	t.Helper()
	err := s.Check(t.Context(), b.DB)
	if err == nil {
		return nil
	}
	var found *store.SchemaError
	if !errors.As(err, &found) {
		t.Fatal(err)
	}
	return found.Problems
}

func checkDamage(t *testing.T, b *schemaBed, d damage) {
	t.Helper()
	tables := checkedTables()
	s := b.open(t, tables...)
	for _, table := range tables {
		b.createDeclared(t, s, table)
	}
	b.run(t, "INSERT INTO doc (id) VALUES (1)")
	if err := s.Check(t.Context(), b.DB); err != nil {
		t.Fatalf("before the damage: %v", err)
	}
	b.run(t, d.do...)
	problems := problemsOf(t, b, s)
	var got []string
	for _, p := range problems {
		got = append(got, short(p))
	}
	if diff := cmp.Diff(d.want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s%v", diff, &store.SchemaError{Problems: problems})
	}
	if message := (&store.SchemaError{Problems: problems}).Error(); !strings.Contains(message, d.says) {
		t.Errorf("%s\nwant a message with %q", message, d.says)
	}
	mendAll(t, b, s, problems)
}

// mendAll runs what is said to mend, and wants only the rest to be left. An
// index is named once its columns are there, which takes a second round.
func mendAll(t *testing.T, b *schemaBed, s *store.Store, problems []store.Problem) {
	t.Helper()
	for range 2 {
		for _, p := range problems {
			b.run(t, p.Mend...)
		}
		problems = problemsOf(t, b, s)
	}
	for _, p := range problems {
		if len(p.Mend) > 0 {
			t.Errorf("its mend did not mend %v: %q", p, p.Mend)
		}
	}
}

func checkDamages(t *testing.T, open func(testing.TB) (*testdb.Database, bool), damages []damage) {
	t.Helper()
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			if db, ok := open(t); ok {
				checkDamage(t, newSchemaBed(db), d)
			}
		})
	}
}

func TestCheckPostgres(t *testing.T) {
	t.Parallel()
	checkDamages(t, func(tb testing.TB) (*testdb.Database, bool) { return testdb.Postgres(tb) }, []damage{
		{"no table", []string{"DROP TABLE doc"}, []string{"doc: missing table"}, "none of that name"},
		{"table in upper case", []string{`ALTER TABLE doc RENAME TO "Doc"`}, []string{"doc: missing table"}, `"Doc"`},
		{"view", []string{"ALTER TABLE doc RENAME TO d", "CREATE VIEW doc AS SELECT * FROM d"}, []string{"doc: not a table"}, "view"},
		{"no column", []string{"ALTER TABLE doc DROP COLUMN delete_op"}, []string{"doc.delete_op: missing column mend"}, "Columns.Operation"},
		{"no column with an index", []string{"ALTER TABLE doc DROP COLUMN purge_after"}, []string{"doc.purge_after: missing column mend", "doc.doc_softdelete_window: missing index warning mend"}, "Columns.PurgeAfter"},
		{"column in upper case", []string{`ALTER TABLE doc RENAME COLUMN v TO "V"`}, []string{"doc.v: missing column mend"}, `"V"`},
		{"no zone", []string{"ALTER TABLE doc ALTER COLUMN updated_at TYPE timestamp"}, []string{"doc.updated_at: wrong type warning mend"}, "timestamp"},
		{"few digits", []string{"ALTER TABLE doc ALTER COLUMN deleted_at TYPE timestamptz(3)"}, []string{"doc.deleted_at: too small mend"}, "3 digits of a second of 6"},
		{"boolean for a flag", []string{
			"ALTER TABLE doc DROP COLUMN legal_hold", "ALTER TABLE doc ADD COLUMN legal_hold boolean NOT NULL DEFAULT FALSE",
		}, []string{"doc.legal_hold: wrong type"}, "it is boolean, Columns.Hold wants smallint"},
		{"unknown type", []string{
			"ALTER TABLE doc DROP COLUMN updated_by", "CREATE TYPE actor AS ENUM ('a')", "ALTER TABLE doc ADD COLUMN updated_by actor",
		}, []string{"doc.updated_by: wrong type"}, "actor"},
		{"not null", []string{"DELETE FROM doc", "ALTER TABLE doc ALTER COLUMN deleted_at SET NOT NULL"}, []string{"doc.deleted_at: nullability mend"}, "NOT NULL"},
		{"null in a flag", []string{
			"ALTER TABLE doc ALTER COLUMN is_deleted DROP NOT NULL", "UPDATE doc SET is_deleted = NULL",
		}, []string{"doc.is_deleted: nullability mend"}, "fits no state"},
		{"null in the version", []string{"ALTER TABLE doc ALTER COLUMN v DROP NOT NULL"}, []string{"doc.v: nullability mend"}, "no edge can raise"},
		{"born trashed", []string{"ALTER TABLE doc ALTER COLUMN deleted_at SET DEFAULT now()"}, []string{"doc.deleted_at: default mend"}, "now()"},
		{"born purged", []string{"ALTER TABLE doc ALTER COLUMN is_deleted SET DEFAULT 1"}, []string{"doc.is_deleted: default mend"}, "it is 1"},
		{"flag without default", []string{"ALTER TABLE doc ALTER COLUMN is_deleted DROP DEFAULT"}, []string{"doc.is_deleted: default warning mend"}, "insert"},
		{"computed", []string{
			"ALTER TABLE doc DROP COLUMN updated_by", "ALTER TABLE doc ADD COLUMN updated_by varchar(255) GENERATED ALWAYS AS ('x') STORED",
		}, []string{"doc.updated_by: computed"}, "cannot be written"},
		{"no key", []string{"ALTER TABLE doc DROP CONSTRAINT doc_pkey"}, []string{"doc.id: not a key"}, "Table.Key"},
		{"nullable key", []string{"ALTER TABLE doc DROP CONSTRAINT doc_pkey", "ALTER TABLE doc ALTER COLUMN id DROP NOT NULL"}, []string{"doc.id: nullability"}, "key"},
		{"part of a key", []string{"ALTER TABLE doc DROP CONSTRAINT doc_pkey, ADD PRIMARY KEY (id, v)"}, []string{"doc.id: not a key"}, ""},
		{"unique among some", []string{
			"ALTER TABLE doc DROP CONSTRAINT doc_pkey", "CREATE UNIQUE INDEX ON doc (id) WHERE is_deleted = 0",
		}, []string{"doc.id: not a key"}, ""},
		{"another unique index", []string{"ALTER TABLE doc DROP CONSTRAINT doc_pkey", "CREATE UNIQUE INDEX ON doc (id)"}, nil, ""},
		{"date as a key", []string{
			"ALTER TABLE folder DROP COLUMN id", "ALTER TABLE folder ADD COLUMN id timestamptz PRIMARY KEY",
		}, []string{"folder.id: wrong type", "folder.folder_softdelete_due: missing index warning mend", "folder.folder_softdelete_window: missing index warning mend"}, "cannot be a key"},
		{"short text", []string{
			"ALTER TABLE doc ALTER COLUMN delete_op TYPE varchar(8)", "ALTER TABLE doc ALTER COLUMN updated_by TYPE varchar(8)",
		}, []string{"doc.updated_by: too small warning mend", "doc.delete_op: too small mend"}, "8 characters of 32"},
		{"32 bits", []string{"ALTER TABLE folder ALTER COLUMN deleted_at TYPE integer"}, []string{"folder.deleted_at: too small warning mend"}, "32 bits of 64"},
		{"no index", []string{"DROP INDEX doc_softdelete_due"}, []string{"doc.doc_softdelete_due: missing index warning mend"}, "is_deleted"},
		{"index of other rows", []string{
			"DROP INDEX doc_softdelete_due", "CREATE INDEX doc_softdelete_due ON doc (purge_after) WHERE is_deleted = 1",
		}, []string{"doc.doc_softdelete_due: missing index warning mend"}, ""},
		{"unfinished index", []string{"UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'doc_softdelete_due'::regclass"},
			[]string{"doc.doc_softdelete_due: missing index warning mend"}, ""},
		{"index by another name", []string{
			"DROP INDEX doc_softdelete_due", "CREATE INDEX mine ON doc (purge_after, v) WHERE (is_deleted = 0) IS TRUE",
		}, []string{"doc.doc_softdelete_due: missing index warning mend"}, ""},
		{"the same index by another name", []string{
			"DROP INDEX doc_softdelete_due", "CREATE INDEX mine ON doc (purge_after, v) WHERE ((deleted_at IS NOT NULL) AND ((is_deleted) = 0))",
		}, nil, ""},
		{"index of an expression", []string{
			"DROP INDEX doc_softdelete_ref_folder_id", "CREATE INDEX doc_softdelete_ref_folder_id ON doc ((folder_id + 1))",
		}, []string{"doc.doc_softdelete_ref_folder_id: missing index warning mend"}, ""},
		{"included column", []string{
			"DROP INDEX doc_softdelete_ref_folder_id", "CREATE INDEX mine ON doc (id) INCLUDE (folder_id)",
		}, []string{"doc.doc_softdelete_ref_folder_id: missing index warning mend"}, ""},
		{"no columns of others", []string{"ALTER TABLE doc DROP COLUMN folder_id, DROP COLUMN object_key"},
			[]string{"doc.folder_id: missing column", "doc.object_key: missing column"}, "bucket files"},
		{"no table of ours", []string{"DROP TABLE softdelete_waiting"}, []string{"softdelete_waiting: missing table mend"}, "step 1"},
		{"no column of ours", []string{"ALTER TABLE softdelete_op DROP COLUMN reason"}, []string{"softdelete_op.reason: missing column"}, "step 1"},
		{"a newer version's column", []string{"ALTER TABLE softdelete_op ADD COLUMN tenant text", "ALTER TABLE softdelete_op ADD COLUMN shard text NOT NULL"},
			[]string{"softdelete_op.tenant: schema version warning", "softdelete_op.shard: schema version"}, "newer"},
		{"no index of ours", []string{"DROP INDEX softdelete_object_key", "DROP INDEX softdelete_audit_op"},
			[]string{"softdelete_audit.softdelete_audit_op: missing index warning mend", "softdelete_object.softdelete_object_key: missing index mend"}, ""},
		{"types of ours", []string{
			"ALTER TABLE softdelete_object ALTER COLUMN fence TYPE integer", `ALTER TABLE softdelete_object ALTER COLUMN obj_key TYPE varchar(64) COLLATE "C"`,
		}, []string{"softdelete_object.obj_key: too small", "softdelete_object.fence: wrong type"}, "64 of 1024"},
		{"collation of ours", []string{`ALTER TABLE softdelete_object ALTER COLUMN obj_key TYPE varchar(1024) COLLATE "und-x-icu"`},
			[]string{"softdelete_object.obj_key: collation"}, "byte by byte"},
	})
}

func TestCheckMariaDB(t *testing.T) {
	t.Parallel()
	checkDamages(t, func(tb testing.TB) (*testdb.Database, bool) { return testdb.MySQL(tb) }, []damage{
		{"no table", []string{"DROP TABLE doc"}, []string{"doc: missing table"}, ""},
		{"table in upper case", []string{"RENAME TABLE doc TO Doc"}, []string{"doc: missing table"}, `"Doc"`},
		{"a twin in upper case", []string{"CREATE TABLE Doc (id INT PRIMARY KEY)"}, nil, ""},
		{"view", []string{"RENAME TABLE doc TO d", "CREATE VIEW doc AS SELECT * FROM d"}, []string{"doc: not a table"}, "view"},
		{"no transactions", []string{"ALTER TABLE doc ENGINE=MyISAM"}, []string{"doc: not a table"}, "MyISAM table, which has no transactions"},
		{"no column", []string{"ALTER TABLE doc DROP COLUMN delete_op"}, []string{"doc.delete_op: missing column mend"}, ""},
		{"column in upper case", []string{"ALTER TABLE doc CHANGE delete_op DELETE_OP VARCHAR(32)"}, nil, ""},
		{"no digits", []string{"ALTER TABLE doc MODIFY deleted_at DATETIME"}, []string{"doc.deleted_at: too small mend"}, "0 digits of a second of 6"},
		{"some digits", []string{"ALTER TABLE doc MODIFY purge_after DATETIME(3)"}, []string{"doc.purge_after: too small mend"}, ""},
		{"session's zone", []string{"ALTER TABLE doc MODIFY updated_at TIMESTAMP(6) NULL"}, []string{"doc.updated_at: wrong type mend"}, "2038"},
		{"touched by each update", []string{"ALTER TABLE doc MODIFY deleted_at DATETIME(6) NULL ON UPDATE CURRENT_TIMESTAMP(6)"},
			[]string{"doc.deleted_at: default mend"}, "update"},
		{"updated_at by the server", []string{"DELETE FROM doc", "ALTER TABLE doc MODIFY updated_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)"}, nil, ""},
		{"updated_at by the server, in s", []string{"DELETE FROM doc", "ALTER TABLE doc MODIFY updated_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP"},
			[]string{"doc.updated_at: too small"}, ""},
		{"born trashed", []string{"ALTER TABLE doc MODIFY deleted_at DATETIME(6) NULL DEFAULT CURRENT_TIMESTAMP(6)"}, []string{"doc.deleted_at: default mend"}, "current_timestamp"},
		{"not null", []string{"DELETE FROM doc", "ALTER TABLE doc MODIFY purge_after DATETIME(6) NOT NULL"}, []string{"doc.purge_after: nullability mend"}, ""},
		{"null in a flag", []string{"ALTER TABLE doc MODIFY is_deleted TINYINT DEFAULT 0", "UPDATE doc SET is_deleted = NULL"}, []string{"doc.is_deleted: nullability mend"}, ""},
		{"flag without default", []string{"ALTER TABLE doc MODIFY is_deleted TINYINT NOT NULL"}, []string{"doc.is_deleted: default warning mend"}, ""},
		{"born purged", []string{"ALTER TABLE doc MODIFY is_deleted TINYINT NOT NULL DEFAULT 1"}, []string{"doc.is_deleted: default mend"}, ""},
		{"a bit for a flag", []string{"ALTER TABLE doc MODIFY is_deleted BIT(1) NOT NULL DEFAULT b'0'"}, nil, ""},
		{"unsigned flags and keys", []string{"ALTER TABLE doc MODIFY is_deleted TINYINT UNSIGNED NOT NULL DEFAULT 0, MODIFY id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT"}, nil, ""},
		{"text for a flag", []string{"ALTER TABLE doc MODIFY legal_hold VARCHAR(1) NOT NULL DEFAULT '0'"}, []string{"doc.legal_hold: wrong type"}, "varchar"},
		{"computed", []string{"ALTER TABLE doc DROP COLUMN updated_by, ADD COLUMN updated_by VARCHAR(255) AS ('x') VIRTUAL"}, []string{"doc.updated_by: computed"}, ""},
		{"no key", []string{"ALTER TABLE doc DROP PRIMARY KEY"}, []string{"doc.id: not a key"}, ""},
		{"short text", []string{"DELETE FROM doc", "ALTER TABLE doc MODIFY delete_op VARCHAR(8), MODIFY updated_by VARCHAR(8) NOT NULL DEFAULT 'me'"},
			[]string{"doc.updated_by: too small warning", "doc.delete_op: too small mend"}, "8 characters of 32"},
		{"32 bits", []string{"ALTER TABLE folder MODIFY deleted_at INT NOT NULL DEFAULT 0"}, []string{"folder.deleted_at: too small warning mend"}, ""},
		{"no index", []string{"DROP INDEX doc_softdelete_due ON doc"}, []string{"doc.doc_softdelete_due: missing index warning mend"}, "is_deleted, purge_after"},
		{"index of other columns", []string{
			"DROP INDEX doc_softdelete_due ON doc", "CREATE INDEX doc_softdelete_due ON doc (purge_after)",
		}, []string{"doc.doc_softdelete_due: missing index warning mend"}, ""},
		{"wide object keys", []string{
			"DROP INDEX doc_softdelete_obj_object_key ON doc", "ALTER TABLE doc MODIFY object_key VARCHAR(1024) CHARACTER SET utf8mb4",
		}, []string{"doc.doc_softdelete_obj_object_key: missing index warning mend"}, ""},
		{"long object keys", []string{
			"DROP INDEX doc_softdelete_obj_object_key ON doc", "ALTER TABLE doc MODIFY object_key TEXT",
		}, []string{"doc.doc_softdelete_obj_object_key: missing index warning mend"}, ""},
		{"start of the parent's key", []string{
			"DROP INDEX doc_softdelete_ref_folder_id ON doc", "ALTER TABLE doc MODIFY folder_id VARCHAR(20)", "CREATE INDEX mine ON doc (folder_id(3))",
		}, []string{"doc.doc_softdelete_ref_folder_id: missing index warning mend"}, ""},
		{"no columns of others", []string{"ALTER TABLE doc DROP COLUMN folder_id, DROP COLUMN object_key"},
			[]string{"doc.folder_id: missing column", "doc.object_key: missing column"}, ""},
		{"no table of ours", []string{"DROP TABLE softdelete_op"}, []string{"softdelete_op: missing table mend"}, ""},
		{"collations of ours", []string{
			"ALTER TABLE softdelete_waiting MODIFY row_key VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL",
			"ALTER TABLE softdelete_object MODIFY obj_key VARCHAR(700) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL",
		}, []string{"softdelete_object.obj_key: wrong type", "softdelete_waiting.row_key: collation"}, "utf8mb4_general_ci"},
		{"no index of ours", []string{"ALTER TABLE softdelete_object DROP INDEX softdelete_object_key"},
			[]string{"softdelete_object.softdelete_object_key: missing index mend"}, ""},
	})
}

func TestCheckSQLite(t *testing.T) {
	t.Parallel()
	again := func(old, new string) []string {
		columns := "id INTEGER PRIMARY KEY, folder_id BIGINT, object_key TEXT, deleted_at TEXT, deleted_by TEXT, purge_after TEXT, is_deleted INTEGER NOT NULL DEFAULT 0, " +
			"reclaimed_at TEXT, updated_at TEXT, updated_by TEXT, delete_op TEXT, legal_hold INTEGER NOT NULL DEFAULT 0, v INTEGER NOT NULL DEFAULT 0"
		return []string{"DROP TABLE doc", "CREATE TABLE doc (" + strings.ReplaceAll(columns, old, new) + ")"}
	}
	indexes := []string{
		"doc.doc_softdelete_due: missing index warning mend", "doc.doc_softdelete_window: missing index warning mend",
		"doc.doc_softdelete_purged: missing index warning mend", "doc.doc_softdelete_ref_folder_id: missing index warning mend",
		"doc.doc_softdelete_obj_object_key: missing index warning mend",
	}
	with := func(first ...string) []string { return append(first, indexes...) }
	checkDamages(t, func(tb testing.TB) (*testdb.Database, bool) { return testdb.SQLite(tb), true }, []damage{
		{"no table", []string{"DROP TABLE doc"}, []string{"doc: missing table"}, ""},
		{"table in upper case", []string{"ALTER TABLE doc RENAME TO d", "ALTER TABLE d RENAME TO DOC"}, nil, ""},
		{"view", []string{"ALTER TABLE doc RENAME TO d", "CREATE VIEW doc AS SELECT * FROM d"}, []string{"doc: not a table"}, "view"},
		{"made by hand", again("", ""), with(), ""},
		{"date for a text", again("deleted_at TEXT", "deleted_at DATETIME"), with("doc.deleted_at: wrong type warning"), "do not sort by time"},
		{"number for a text", again("deleted_at TEXT", "deleted_at INTEGER"), with("doc.deleted_at: wrong type"), "it is INTEGER"},
		{"float for a text", again("deleted_at TEXT", "deleted_at REAL"), with("doc.deleted_at: wrong type"), ""},
		{"no type", again("deleted_at TEXT", "deleted_at"), with(), ""},
		{"other types", again("legal_hold INTEGER", "legal_hold BOOLEAN"), with(), ""},
		{"text for a flag", again("legal_hold INTEGER", "legal_hold TEXT"), with("doc.legal_hold: wrong type"), ""},
		{"not null", again("deleted_at TEXT", "deleted_at TEXT NOT NULL"), with("doc.deleted_at: nullability"), ""},
		{"null in a flag", again("legal_hold INTEGER NOT NULL", "legal_hold INTEGER"), with("doc.legal_hold: nullability"), ""},
		{"born trashed", again("deleted_at TEXT", "deleted_at TEXT DEFAULT CURRENT_TIMESTAMP"), with("doc.deleted_at: default"), ""},
		{"flag without default", again("legal_hold INTEGER NOT NULL DEFAULT 0", "legal_hold INTEGER NOT NULL"), with("doc.legal_hold: default warning"), ""},
		{"computed", again("updated_by TEXT", "updated_by TEXT AS ('x')"), with("doc.updated_by: computed"), ""},
		{"nullable key", again("id INTEGER PRIMARY KEY", "id TEXT PRIMARY KEY"), with("doc.id: nullability"), ""},
		{"text key", again("id INTEGER PRIMARY KEY", "id TEXT NOT NULL PRIMARY KEY"), with(), ""},
		{"unique key", again("id INTEGER PRIMARY KEY", "id TEXT NOT NULL UNIQUE"), with(), ""},
		{"no key", again("id INTEGER PRIMARY KEY", "id INTEGER NOT NULL"), with("doc.id: not a key"), ""},
		{"no column", []string{"ALTER TABLE doc DROP COLUMN delete_op"}, []string{"doc.delete_op: missing column mend"}, ""},
		{"column in upper case", []string{"ALTER TABLE doc RENAME COLUMN delete_op TO DELETE_OP"}, nil, ""},
		{"no columns of others", []string{
			"DROP INDEX doc_softdelete_ref_folder_id", "DROP INDEX doc_softdelete_obj_object_key",
			"ALTER TABLE doc DROP COLUMN folder_id", "ALTER TABLE doc DROP COLUMN object_key",
		}, []string{"doc.folder_id: missing column", "doc.object_key: missing column"}, ""},
		{"date of another form", []string{"UPDATE doc SET deleted_at = '2026-01-02 03:04:05'"}, []string{"doc.deleted_at: values warning"}, "never due"},
		{"blob for a text", []string{"UPDATE doc SET deleted_at = x'00'"}, []string{"doc.deleted_at: values"}, "type blob"},
		{"text for a count", []string{"INSERT INTO folder (id, deleted_at) VALUES (1, 'yesterday')"}, []string{"folder.deleted_at: values"}, "type text"},
		{"no index", []string{"DROP INDEX doc_softdelete_due"}, []string{"doc.doc_softdelete_due: missing index warning mend"}, ""},
		{"index of other rows", []string{
			"DROP INDEX doc_softdelete_due", "CREATE INDEX doc_softdelete_due ON doc (purge_after) WHERE is_deleted = 1",
		}, []string{"doc.doc_softdelete_due: missing index warning mend"}, ""},
		{"an index whose text is not understood", []string{
			"DROP INDEX doc_softdelete_due", "create index [mine] on doc(purge_after) where (deleted_at is not null) and is_deleted = 0",
		}, []string{"doc.doc_softdelete_due: missing index warning mend"}, ""},
		{"the same index in lower case", []string{
			"DROP INDEX doc_softdelete_due", "create index mine on doc(purge_after) -- WHERE\n where (deleted_at is not null) and is_deleted = 0",
		}, nil, ""},
		{"no table of ours", []string{"DROP TABLE softdelete_attempt"}, []string{"softdelete_attempt: missing table mend"}, ""},
		{"no index of ours", []string{"DROP INDEX softdelete_object_key"}, []string{"softdelete_object.softdelete_object_key: missing index mend"}, ""},
		{"types of ours", []string{"DROP TABLE softdelete_op", "CREATE TABLE softdelete_op (id TEXT PRIMARY KEY, edge TEXT, actor TEXT, reason TEXT, at INTEGER)"},
			[]string{"softdelete_op.at: wrong type"}, ""},
	})
}

// TestCheckEverythingMissing has nothing but an empty database, and names every
// table.
func TestCheckEverythingMissing(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		b := newSchemaBed(d)
		s, err := store.New(lifecycle.MustCatalog(checkedTables()...), b.dialect, &store.Options{Prefix: `odd "prefix" `})
		if err != nil {
			t.Fatal(err)
		}
		var missing []string
		for _, p := range problemsOf(t, b, s) {
			missing = append(missing, short(p))
			b.run(t, p.Mend...)
		}
		slices.Sort(missing)
		want := []string{
			"doc: missing table", "folder: missing table",
			`odd "prefix" attempt: missing table mend`, `odd "prefix" audit: missing table mend`, `odd "prefix" object: missing table mend`,
			`odd "prefix" op: missing table mend`, `odd "prefix" waiting: missing table mend`,
		}
		if diff := cmp.Diff(want, missing); diff != "" {
			t.Errorf("problems (-want +got):\n%s", diff)
		}
		if left := problemsOf(t, b, s); len(left) != 2 {
			t.Errorf("after the mend: %v", left)
		}
		if _, err := s.Adopt(t.Context(), b.DB, checkedTables()[0]); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("Adopt of a table outside the catalog: %v", err)
		}
	})
}

func TestSchemaErrorFatal(t *testing.T) {
	t.Parallel()
	warning, fault := store.Problem{Table: "a", Kind: "k", Warning: true}, store.Problem{Table: "b", Column: "c", Kind: "k", What: "w"}
	for _, tt := range []struct {
		name     string
		problems []store.Problem
		want     bool
	}{
		{"none", nil, false},
		{"warnings", []store.Problem{warning, warning}, false},
		{"mixed", []store.Problem{warning, fault}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := (&store.SchemaError{Problems: tt.problems}).Fatal(); got != tt.want {
				t.Errorf("Fatal = %v, want %v", got, tt.want)
			}
		})
	}
	want := "store: the live schema differs from the declaration in 2 places:\n\ta: k (warning)\n\tb.c: k: w"
	if got := (&store.SchemaError{Problems: []store.Problem{warning, fault}}).Error(); got != want {
		t.Errorf("Error = %q, want %q", got, want)
	}
}
