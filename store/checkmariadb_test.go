package store_test

import (
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
)

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
		{"cascade", []string{"ALTER TABLE doc ADD FOREIGN KEY (folder_id) REFERENCES folder (id) ON DELETE SET NULL"},
			[]string{"folder: foreign key warning"}, "ON DELETE SET NULL"},
		{"foreign keys that refuse", []string{"ALTER TABLE doc ADD FOREIGN KEY (folder_id) REFERENCES folder (id)"}, nil, ""},
		{"no table of ours", []string{"DROP TABLE softdelete_op"}, []string{"softdelete_op: missing table mend"}, ""},
		{"collations of ours", []string{
			"ALTER TABLE softdelete_waiting MODIFY row_key VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL",
			"ALTER TABLE softdelete_object MODIFY obj_key VARCHAR(700) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL",
		}, []string{"softdelete_object.obj_key: wrong type", "softdelete_waiting.row_key: collation"}, "utf8mb4_general_ci"},
		{"no index of ours", []string{"ALTER TABLE softdelete_object DROP INDEX softdelete_object_key"},
			[]string{"softdelete_object.softdelete_object_key: missing index mend"}, ""},
	})
}
