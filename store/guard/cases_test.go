package guard_test

import (
	"testing"

	sq "github.com/Masterminds/squirrel"

	"github.com/softdelete-go/softdelete/store/guard"
)

// Reads whose condition an added one must not change the meaning of: C01, C02, C03.
func TestCasesConditions(t *testing.T) {
	t.Parallel()
	each(t, []scenario{
		{name: "C01 OR", text: "SELECT id, name FROM parent WHERE name = 'a' OR name = 'b'"},
		{name: "C01 OR behind AND", text: "SELECT id FROM parent WHERE id > 1 AND name = 'a' OR name = 'b'"},
		{name: "C01 NOT", text: "SELECT id FROM parent WHERE NOT name = 'c' OR boss IS NULL"},
		{name: "C01 BETWEEN", text: "SELECT id FROM parent WHERE id BETWEEN 1 AND 2 OR id = 5"},
		{name: "C01 CASE", text: "SELECT id FROM parent WHERE CASE WHEN id = 2 OR id = 1 THEN 1 ELSE 0 END = 1 OR id = 7"},
		{name: "C01 IS", text: "SELECT id FROM parent WHERE boss = 1 OR boss = 2 IS NOT NULL"},
		{name: "C01 HAVING", text: "SELECT name, COUNT(*) AS n FROM parent GROUP BY name HAVING COUNT(*) = 1 OR name = 'b'"},
		{name: "C01 no condition", text: "SELECT id FROM parent"},
		{name: "C01 squirrel", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			return b.Select("id").From("parent").Where("name = ? OR name = ?", "a", "b")
		}},
		{name: "C01 squirrel Expr", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			return b.Select("id").From("parent").Where(sq.Expr("name = ? OR name = ?", "a", "b"))
		}},
		{name: "C01 squirrel And", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			return b.Select("id").From("parent").Where(sq.And{sq.Expr("name = ? OR name = ?", "a", "b")})
		}},
		{name: "C01 squirrel copies", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			base := b.Select("id").From("parent").Where("name = ? OR name = ?", "a", "b")
			_ = base.Where("id = ?", 1)
			return base.OrderBy("id").Limit(9)
		}},
		{name: "C02 newline", text: "SELECT id FROM parent WHERE id = 1\nOR id = 2"},
		{name: "C02 carriage return", text: "SELECT id FROM parent WHERE id = 1\r\nOR id = 2\r\n"},
		{name: "C02 tab", text: "SELECT id FROM parent WHERE id = 1\tOR\tid = 2"},
		{name: "C02 glued", text: "SELECT id FROM parent WHERE (id = 1)OR(id = 2)"},
		{name: "C02 glued in lower case", text: "select id from parent where(id=1)or(id=2)"},
		{name: "C02 comment", text: "SELECT id FROM parent WHERE id = 1/**/OR/**/id = 2"},
		{name: "C02 comment that reads as SQL", text: "SELECT id FROM parent /* WHERE id = 3 */ WHERE id = 1 OR id = 2 /* LIMIT 0 */"},
		{name: "C02 trailing comment", text: "SELECT id FROM parent WHERE id = 1 OR id = 2 -- the end"},
		{name: "C02 comment within", text: "SELECT id FROM parent WHERE id = 1 -- AND\nOR id = 2\n-- the end"},
		{name: "C02 trailing semicolon", text: "SELECT id FROM parent WHERE id = 1 OR id = 2;"},
		{name: "C02 within quotes", text: "SELECT id FROM parent WHERE name <> ' OR ' AND id < 3"},
		{name: "C02 quotes that end", text: "SELECT id FROM parent WHERE name = 'x'' OR ' OR id = 2 OR name = 'a'"},
		{name: "C02 comment within quotes", text: "SELECT id FROM parent WHERE name <> '-- ' OR id = 2"},
		{name: "C02 concatenation", text: "SELECT id FROM parent WHERE name || 'x' = 'ax' OR id = 2", own: dialectTexts{
			guard.MySQL: "SELECT id FROM parent WHERE id = 1 || id = 2",
		}},
		{name: "C02 XOR", own: dialectTexts{guard.MySQL: "SELECT id FROM parent WHERE id = 1 XOR id = 2"}},
		{name: "C02 hash", own: dialectTexts{guard.MySQL: "SELECT id FROM parent WHERE id = 1 # AND 1 = 0\nOR id = 2"}},
		{name: "C02 escape", own: dialectTexts{
			guard.MySQL:    `SELECT id FROM parent WHERE name = 'x\' OR id = 3 -- ' OR id = 2 OR id = 1`,
			guard.Postgres: `SELECT id FROM parent WHERE name = E'x\' OR id = 3 -- ' OR id = 2 OR id = 1`,
		}},
		{name: "C02 dollars", own: dialectTexts{guard.Postgres: "SELECT id FROM parent WHERE name = $$a$$ OR name = $q$ WHERE $q$ OR id = 2"}},
		{name: "C02 nested comment", own: dialectTexts{guard.Postgres: "SELECT id FROM parent WHERE id = 1 /* /* */ AND id = 3 */ OR id = 2"}},
		{name: "C03 LEFT JOIN", text: "SELECT p.id, c.id AS c FROM parent p LEFT JOIN child c ON c.pid = p.id OR c.qty = p.id"},
		{name: "C03 RIGHT JOIN", text: "SELECT p.id, c.id AS c FROM parent p RIGHT JOIN child c ON c.pid = p.id OR c.name = p.name"},
		{name: "C03 JOIN", text: "SELECT p.id, c.id AS c FROM parent p JOIN child c ON c.pid = p.id OR c.name = p.name"},
		{name: "C03 FULL JOIN", text: "SELECT p.id, c.id AS c FROM parent p FULL JOIN child c ON c.pid = p.id AND (c.qty > 2 OR p.id = 1)", own: dialectTexts{guard.MySQL: ""}},
		{name: "C03 comment behind ON", text: "SELECT p.id, c.id AS c FROM parent p LEFT JOIN child c ON c.pid = p.id -- c\nOR c.qty = p.id -- d\nWHERE p.id < 9 -- e"},
		{name: "C03 squirrel", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			return b.Select("p.id", "c.id AS c").From("parent p").LeftJoin("child c ON c.pid = p.id OR c.qty = p.id").Where("p.id < ? OR p.id = ?", 4, 5)
		}},
	}, readsAs)
}

// Reads whose outer joins keep the rows without a match, and whose links and
// names are of several kinds: C05, C06, C08, C09, C10.
func TestCasesReferences(t *testing.T) {
	t.Parallel()
	each(t, []scenario{
		{name: "C05 LEFT JOIN", text: "SELECT p.id, c.id AS c FROM parent p LEFT JOIN child c ON c.pid = p.id"},
		{name: "C05 LEFT OUTER JOIN", text: "SELECT p.id, c.id AS c FROM parent p LEFT OUTER JOIN child c ON c.pid = p.id WHERE p.id > 0"},
		{name: "C05 number of rows", text: "SELECT COUNT(*) AS n, COUNT(c.id) AS c FROM parent p LEFT JOIN child c ON 1 = 1"},
		{name: "C05 anti-join", text: "SELECT p.id FROM parent p LEFT JOIN child c ON c.pid = p.id WHERE c.id IS NULL"},
		{name: "C05 RIGHT JOIN", text: "SELECT p.id, c.id AS c FROM parent p RIGHT JOIN child c ON c.pid = p.id"},
		{name: "C05 chain", text: "SELECT p.id, c.id AS c, l.weight, t.name FROM parent p LEFT JOIN child c ON c.pid = p.id LEFT JOIN link l ON l.child_id = c.id LEFT JOIN tag t ON t.tag_id = l.tag_id"},
		{name: "C05 JOIN behind LEFT JOIN", text: "SELECT p.id, c.id AS c, l.weight FROM parent p LEFT JOIN child c ON c.pid = p.id JOIN link l ON l.child_id = c.id OR c.id IS NULL"},
		{name: "C05 all columns", text: "SELECT * FROM parent p LEFT JOIN child c ON c.pid = p.id"},
		{name: "C06 child of a deleted parent", text: "SELECT c.id, p.id AS p FROM child c LEFT JOIN parent p ON p.id = c.pid"},
		{name: "C06 own condition", text: "SELECT c.id, p.id AS p FROM child c LEFT JOIN parent p ON p.id = c.pid WHERE p.deleted_at IS NULL"},
		{name: "C06 without a parent", text: "SELECT c.id FROM child c LEFT JOIN parent p ON p.id = c.pid WHERE p.id IS NULL"},
		{name: "C06 deleted parent hides child", text: "SELECT c.id FROM child c WHERE EXISTS (SELECT 1 FROM parent p WHERE p.id = c.pid)"},
		{name: "C06 COALESCE", text: "SELECT c.id, COALESCE(p.name, 'none') AS p FROM child c LEFT JOIN parent p ON p.id = c.pid AND p.is_deleted = 0"},
		{name: "C08 link", text: "SELECT c.id, t.tag_id FROM child c JOIN link l ON l.child_id = c.id JOIN tag t ON t.tag_id = l.tag_id"},
		{name: "C08 link may be missing", text: "SELECT c.id, l.weight, t.tag_id FROM child c LEFT JOIN link l ON l.child_id = c.id LEFT JOIN tag t ON t.tag_id = l.tag_id"},
		{name: "C08 link in parentheses", text: "SELECT c.id, t.tag_id FROM child c LEFT JOIN (link l JOIN tag t ON t.tag_id = l.tag_id) ON l.child_id = c.id"},
		{name: "C08 link in a sub-select", text: "SELECT c.id FROM child c WHERE c.id IN (SELECT l.child_id FROM link l JOIN tag t ON t.tag_id = l.tag_id WHERE t.name = 'b')"},
		{name: "C08 links alone", text: "SELECT child_id, COUNT(*) AS n, SUM(weight) AS w FROM link GROUP BY child_id"},
		{name: "C09 self join", text: "SELECT c.id, r.id AS r FROM child c JOIN child r ON r.pid = c.pid"},
		{name: "C09 self join with AS", text: "SELECT c.id, r.id AS r FROM child AS c LEFT JOIN child AS r ON r.pid = c.pid AND r.id > c.id"},
		{name: "C09 one without an alias", text: "SELECT child.id, r.id AS r FROM child LEFT JOIN child r ON r.pid = child.pid AND r.id > child.id"},
		{name: "C09 quoted aliases", text: `SELECT "C".id, "r s".id AS r FROM child AS "C" JOIN child "r s" ON "r s".pid = "C".pid`},
		{name: "C09 upper case", text: "SELECT C.id, R.id AS r FROM child C JOIN child R ON R.pid = C.pid"},
		{name: "C09 folded case", text: "SELECT c.id, R.id AS r FROM child C LEFT JOIN child r ON r.pid = C.pid AND R.id > c.id", own: dialectTexts{guard.MySQL: ""}},
		{name: "C09 aliases that name tables", text: "SELECT parent.id, child.id AS p FROM child parent JOIN parent child ON parent.pid = child.id"},
		{name: "C09 alias of a table that is left alone", text: "SELECT parent.id, c.id AS c FROM note parent LEFT JOIN child c ON c.pid = parent.pid"},
		{name: "C09 self count", text: "SELECT p.id, (SELECT COUNT(*) FROM parent b WHERE b.boss = p.id) AS n FROM parent p"},
		{name: "C09 self count without aliases", text: "SELECT id, (SELECT COUNT(*) FROM parent) AS n FROM parent"},
		{name: "C09 reserved alias", text: `SELECT "select".id FROM parent "select" LEFT JOIN child AS "where" ON "where".pid = "select".id`},
		{name: "C10 reserved name", text: `SELECT id, "group", total FROM "order" WHERE "group" = 1 OR total > 60`},
		{name: "C10 reserved name joined", text: `SELECT c.id, o.total FROM child c LEFT JOIN "order" AS o ON o.child = c.id`},
		{name: "C10 reserved name without an alias", text: `SELECT c.id, "order".total FROM child c LEFT JOIN "order" ON "order".child = c.id`},
		{name: "C10 schema", text: `SELECT id FROM {schema}.parent WHERE id < 3 OR name = 'b'`},
		{name: "C10 quoted schema", text: `SELECT o.id FROM "{schema}"."order" o LEFT JOIN {schema} . child c ON c.id = o.child`},
		{name: "C10 schema before columns", text: `SELECT {schema}.parent.id, {schema}.child.id AS c FROM {schema}.parent LEFT JOIN {schema}.child ON {schema}.child.pid = {schema}.parent.id`},
		{name: "C10 schema before some", text: `SELECT parent.id, c.id AS c FROM {schema}.parent JOIN {schema}.child c ON c.pid = parent.id`},
		{name: "C10 name in upper case", text: `SELECT id FROM PARENT WHERE ID < 3`, own: dialectTexts{guard.MySQL: ""}},
		{name: "C10 names in other quotes", own: dialectTexts{
			guard.MySQL:  "SELECT `order`.id, `child`.`id` AS c FROM`order`LEFT JOIN`child`ON`child`.id=`order`.child",
			guard.SQLite: "SELECT [order].id, `child`.id AS c FROM [order] LEFT JOIN `child` ON `child`.id = [order].child",
		}},
	}, readsAs)
}

// Reads with every form of a join: C11.
func TestCasesJoins(t *testing.T) {
	t.Parallel()
	const notMySQL = ""
	each(t, []scenario{
		{name: "C11 USING", text: "SELECT * FROM link JOIN tag USING (tag_id)"},
		{name: "C11 LEFT JOIN USING", text: "SELECT * FROM link LEFT JOIN tag USING (tag_id)"},
		{name: "C11 RIGHT JOIN USING", text: "SELECT * FROM link RIGHT JOIN tag USING (tag_id)"},
		{name: "C11 FULL JOIN USING", text: "SELECT * FROM link FULL JOIN tag USING (tag_id)", own: dialectTexts{guard.MySQL: notMySQL}},
		{name: "C11 USING with aliases", text: "SELECT tag_id, l.weight, t.name FROM link l LEFT JOIN tag AS t USING (tag_id) LEFT JOIN note n USING (name)"},
		{name: "C11 USING twice", text: "SELECT id, o.total FROM child JOIN every_child e USING (id) LEFT JOIN \"order\" o USING (id)"},
		{name: "C11 NATURAL JOIN", text: "SELECT p.id, name, tag_id FROM parent p NATURAL JOIN tag"},
		{name: "C11 NATURAL LEFT JOIN", text: "SELECT * FROM link NATURAL LEFT JOIN tag"},
		{name: "C11 NATURAL RIGHT JOIN", text: "SELECT * FROM tag NATURAL RIGHT JOIN link"},
		{name: "C11 CROSS JOIN", text: "SELECT p.id, t.tag_id FROM parent p CROSS JOIN tag t"},
		{name: "C11 comma", text: "SELECT p.id, c.id AS c FROM parent p, child c WHERE c.pid = p.id OR c.pid IS NULL"},
		{name: "C11 comma before LEFT JOIN", text: "SELECT p.id, c.id AS c, l.weight FROM parent p, child c LEFT JOIN link l ON l.child_id = c.id"},
		{name: "C11 comma before RIGHT JOIN", text: "SELECT p.id, c.id AS c, l.weight FROM parent p, child c RIGHT JOIN link l ON l.child_id = c.id"},
		{name: "C11 comma before FULL JOIN", text: "SELECT p.id, c.id AS c, l.weight FROM parent p, child c FULL JOIN link l ON l.child_id = c.id", own: dialectTexts{guard.MySQL: notMySQL}},
		{name: "C11 RIGHT JOIN", text: "SELECT p.id, c.id AS c FROM parent p RIGHT OUTER JOIN child c ON c.pid = p.id WHERE c.id < 60"},
		{name: "C11 RIGHT JOIN twice", text: "SELECT l.weight, c.id AS c, p.id FROM link l RIGHT JOIN child c ON c.id = l.child_id RIGHT JOIN parent p ON p.id = c.pid"},
		{name: "C11 FULL JOIN", text: "SELECT p.id, c.id AS c FROM parent p FULL JOIN child c ON c.pid = p.id", own: dialectTexts{guard.MySQL: notMySQL}},
		{name: "C11 FULL JOIN in a chain", text: "SELECT p.id, c.id AS c, l.weight FROM parent p LEFT JOIN child c ON c.pid = p.id FULL OUTER JOIN link l ON l.child_id = c.id", own: dialectTexts{guard.MySQL: notMySQL}},
		{name: "C11 parentheses", text: "SELECT p.id, c.id AS c, l.weight FROM parent p LEFT JOIN (child c JOIN link l ON l.child_id = c.id) ON c.pid = p.id"},
		{name: "C11 parentheses on the left", text: "SELECT p.id, c.id AS c, l.weight FROM (parent p LEFT JOIN child c ON c.pid = p.id) LEFT JOIN link l ON l.child_id = c.id"},
		{name: "C11 derived table", text: "SELECT p.id, x.n FROM parent p JOIN (SELECT pid, COUNT(*) AS n FROM child GROUP BY pid) x ON x.pid = p.id"},
		{name: "C11 derived table may be missing", text: "SELECT p.id, x.n FROM parent p LEFT JOIN (SELECT pid, COUNT(*) AS n FROM child c GROUP BY pid) AS x ON x.pid = p.id"},
		{name: "C11 derived table with a join", text: "SELECT x.id FROM (SELECT p.id, c.name FROM parent p LEFT JOIN child c ON c.pid = p.id) x WHERE x.name IS NULL"},
		{name: "C11 LATERAL", own: dialectTexts{guard.Postgres: "SELECT p.id, x.id AS c FROM parent p LEFT JOIN LATERAL (SELECT c.id FROM child c WHERE c.pid = p.id ORDER BY c.id DESC LIMIT 1) x ON true"}},
		{name: "C11 LATERAL behind a comma", own: dialectTexts{guard.Postgres: "SELECT p.id, x.id AS c FROM parent p, LATERAL (SELECT c.id FROM child c WHERE c.pid = p.id OR c.pid IS NULL) x"}},
		{name: "C11 STRAIGHT_JOIN", own: dialectTexts{guard.MySQL: "SELECT p.id, c.id AS c FROM parent p STRAIGHT_JOIN child c ON c.pid = p.id OR c.pid IS NULL"}},
		{name: "C11 STRAIGHT_JOIN as a modifier", own: dialectTexts{guard.MySQL: "SELECT STRAIGHT_JOIN p.id, c.id AS c FROM parent p STRAIGHT_JOIN child c"}},
		{name: "C11 JOIN without ON", own: dialectTexts{
			guard.MySQL:  "SELECT p.id, c.id AS c FROM parent p JOIN child c WHERE c.pid = p.id OR c.pid IS NULL",
			guard.SQLite: "SELECT p.id, c.id AS c FROM parent p LEFT JOIN child c WHERE c.pid = p.id OR c.pid IS NULL",
		}},
		{name: "C11 ON within a string", text: "SELECT p.id, c.id AS c FROM parent p LEFT JOIN child c ON c.name <> ' ON x WHERE ' AND c.pid = p.id"},
		{name: "C11 words on their own lines", text: "SELECT p.id, c.id AS c FROM parent p LEFT\n\tOUTER /* RIGHT */ JOIN -- CROSS\nchild c\nON c.pid = p.id"},
		{name: "C11 columns with names of their own", own: dialectTexts{guard.Postgres: "SELECT a, b FROM parent p LEFT JOIN child AS c (a, b) ON b = p.id"}},
		{name: "C11 ONLY", own: dialectTexts{guard.Postgres: "SELECT p.id, c.id AS c FROM ONLY parent p LEFT JOIN ONLY (child) AS c ON c.pid = p.id"}},
		{name: "C11 descendants", own: dialectTexts{guard.Postgres: "SELECT p.id, c.id AS c FROM parent * p LEFT JOIN child * c ON c.pid = p.id"}},
		{name: "C11 TABLESAMPLE", own: dialectTexts{guard.Postgres: "SELECT p.id, c.id AS c FROM parent p TABLESAMPLE BERNOULLI (100) LEFT JOIN child c TABLESAMPLE SYSTEM (100) ON c.pid = p.id"}},
		{name: "C11 hints", own: dialectTexts{
			guard.MySQL:  "SELECT p.id, c.id AS c FROM parent p USE INDEX (PRIMARY) LEFT JOIN child c IGNORE INDEX FOR JOIN (PRIMARY) ON c.pid = p.id",
			guard.SQLite: "SELECT p.id, c.id AS c FROM parent p NOT INDEXED LEFT JOIN child c NOT INDEXED ON c.pid = p.id",
		}},
		{name: "C11 lock", own: dialectTexts{
			guard.Postgres: "SELECT p.id, c.id AS c FROM parent p LEFT JOIN child c ON c.pid = p.id WHERE p.id < 9 FOR UPDATE OF p",
			guard.MySQL:    "SELECT p.id, c.id AS c FROM parent p LEFT JOIN child c ON c.pid = p.id LOCK IN SHARE MODE",
		}},
		{name: "C11 rowid", own: dialectTexts{guard.SQLite: "SELECT p.rowid, c._rowid_ AS c FROM parent p LEFT JOIN child c ON c.pid = p.rowid"}},
	}, readsAs)
}
