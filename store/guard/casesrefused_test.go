package guard_test

import (
	"testing"

	sq "github.com/Masterminds/squirrel"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
)

// Writes that get no answer, since every one would be wrong: C15, C22, C23, C25.
func TestCasesRefused(t *testing.T) {
	t.Parallel()
	each(t, []scenario{
		{name: "C15 DO UPDATE", own: dialectTexts{
			guard.Postgres: "INSERT INTO parent (id, name) VALUES (2, 'new') ON CONFLICT (id) DO UPDATE SET name = excluded.name",
			guard.MySQL:    "INSERT INTO parent (id, name) VALUES (2, 'new') ON DUPLICATE KEY UPDATE name = VALUES(name)",
			guard.SQLite:   "INSERT INTO parent (id, name) VALUES (2, 'new') ON CONFLICT (id) DO UPDATE SET name = excluded.name",
		}, refused: guard.ErrUpsert},
		{name: "C15 DO NOTHING", own: dialectTexts{
			guard.Postgres: "INSERT INTO parent (id, name) VALUES (2, 'new') ON CONFLICT DO NOTHING",
			guard.MySQL:    "INSERT IGNORE INTO parent (id, name) VALUES (2, 'new')",
			guard.SQLite:   "INSERT OR IGNORE INTO parent (id, name) VALUES (2, 'new')",
		}, refused: guard.ErrUpsert},
		{name: "C15 DO NOTHING behind a key", text: "INSERT INTO parent (id, name) VALUES (2, 'new') ON CONFLICT (id) DO NOTHING", own: dialectTexts{guard.MySQL: ""}, refused: guard.ErrUpsert},
		{name: "C15 of a SELECT", own: dialectTexts{
			guard.Postgres: "INSERT INTO parent (id, name) SELECT id, 'n' FROM note ON CONFLICT (id) DO UPDATE SET name = 'new'",
			guard.MySQL:    "INSERT INTO parent (id, name) SELECT id, 'n' FROM note ON DUPLICATE KEY UPDATE name = 'new'",
			guard.SQLite:   "INSERT INTO parent (id, name) SELECT id, 'n' FROM note WHERE true ON CONFLICT (id) DO UPDATE SET name = 'new'",
		}, refused: guard.ErrUpsert},
		{name: "C15 RETURNING", text: "INSERT INTO parent (id, name) VALUES (2, 'new') ON CONFLICT (id) DO UPDATE SET name = 'new' RETURNING id, deleted_at", own: dialectTexts{guard.MySQL: ""}, refused: guard.ErrUpsert},
		{name: "C15 in a WITH", own: dialectTexts{
			guard.Postgres: "WITH done AS (INSERT INTO parent (id, name) VALUES (2, 'new') ON CONFLICT (id) DO UPDATE SET name = 'new' RETURNING id) SELECT id FROM done",
		}, refused: guard.ErrUpsert},
		{name: "C15 squirrel", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			return b.Insert("child").Columns("id", "pid").Values(11, 2).Suffix("ON CONFLICT (id) DO UPDATE SET pid = 2")
		}, own: dialectTexts{guard.MySQL: ""}, refused: guard.ErrUpsert},
		{name: "C15 replace", own: dialectTexts{
			guard.MySQL:  "REPLACE INTO parent (id, name) VALUES (2, 'new')",
			guard.SQLite: "INSERT OR REPLACE INTO parent (id, name) VALUES (2, 'new')",
		}, refused: guard.ErrWrite},
		{name: "C15 REPLACE of SQLite", own: dialectTexts{guard.SQLite: "REPLACE INTO parent (id, name) VALUES (2, 'new')"}, refused: guard.ErrWrite},
		{name: "C15 UPDATE OR REPLACE", own: dialectTexts{guard.SQLite: "UPDATE OR REPLACE child SET id = 11 WHERE id = 10"}, refused: guard.ErrWrite},
		{name: "C15 UPDATE that keeps a hidden row", own: dialectTexts{
			guard.SQLite: "UPDATE OR IGNORE parent SET id = 2 WHERE id = 1", guard.MySQL: "UPDATE IGNORE parent SET id = 2 WHERE id = 1",
		}, refused: guard.ErrUpsert},
		{name: "C22 DELETE", text: "DELETE FROM parent WHERE id = 2", refused: guard.ErrWrite},
		{name: "C22 DELETE of a reserved name", text: `DELETE FROM "order" WHERE "group" = 1`, refused: guard.ErrWrite},
		{name: "C22 DELETE OR", text: "DELETE FROM child WHERE id = 10 OR id = 11", refused: guard.ErrWrite},
		{name: "C22 DELETE of the trash", text: "DELETE FROM child WHERE id = 11", with: with(lifecycle.OnlyTrashed), refused: guard.ErrWrite},
		{name: "C22 DELETE RETURNING", text: "DELETE FROM parent WHERE id < 3 RETURNING id", mariadb: "DELETE FROM parent WHERE id < 3 RETURNING id", refused: guard.ErrWrite},
		{name: "C22 DELETE with an alias", text: "DELETE FROM parent AS p WHERE p.id = 2", own: dialectTexts{guard.MySQL: "DELETE p FROM parent AS p WHERE p.id = 2"}, refused: guard.ErrWrite},
		{name: "C22 DELETE with a join", own: dialectTexts{
			guard.Postgres: "DELETE FROM child USING parent p WHERE p.id = child.pid",
			guard.MySQL:    "DELETE c FROM child c JOIN parent p ON p.id = c.pid",
		}, refused: guard.ErrWrite},
		{name: "C22 DELETE of two", own: dialectTexts{guard.MySQL: "DELETE l, c FROM login l JOIN child c ON c.pid = l.pid"}, refused: guard.ErrWrite},
		{name: "C22 DELETE in a WITH", own: dialectTexts{guard.Postgres: "WITH gone AS (DELETE FROM child WHERE pid = 1 RETURNING id) SELECT id FROM gone"}, refused: guard.ErrWrite},
		{name: "C22 DELETE of a status table", text: "DELETE FROM staff WHERE pid NOT IN (SELECT id FROM parent)", refused: guard.ErrWrite},
		{name: "C22 TRUNCATE", own: dialectTexts{guard.Postgres: "TRUNCATE parent"}, refused: guard.ErrWrite},
		{name: "C22 TRUNCATE among others", own: dialectTexts{guard.Postgres: "TRUNCATE TABLE login, ONLY child CASCADE"}, refused: guard.ErrWrite},
		{name: "C22 MERGE that deletes", own: dialectTexts{guard.Postgres: "MERGE INTO child c USING parent p ON p.id = c.pid WHEN MATCHED THEN DELETE"}, refused: guard.ErrWrite},
		{name: "C23 UPDATE of all", text: "UPDATE parent SET ver = 9", refused: guard.ErrUnconditional},
		{name: "C23 UPDATE of the trash", text: "UPDATE parent SET ver = 9", with: with(lifecycle.OnlyTrashed), refused: guard.ErrUnconditional},
		{name: "C23 UPDATE of everything", text: "UPDATE parent SET ver = 9", with: with(lifecycle.Everything), refused: guard.ErrUnconditional},
		{name: "C23 UPDATE with a condition elsewhere", text: "UPDATE parent SET ver = (SELECT COUNT(*) FROM child WHERE id > 0)", refused: guard.ErrUnconditional},
		{name: "C23 UPDATE with a limit", own: dialectTexts{guard.MySQL: "UPDATE parent SET ver = 9 ORDER BY id DESC LIMIT 1"}, refused: guard.ErrUnconditional},
		{name: "C23 UPDATE with a join", own: dialectTexts{guard.MySQL: "UPDATE parent p LEFT JOIN child c ON c.pid = p.id SET p.ver = 9"}, refused: guard.ErrUnconditional},
		{name: "C23 UPDATE with a comment for a condition", text: "UPDATE parent SET ver = 9 /* WHERE id = 1 */", refused: guard.ErrUnconditional},
		{name: "C23 squirrel without a condition", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			return b.Update("parent").Set("ver", 9)
		}, refused: guard.ErrUnconditional},
		{name: "C25 purge through the guard", text: "DELETE FROM child WHERE pid = 1 AND deleted_at IS NOT NULL", with: with(lifecycle.Everything), refused: guard.ErrWrite},
		{name: "C10 name with escapes", own: dialectTexts{guard.Postgres: `UPDATE U&"\006Frder" SET total = 0 WHERE id < 3`}, refused: guard.ErrNotUnderstood},
		{name: "C11 lock behind USING", own: dialectTexts{guard.MySQL: "SELECT * FROM link LEFT JOIN tag USING (tag_id) FOR UPDATE"}, refused: guard.ErrDerived},
		{name: "C11 hint behind USING", own: dialectTexts{guard.MySQL: "SELECT * FROM link LEFT JOIN tag USE INDEX (PRIMARY) USING (tag_id)"}, refused: guard.ErrDerived},
		{name: "C11 sample behind FULL", own: dialectTexts{guard.Postgres: "SELECT p.id, c.id AS c FROM parent p FULL JOIN child c TABLESAMPLE BERNOULLI (100) ON c.pid = p.id"}, refused: guard.ErrDerived},
		{name: "C11 rowid behind USING", own: dialectTexts{guard.SQLite: "SELECT tag.rowid FROM link LEFT JOIN tag USING (tag_id)"}, refused: guard.ErrDerived},
	}, refuses)
}

// squirrel leaves an empty condition in the text, which must not become one of the
// guard's alone: C17.
func TestCasesEmptyCondition(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		b := newBed(t, d, nil)
		tests := []struct {
			name string
			q    sq.Sqlizer
		}{
			{"C17 alone", sq.Select("id").From("parent").Where(sq.Expr(""))},
			{"C17 before another", sq.Select("id").From("parent").Where(sq.Expr("")).Where("id = 2")},
			{"C17 before an order", sq.Select("id").From("parent").Where(sq.Expr("")).OrderBy("id")},
			{"C17 in an UPDATE", sq.Update("parent").Set("ver", 9).Where(sq.Expr(""))},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				text, args, err := test.q.ToSql()
				if err != nil {
					t.Fatal(err)
				}
				if result, err := (&scenario{}).guard(t, b.d).Runner(b.full.db).ExecContext(t.Context(), text, args...); err == nil {
					t.Errorf("%s\nExec = %v, want an error", text, result)
				}
			})
		}
	})
}
