package sqlite

import "github.com/softdelete-go/softdelete/store"

// The table-valued pragmas take a schema too; NULL leaves it open. A declared
// type is a wish: what counts is the affinity it gives, by SQLite's rules.
var introspection = store.Introspection{
	Relations: `SELECT name, type, 1 FROM pragma_table_list WHERE name = ?2 COLLATE NOCASE AND (?1 = '' OR schema = ?1 COLLATE NOCASE)`,

	Columns: `SELECT name, CASE WHEN "notnull" = 0 AND (pk = 0 OR NOT rowid) THEN 'YES' ELSE 'NO' END, type, affinity,
	CASE affinity WHEN 'int' THEN 64 ELSE -1 END, '', COALESCE(dflt_value, ''), CASE WHEN hidden IN (2, 3) THEN 1 ELSE 0 END
FROM (SELECT *,
	CASE WHEN upper(type) LIKE '%INT%' THEN 'int'
		WHEN upper(type) LIKE '%CHAR%' OR upper(type) LIKE '%CLOB%' OR upper(type) LIKE '%TEXT%' THEN 'text'
		WHEN type = '' OR upper(type) LIKE '%BLOB%' THEN 'binary'
		WHEN upper(type) LIKE '%REAL%' OR upper(type) LIKE '%FLOA%' OR upper(type) LIKE '%DOUB%' THEN 'real'
		ELSE 'numeric' END AS affinity,
	upper(type) = 'INTEGER' AND (SELECT count(*) FROM pragma_table_xinfo(?2, NULLIF(?1, '')) WHERE pk > 0) = 1 AS rowid
	FROM pragma_table_xinfo(?2, NULLIF(?1, '')))`,

	// The primary key comes from the columns, since the one that is the row's
	// number has no index.
	Indexes: `SELECT name, uniq, pk, condition, col, 0, 1 FROM (
	SELECT '' AS name, 1 AS uniq, 1 AS pk, '' AS condition, c.name AS col, c.pk AS place FROM pragma_table_xinfo(?2, NULLIF(?1, '')) c WHERE c.pk > 0
	UNION ALL
	SELECT l.name, l."unique", 0, CASE l.partial WHEN 1 THEN COALESCE(s.sql, '?') ELSE '' END, COALESCE(i.name, ''), i.seqno
	FROM pragma_index_list(?2, NULLIF(?1, '')) l JOIN pragma_index_xinfo(l.name, NULLIF(?1, '')) i
		LEFT JOIN sqlite_schema s ON s.type = 'index' AND s.name = l.name AND ?1 IN ('', 'main')
	WHERE i.key = 1 AND l.origin <> 'pk')
ORDER BY name, place`,

	Foreign: `SELECT t.name, lower(f.on_delete) FROM pragma_table_list t JOIN pragma_foreign_key_list(t.name, t.schema) f
WHERE (?1 = '' OR t.schema = ?1 COLLATE NOCASE) AND f."table" = ?2 COLLATE NOCASE AND f.on_delete IN ('CASCADE', 'SET NULL', 'SET DEFAULT') AND f.seq = 0
ORDER BY t.name, f.id`,

	View: `SELECT sql, 1 FROM (SELECT 'main' AS home, * FROM sqlite_schema UNION ALL SELECT 'temp', * FROM sqlite_temp_schema)
WHERE type = 'view' AND (?1 = '' OR home = ?1 COLLATE NOCASE) AND name = ?2 COLLATE NOCASE`,

	Stored: []string{
		`SELECT home || ' ' || type || ' ' || name, type, home, name, CASE type WHEN 'trigger' THEN ' on ' || tbl_name ELSE '' END, 1,
	CASE type WHEN 'table' THEN '' ELSE sql END, 0
FROM (SELECT 'main' AS home, * FROM sqlite_schema UNION ALL SELECT 'temp', * FROM sqlite_temp_schema)
WHERE type IN ('table', 'view', 'trigger') ORDER BY home, name`,
	},
}

var alter = store.Alter{
	Single:    true,
	DropIndex: "DROP INDEX %i",
}

var views = store.ViewTexts{
	Create: []string{"DROP VIEW IF EXISTS %v", "CREATE VIEW %v AS SELECT * FROM %t WHERE %p"},
	Drop:   "DROP VIEW IF EXISTS %v",
}
