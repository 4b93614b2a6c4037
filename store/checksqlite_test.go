package store_test

import (
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
)

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
		{"cascade", again("folder_id BIGINT", "folder_id BIGINT REFERENCES FOLDER ON DELETE CASCADE"), append([]string{"folder: foreign key warning"}, with()...), "rows of doc"},
		{"foreign keys that refuse", again("folder_id BIGINT", "folder_id BIGINT REFERENCES folder"), with(), ""},
		{"no table of ours", []string{"DROP TABLE softdelete_attempt"}, []string{"softdelete_attempt: missing table mend"}, ""},
		{"no index of ours", []string{"DROP INDEX softdelete_object_key"}, []string{"softdelete_object.softdelete_object_key: missing index mend"}, ""},
		{"types of ours", []string{"DROP TABLE softdelete_op", "CREATE TABLE softdelete_op (id TEXT PRIMARY KEY, edge TEXT, actor TEXT, reason TEXT, at INTEGER)"},
			[]string{"softdelete_op.at: wrong type"}, ""},
	})
}
