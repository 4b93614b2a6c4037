package guard_test

import (
	"testing"

	sq "github.com/Masterminds/squirrel"

	"github.com/softdelete-go/softdelete/store/guard"
)

// Reads that count and nest: C13, and the placeholders of C16.
func TestCasesSubSelects(t *testing.T) {
	t.Parallel()
	each(t, []scenario{
		{name: "C13 COUNT", text: "SELECT COUNT(*) AS n FROM child"},
		{name: "C13 COUNT without a name", text: "SELECT COUNT(*), SUM(qty) FROM child WHERE pid = 1 OR pid = 3"},
		{name: "C13 aggregates", text: "SELECT pid, COUNT(DISTINCT name) AS names, SUM(qty) AS q, MIN(qty) AS lo, MAX(qty) AS hi FROM child GROUP BY pid"},
		{name: "C13 GROUP BY an outer join", text: "SELECT p.id, COUNT(c.id) AS n FROM parent p LEFT JOIN child c ON c.pid = p.id GROUP BY p.id HAVING COUNT(c.id) < 2"},
		{name: "C13 GROUP BY a key", text: "SELECT p.id, p.name, COUNT(c.id) AS n FROM parent p LEFT JOIN child c ON c.pid = p.id GROUP BY p.id"},
		{name: "C13 DISTINCT", text: "SELECT DISTINCT name FROM child"},
		{name: "C13 page", text: "SELECT id FROM parent ORDER BY id LIMIT 2", ordered: true},
		{name: "C13 page with an offset", text: "SELECT id FROM parent WHERE id > 0 ORDER BY id DESC LIMIT 2 OFFSET 1", ordered: true},
		{name: "C13 page by FETCH", own: dialectTexts{guard.Postgres: "SELECT id FROM parent ORDER BY id OFFSET 1 ROWS FETCH FIRST 2 ROWS ONLY"}, ordered: true},
		{name: "C13 EXISTS", text: "SELECT p.id FROM parent p WHERE EXISTS (SELECT 1 FROM child c WHERE c.pid = p.id)"},
		{name: "C13 NOT EXISTS", text: "SELECT p.id FROM parent p WHERE NOT EXISTS (SELECT 1 FROM child c WHERE c.pid = p.id AND c.qty > 0)"},
		{name: "C13 IN", text: "SELECT id FROM parent WHERE id IN (SELECT pid FROM child)"},
		{name: "C13 NOT IN", text: "SELECT id FROM parent WHERE id NOT IN (SELECT pid FROM child WHERE pid IS NOT NULL)"},
		{name: "C13 IN with a NULL that is deleted", text: "SELECT id FROM parent WHERE id NOT IN (SELECT pid FROM child WHERE qty > 8 OR id = 10)"},
		{name: "C13 IN a pair", text: "SELECT c.id FROM child c WHERE (c.pid, c.name) IN (SELECT p.id, 'y' FROM parent p)"},
		{name: "C13 comparison", text: "SELECT id FROM child WHERE qty = (SELECT MAX(qty) FROM child)"},
		{name: "C13 ALL and ANY", text: "SELECT id FROM child WHERE qty >= ALL (SELECT qty FROM child) OR pid = ANY (SELECT id FROM parent)", own: dialectTexts{guard.SQLite: ""}},
		{name: "C13 in the list", text: "SELECT p.id, (SELECT COUNT(*) FROM child c WHERE c.pid = p.id) AS n FROM parent p"},
		{name: "C13 in the list without a name", text: "SELECT p.id, (SELECT COUNT(*) FROM child c WHERE c.pid = p.id) FROM parent p"},
		{name: "C13 in an expression without a name", text: "SELECT id, 1 + (SELECT COUNT(*) FROM child c WHERE c.pid = p.id) * 2 FROM parent p"},
		{name: "C13 in ORDER BY", text: "SELECT p.id FROM parent p ORDER BY (SELECT COUNT(*) FROM child c WHERE c.pid = p.id) DESC, p.id LIMIT 2", ordered: true},
		{name: "C13 in HAVING", text: "SELECT pid FROM child GROUP BY pid HAVING COUNT(*) >= (SELECT COUNT(*) FROM child WHERE pid = 1)"},
		{name: "C13 in ON", text: "SELECT p.id, c.id AS c FROM parent p LEFT JOIN child c ON c.pid = p.id AND c.qty = (SELECT MAX(x.qty) FROM child x WHERE x.pid = p.id)"},
		{name: "C13 in CASE", text: "SELECT id, CASE WHEN id IN (SELECT pid FROM child) THEN 'some' ELSE 'none' END AS has FROM parent"},
		{name: "C13 in a function", text: "SELECT id, COALESCE((SELECT MAX(name) FROM child c WHERE c.pid = p.id), 'none') AS top FROM parent p"},
		{name: "C13 in LIMIT", text: "SELECT id FROM parent ORDER BY id LIMIT (SELECT COUNT(*) FROM tag)", own: dialectTexts{guard.MySQL: ""}, ordered: true},
		{name: "C13 three deep", text: "SELECT id FROM parent WHERE id IN (SELECT pid FROM child WHERE id IN (SELECT child_id FROM link WHERE tag_id IN (SELECT tag_id FROM tag WHERE tag_id > 1)))"},
		{name: "C13 windows", text: "SELECT id, COUNT(*) OVER (PARTITION BY pid) AS n, ROW_NUMBER() OVER (ORDER BY id) AS r FROM child"},
		{name: "C13 named window", text: "SELECT id, SUM(qty) OVER w AS q FROM child WINDOW w AS (PARTITION BY pid ORDER BY id)"},
		{name: "C13 FILTER", text: "SELECT COUNT(*) FILTER (WHERE qty > 5) AS n FROM child", own: dialectTexts{guard.MySQL: ""}},
		{name: "C13 UNION", text: "SELECT name FROM parent UNION SELECT name FROM child"},
		{name: "C13 UNION ALL", text: "SELECT name FROM parent WHERE id = 1 OR id = 2 UNION ALL SELECT name FROM child UNION ALL SELECT name FROM note"},
		{name: "C13 EXCEPT", text: "SELECT id FROM parent EXCEPT SELECT pid FROM child"},
		{name: "C13 INTERSECT", text: "SELECT name FROM every_child INTERSECT SELECT name FROM child"},
		{name: "C13 UNION with an order", text: "SELECT id FROM parent UNION ALL SELECT id FROM child ORDER BY id DESC LIMIT 9", ordered: true},
		{name: "C13 UNION in parentheses", text: "(SELECT id FROM parent ORDER BY id LIMIT 2) UNION ALL (SELECT id FROM child ORDER BY id DESC LIMIT 2)", own: dialectTexts{guard.SQLite: ""}},
		{name: "C13 VALUES", text: "SELECT id FROM child WHERE pid IN (SELECT id FROM parent UNION SELECT 2) AND id NOT IN (11, 12)"},
		{name: "C13 TABLE", own: dialectTexts{guard.Postgres: "TABLE child"}},
		{name: "C13 ARRAY", own: dialectTexts{guard.Postgres: "SELECT id, ARRAY(SELECT c.id FROM child c WHERE c.pid = p.id ORDER BY 1) FROM parent p"}},
		{name: "C13 sum of a list", own: dialectTexts{
			guard.Postgres: "SELECT string_agg(name, ',' ORDER BY id) FROM child",
			guard.MySQL:    "SELECT GROUP_CONCAT(name ORDER BY id SEPARATOR ', FROM ') FROM child",
			guard.SQLite:   "SELECT group_concat(name, ',' ORDER BY id) FROM child",
		}},
		{name: "C13 ROLLUP", own: dialectTexts{
			guard.Postgres: "SELECT pid, COUNT(*) AS n FROM child GROUP BY ROLLUP (pid)",
			guard.MySQL:    "SELECT pid, COUNT(*) AS n FROM child GROUP BY pid WITH ROLLUP",
		}},
		{name: "C13 FROM of functions", text: "SELECT id, TRIM(BOTH 'x' FROM name) AS n FROM child WHERE SUBSTRING(name FROM 1 FOR 1) = 'y' OR pid = 1", own: dialectTexts{
			guard.SQLite: "SELECT id, name IS NOT DISTINCT FROM 'y' AS n FROM child WHERE name IS DISTINCT FROM 'y' OR pid = 1",
		}},
		{name: "C16 squirrel numbers once", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			inner := sq.Select("1").From("child c").Where("c.pid = p.id").Where(sq.Gt{"c.qty": 0})
			return b.Select("p.id").From("parent p").Where(sq.Expr("EXISTS (?)", inner)).Where("(p.id < ? OR p.name = ?)", 4, "b")
		}},
		{name: "C16 squirrel NOT EXISTS", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			inner := sq.Select("1").From("child c").Where("c.pid = p.id").Where(sq.Lt{"c.qty": 9})
			return b.Select("p.id").From("parent p").Where(sq.Expr("NOT EXISTS (?)", inner)).Where("p.id < ?", 9)
		}},
		{name: "C16 squirrel joins a query", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			inner := sq.Select("pid", "COUNT(*) AS n").From("child").Where(sq.Lt{"qty": 8}).GroupBy("pid")
			return b.Select("p.id", "s.n").From("parent p").JoinClause(sq.Expr("LEFT JOIN (?) s ON s.pid = p.id AND p.id < ?", inner, 7)).
				Where(sq.Or{sq.Eq{"p.name": []string{"a", "b"}}, sq.Eq{"p.boss": 2}})
		}},
		{name: "C16 arguments of ON come first", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			return b.Select("p.id", "c.id AS c").From("parent p").LeftJoin("child c ON c.pid = p.id AND c.qty > ?", 4).Where("p.id < ? OR p.id = ?", 4, 6)
		}},
		{name: "C16 squirrel FROM a query", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			return b.Select("s.id").FromSelect(sq.Select("id").From("parent").Where("id = ? OR id = ?", 1, 2), "s").Where("s.id < ?", 9)
		}},
		{name: "C16 question mark as an operator", own: dialectTexts{
			guard.Postgres: `SELECT id FROM parent WHERE '{"a": 1}'::jsonb ? name OR '["b"]'::jsonb ?| ARRAY[name]`,
		}},
	}, readsAs)
}

// Reads through WITH, whose names hide tables.
func TestCasesWith(t *testing.T) {
	t.Parallel()
	each(t, []scenario{
		{name: "mybatis-plus 5481", text: "WITH w AS (SELECT p.* FROM parent p WHERE p.ver = 0 OR p.id = 2), b AS (SELECT c.id, w.name FROM child c JOIN w ON w.id = c.pid) SELECT * FROM b LEFT JOIN w ON w.name = b.name"},
		{name: "mybatis-plus 7057", text: "SELECT COUNT(0) FROM (WITH RECURSIVE a AS (SELECT b.* FROM child b WHERE 1 = 1) SELECT * FROM a WHERE a.pid = 1) mo WHERE 1 = 1"},
		{name: "mybatis-plus 6718 recursive list", text: "WITH RECURSIVE days AS (SELECT 1 AS d UNION ALL SELECT d + 1 FROM days WHERE d < 7) SELECT days.d, COUNT(c.id) AS n FROM days LEFT JOIN child c ON c.pid = days.d GROUP BY days.d"},
		{name: "mybatis-plus 5481 recursive tree", text: "WITH RECURSIVE t AS (SELECT id, boss FROM parent WHERE boss IS NULL UNION ALL SELECT p.id, p.boss FROM parent p JOIN t ON p.boss = t.id) SELECT * FROM t"},
		{name: "mybatis-plus 5481 recursive tree upwards", text: "WITH RECURSIVE t (id, boss) AS (SELECT id, boss FROM parent WHERE id = 3 UNION SELECT p.id, p.boss FROM t, parent p WHERE p.id = t.boss) SELECT id FROM t"},
		{name: "mybatis-plus 5481 with the name of a table", text: "WITH parent AS (SELECT * FROM child) SELECT p.id, c.id AS c FROM parent p LEFT JOIN child c ON c.id = p.pid OR c.pid = p.pid"},
		{name: "mybatis-plus 5481 with its own name", own: dialectTexts{
			guard.Postgres: "WITH child AS (SELECT * FROM child WHERE qty > 1) SELECT COUNT(*) AS n FROM child",
			guard.MySQL:    "WITH child AS (SELECT * FROM child WHERE qty > 1) SELECT COUNT(*) AS n FROM child",
		}},
		{name: "mybatis-plus 5481 hidden inside only", text: "SELECT id, (WITH child AS (SELECT 7 AS n) SELECT n FROM child) AS n FROM child"},
		{name: "mybatis-plus 5481 schema passes by", text: "WITH child AS (SELECT 1 AS id) SELECT c.id FROM {schema}.child c JOIN child ON child.id = c.pid"},
		{name: "mybatis-plus 5481 later query of the list", text: "WITH a AS (SELECT id FROM parent), b AS (SELECT a.id, c.id AS c FROM a LEFT JOIN child c ON c.pid = a.id) SELECT * FROM b UNION ALL SELECT id, 0 FROM a"},
		{name: "mybatis-plus 5481 materialised", own: dialectTexts{
			guard.Postgres: "WITH a AS MATERIALIZED (SELECT id FROM parent), b AS NOT MATERIALIZED (SELECT pid FROM child) SELECT a.id, b.pid FROM a LEFT JOIN b ON b.pid = a.id",
			guard.SQLite:   "WITH a AS MATERIALIZED (SELECT id FROM parent), b AS NOT MATERIALIZED (SELECT pid FROM child) SELECT a.id, b.pid FROM a LEFT JOIN b ON b.pid = a.id",
		}},
		{name: "mybatis-plus 5481 search", own: dialectTexts{
			guard.Postgres: "WITH RECURSIVE t AS (SELECT id, boss FROM parent WHERE id = 1 UNION ALL SELECT p.id, p.boss FROM parent p JOIN t ON p.boss = t.id) SEARCH DEPTH FIRST BY id SET o CYCLE id SET c USING y SELECT id FROM t",
		}},
	}, readsAs)
}
