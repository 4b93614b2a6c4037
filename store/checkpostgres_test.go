package store_test

import (
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
)

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
		{"cascade", []string{"ALTER TABLE doc ADD FOREIGN KEY (folder_id) REFERENCES folder ON DELETE CASCADE"},
			[]string{"folder: foreign key warning"}, "rows of doc that refer to a row are changed with it: ON DELETE CASCADE"},
		{"foreign keys that refuse", []string{"ALTER TABLE doc ADD FOREIGN KEY (folder_id) REFERENCES folder"}, nil, ""},
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
