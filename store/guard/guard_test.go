package guard_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
)

// catalog has columns whose predicates are short.
func catalog() *lifecycle.Catalog {
	gone := lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "gone"}}
	return lifecycle.MustCatalog(
		&lifecycle.Table{Name: "p", Columns: gone}, &lifecycle.Table{Name: "c", Columns: gone},
		&lifecycle.Table{Name: "staff", Kind: lifecycle.Status, Why: "dismiss them"},
		&lifecycle.Table{Name: "log", Kind: lifecycle.Technical},
	)
}

func newGuard(t *testing.T, d *guard.Dialect, o *guard.Options) *guard.Guard {
	t.Helper()
	g, err := guard.New(catalog(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

var products = []*guard.Dialect{guard.Postgres, guard.MySQL, guard.SQLite}

// Quoted columns are written with double quotes here; MySQL has its own.
func TestRewrite(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"no table", "SELECT 1", "SELECT 1"},
		{"unregistered", "SELECT * FROM other o JOIN x ON o.a = x.a", "SELECT * FROM other o JOIN x ON o.a = x.a"},
		{"status", "SELECT * FROM staff", "SELECT * FROM staff"},
		{"base", "SELECT * FROM p", `SELECT * FROM p WHERE p."gone" IS NULL`},
		{"order and limit", "SELECT * FROM p ORDER BY id LIMIT 3;", `SELECT * FROM p WHERE p."gone" IS NULL ORDER BY id LIMIT 3;`},
		{"C01 or", "SELECT * FROM p WHERE a = 1 OR b = 2", `SELECT * FROM p WHERE (a = 1 OR b = 2) AND p."gone" IS NULL`},
		{"C02 line break", "SELECT * FROM p WHERE a = 1\nOR a = 2 -- end", "SELECT * FROM p WHERE (a = 1\nOR a = 2) AND p.\"gone\" IS NULL -- end"},
		{"C02 glued", "SELECT * FROM p WHERE (a)or(b)", `SELECT * FROM p WHERE ((a)or(b)) AND p."gone" IS NULL`},
		{"C03 or in ON", "SELECT * FROM x LEFT JOIN c ON x.a = c.a OR x.b = c.b", `SELECT * FROM x LEFT JOIN c ON (x.a = c.a OR x.b = c.b) AND c."gone" IS NULL`},
		{"C05 left join", "SELECT * FROM p LEFT JOIN c ON c.pid = p.id", `SELECT * FROM p LEFT JOIN c ON (c.pid = p.id) AND c."gone" IS NULL WHERE p."gone" IS NULL`},
		{"right join", "SELECT * FROM p RIGHT JOIN c ON c.pid = p.id", `SELECT * FROM p RIGHT JOIN c ON (c.pid = p.id) AND p."gone" IS NULL WHERE c."gone" IS NULL`},
		{"left join using", "SELECT * FROM p LEFT JOIN c USING (id)", `SELECT * FROM p LEFT JOIN (SELECT * FROM c WHERE c."gone" IS NULL) AS c USING (id) WHERE p."gone" IS NULL`},
		{"inner join using", "SELECT * FROM p JOIN c USING (id)", `SELECT * FROM p JOIN c USING (id) WHERE p."gone" IS NULL AND c."gone" IS NULL`},
		{"C09 self join", "SELECT * FROM c JOIN c AS r ON r.pid = c.id", `SELECT * FROM c JOIN c AS r ON r.pid = c.id WHERE c."gone" IS NULL AND r."gone" IS NULL`},
		{"comma", "SELECT * FROM p, c", `SELECT * FROM p, c WHERE p."gone" IS NULL AND c."gone" IS NULL`},
		{"nested group", "SELECT * FROM x LEFT JOIN (p JOIN c ON c.pid = p.id) ON x.a = p.id", `SELECT * FROM x LEFT JOIN (p JOIN c ON c.pid = p.id) ON (x.a = p.id) AND p."gone" IS NULL AND c."gone" IS NULL`},
		{"C13 not in", "SELECT id FROM p WHERE id NOT IN (SELECT pid FROM c)", `SELECT id FROM p WHERE (id NOT IN (SELECT pid FROM c WHERE c."gone" IS NULL)) AND p."gone" IS NULL`},
		{"union", "SELECT a FROM p UNION SELECT a FROM c", `SELECT a FROM p WHERE p."gone" IS NULL UNION SELECT a FROM c WHERE c."gone" IS NULL`},
		{"shadowed", "WITH p AS (SELECT * FROM c) SELECT * FROM p", `WITH p AS (SELECT * FROM c WHERE c."gone" IS NULL) SELECT * FROM p`},
		{"words in text", "SELECT 'FROM p' FROM x /* FROM p */ -- FROM p", "SELECT 'FROM p' FROM x /* FROM p */ -- FROM p"},
		{"extract", "SELECT extract(year FROM gone) AS y FROM p", `SELECT extract(year FROM gone) AS y FROM p WHERE p."gone" IS NULL`},
		{"insert select", "INSERT INTO p (a) SELECT a FROM c", `INSERT INTO p (a) SELECT a FROM c WHERE c."gone" IS NULL`},
		{"C14 insert values", "INSERT INTO p (a) VALUES (1), (2)", "INSERT INTO p (a) VALUES (1), (2)"},
		{"C20 update", "UPDATE p SET a = 1 WHERE id = 1 OR id = 2", `UPDATE p SET a = 1 WHERE (id = 1 OR id = 2) AND p."gone" IS NULL`},
		{"technical delete", "DELETE FROM log WHERE id IN (SELECT id FROM p)", `DELETE FROM log WHERE id IN (SELECT id FROM p WHERE p."gone" IS NULL)`},
		{"two statements", "SELECT * FROM p; SELECT * FROM c", `SELECT * FROM p WHERE p."gone" IS NULL; SELECT * FROM c WHERE c."gone" IS NULL`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, want := map[string]string{}, map[string]string{}
			for _, d := range products {
				text, err := newGuard(t, d, nil).Rewrite(test.text)
				if err != nil {
					t.Fatalf("%v: %v", d, err)
				}
				got[d.String()], want[d.String()] = text, test.want
			}
			want["mysql"] = strings.ReplaceAll(want["mysql"], `"`, "`")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       error
	}{
		{"delete", "DELETE FROM p WHERE id = 1", guard.ErrWrite},
		{"delete of a status", "DELETE FROM staff WHERE id = 1", guard.ErrWrite},
		{"C23 update of all", "UPDATE p SET a = 1", guard.ErrUnconditional},
		{"C23 update of all by squirrel", "UPDATE p SET a = 1 WHERE (1=1)", guard.ErrUnconditional},
		{"C23 update of all in other words", "UPDATE p SET a = 1 WHERE NOT (false OR 1 <> 1) AND TRUE IS NOT NULL", guard.ErrUnconditional},
		{"join without an end", "SELECT * FROM p JOIN", guard.ErrNotUnderstood},
		{"NUL", "SELECT * FROM p\x00", guard.ErrNotUnderstood},
		{"not UTF-8", "SELECT * FROM p WHERE a = '\xff'", guard.ErrNotUnderstood},
		{"open quotation", "SELECT * FROM p WHERE a = 'b", guard.ErrNotUnderstood},
		{"open comment", "SELECT * FROM p /* a", guard.ErrNotUnderstood},
		{"executed comment", "SELECT 1 /*! FROM p */", guard.ErrNotUnderstood},
		{"FROM nobody claims", "SELECT f(a FROM p)", guard.ErrNotUnderstood},
		{"bare select", "SELECT a + SELECT b FROM p", guard.ErrNotUnderstood},
		{"brace", "SELECT * FROM {oj p LEFT JOIN c ON 1 = 1}", guard.ErrNotUnderstood},
		{"unknown statement", "HANDLER p OPEN", guard.ErrNotUnderstood},
		{"parentheses", "SELECT " + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000), guard.ErrNotUnderstood},
		{"open parentheses", "SELECT " + strings.Repeat("(", 100_000), guard.ErrNotUnderstood},
	}
	for _, test := range tests {
		for _, d := range products {
			t.Run(test.name+"/"+d.String(), func(t *testing.T) {
				t.Parallel()
				text, err := newGuard(t, d, nil).Rewrite(test.text)
				var e *guard.Error
				if text != "" || !errors.Is(err, test.want) || !errors.As(err, &e) {
					t.Errorf("Rewrite = %q, %v; want no text and %v", text, err, test.want)
				}
			})
		}
	}
}

// What is refused on one product only; C15 is the INSERT that meets a row nobody
// sees.
func TestProductRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		d    *guard.Dialect
		text string
		want error
	}{
		{"update", guard.Postgres, "INSERT INTO p (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1", guard.ErrUpsert},
		{"constraint", guard.Postgres, "INSERT INTO p (id) VALUES (1) ON CONFLICT ON CONSTRAINT k DO UPDATE SET a = 1", guard.ErrUpsert},
		{"nothing", guard.Postgres, "INSERT INTO p (id) VALUES (1) ON CONFLICT DO NOTHING", guard.ErrUpsert},
		{"duplicate", guard.MySQL, "INSERT INTO p (id) SELECT id FROM x JOIN y ON DUPLICATE KEY UPDATE a = 1", guard.ErrUpsert},
		{"ignore", guard.MySQL, "INSERT IGNORE INTO p (id) VALUES (1)", guard.ErrUpsert},
		{"replace", guard.MySQL, "REPLACE INTO p (id) VALUES (1)", guard.ErrWrite},
		{"or replace", guard.SQLite, "INSERT OR REPLACE INTO p (id) VALUES (1)", guard.ErrWrite},
		{"truncate", guard.Postgres, "TRUNCATE TABLE x, p CASCADE", guard.ErrWrite},
		{"merge deletes", guard.Postgres, "MERGE INTO p USING x ON p.id = x.id WHEN MATCHED THEN DELETE", guard.ErrWrite},
		{"cursor", guard.Postgres, "UPDATE p SET a = 1 WHERE CURRENT OF k", guard.ErrWrite},
		{"joined delete", guard.MySQL, "DELETE k FROM c AS k JOIN x ON x.id = k.id", guard.ErrWrite},
		{"lock", guard.MySQL, "SELECT * FROM p LEFT JOIN c USING (id) FOR UPDATE", guard.ErrDerived},
		{"rowid", guard.SQLite, "SELECT c.rowid FROM p LEFT JOIN c USING (id)", guard.ErrDerived},
		{"joins without conditions", guard.Postgres, "SELECT * FROM p" + strings.Repeat(" LEFT JOIN p", 1_000), guard.ErrNotUnderstood},
		{"and on MySQL", guard.MySQL, "SELECT * FROM p" + strings.Repeat(" LEFT JOIN p", 1_000), guard.ErrNotUnderstood},
		{"a list after a clause that looks like a lock", guard.MySQL, "SELECT * FROM x FOR SYSTEM_TIME ALL, p", guard.ErrNotUnderstood},
		{"a table for a list", guard.SQLite, "SELECT * FROM x WHERE a IN p", guard.ErrNotUnderstood},
		{"TABLE behind VALUES", guard.MySQL, "SELECT * FROM x WHERE a IN (VALUES ROW(1) UNION TABLE p)", guard.ErrNotUnderstood},
		{"code", guard.Postgres, "DO $$ SELECT * FROM p $$", guard.ErrNotUnderstood},
		{"text to prepare", guard.MySQL, "PREPARE s FROM 'SELECT * FROM p'", guard.ErrNotUnderstood},
		{"setting", guard.Postgres, "SET standard_conforming_strings = off", guard.ErrNotUnderstood},
		{"setting by a function", guard.Postgres, "SELECT set_config('standard_conforming_strings', 'off', false)", guard.ErrNotUnderstood},
		{"setting by a function in quotes", guard.Postgres, `SELECT pg_catalog."set_config" ('Client_Encoding', 'SJIS', false)`, guard.ErrNotUnderstood},
		{"setting in FROM", guard.Postgres, "SELECT * FROM set_config('standard_' || 'conforming_strings', 'off', false)", guard.ErrNotUnderstood},
		{"C15 update or replace", guard.SQLite, "UPDATE OR REPLACE p SET id = 11 WHERE id = 10", guard.ErrWrite},
		{"C22 update or ignore", guard.SQLite, "UPDATE OR IGNORE p SET id = 11 WHERE id = 10", guard.ErrUpsert},
		{"C22 update ignore", guard.MySQL, "UPDATE IGNORE p SET id = 11 WHERE id = 10", guard.ErrUpsert},
		{"C22 update ignore of joined tables", guard.MySQL, "UPDATE IGNORE x JOIN p ON x.a = p.id SET p.id = 11 WHERE x.id = 10", guard.ErrUpsert},
		{"WITH in a WITH", guard.MySQL, "WITH p AS (SELECT 1) SELECT * FROM (WITH z AS (SELECT * FROM p) SELECT * FROM z) d", guard.ErrNotUnderstood},
		{"WITH in a WITH, deeper", guard.MySQL, "WITH p AS (SELECT 1) SELECT (WITH RECURSIVE z AS (SELECT * FROM (SELECT * FROM p) y) SELECT * FROM z) d", guard.ErrNotUnderstood},
		{"names in another set", guard.MySQL, "SET NAMES gbk", guard.ErrNotUnderstood},
		{"encoding", guard.Postgres, "SET client_encoding TO 'SJIS'", guard.ErrNotUnderstood},
		{"procedure with a body", guard.MySQL, "CREATE PROCEDURE z() BEGIN TRUNCATE p; END", guard.ErrNotUnderstood},
		{"procedure with a statement", guard.MySQL, "CREATE PROCEDURE z() REPLACE INTO p VALUES (1)", guard.ErrNotUnderstood},
		{"function with a body", guard.Postgres, "CREATE FUNCTION z() RETURNS bigint RETURN (SELECT count(*) FROM p)", guard.ErrNotUnderstood},
		{"function with an atomic body", guard.Postgres, "CREATE FUNCTION z() RETURNS bigint BEGIN ATOMIC DELETE FROM p; END", guard.ErrNotUnderstood},
		{"rule that deletes", guard.Postgres, "CREATE RULE z AS ON DELETE TO x DO DELETE FROM p WHERE id = OLD.id", guard.ErrWrite},
		{"trigger", guard.SQLite, "CREATE TRIGGER z AFTER INSERT ON x BEGIN DELETE FROM p; END", guard.ErrNotUnderstood},
		{"trigger", guard.MySQL, "CREATE TRIGGER z BEFORE INSERT ON x FOR EACH ROW DELETE FROM p", guard.ErrNotUnderstood},
		{"event", guard.MySQL, "ALTER EVENT z DO DELETE FROM p", guard.ErrNotUnderstood},
		{"compound", guard.MySQL, "BEGIN NOT ATOMIC SELECT * FROM p; END", guard.ErrNotUnderstood},
		{"execute", guard.MySQL, "EXECUTE IMMEDIATE 'SELECT * FROM p'", guard.ErrNotUnderstood},
		{"recursive view", guard.Postgres, "CREATE RECURSIVE VIEW z (n) AS VALUES (1) UNION ALL SELECT n + 1 FROM z", guard.ErrNotUnderstood},
		{"copied out", guard.Postgres, "COPY p TO STDOUT", guard.ErrDerived},
		{"copied with columns", guard.Postgres, "COPY s.p (id, a) TO '/tmp/x' WITH (FORMAT csv)", guard.ErrDerived},
		{"copied from", guard.Postgres, "COPY x FROM STDIN WHERE a IN (SELECT id FROM p)", guard.ErrNotUnderstood},
		{"shown", guard.MySQL, "SHOW TABLES WHERE 1 IN (SELECT id FROM p)", guard.ErrNotUnderstood},
		{"setting by a view", guard.Postgres, "UPDATE pg_settings SET setting = 'off' WHERE name = 'standard_conforming_strings'", guard.ErrNotUnderstood},
		{"setting by an argument", guard.Postgres, "SELECT set_config($1, $2, false)", guard.ErrNotUnderstood},
		{"mode in quotes", guard.MySQL, "SET `sql_mode` = 'ANSI_QUOTES'", guard.ErrNotUnderstood},
		{"mode of the session", guard.MySQL, "SET a = 1, @@session.`SQL_MODE` = ''", guard.ErrNotUnderstood},
		{"mode as a variable", guard.MySQL, "SET @@`sql_mode` := ''", guard.ErrNotUnderstood},
		{"setting in quotes", guard.Postgres, `SET LOCAL "standard_conforming_strings" TO off`, guard.ErrNotUnderstood},
		{"mode", guard.MySQL, "SET sql_mode = 'ANSI_QUOTES'", guard.ErrNotUnderstood},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if text, err := newGuard(t, test.d, nil).Rewrite(test.text); text != "" || !errors.Is(err, test.want) {
				t.Errorf("Rewrite = %q, %v; want %v", text, err, test.want)
			}
		})
	}
}

// What one product alone reads so.
func TestProducts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		d          *guard.Dialect
		text, want string
	}{
		{"the comma is a join", guard.SQLite, "SELECT * FROM x, p RIGHT JOIN y ON 1", `SELECT * FROM x, p RIGHT JOIN y ON (1) AND p."gone" IS NULL`},
		{"a join without ON", guard.SQLite, "SELECT * FROM x LEFT JOIN p", `SELECT * FROM x LEFT JOIN p ON p."gone" IS NULL`},
		{"a string names a table", guard.SQLite, "SELECT * FROM 'p'", `SELECT * FROM 'p' WHERE 'p'."gone" IS NULL`},
		{"brackets", guard.SQLite, "SELECT * FROM [p]", `SELECT * FROM [p] WHERE [p]."gone" IS NULL`},
		{"item by its text", guard.SQLite, "SELECT (SELECT 1 FROM p) FROM x", `SELECT (SELECT 1 FROM p WHERE p."gone" IS NULL) AS "(SELECT 1 FROM p)" FROM x`},
		{"FULL is an alias", guard.MySQL, "SELECT * FROM p FULL JOIN x ON full.id = x.id", "SELECT * FROM p FULL JOIN x ON full.id = x.id WHERE FULL.`gone` IS NULL"},
		{"a variable ends with a dot", guard.MySQL, "SELECT @a. FROM p", "SELECT @a. FROM p WHERE p.`gone` IS NULL"},
		{"dual", guard.MySQL, "SELECT 1 FROM DUAL", "SELECT 1 FROM DUAL"},
		{"joined update", guard.MySQL, "UPDATE x LEFT JOIN p ON p.id = x.id SET x.a = 1 WHERE x.id = 1", "UPDATE x LEFT JOIN p ON (p.id = x.id) AND p.`gone` IS NULL SET x.a = 1 WHERE x.id = 1"},
		{"default values", guard.Postgres, "INSERT INTO p DEFAULT VALUES", "INSERT INTO p DEFAULT VALUES"},
		{"trailing ON", guard.Postgres, "SELECT * FROM x LEFT JOIN p JOIN c ON c.pid = p.id ON p.a = x.a", `SELECT * FROM x LEFT JOIN p JOIN c ON c.pid = p.id ON (p.a = x.a) AND p."gone" IS NULL AND c."gone" IS NULL`},
		{"two of one name and a schema", guard.SQLite, "SELECT 1 FROM main.c, c", `SELECT 1 FROM (SELECT * FROM main.c WHERE main.c."gone" IS NULL) AS "c", (SELECT * FROM c WHERE c."gone" IS NULL) AS c`},
		{"two of one name", guard.SQLite, "SELECT 1 FROM c JOIN C USING (id)", `SELECT 1 FROM (SELECT * FROM c WHERE c."gone" IS NULL) AS c JOIN (SELECT * FROM C WHERE C."gone" IS NULL) AS C USING (id)`},
		{"end of a string", guard.MySQL, "SELECT * FROM p WHERE a = ''LIMIT 2", "SELECT * FROM p WHERE (a = '') AND p.`gone` IS NULL LIMIT 2"},
		{"start of a name", guard.MySQL, "SELECT * FROM`p`LEFT JOIN`c`USING(id)", "SELECT * FROM`p`LEFT JOIN(SELECT * FROM `c` WHERE `c`.`gone` IS NULL) AS `c` USING(id) WHERE `p`.`gone` IS NULL"},
		{"check option", guard.Postgres, "CREATE VIEW z AS SELECT * FROM p WHERE a > 0 WITH LOCAL CHECK OPTION", `CREATE VIEW z AS SELECT * FROM p WHERE (a > 0) AND p."gone" IS NULL WITH LOCAL CHECK OPTION`},
		{"no data", guard.Postgres, "CREATE MATERIALIZED VIEW z AS SELECT * FROM p WITH NO DATA", `CREATE MATERIALIZED VIEW z AS SELECT * FROM p WHERE p."gone" IS NULL WITH NO DATA`},
		{"a table of a WITH query", guard.MySQL, "CREATE TABLE z WITH p AS (SELECT * FROM c) SELECT * FROM p", "CREATE TABLE z WITH p AS (SELECT * FROM c WHERE c.`gone` IS NULL) SELECT * FROM p"},
		{"analyze", guard.MySQL, "ANALYZE LOCAL TABLE p", "ANALYZE LOCAL TABLE p"},
		{"partition", guard.Postgres, "CREATE TABLE z PARTITION OF p FOR VALUES IN (2)", "CREATE TABLE z PARTITION OF p FOR VALUES IN (2)"},
		{"foreign key", guard.Postgres, "ALTER TABLE c ADD FOREIGN KEY (pid) REFERENCES p (id) ON DELETE CASCADE ON UPDATE SET NULL", "ALTER TABLE c ADD FOREIGN KEY (pid) REFERENCES p (id) ON DELETE CASCADE ON UPDATE SET NULL"},
		{"policy", guard.Postgres, "CREATE POLICY z ON x FOR SELECT USING (a IN (SELECT id FROM p))", `CREATE POLICY z ON x FOR SELECT USING (a IN (SELECT id FROM p WHERE p."gone" IS NULL))`},
		{"trigger", guard.Postgres, "CREATE TRIGGER z BEFORE INSERT OR UPDATE OF a ON p FOR EACH ROW EXECUTE FUNCTION f('SELECT')", "CREATE TRIGGER z BEFORE INSERT OR UPDATE OF a ON p FOR EACH ROW EXECUTE FUNCTION f('SELECT')"},
		{"rule", guard.Postgres, "CREATE RULE z AS ON INSERT TO x DO ALSO (UPDATE p SET a = 1 WHERE id = NEW.id; INSERT INTO y SELECT id FROM c)", `CREATE RULE z AS ON INSERT TO x DO ALSO (UPDATE p SET a = 1 WHERE (id = NEW.id) AND p."gone" IS NULL; INSERT INTO y SELECT id FROM c WHERE c."gone" IS NULL)`},
		{"order by an operator", guard.Postgres, "SELECT a FROM p ORDER BY a USING OPERATOR(pg_catalog.<) NULLS FIRST, b USING ~>~", `SELECT a FROM p WHERE p."gone" IS NULL ORDER BY a USING OPERATOR(pg_catalog.<) NULLS FIRST, b USING ~>~`},
		{"collation for", guard.Postgres, "SELECT collation FOR ((SELECT a FROM p LIMIT 1))", `SELECT collation FOR ((SELECT a FROM p WHERE p."gone" IS NULL LIMIT 1))`},
		{"copied write", guard.Postgres, "COPY (UPDATE p SET a = 1 WHERE b RETURNING a) TO STDOUT", `COPY (UPDATE p SET a = 1 WHERE (b) AND p."gone" IS NULL RETURNING a) TO STDOUT`},
		{"execute", guard.Postgres, "EXECUTE q ((SELECT max(id) FROM p))", `EXECUTE q ((SELECT max(id) FROM p WHERE p."gone" IS NULL))`},
		{"altered view", guard.MySQL, "ALTER VIEW z AS SELECT * FROM p", "ALTER VIEW z AS SELECT * FROM p WHERE p.`gone` IS NULL"},
		{"names", guard.MySQL, "SET NAMES utf8mb4 COLLATE utf8mb4_bin", "SET NAMES utf8mb4 COLLATE utf8mb4_bin"},
		{"pragma", guard.SQLite, "PRAGMA journal_mode=DELETE", "PRAGMA journal_mode=DELETE"},
		{"values of a column", guard.Postgres, "SELECT unnest(values) FROM p", `SELECT unnest(values) FROM p WHERE p."gone" IS NULL`},
		{"delete of all columns", guard.MySQL, "DELETE s.l.*, x.* FROM s.log AS l JOIN x ON l.id = x.id JOIN p ON p.id = x.id", "DELETE s.l.*, x.* FROM s.log AS l JOIN x ON l.id = x.id JOIN p ON p.id = x.id WHERE p.`gone` IS NULL"},
		{"order in arguments", guard.Postgres, "SELECT array_agg(a ORDER BY b USING OPERATOR(public.<^)) FROM p", `SELECT array_agg(a ORDER BY b USING OPERATOR(public.<^)) FROM p WHERE p."gone" IS NULL`},
		{"a view's long name", guard.MySQL, "CREATE VIEW z AS SELECT (SELECT '0123456789012345678901234567890123456789012345678901234567890123' FROM p)",
			"CREATE VIEW z AS SELECT (SELECT '0123456789012345678901234567890123456789012345678901234567890123' FROM p WHERE p.`gone` IS NULL)"},
		{"quick", guard.MySQL, "UPDATE quick p SET a = 1 WHERE b", "UPDATE quick p SET a = 1 WHERE b"},
		{"quick delete", guard.MySQL, "DELETE QUICK IGNORE FROM log WHERE id = 1", "DELETE QUICK IGNORE FROM log WHERE id = 1"},
		{"WITH in a main query", guard.MySQL, "WITH p AS (SELECT 1) SELECT * FROM (WITH z AS (SELECT * FROM c) SELECT z.* FROM z, p) d", "WITH p AS (SELECT 1) SELECT * FROM (WITH z AS (SELECT * FROM c WHERE c.`gone` IS NULL) SELECT z.* FROM z, p) d"},
		{"alias in parentheses", guard.SQLite, "SELECT * FROM x JOIN (c y) ON y.id = 1", `SELECT * FROM x JOIN ((SELECT * FROM c WHERE c."gone" IS NULL) y) ON y.id = 1`},
		{"two parentheses", guard.SQLite, "SELECT * FROM x, ((c AS y))", `SELECT * FROM x, (((SELECT * FROM c WHERE c."gone" IS NULL) AS y))`},
		{"table in parentheses", guard.SQLite, "SELECT * FROM x JOIN (c)", `SELECT * FROM x JOIN (c) WHERE c."gone" IS NULL`},
		{"update or fail", guard.SQLite, "UPDATE OR FAIL p SET a = 11 WHERE id = 10", `UPDATE OR FAIL p SET a = 11 WHERE (id = 10) AND p."gone" IS NULL`},
		{"copied into", guard.Postgres, "COPY p (id, a) FROM STDIN WITH (FORMAT csv, HEADER)", "COPY p (id, a) FROM STDIN WITH (FORMAT csv, HEADER)"},
		{"a copied query", guard.Postgres, "COPY (SELECT * FROM p) TO STDOUT", `COPY (SELECT * FROM p WHERE p."gone" IS NULL) TO STDOUT`},
		{"another table copied out", guard.Postgres, "COPY z TO STDOUT", "COPY z TO STDOUT"},
		{"shown", guard.MySQL, "SHOW FULL COLUMNS FROM p FROM s WHERE field = 'a'", "SHOW FULL COLUMNS FROM p FROM s WHERE field = 'a'"},
		{"a copy of a table", guard.MySQL, "CREATE TABLE x TABLE p", "CREATE TABLE x SELECT * FROM p WHERE p.`gone` IS NULL"},
		{"a copy with AS", guard.Postgres, "CREATE TABLE x AS TABLE p", `CREATE TABLE x AS SELECT * FROM p WHERE p."gone" IS NULL`},
		{"TABLE", guard.Postgres, "TABLE p ORDER BY id", `SELECT * FROM p WHERE p."gone" IS NULL ORDER BY id`},
		{"operators", guard.Postgres, "SELECT data#>>'{a,b}' FROM p WHERE a ? 'b'", `SELECT data#>>'{a,b}' FROM p WHERE (a ? 'b') AND p."gone" IS NULL`},
		{"escapes", guard.Postgres, `SELECT E'\' FROM x', a FROM p`, `SELECT E'\' FROM x', a FROM p WHERE p."gone" IS NULL`},
		{"merge", guard.Postgres, "MERGE INTO p USING c ON p.id = c.pid WHEN MATCHED THEN UPDATE SET a = 1",
			`MERGE INTO p USING (SELECT * FROM c WHERE c."gone" IS NULL) AS c ON (p.id = c.pid) AND p."gone" IS NULL WHEN MATCHED THEN UPDATE SET a = 1`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := newGuard(t, test.d, nil).Rewrite(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// C19: scopes are per reference, and their order does not matter.
func TestScopes(t *testing.T) {
	t.Parallel()
	g := newGuard(t, guard.Postgres, nil)
	const text = "SELECT * FROM p LEFT JOIN c AS k ON k.pid = p.id"
	tests := []struct {
		name string
		g    *guard.Guard
		want string
	}{
		{"everything", g.With(lifecycle.Everything), text},
		{"alias", g.With(lifecycle.OnlyTrashed, "k"), `SELECT * FROM p LEFT JOIN c AS k ON (k.pid = p.id) AND k."gone" IS NOT NULL WHERE p."gone" IS NULL`},
		{"table", g.With(lifecycle.Everything, "p"), `SELECT * FROM p LEFT JOIN c AS k ON (k.pid = p.id) AND k."gone" IS NULL`},
		{"order", g.With(lifecycle.Everything, "p").With(lifecycle.OnlyTrashed), `SELECT * FROM p LEFT JOIN c AS k ON (k.pid = p.id) AND k."gone" IS NOT NULL`},
		{"other order", g.With(lifecycle.OnlyTrashed).With(lifecycle.Everything, "p"), `SELECT * FROM p LEFT JOIN c AS k ON (k.pid = p.id) AND k."gone" IS NOT NULL`},
		{"unchanged", g, `SELECT * FROM p LEFT JOIN c AS k ON (k.pid = p.id) AND k."gone" IS NULL WHERE p."gone" IS NULL`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for range 2 { // the second time from the cache
				got, err := test.g.Rewrite(text)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			}
		})
	}
	for name, refused := range map[string]*guard.Guard{
		"unknown reference": g.With(lifecycle.Everything, "z"), "no trash": g.With(lifecycle.OnlyTrashed, "staff"),
	} {
		if text, err := refused.Rewrite("SELECT * FROM staff"); text != "" || !errors.Is(err, guard.ErrScope) {
			t.Errorf("%s: Rewrite = %q, %v; want %v", name, text, err, guard.ErrScope)
		}
	}
}

func TestStrict(t *testing.T) {
	t.Parallel()
	g := newGuard(t, guard.Postgres, &guard.Options{Strict: true, Allow: []string{"x", "s.y"}})
	for text, want := range map[string]error{
		"SELECT * FROM x, s.y": nil, "SELECT * FROM p, z": guard.ErrUnregistered, "SELECT * FROM y": guard.ErrUnregistered,
	} {
		if _, err := g.Rewrite(text); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
}
