package guard_test

import (
	"testing"

	"github.com/softdelete-go/softdelete/store/guard"
)

// Reads that other systems answered wrongly, by project and number.
func TestCasesPublic(t *testing.T) {
	t.Parallel()
	each(t, []scenario{
		{name: "mybatis-plus 5430", text: "SELECT p.id, c.id AS c, l.weight FROM parent p LEFT JOIN child c ON c.pid = p.id RIGHT JOIN link l ON c.id = l.child_id"},
		{name: "mybatis-plus 5430 the other way", text: "SELECT p.id, c.id AS c, l.weight FROM parent p RIGHT JOIN child c ON c.pid = p.id LEFT JOIN link l ON c.id = l.child_id"},
		{name: "mybatis-plus 5430 with JOIN between", text: "SELECT p.id, c.id AS c, l.weight, t.name FROM parent p LEFT JOIN child c ON c.pid = p.id JOIN link l ON l.child_id = c.id RIGHT JOIN tag t ON t.tag_id = l.tag_id"},
		{name: "mybatis-plus 1932", text: "SELECT p.*, c.* FROM parent p, child c WHERE p.id = c.pid"},
		{name: "mybatis-plus 1932 three tables", text: "SELECT p.id, c.id AS c, l.weight FROM parent p, child AS c, link l WHERE p.id = c.pid AND l.child_id = c.id OR p.id = 4"},
		{name: "mybatis-plus 1201", text: "SELECT p.id AS parent_id FROM parent p WHERE p.id IN (SELECT DISTINCT c.pid FROM child c)"},
		{name: "mybatis-plus 1696", text: "SELECT COUNT(*) AS count FROM note WHERE 0 < id AND pid IN (SELECT id FROM parent)"},
		{name: "mybatis-plus 5631", text: "SELECT * FROM parent WHERE id IN (SELECT c.pid FROM child c, link l WHERE l.child_id = c.id) OR name = 'b'"},
		{name: "mybatis-plus 6075", own: dialectTexts{
			guard.Postgres: "SELECT p.*, c.*, COALESCE(CASE WHEN (SELECT COUNT(*) FROM tag AS t WHERE t.name = 'b') = 1 THEN c.name END, p.name) AS type FROM parent AS p, child AS c WHERE p.id = c.pid",
			guard.MySQL:    `SELECT p.*, c.*, IF((SELECT COUNT(*) FROM tag AS t WHERE t.name = "b") = 1, c.name, p.name) AS type FROM parent AS p, child AS c WHERE p.id = c.pid`,
			guard.SQLite:   "SELECT p.*, c.*, iif((SELECT COUNT(*) FROM tag AS t WHERE t.name = 'b') = 1, c.name, p.name) AS type FROM parent AS p, child AS c WHERE p.id = c.pid",
		}},
		{name: "mybatis-plus 6075 without a name", text: "SELECT id, COALESCE((SELECT MAX(c.qty) FROM child c WHERE c.pid = note.pid), LENGTH(name)) FROM note"},
		{name: "mybatis-plus 3087", text: "SELECT p.name, (SELECT MAX(c.qty) FROM child c WHERE c.pid = p.id), p.id FROM parent p"},
		{name: "mybatis-plus 3790", text: "SELECT CASE WHEN EXISTS(SELECT 1 FROM child WHERE pid = 3) THEN 1 ELSE 0 END"},
		{name: "mybatis-plus 6139", text: "SELECT EXISTS(SELECT 1 FROM child c WHERE c.pid = 3 LIMIT 1)"},
		{name: "mybatis-plus 4677", text: "SELECT id FROM parent WHERE id >= (SELECT MIN(pid) FROM note WHERE is_deleted = 1)"},
		{name: "mybatis-plus 4218", text: "SELECT p.id, n.id AS n FROM parent p INNER JOIN note n ON n.pid = p.id"},
		{name: "mybatis-plus 4218 technical table", text: "SELECT p.id, l.id AS l FROM login l LEFT JOIN parent p ON p.id = l.pid"},
		{name: "mybatis-plus 4218 status table", text: "SELECT p.id, s.id AS s FROM staff s LEFT JOIN parent p ON p.id = s.pid"},
		{name: "mybatis-plus 4218 ignored table alone", text: "SELECT * FROM note UNION ALL SELECT id, pid, 'login', 0, deleted_at FROM login", alike: true},
		{name: "mybatis-plus 2528", text: "SELECT parent.id, c.id AS c FROM parent LEFT JOIN child c ON c.pid = parent.id WHERE parent.id < 9"},
		{name: "mybatis-plus 2528 the other way", text: "SELECT p.id, child.id AS c FROM parent p LEFT JOIN child ON child.pid = p.id"},
		{name: "mybatis-plus 7060", text: "SELECT parent.id, child.id AS c FROM parent, child WHERE child.pid = parent.id AND qty > 1"},
		{name: "mybatis-plus 2875", text: "SELECT parent.* FROM parent LEFT JOIN child ON parent.id = child.pid WHERE parent.id = 1"},
		{name: "mybatis-plus 4004", text: `SELECT o.id, MAX(c.name) AS name, SUM(l.weight) AS w FROM "order" o LEFT JOIN child c ON o.child = c.id LEFT JOIN link l ON l.child_id = c.id GROUP BY o.id ORDER BY o.id DESC`, ordered: true},
		{name: "mybatis-plus 6455", text: "SELECT p.id, x.id AS x FROM parent p LEFT JOIN (child AS x) ON x.pid = p.id", own: dialectTexts{
			guard.Postgres: "", guard.SQLite: "SELECT p.id, qty FROM parent p LEFT JOIN (child AS x) ON pid = p.id",
		}},
		{name: "mybatis-plus 6455 beside the same alias", own: dialectTexts{
			guard.SQLite: "SELECT x.id FROM note x WHERE EXISTS (SELECT 1 FROM parent p JOIN (child x) ON pid = p.id WHERE qty = 7)",
		}},
		{name: "mybatis-plus 6455 with its own alias", own: dialectTexts{guard.SQLite: "SELECT COUNT(*) AS n FROM child x JOIN (child x)"}},
		{name: "mybatis-plus 6455 several tables", text: "SELECT p.id, x.id AS x FROM parent p LEFT JOIN (child AS x CROSS JOIN tag t) ON x.pid = p.id AND t.tag_id = 2"},
		{name: "mybatis-plus PR 3928", text: "SELECT p.id, c.id AS c, l.weight FROM parent p LEFT JOIN child c LEFT JOIN link l ON l.child_id = c.id ON c.pid = p.id WHERE p.id = 1 OR p.name = 'b' OR p.id = 3", own: dialectTexts{guard.SQLite: ""}},
		{name: "mybatis-plus PR 3928 JOIN within", text: "SELECT p.id, c.id AS c, l.weight FROM parent p LEFT JOIN child c JOIN link l ON l.child_id = c.id ON c.pid = p.id", own: dialectTexts{guard.SQLite: ""}},
		{name: "mybatis-plus PR 3928 three", text: "SELECT p.id, c.id AS c, l.weight, t.name FROM parent p LEFT JOIN child c LEFT JOIN link l RIGHT JOIN tag t ON t.tag_id = l.tag_id ON l.child_id = c.id ON c.pid = p.id", own: dialectTexts{guard.SQLite: ""}},
		{name: "mybatis-plus 1955", own: dialectTexts{
			guard.Postgres: "SELECT id, (data::jsonb ->> 0)::int AS first FROM child WHERE (data::jsonb ->> 0)::int > 1 OR data::text = '[]'",
			guard.MySQL:    "SELECT id, CAST(JSON_VALUE(data, '$[0]') AS SIGNED) AS first FROM child WHERE JSON_VALUE(data, '$[0]') > 1 OR data = '[]'",
			guard.SQLite:   "SELECT id, data ->> 0 AS first FROM child WHERE data ->> 0 > 1 OR data -> 0 IS NULL",
		}},
		{name: "mybatis-plus 1955 without a name", own: dialectTexts{
			guard.Postgres: "SELECT data::jsonb #>> '{0}' FROM child WHERE data::jsonb @> '[3]' OR pid = 1",
			guard.SQLite:   "SELECT data ->> '$[0]', data -> 0 FROM child WHERE pid = 1 OR pid = 3",
		}},
		{name: "mybatis-plus 4758", own: dialectTexts{
			guard.Postgres: "SELECT a.id, v FROM (SELECT c.id, c.data FROM child c WHERE c.qty > 1) a CROSS JOIN LATERAL jsonb_array_elements_text(a.data::jsonb) AS j (v) WHERE v > '1'",
			guard.MySQL:    "SELECT a.id, j.v FROM (SELECT c.id, c.data FROM child c WHERE c.qty > 1) a INNER JOIN JSON_TABLE(a.data, '$[*]' COLUMNS (n FOR ORDINALITY, v INT PATH '$' DEFAULT '0' ON EMPTY)) AS j ON j.v > 1",
			guard.SQLite:   "SELECT a.id, j.value FROM (SELECT c.id, c.data FROM child c WHERE c.qty > 1) a JOIN json_each(a.data) AS j ON j.value > 1",
		}},
		{name: "mybatis-plus 6059", own: dialectTexts{
			guard.Postgres: "SELECT p.id, c.id AS c, j.v FROM parent p LEFT JOIN child c ON c.pid = p.id LEFT JOIN LATERAL ROWS FROM (jsonb_array_elements_text(c.data::jsonb)) WITH ORDINALITY AS j (v, n) ON true",
			guard.MySQL:    "SELECT p.id, c.id AS c, ss.v FROM parent p LEFT JOIN child c ON c.pid = p.id CROSS JOIN JSON_TABLE(c.data, '$[*]' COLUMNS (v VARCHAR(255) PATH '$')) AS ss WHERE ss.v >= ' '",
			guard.SQLite:   "SELECT p.id, c.id AS c, j.value FROM parent p LEFT JOIN child c ON c.pid = p.id LEFT JOIN json_each(c.data) j",
		}},
		{name: "ebean 485", text: "SELECT p.id, p.name, b.name AS boss FROM parent p LEFT OUTER JOIN parent b ON b.id = p.boss ORDER BY p.id", ordered: true},
		{name: "ebean 485 one row", text: "SELECT p.id, p.name, b.name AS boss FROM parent p LEFT OUTER JOIN parent b ON b.id = p.boss WHERE p.id = 3"},
		{name: "ebean 835", text: "SELECT p.id, c.id AS c FROM parent p LEFT OUTER JOIN child c ON c.pid = p.id WHERE p.id = 3"},
		{name: "ebean 835 through links", text: "SELECT c.id, t.tag_id FROM child c LEFT OUTER JOIN link l ON l.child_id = c.id LEFT OUTER JOIN tag t ON t.tag_id = l.tag_id WHERE c.id = 60"},
		{name: "ebean 1189", text: "SELECT p.id FROM parent p WHERE NOT EXISTS (SELECT 1 FROM child WHERE pid = p.id)"},
		{name: "micronaut-data 1879", text: `SELECT o.id, c.id AS c, p.name FROM "order" o INNER JOIN child c ON o.child = c.id INNER JOIN parent p ON c.pid = p.id`},
		{name: "micronaut-data 2168", text: `SELECT o.id, c.id AS c, p.name FROM "order" o LEFT JOIN child c ON o.child = c.id LEFT JOIN parent p ON c.pid = p.id`},
		{name: "hibernate HHH-17511", text: "SELECT n.id, p.name FROM note n JOIN parent p ON p.id = n.pid"},
		{name: "hibernate HHH-17511 outer", text: "SELECT n.id, p.name FROM note n LEFT JOIN parent p ON p.id = n.pid AND p.ver = 0"},
		// One entity in several tables, of which the root alone knows the deletion.
		{name: "hibernate HHH-17615", text: "SELECT r.id, r.name, s.id AS s FROM parent r LEFT JOIN note s ON s.pid = r.id"},
		{name: "hibernate HHH-17615 of a sub-class", text: "SELECT s.id, r.name FROM note s JOIN parent r ON r.id = s.pid WHERE s.id = 1 OR s.id = 2"},
		{name: "hibernate HHH-17615 reached by a link", text: "SELECT c.id, s.id AS s, r.name FROM child c LEFT JOIN (note s JOIN parent r ON r.id = s.pid) ON s.pid = c.pid"},
		{name: "efcore 11691", text: "SELECT p.id, c.id AS c FROM parent p LEFT JOIN (SELECT x.id, x.pid FROM child x WHERE x.qty > 0) AS c ON c.pid = p.id ORDER BY p.id, c.id", own: dialectTexts{
			guard.Postgres: "SELECT p.id, c.id AS c FROM parent p LEFT JOIN (SELECT x.id, x.pid FROM child x WHERE x.qty > 0) AS c ON c.pid = p.id ORDER BY p.id, c.id NULLS FIRST",
		}, ordered: true},
		{name: "efcore 11691 required", text: "SELECT c.id, p.id AS p FROM child c INNER JOIN parent p ON p.id = c.pid"},
		{name: "efcore 28653", text: "SELECT c.id FROM child c LEFT JOIN parent p ON c.pid = p.id WHERE p.deleted_at IS NULL OR p.id > 100"},
		{name: "efcore 15933", text: "SELECT c.id, c.pid, p.id AS blog, p.name FROM child c LEFT JOIN (SELECT b.* FROM parent b) p ON p.id = c.pid"},
	}, readsAs)
}
