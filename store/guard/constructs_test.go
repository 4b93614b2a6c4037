package guard_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden file anew")

// TestConstructs shows what becomes of each construct in every dialect, side by
// side. What a server does not have may be refused or pass: it never gets an
// answer.
func TestConstructs(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("-- What the guard makes of each construct. p and c have a trash, x and y are in no catalog.\n")
	for _, c := range constructs {
		b.WriteString("\n== " + c.name + "\n" + c.text + "\n")
		var lines []string
		for _, d := range products {
			text, err := newGuard(t, d, nil).Rewrite(c.text)
			if err != nil {
				text = "refused: " + strings.TrimPrefix(err.Error(), "guard: ")
			}
			lines = append(lines, text)
		}
		for i, d := range products {
			b.WriteString((d.String() + "       ")[:max(len("postgres"), len(d.String()))] + "  " + lines[i] + "\n")
		}
	}
	const file = "testdata/constructs.txt"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("%s (-want +got; -update writes it anew)\n%s", file, diff)
	}
}

var constructs = []struct{ name, text string }{
	{"table", "SELECT * FROM p"},
	{"schema", "SELECT * FROM s.p"},
	{"alias", "SELECT * FROM p AS a"},
	{"alias without AS", "SELECT * FROM p a WHERE a.x = 1"},
	{"quoted name", `SELECT * FROM "p" AS "a b"`},
	{"name in backticks", "SELECT * FROM `p` AS `a b`"},
	{"name in brackets", "SELECT * FROM [p]"},
	{"other case of letters", "SELECT * FROM P"},
	{"alias that renames columns", "SELECT * FROM p AS a (k, v)"},
	{"ONLY", "SELECT * FROM ONLY p"},
	{"sample", "SELECT * FROM p TABLESAMPLE SYSTEM (1)"},
	{"partition", "SELECT * FROM p PARTITION (p0)"},
	{"index hint", "SELECT * FROM p USE INDEX (i) WHERE a = 1"},
	{"INDEXED BY", "SELECT * FROM p INDEXED BY i WHERE a = 1"},
	{"comma", "SELECT * FROM p, c WHERE p.id = c.pid"},
	{"comma before a right join", "SELECT * FROM x, p RIGHT JOIN c ON c.pid = p.id"},
	{"inner join", "SELECT * FROM p INNER JOIN c ON c.pid = p.id"},
	{"cross join", "SELECT * FROM p CROSS JOIN c"},
	{"straight join", "SELECT * FROM p STRAIGHT_JOIN c ON c.pid = p.id"},
	{"natural join", "SELECT * FROM p NATURAL JOIN c"},
	{"left join", "SELECT * FROM p LEFT JOIN c ON c.pid = p.id"},
	{"right join", "SELECT * FROM p RIGHT OUTER JOIN c ON c.pid = p.id"},
	{"full join", "SELECT * FROM p FULL JOIN c ON c.pid = p.id"},
	{"left join using", "SELECT * FROM p LEFT JOIN c USING (id)"},
	{"natural left join", "SELECT * FROM p NATURAL LEFT JOIN c"},
	{"full join using", "SELECT * FROM p FULL JOIN c USING (id)"},
	{"chain of right joins", "SELECT * FROM c i RIGHT JOIN c o ON o.a = i.a RIGHT JOIN p u ON u.a = o.a"},
	{"trailing conditions", "SELECT * FROM p u LEFT JOIN c o JOIN c i ON i.a = o.a ON o.a = u.a"},
	{"group", "SELECT * FROM p u LEFT JOIN (c o JOIN c i ON i.a = o.a) ON o.a = u.a"},
	{"group with an outer join", "SELECT * FROM p u LEFT JOIN (c o LEFT JOIN c i ON i.a = o.a) ON o.a = u.a"},
	{"group with an alias", "SELECT * FROM x LEFT JOIN (p JOIN c USING (id)) AS g ON g.id = x.id"},
	{"USING with an alias", "SELECT * FROM p JOIN c USING (id) AS j"},
	{"left join after a full join", "SELECT * FROM p FULL JOIN c ON c.pid = p.id LEFT JOIN c d ON d.pid = p.id"},
	{"join without a condition before an outer join", "SELECT * FROM p JOIN c LEFT JOIN x ON x.a = c.a"},
	{"lateral", "SELECT * FROM p, LATERAL (SELECT * FROM c WHERE c.pid = p.id) l"},
	{"left join lateral", "SELECT * FROM p LEFT JOIN LATERAL (SELECT * FROM c WHERE c.pid = p.id) l ON true"},
	{"function in FROM", "SELECT * FROM p, json_each('[1]') j WHERE j.value = p.id"},
	{"ROWS FROM", "SELECT * FROM ROWS FROM (generate_series(1, 2), unnest(ARRAY[1])) AS f (a, b), p"},
	{"JSON_TABLE", "SELECT * FROM p, JSON_TABLE(p.a, '$[*]' COLUMNS (n int PATH '$')) j"},
	{"derived table", "SELECT * FROM (SELECT * FROM p WHERE a = 1 OR b = 2) d"},
	{"sub-select as an item", "SELECT id, (SELECT count(*) FROM c WHERE c.pid = p.id) FROM p"},
	{"sub-select in a function", "SELECT coalesce((SELECT max(id) FROM c), 0) AS n FROM p"},
	{"CASE", "SELECT CASE WHEN EXISTS (SELECT 1 FROM c) THEN 1 ELSE 0 END AS n"},
	{"ARRAY", "SELECT ARRAY(SELECT id FROM c) FROM p"},
	{"EXISTS", "SELECT * FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.pid = p.id)"},
	{"IN", "SELECT * FROM p WHERE (id, a) NOT IN (SELECT pid, a FROM c)"},
	{"IN with a table", "SELECT * FROM p WHERE id IN c"},
	{"ANY", "SELECT * FROM p WHERE id = ANY (SELECT pid FROM c)"},
	{"sub-select in ON", "SELECT * FROM x LEFT JOIN p ON p.id = (SELECT max(pid) FROM c)"},
	{"sub-select in ORDER BY", "SELECT * FROM p ORDER BY (SELECT count(*) FROM c)"},
	{"sub-select in LIMIT", "SELECT * FROM p LIMIT (SELECT count(*) FROM c)"},
	{"GROUP BY and HAVING", "SELECT a, count(*) AS n FROM p GROUP BY a HAVING count(*) > (SELECT count(*) FROM c) ORDER BY n"},
	{"ROLLUP", "SELECT a, count(*) AS n FROM p GROUP BY a WITH ROLLUP"},
	{"window", "SELECT sum(a) OVER (PARTITION BY b ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM p"},
	{"WINDOW clause", "SELECT sum(a) OVER w AS s FROM p WINDOW w AS (PARTITION BY b) ORDER BY s"},
	{"FILTER", "SELECT count(*) FILTER (WHERE a = 1) AS n FROM p"},
	{"DISTINCT", "SELECT DISTINCT a FROM p"},
	{"DISTINCT ON", "SELECT DISTINCT ON (a) a, b FROM p ORDER BY a"},
	{"IS DISTINCT FROM", "SELECT * FROM p WHERE a IS NOT DISTINCT FROM b OR a IS DISTINCT FROM 3"},
	{"FROM in arguments", "SELECT extract(year FROM a) AS y, substring(a FROM 2 FOR 3) AS s, trim(BOTH ' ' FROM a) AS t FROM p"},
	{"UNION", "SELECT a FROM p UNION ALL SELECT a FROM c ORDER BY 1 LIMIT 3"},
	{"UNION of groups", "(SELECT a FROM p ORDER BY a LIMIT 1) UNION (SELECT a FROM c)"},
	{"EXCEPT", "SELECT a FROM p EXCEPT SELECT a FROM c"},
	{"VALUES", "VALUES ((SELECT max(id) FROM p))"},
	{"TABLE", "TABLE p ORDER BY id"},
	{"LIMIT", "SELECT * FROM p LIMIT 3 OFFSET 1"},
	{"FETCH", "SELECT * FROM p ORDER BY id OFFSET 1 ROWS FETCH FIRST 3 ROWS ONLY"},
	{"FOR UPDATE", "SELECT * FROM p WHERE id = 1 FOR UPDATE"},
	{"FOR UPDATE OF", "SELECT * FROM p LEFT JOIN c ON c.pid = p.id FOR UPDATE OF p SKIP LOCKED"},
	{"lock in share mode", "SELECT * FROM p LOCK IN SHARE MODE"},
	{"FOR UPDATE with USING", "SELECT * FROM p LEFT JOIN c USING (id) FOR UPDATE"},
	{"SELECT INTO", "SELECT * INTO z FROM p"},
	{"WITH", "WITH w AS (SELECT * FROM p) SELECT * FROM w JOIN c ON c.pid = w.id"},
	{"WITH that shadows", "WITH p AS (SELECT * FROM c) SELECT * FROM p JOIN s.p q ON q.id = p.id"},
	{"WITH that reads its own name", "WITH p AS (SELECT * FROM p) SELECT * FROM p"},
	{"recursive WITH", "WITH RECURSIVE t AS (SELECT id, pid FROM c UNION ALL SELECT c.id, c.pid FROM c JOIN t ON t.id = c.pid) SELECT * FROM t"},
	{"MATERIALIZED", "WITH w (a) AS NOT MATERIALIZED (SELECT id FROM p) SELECT * FROM w"},
	{"SEARCH and CYCLE", "WITH RECURSIVE t AS (SELECT id FROM p UNION ALL SELECT c.id FROM c JOIN t ON t.id = c.pid) SEARCH DEPTH FIRST BY id SET o CYCLE id SET k USING h SELECT * FROM t"},
	{"WITH that writes", "WITH w AS (UPDATE p SET a = 1 WHERE b = 2 RETURNING id) SELECT * FROM w"},
	{"WITH in a sub-select", "SELECT * FROM x WHERE a IN (WITH w AS (SELECT id FROM p) SELECT id FROM w)"},
	{"INSERT", "INSERT INTO p (a) VALUES (1)"},
	{"INSERT SELECT", "INSERT INTO p (a) SELECT a FROM c WHERE a > 1 OR a < 0"},
	{"INSERT RETURNING", "INSERT INTO p (a) VALUES ((SELECT max(id) FROM c)) RETURNING id, (SELECT count(*) FROM p) AS n"},
	{"INSERT SET", "INSERT INTO p SET a = (SELECT max(id) FROM c)"},
	{"ON CONFLICT", "INSERT INTO p (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1"},
	{"ON CONFLICT DO NOTHING", "INSERT INTO p (id) VALUES (1) ON CONFLICT DO NOTHING"},
	{"ON CONFLICT elsewhere", "INSERT INTO x (id) SELECT id FROM p WHERE true ON CONFLICT DO NOTHING"},
	{"ON DUPLICATE KEY", "INSERT INTO p (id) VALUES (1) ON DUPLICATE KEY UPDATE a = 1"},
	{"INSERT IGNORE", "INSERT IGNORE INTO p (id) VALUES (1)"},
	{"INSERT OR REPLACE", "INSERT OR REPLACE INTO p (id) VALUES (1)"},
	{"REPLACE", "REPLACE INTO p (id) VALUES (1)"},
	{"UPDATE", "UPDATE p SET a = (SELECT max(id) FROM c) WHERE id = 1 OR id = 2"},
	{"UPDATE with an alias", "UPDATE p AS u SET a = 1 WHERE u.id = 1"},
	{"UPDATE of all", "UPDATE p SET a = 1"},
	{"UPDATE FROM", "UPDATE x SET a = p.a FROM p LEFT JOIN c ON c.pid = p.id WHERE x.id = p.id"},
	{"UPDATE of joined tables", "UPDATE p JOIN c ON c.pid = p.id SET p.a = c.a WHERE p.id = 1"},
	{"UPDATE with LIMIT", "UPDATE p SET a = 1 WHERE b = 2 ORDER BY id LIMIT 3"},
	{"UPDATE RETURNING", "UPDATE p SET a = 1 WHERE b = 2 RETURNING (SELECT count(*) FROM c) AS n"},
	{"UPDATE at a cursor", "UPDATE p SET a = 1 WHERE CURRENT OF k"},
	{"DELETE", "DELETE FROM p WHERE id = 1"},
	{"DELETE elsewhere", "DELETE FROM x WHERE id IN (SELECT id FROM p)"},
	{"DELETE USING", "DELETE FROM x USING p WHERE x.a = p.id"},
	{"DELETE of joined tables", "DELETE x FROM x JOIN p ON p.id = x.a"},
	{"TRUNCATE", "TRUNCATE TABLE x, p"},
	{"MERGE", "MERGE INTO p USING c ON c.pid = p.id WHEN MATCHED THEN UPDATE SET a = c.a WHEN NOT MATCHED THEN INSERT (id) VALUES (c.pid)"},
	{"MERGE that deletes", "MERGE INTO p USING c ON c.pid = p.id WHEN MATCHED THEN DELETE"},
	{"CREATE TABLE AS", "CREATE TABLE z AS SELECT * FROM p"},
	{"CREATE VIEW", "CREATE VIEW z AS SELECT * FROM p WHERE a = 1"},
	{"EXPLAIN", "EXPLAIN SELECT * FROM p"},
	{"DECLARE", "DECLARE k CURSOR FOR SELECT * FROM p"},
	{"PREPARE", "PREPARE q AS SELECT * FROM p WHERE id = $1"},
	{"COPY out of a query", "COPY (SELECT * FROM p) TO STDOUT"},
	{"COPY out of a table", "COPY p TO STDOUT"},
	{"COPY into a table", "COPY p (id, a) FROM STDIN"},
	{"SET", "SET search_path = a, b"},
	{"transaction", "BEGIN; SELECT * FROM p; COMMIT"},
	{"several statements", "SELECT * FROM p; UPDATE c SET a = 1 WHERE id = 1;"},
	{"comments", "SELECT * /* FROM c */ FROM p -- WHERE true\nWHERE a = 1 -- OR true"},
	{"executable comment", "SELECT * FROM x /*! JOIN p ON p.id = x.a */"},
	{"hint", "SELECT /*+ MAX_EXECUTION_TIME(1000) */ a FROM p"},
	{"words in strings", `SELECT 'it''s FROM c' AS t FROM p WHERE a = E'\' OR true --' OR b = $q$ FROM c $q$`},
	{"casts and JSON", "SELECT a::int, b ->> 0, c #>> '{x,y}' FROM p WHERE d @> '{}'"},
	{"arguments", "SELECT * FROM p WHERE a = $1 OR a = $2"},
	{"question marks", "SELECT * FROM p WHERE a = ? OR a IN (?, ?)"},
	{"code", "DO $$ BEGIN DELETE FROM p; END $$"},
	{"procedure", "CALL f((SELECT max(id) FROM p))"},
	{"a string without its end", "SELECT 'FROM p"},
	{"not SQL", "SELECT FROM WHERE JOIN p"},
}
