package store_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
)

// readersCase is a database with things that read and things that do not.
type readersCase struct {
	name string
	open func(testing.TB) (*testdb.Database, bool)
	do   []string
	want []string
}

// The tables have names that no other test of the suite uses: code in other
// schemas could mean them.
func readersTables() []*lifecycle.Table {
	return []*lifecycle.Table{{Name: "paper_r"}, {Name: "Old Paper_r"}, {Name: "login_r", Kind: lifecycle.Technical}}
}

func readersCases() []readersCase {
	return []readersCase{
		{"postgres", func(tb testing.TB) (*testdb.Database, bool) { return testdb.Postgres(tb) }, []string{
			"CREATE TABLE note_r (id int, paper int)",
			"CREATE VIEW all_papers AS SELECT id FROM paper_r",
			"CREATE VIEW over AS SELECT count(*) FROM all_papers",
			"CREATE VIEW fine AS SELECT id FROM live_paper_r",
			"CREATE VIEW logins AS SELECT id FROM login_r",
			"CREATE VIEW notes AS SELECT id FROM note_r",
			`CREATE MATERIALIZED VIEW "m v" AS SELECT p.id FROM note_r n LEFT JOIN paper_r p ON p.id = n.paper, "Old Paper_r" o`,
			"CREATE TABLE part_r () INHERITS (paper_r)",
			"CREATE FUNCTION exact() RETURNS bigint BEGIN ATOMIC SELECT count(*) FROM paper_r; END",
			"CREATE FUNCTION plain(int) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM paper_r'",
			`CREATE FUNCTION pl() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT count(*) FROM "Old Paper_r"); END $$`,
			"CREATE FUNCTION dynamic() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'DELETE FROM paper_r'; END $$",
			"CREATE FUNCTION calls() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN exact(); END $$",
			"CREATE FUNCTION harmless() RETURNS text LANGUAGE sql AS $$ SELECT 'paper_r' /* paper_r */ $$",
			"CREATE FUNCTION another() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM note_r'",
			"CREATE FUNCTION fires() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM 1 FROM Paper_R; RETURN NEW; END $$",
			"CREATE TRIGGER t AFTER INSERT ON note_r FOR EACH ROW EXECUTE FUNCTION fires()",
			"CREATE PROCEDURE does() LANGUAGE sql AS 'UPDATE paper_r SET id = id'",
			"CREATE VIEW via AS SELECT exact()",
			"CREATE RULE copy AS ON INSERT TO note_r DO ALSO DELETE FROM paper_r WHERE id = NEW.paper",
			"ALTER TABLE note_r ENABLE ROW LEVEL SECURITY",
			"CREATE POLICY kept ON note_r USING (EXISTS (SELECT FROM paper_r p WHERE p.id = paper))",
		}, []string{
			"function S.calls(): its text names paper_r",
			"function S.dynamic(): its text names paper_r",
			"function S.exact(): reads paper_r",
			"function S.pl(): its text names Old Paper_r",
			"function S.plain(integer): its text names paper_r",
			"materialized view S.m v: reads paper_r, Old Paper_r",
			"partition S.part_r: reads paper_r",
			"policy S.kept on note_r: reads paper_r",
			"procedure S.does(): its text names paper_r",
			"rule S.copy on note_r: reads paper_r",
			"trigger function S.fires(): its text names paper_r",
			"view S.all_papers: reads paper_r",
			"view S.over: reads paper_r",
			"view S.via: reads paper_r",
		}},
		{"mariadb", func(tb testing.TB) (*testdb.Database, bool) { return testdb.MySQL(tb) }, []string{
			"CREATE TABLE note_r (id int, paper int)",
			"CREATE VIEW all_papers AS SELECT id FROM paper_r",
			"CREATE VIEW over_r AS SELECT count(*) FROM all_papers",
			"CREATE VIEW fine AS SELECT id FROM live_paper_r",
			"CREATE VIEW aliased AS SELECT paper_r.id FROM note_r AS paper_r",
			"CREATE VIEW named AS SELECT id AS paper_r FROM note_r",
			"CREATE VIEW two AS SELECT a.id FROM note_r a JOIN `Old Paper_r` o ON o.id = a.id WHERE EXISTS (SELECT 1 FROM paper_r)",
			"CREATE FUNCTION counts() RETURNS INT READS SQL DATA RETURN (SELECT count(*) FROM paper_r)",
			"CREATE FUNCTION harmless() RETURNS INT NO SQL RETURN length('paper_r')",
			"CREATE PROCEDURE does() BEGIN PREPARE s FROM 'SELECT * FROM paper_r'; EXECUTE s; END",
			"CREATE PROCEDURE calls() BEGIN SELECT counts(); END",
			"CREATE TRIGGER t AFTER INSERT ON note_r FOR EACH ROW DELETE FROM paper_r WHERE id = NEW.paper",
			"CREATE TRIGGER u AFTER INSERT ON paper_r FOR EACH ROW INSERT INTO note_r (id) VALUES (NEW.id)",
			"CREATE EVENT e ON SCHEDULE EVERY 1 YEAR STARTS '2037-01-01' DO DELETE FROM paper_r",
		}, []string{
			"event S.e: its text names paper_r",
			"function S.counts(): its text names paper_r",
			"procedure S.calls(): its text names paper_r",
			"procedure S.does(): its text names paper_r",
			"trigger S.t on note_r: its text names paper_r",
			"view S.all_papers: reads paper_r",
			"view S.over_r: reads paper_r",
			"view S.two: reads paper_r, Old Paper_r",
		}},
		{"sqlite", func(tb testing.TB) (*testdb.Database, bool) { return testdb.SQLite(tb), true }, []string{
			"CREATE TABLE note_r (id int, paper int)",
			"CREATE VIEW all_papers AS SELECT id FROM PAPER_R",
			"CREATE VIEW over AS SELECT count(*) FROM [all_papers]",
			"CREATE VIEW fine AS SELECT id FROM live_paper_r",
			`CREATE VIEW two AS SELECT a.id FROM note_r a JOIN main."Old Paper_r" o ON o.id = a.id WHERE EXISTS (SELECT 1 FROM "paper_r")`,
			"CREATE VIEW harmless (paper_r) AS SELECT 'paper_r' FROM note_r -- paper_r",
			"CREATE TRIGGER t AFTER INSERT ON note_r BEGIN DELETE FROM paper_r WHERE id = NEW.paper; END",
			"CREATE TRIGGER u AFTER INSERT ON paper_r BEGIN INSERT INTO note_r (id) VALUES (NEW.id); END",
		}, []string{
			"trigger main.t on note_r: its text names paper_r",
			"view main.all_papers: its text names paper_r",
			"view main.over: its text names paper_r",
			"view main.two: its text names paper_r, Old Paper_r",
		}},
	}
}

func TestReaders(t *testing.T) {
	t.Parallel()
	for _, tt := range readersCases() {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, ok := tt.open(t)
			if !ok {
				return
			}
			b, tables := newSchemaBed(d), readersTables()
			s := b.open(t, tables...)
			for _, table := range tables {
				b.createDeclared(t, s, table)
				for _, v := range viewsOf(t, s, table) {
					b.run(t, v.Create...)
				}
			}
			if got := readersOf(t, b, s); len(got) > 0 {
				t.Errorf("with views of ours only: %q", got)
			}
			b.run(t, tt.do...)
			if diff := cmp.Diff(tt.want, readersOf(t, b, s)); diff != "" {
				t.Errorf("readers (-want +got)\n%s", diff)
			}
			if err := s.Check(t.Context(), b.DB); err != nil {
				t.Errorf("Check: %v", err)
			}
		})
	}
}

// readersOf are the lines of the list, with S for the test's own schema.
func readersOf(t *testing.T, b *schemaBed, s *store.Store) []string {
	t.Helper()
	readers, err := s.Readers(t.Context(), b.DB)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range readers {
		line := r.String()
		if b.Name != "sqlite" {
			line = strings.Replace(line, b.schema(t)+".", "S.", 1)
		}
		lines = append(lines, line)
	}
	return lines
}

// TestReadersStaleView has a view of our name that shows other rows.
func TestReadersStaleView(t *testing.T) {
	t.Parallel()
	eachDriver(t, func(t *testing.T, b *schemaBed) {
		table := readersTables()[0]
		s := b.open(t, table)
		b.createDeclared(t, s, table)
		b.run(t, "CREATE VIEW live_paper_r AS SELECT * FROM paper_r")
		got := readersOf(t, b, s)
		if len(got) != 1 || !strings.Contains(got[0], ".live_paper_r: ") {
			t.Errorf("readers %q", got)
		}
	})
}

// TestReadersHidden has code that the user may run and not see.
func TestReadersHidden(t *testing.T) {
	t.Parallel()
	d, ok := testdb.MySQL(t)
	if !ok {
		return
	}
	b, table := newSchemaBed(d), readersTables()[0]
	s := b.open(t, table)
	b.createDeclared(t, s, table)
	b.run(t, "CREATE PROCEDURE secret() SELECT * FROM paper_r")
	user := newUser(t, b)
	b.run(t, "GRANT SELECT, EXECUTE ON "+b.q(b.schema(t))+".* TO "+user.name)
	b.DB = user.open(t)
	if diff := cmp.Diff([]string{"procedure S.secret(): its text cannot be read"}, readersOf(t, b, s)); diff != "" {
		t.Errorf("readers (-want +got)\n%s", diff)
	}
}
