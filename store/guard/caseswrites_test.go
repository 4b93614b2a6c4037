package guard_test

import (
	"testing"

	sq "github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
)

// Updates, which change what is shown and nothing else: C02, C04, C20, C21, C23,
// C25, C27, C29.
func TestCasesUpdates(t *testing.T) {
	t.Parallel()
	const day = "'2026-06-01 00:00:00'"
	each(t, []scenario{
		{name: "C02 UPDATE newline", text: "UPDATE parent SET ver = 9 WHERE id = 1\nOR id = 2"},
		{name: "C02 UPDATE glued", text: "UPDATE parent SET ver = 9 WHERE (id = 1)or(id = 2)"},
		{name: "C02 UPDATE comment", text: "UPDATE parent SET ver = 9 WHERE id = 1/**/OR/**/id = 2 -- the end"},
		{name: "C02 UPDATE within quotes", text: "UPDATE parent SET name = 'x WHERE y' WHERE name = ' OR ' OR name = 'b'"},
		{name: "C04 trash", text: "UPDATE parent SET deleted_at = " + day + " WHERE id = 1 OR id = 2"},
		{name: "C04 restore", text: "UPDATE parent SET deleted_at = NULL WHERE id = 1 OR id = 2 OR id = 5"},
		{name: "C04 restore from the trash", text: "UPDATE parent SET deleted_at = NULL WHERE id = 2 OR id = 5", with: with(lifecycle.OnlyTrashed), shows: shows{"": lifecycle.OnlyTrashed}},
		{name: "C04 squirrel", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			return b.Update("parent").Set("ver", 9).Where("id = ? OR id = ?", 1, 2)
		}},
		{name: "C20 UPDATE", text: "UPDATE parent SET name = 'new' WHERE id = 2"},
		{name: "C20 UPDATE with an alias", text: "UPDATE parent AS p SET name = 'new' WHERE p.id = 2 OR p.id = 3"},
		{name: "C20 UPDATE of a reserved name", text: `UPDATE "order" SET "group" = 7 WHERE "group" = 1`},
		{name: "C20 UPDATE with a schema", text: `UPDATE {schema}.parent SET name = 'new' WHERE id = 2 OR name = 'b'`},
		{name: "C20 UPDATE that revives", text: "UPDATE tag SET is_deleted = 0, name = 'back' WHERE tag_id = 2"},
		{name: "C20 UPDATE with a sub-select", text: "UPDATE parent SET ver = (SELECT COUNT(*) FROM child c WHERE c.pid = parent.id) WHERE id > 0"},
		{name: "C20 UPDATE by a sub-select", text: "UPDATE child SET qty = 0 WHERE pid IN (SELECT id FROM parent)"},
		{name: "C20 UPDATE of what is left alone", text: "UPDATE note SET name = 'x' WHERE pid IN (SELECT id FROM parent) OR id = 1"},
		{name: "C20 UPDATE of a technical table", text: "UPDATE login SET pid = 0 WHERE EXISTS (SELECT 1 FROM parent p WHERE p.id = login.pid)"},
		{name: "C20 UPDATE with an order", own: dialectTexts{guard.MySQL: "UPDATE parent SET ver = 9 WHERE id > 1 ORDER BY id LIMIT 2"}},
		{name: "C20 RETURNING", text: "UPDATE parent SET ver = ver + 1 WHERE id < 3 RETURNING id, ver, (SELECT COUNT(*) FROM child c WHERE c.pid = parent.id) AS n", own: dialectTexts{guard.MySQL: ""}},
		{name: "C20 WITH before", own: dialectTexts{
			guard.Postgres: "WITH c AS (SELECT pid FROM child WHERE qty > 6) UPDATE parent SET ver = 9 WHERE id IN (SELECT pid FROM c) OR id = 7",
			guard.SQLite:   "WITH c AS (SELECT pid FROM child WHERE qty > 6) UPDATE parent SET ver = 9 WHERE id IN (SELECT pid FROM c) OR id = 7",
		}},
		{name: "C20 WITH that writes", own: dialectTexts{guard.Postgres: "WITH done AS (UPDATE parent SET ver = 9 WHERE id = 1 OR id = 2 RETURNING id) SELECT done.id, c.id AS c FROM done LEFT JOIN child c ON c.pid = done.id"}},
		{name: "C21 trash twice", text: "UPDATE child SET deleted_at = " + day + " WHERE id = 11"},
		{name: "C21 trash twice among others", text: "UPDATE child SET deleted_at = " + day + " WHERE pid = 1"},
		{name: "C21 trash a flag twice", text: "UPDATE tag SET is_deleted = 1, name = 'gone' WHERE tag_id < 3"},
		{name: "C23 all that is shown, where asked for", text: "UPDATE parent SET ver = 9", options: &guard.Options{Unconditional: true}},
		{name: "C25 trash of one tenant", text: "UPDATE child SET qty = 0 WHERE pid = 1", with: with(lifecycle.OnlyTrashed, "child"), shows: shows{"child": lifecycle.OnlyTrashed}},
		{name: "C27 SET from left to right", text: "UPDATE parent SET is_deleted = 1, deleted_at = CASE WHEN is_deleted = 1 THEN deleted_at ELSE " + day + " END WHERE id = 1 OR id = 2"},
		{name: "C27 SET of the flag last", text: "UPDATE parent SET deleted_at = " + day + ", is_deleted = 1, ver = ver + is_deleted WHERE name = 'a' OR name = 'b'"},
		{name: "C29 version", text: "UPDATE parent SET name = 'new', ver = ver + 1 WHERE id = 2 AND ver = 0"},
		{name: "C29 version of one that is shown", text: "UPDATE parent SET name = 'new', ver = ver + 1 WHERE ver = 0 AND (id = 1 OR id = 2)"},
		{name: "typeorm 8289", own: dialectTexts{
			guard.Postgres: "UPDATE child SET qty = 0 FROM parent p WHERE p.id = child.pid AND p.name = 'a' OR p.id = 2 AND child.pid = 2",
			guard.MySQL:    "UPDATE child c INNER JOIN parent p ON p.id = c.pid SET c.qty = 0 WHERE p.name = 'a' OR p.name = 'b'",
			guard.SQLite:   "UPDATE child SET qty = 0 FROM parent p WHERE p.id = child.pid AND (p.name = 'a' OR p.name = 'b')",
		}},
		{name: "typeorm 8289 outer join", own: dialectTexts{
			guard.Postgres: "UPDATE parent SET ver = COALESCE(x.qty, -1) FROM parent p LEFT JOIN child x ON x.pid = p.id AND x.qty > 4 WHERE p.id = parent.id AND p.id <> 6",
			guard.MySQL:    "UPDATE parent p LEFT JOIN child c ON c.pid = p.id SET p.ver = 9 WHERE c.id IS NULL",
			guard.SQLite:   "UPDATE parent SET ver = COALESCE(x.qty, -1) FROM parent p LEFT JOIN child x ON x.pid = p.id AND x.qty > 4 WHERE p.id = parent.id AND p.id <> 6",
		}},
		{name: "typeorm 8289 both sides", own: dialectTexts{
			guard.MySQL:    "UPDATE parent p, child c SET p.ver = 9, c.qty = 0 WHERE c.pid = p.id AND p.id < 6",
			guard.Postgres: "UPDATE child AS c SET qty = 0 FROM parent p, link l WHERE p.id = c.pid AND l.child_id = c.id",
		}},
		{name: "typeorm 8289 trash", own: dialectTexts{
			guard.Postgres: "UPDATE child SET deleted_at = " + day + " FROM parent p JOIN note n ON n.pid = p.id WHERE p.id = child.pid",
			guard.MySQL:    "UPDATE child c JOIN parent p ON p.id = c.pid JOIN note n ON n.pid = p.id SET c.deleted_at = " + day + " WHERE n.id > 0",
			guard.SQLite:   "UPDATE child SET deleted_at = " + day + " FROM parent p JOIN note n ON n.pid = p.id WHERE p.id = child.pid",
		}},
	}, writesAs)
}

// Inserts, which are not filtered, and what they read, which is; deletes of tables
// without a life: C14, C22.
func TestCasesInserts(t *testing.T) {
	t.Parallel()
	each(t, []scenario{
		{name: "mybatis-plus 4998", text: "INSERT INTO parent (id, name) VALUES (100, 'n'), (101, NULL)", alike: true},
		{name: "mybatis-plus 4998 SET", own: dialectTexts{guard.MySQL: "INSERT INTO parent SET id = 100, name = 'n'"}, alike: true},
		{name: "mybatis-plus 4998 with a sub-select", text: "INSERT INTO parent (id, ver) VALUES (100, (SELECT COUNT(*) FROM child))"},
		{name: "mybatis-plus 4998 squirrel", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			return b.Insert("parent").Columns("id", "name").Values(100, "n").Values(101, "m")
		}, alike: true},
		{name: "mybatis-plus 4998 SELECT", text: "INSERT INTO note (id, pid, name) SELECT id + 100, id, name FROM parent WHERE name = 'a' OR name = 'b'"},
		{name: "mybatis-plus 4998 SELECT of a join", text: "INSERT INTO note (id, pid) SELECT p.id + 100, MAX(c.id) FROM parent p LEFT JOIN child c ON c.pid = p.id GROUP BY p.id"},
		{name: "mybatis-plus 4998 SELECT of the same table", text: "INSERT INTO parent (id, name) SELECT id + 100, name FROM parent WHERE id < 3"},
		{name: "mybatis-plus 4998 squirrel SELECT", build: func(b sq.StatementBuilderType) sq.Sqlizer {
			return b.Insert("note").Columns("id", "pid").Select(sq.Select("id + 100", "id").From("parent").Where("name = ? OR name = ?", "a", "b"))
		}},
		{name: "C14 DO NOTHING", own: dialectTexts{
			guard.Postgres: "INSERT INTO note (id, pid) VALUES (1, 9), (9, 9) ON CONFLICT DO NOTHING",
			guard.MySQL:    "INSERT IGNORE INTO note (id, pid) VALUES (1, 9), (9, 9)",
			guard.SQLite:   "INSERT OR IGNORE INTO note (id, pid) VALUES (1, 9), (9, 9)",
		}, alike: true},
		{name: "C14 DO UPDATE", own: dialectTexts{
			guard.Postgres: "INSERT INTO note (id, pid) VALUES (1, 9), (9, 9) ON CONFLICT (id) DO UPDATE SET pid = excluded.pid WHERE note.id > 0",
			guard.MySQL:    "INSERT INTO note (id, pid) VALUES (1, 9), (9, 9) ON DUPLICATE KEY UPDATE pid = VALUES(pid)",
			guard.SQLite:   "INSERT INTO note (id, pid) VALUES (1, 9), (9, 9) ON CONFLICT (id) DO UPDATE SET pid = excluded.pid WHERE note.id > 0",
		}, alike: true},
		{name: "C14 upsert of a SELECT", own: dialectTexts{
			guard.Postgres: "INSERT INTO note (id, name) SELECT id, name FROM parent ON CONFLICT (id) DO UPDATE SET name = excluded.name",
			guard.MySQL:    "INSERT INTO note (id, name) SELECT p.id, p.name FROM parent p ON DUPLICATE KEY UPDATE name = p.name",
			guard.SQLite:   "INSERT INTO note (id, name) SELECT id, name FROM parent WHERE true ON CONFLICT (id) DO UPDATE SET name = excluded.name",
		}},
		{name: "C14 upsert with a sub-select", own: dialectTexts{
			guard.Postgres: "INSERT INTO note (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET pid = (SELECT COUNT(*) FROM parent)",
			guard.MySQL:    "INSERT INTO note (id) VALUES (1) ON DUPLICATE KEY UPDATE pid = (SELECT COUNT(*) FROM parent)",
			guard.SQLite:   "INSERT INTO note (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET pid = (SELECT COUNT(*) FROM parent)",
		}},
		{name: "C14 upsert of a technical table", own: dialectTexts{
			guard.Postgres: "INSERT INTO login (id, pid) SELECT id, id FROM parent ON CONFLICT (id) DO NOTHING",
			guard.MySQL:    "REPLACE INTO login (id, pid) SELECT id, id FROM parent",
			guard.SQLite:   "INSERT OR REPLACE INTO login (id, pid) SELECT id, id FROM parent",
		}},
		{name: "C14 RETURNING", text: "INSERT INTO note (id, pid) SELECT id + 100, id FROM parent WHERE id < 3 RETURNING id, (SELECT COUNT(*) FROM child WHERE pid = 1) AS n", mariadb: "INSERT INTO note (id, pid) SELECT id + 100, id FROM parent WHERE id < 3 RETURNING id, pid"},
		{name: "C14 MERGE", own: dialectTexts{
			guard.Postgres: "MERGE INTO note n USING parent p ON n.id = p.id WHEN MATCHED AND p.id = 2 THEN DELETE WHEN MATCHED THEN UPDATE SET name = 'm' WHEN NOT MATCHED THEN INSERT (id, name) VALUES (p.id, p.name)",
		}},
		{name: "C14 MERGE into a table with a trash", own: dialectTexts{
			guard.Postgres: "MERGE INTO parent USING child c ON parent.id = c.pid AND c.qty <> 5 AND c.id <> 60 WHEN MATCHED THEN UPDATE SET ver = c.qty WHEN NOT MATCHED THEN DO NOTHING",
		}},
		{name: "C22 DELETE of a technical table", text: "DELETE FROM login WHERE pid IN (SELECT id FROM parent)"},
		{name: "C22 DELETE that counts", text: "DELETE FROM login WHERE (SELECT COUNT(*) FROM child c WHERE c.pid = login.pid) > 1 OR id = 5"},
		{name: "C22 DELETE of what is left alone", text: "DELETE FROM note WHERE NOT EXISTS (SELECT 1 FROM parent p WHERE p.id = note.pid)"},
		{name: "C22 DELETE with a join", own: dialectTexts{
			guard.Postgres: "DELETE FROM login USING parent p LEFT JOIN child c ON c.pid = p.id WHERE p.id = login.pid AND c.id IS NULL OR login.id = 2 AND p.id = 2",
			guard.MySQL:    "DELETE l FROM login l LEFT JOIN parent p ON p.id = l.pid WHERE p.id IS NULL",
		}},
		{name: "C22 DELETE USING", own: dialectTexts{guard.MySQL: "DELETE FROM l USING login AS l JOIN parent AS p ON p.id = l.pid WHERE p.name = 'a' OR p.name = 'b'"}},
	}, writesAs)
}

// MySQL counts rows changed or rows matched, as the DSN says; in neither does an
// UPDATE count what is hidden: C26.
func TestCasesRowsAffected(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		params []string
		same   int64 // what an UPDATE of one row counts that changes nothing
	}{
		{"C26 changed", nil, 0},
		{"C26 found", []string{"clientFoundRows=true"}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			full, ok := testdb.MySQL(t, test.params...)
			if !ok {
				return
			}
			b := newBed(t, full, nil, test.params...)
			for _, s := range []scenario{
				{name: "one", text: "UPDATE parent SET ver = 9 WHERE id = 2"},
				{name: "no change", text: "UPDATE parent SET ver = id - 1 WHERE id = 1 OR id = 2"},
				{name: "join", text: "UPDATE child c JOIN parent p ON p.id = c.pid SET c.qty = 5 WHERE p.id = 1 OR p.id = 2"},
			} {
				t.Run(s.name, func(t *testing.T) { writesAs(t, b, &s) })
			}
			s := scenario{text: "UPDATE parent SET ver = 0 WHERE id = 1 OR id = 2"}
			text, err := s.guard(t, b.d).Rewrite(s.text)
			if err != nil {
				t.Fatal(err)
			}
			got, err := b.write(t, b.full, text, nil, false)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.same, got.Affected); diff != "" {
				t.Errorf("rows affected (-want +got)\n%s", diff)
			}
		})
	}
}
