package postgres

import "github.com/softdelete-go/softdelete/store"

// A name without a schema is looked up as a statement would: along the search
// path, the first one that is visible.
const named = ` CASE WHEN $1 = '' THEN pg_table_is_visible(c.oid) ELSE n.nspname = $1 END`

// What the server brings along reads no table of ours.
const own = `n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`

// used is the id of what a row of pg_depend refers to.
const used = `CASE WHEN d.refclassid = 'pg_class'::regclass THEN 'c' ELSE 'p' END || d.refobjid`

var introspection = store.Introspection{
	Relations: `SELECT c.relname::text, CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' WHEN 'v' THEN 'view'
	WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' ELSE c.relkind::text END, 0
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE lower(c.relname::text) = lower($2) AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND` + named,

	Columns: `SELECT i.column_name::text, i.is_nullable::text,
	CASE i.udt_name::text WHEN 'int2' THEN 'smallint' WHEN 'int4' THEN 'integer' WHEN 'int8' THEN 'bigint' WHEN 'bool' THEN 'boolean'
		WHEN 'bpchar' THEN 'char' ELSE i.udt_name::text END,
	CASE i.udt_name::text WHEN 'timestamptz' THEN 'instant' WHEN 'timestamp' THEN 'local'
		WHEN 'int2' THEN 'int' WHEN 'int4' THEN 'int' WHEN 'int8' THEN 'int' WHEN 'bool' THEN 'bool'
		WHEN 'text' THEN 'text' WHEN 'varchar' THEN 'text' WHEN 'bpchar' THEN 'char'
		WHEN 'bytea' THEN 'binary' WHEN 'uuid' THEN 'uuid' ELSE i.data_type::text END,
	CASE i.udt_name::text WHEN 'int2' THEN 16 WHEN 'int4' THEN 32 WHEN 'int8' THEN 64
		ELSE COALESCE(i.datetime_precision::int, i.character_maximum_length::int, -1) END,
	COALESCE(i.collation_name::text, ''), COALESCE(i.column_default::text, ''),
	CASE WHEN i.is_generated::text = 'ALWAYS' THEN 1 ELSE 0 END
FROM information_schema.columns i JOIN pg_namespace n ON n.nspname = i.table_schema::text
	JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = i.table_name::text
WHERE c.relname = $2 AND` + named + ` ORDER BY i.ordinal_position`,

	Indexes: `SELECT i.relname::text, x.indisunique::int, x.indisprimary::int, COALESCE(pg_get_expr(x.indpred, x.indrelid), ''),
	COALESCE(a.attname::text, ''), 0, (x.indisvalid AND m.amname = 'btree')::int
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_am m ON m.oid = i.relam
	JOIN pg_class c ON c.oid = x.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
	CROSS JOIN LATERAL unnest(x.indkey::smallint[]) WITH ORDINALITY AS k (attnum, place)
	LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum AND k.attnum <> 0
WHERE c.relname = $2 AND k.place <= x.indnkeyatts AND` + named + ` ORDER BY i.relname, k.place`,

	Foreign: `SELECT f.conrelid::regclass::text, CASE f.confdeltype WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null' ELSE 'set default' END
FROM pg_constraint f JOIN pg_class c ON c.oid = f.confrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE f.contype = 'f' AND f.confdeltype IN ('c', 'n', 'd') AND f.conparentid = 0 AND c.relname = $2 AND` + named + ` ORDER BY 1, 2`,

	View: `SELECT pg_get_viewdef(c.oid),
	(COALESCE(c.reloptions::text[], '{}') @> ARRAY['security_invoker=true', 'check_option=cascaded'])::int
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'v' AND c.relname = $2 AND` + named,

	Policy: `SELECT pg_get_expr(y.polqual, y.polrelid), pg_get_expr(y.polwithcheck, y.polrelid),
	(y.polcmd = '*' AND NOT y.polpermissive AND y.polroles = ARRAY[0::oid])::int, c.relrowsecurity::int
FROM pg_policy y JOIN pg_class c ON c.oid = y.polrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE y.polname = $3 AND c.relname = $2 AND` + named,

	Stored: []string{
		`SELECT 'c' || c.oid, CASE WHEN i.inhrelid IS NOT NULL THEN 'partition' WHEN c.relkind = 'v' THEN 'view' WHEN c.relkind = 'm' THEN 'materialized view' ELSE 'table' END,
	n.nspname::text, c.relname::text, '', pg_table_is_visible(c.oid)::int, '', 1
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN (SELECT DISTINCT inhrelid FROM pg_inherits) i ON i.inhrelid = c.oid
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND ` + own,
		`SELECT 'r' || r.oid, 'rule', n.nspname::text, r.rulename::text, ' on ' || c.relname, 0, '', 1
FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace WHERE r.rulename <> '_RETURN' AND ` + own,
		`SELECT 'y' || y.oid, 'policy', n.nspname::text, y.polname::text, ' on ' || c.relname, 0, '', 1
FROM pg_policy y JOIN pg_class c ON c.oid = y.polrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ` + own,
		`SELECT 'p' || p.oid, CASE WHEN p.prorettype = 'trigger'::regtype THEN 'trigger function' WHEN p.prokind = 'p' THEN 'procedure' ELSE 'function' END,
	n.nspname::text, p.proname::text, '(' || pg_get_function_identity_arguments(p.oid) || ')', pg_function_is_visible(p.oid)::int,
	CASE WHEN p.prosqlbody IS NULL THEN p.prosrc ELSE '' END, 0
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
WHERE p.prokind <> 'a' AND l.lanname NOT IN ('c', 'internal') AND ` + own + `
	AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_proc'::regclass AND e.objid = p.oid AND e.deptype = 'e')`,
	},

	// A rule's and a policy's dependence on its own table is not told apart from
	// what it does there, and left out.
	Uses: `SELECT CASE WHEN r.rulename = '_RETURN' THEN 'c' || r.ev_class ELSE 'r' || r.oid END, ` + used + `
FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid IN ('pg_class'::regclass, 'pg_proc'::regclass) AND NOT (d.refclassid = 'pg_class'::regclass AND d.refobjid = r.ev_class)
UNION SELECT 'y' || y.oid, ` + used + `
FROM pg_depend d JOIN pg_policy y ON y.oid = d.objid
WHERE d.classid = 'pg_policy'::regclass AND d.refclassid IN ('pg_class'::regclass, 'pg_proc'::regclass) AND NOT (d.refclassid = 'pg_class'::regclass AND d.refobjid = y.polrelid)
UNION SELECT 'p' || d.objid, ` + used + `
FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.refclassid IN ('pg_class'::regclass, 'pg_proc'::regclass)
UNION SELECT 'c' || i.inhrelid, 'c' || i.inhparent FROM pg_inherits i`,

	SearchPath: true,
}

var alter = store.Alter{
	Online:      "CONCURRENTLY ",
	DropIndex:   "DROP INDEX %i",
	ChangeType:  "ALTER TABLE %t ALTER COLUMN %c TYPE %y",
	DropNotNull: "ALTER TABLE %t ALTER COLUMN %c DROP NOT NULL",
	SetNotNull:  "ALTER TABLE %t ALTER COLUMN %c SET NOT NULL",
	SetDefault:  "ALTER TABLE %t ALTER COLUMN %c SET DEFAULT %v",
	DropDefault: "ALTER TABLE %t ALTER COLUMN %c DROP DEFAULT",
	Zoned:       "ALTER TABLE %t ALTER COLUMN %c TYPE %y USING %c AT TIME ZONE 'UTC'",
}

// OR REPLACE keeps the grants, and takes columns that were added to the table.
var views = store.ViewTexts{
	Create: []string{"CREATE OR REPLACE VIEW %v WITH (security_invoker = true) AS SELECT * FROM %t WHERE %p WITH CASCADED CHECK OPTION"},
	Drop:   "DROP VIEW IF EXISTS %v",
}
