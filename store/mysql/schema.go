package mysql

import "github.com/softdelete-go/softdelete/store"

const named = ` table_schema = COALESCE(NULLIF(?, ''), DATABASE()) AND table_name = ?`

// What the server brings along reads no table of the application's.
const own = ` NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')`

var introspection = store.Introspection{
	// Only InnoDB and its kin have transactions.
	Relations: `SELECT table_name,
	CASE WHEN table_type <> 'BASE TABLE' THEN LOWER(table_type) WHEN engine IN ('InnoDB', 'ROCKSDB', 'ndbcluster') THEN 'table'
		ELSE CONCAT(engine, ' table, which has no transactions') END,
	CASE WHEN @@lower_case_table_names > 0 THEN 1 ELSE 0 END
FROM information_schema.tables WHERE table_schema = COALESCE(NULLIF(?, ''), DATABASE()) AND LOWER(table_name) = LOWER(?)`,

	Columns: `SELECT column_name, is_nullable, data_type,
	CASE WHEN data_type = 'datetime' THEN 'instant' WHEN data_type = 'timestamp' THEN 'session'
		WHEN data_type IN ('tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'bit') THEN 'int'
		WHEN data_type IN ('varchar', 'tinytext', 'text', 'mediumtext', 'longtext') THEN 'text' WHEN data_type = 'char' THEN 'char'
		WHEN data_type IN ('binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob') THEN 'binary'
		ELSE data_type END,
	CASE data_type WHEN 'bit' THEN 1 WHEN 'tinyint' THEN 8 WHEN 'smallint' THEN 16 WHEN 'mediumint' THEN 24 WHEN 'int' THEN 32
		WHEN 'bigint' THEN 64 ELSE COALESCE(datetime_precision, character_maximum_length, -1) END,
	COALESCE(collation_name, ''),
	CONCAT(COALESCE(column_default, ''), CASE WHEN extra LIKE '%on update%' THEN ' on update' ELSE '' END),
	CASE WHEN COALESCE(generation_expression, '') <> '' THEN 1 ELSE 0 END
FROM information_schema.columns WHERE` + named + ` ORDER BY ordinal_position`,

	Indexes: `SELECT index_name, 1 - non_unique, CASE WHEN index_name = 'PRIMARY' THEN 1 ELSE 0 END, '', COALESCE(column_name, ''),
	CASE WHEN sub_part IS NULL THEN 0 ELSE 1 END, CASE WHEN index_type = 'BTREE' THEN 1 ELSE 0 END
FROM information_schema.statistics WHERE` + named + ` ORDER BY index_name, seq_in_index`,

	Foreign: `SELECT table_name, LOWER(delete_rule) FROM information_schema.referential_constraints
WHERE unique_constraint_schema = COALESCE(NULLIF(?, ''), DATABASE()) AND referenced_table_name = ?
	AND delete_rule IN ('CASCADE', 'SET NULL', 'SET DEFAULT') ORDER BY table_name, constraint_name`,

	View: `SELECT NULLIF(view_definition, ''), CASE WHEN security_type = 'INVOKER' AND check_option = 'CASCADED' THEN 1 ELSE 0 END
FROM information_schema.views WHERE` + named,

	Stored: []string{
		`SELECT CONCAT('t ', table_schema, '.', table_name), 'table', table_schema, table_name, '', CASE WHEN table_schema = DATABASE() THEN 1 ELSE 0 END, '', 1
FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema` + own,
		`SELECT CONCAT('t ', table_schema, '.', table_name), 'view', table_schema, table_name, '', CASE WHEN table_schema = DATABASE() THEN 1 ELSE 0 END, NULLIF(view_definition, ''), 1
FROM information_schema.views WHERE table_schema` + own,
		`SELECT CONCAT(routine_type, ' ', routine_schema, '.', routine_name), LOWER(routine_type), routine_schema, routine_name, '()', CASE WHEN routine_schema = DATABASE() THEN 1 ELSE 0 END, routine_definition, 0
FROM information_schema.routines WHERE routine_schema` + own,
		`SELECT CONCAT('TRIGGER ', trigger_schema, '.', trigger_name), 'trigger', trigger_schema, trigger_name, CONCAT(' on ', event_object_table), 0, action_statement, 0
FROM information_schema.triggers WHERE trigger_schema` + own,
		`SELECT CONCAT('EVENT ', event_schema, '.', event_name), 'event', event_schema, event_name, '', 0, event_definition, 0
FROM information_schema.events WHERE event_schema` + own,
	},
}

// Both servers also build an index while others write unless they are told
// otherwise; said aloud, they refuse where they cannot.
var alter = store.Alter{
	Instant:     ", ALGORITHM=INSTANT",
	OnlineTail:  " ALGORITHM=INPLACE LOCK=NONE",
	DropIndex:   "ALTER TABLE %t DROP INDEX %c",
	Restate:     "ALTER TABLE %t MODIFY COLUMN %d",
	SetDefault:  "ALTER TABLE %t ALTER COLUMN %c SET DEFAULT %v",
	DropDefault: "ALTER TABLE %t ALTER COLUMN %c DROP DEFAULT",
	InUTC:       "SET time_zone = '+00:00'",
}

// A view that is merged into the statement uses the table's indexes and takes
// its row locks.
var views = store.ViewTexts{
	Create: []string{"CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY INVOKER VIEW %v AS SELECT * FROM %t WHERE %p WITH CASCADED CHECK OPTION"},
	Drop:   "DROP VIEW IF EXISTS %v",
}
