package source

import (
	"reflect"
	"strings"
	"testing"
)

func statements(texts ...Text) (all []string) {
	for _, t := range texts {
		all = append(all, t.Statements...)
	}
	return all
}

func TestSplit(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		got  []string
		want []string
	}{
		{"quotes", Split(`SELECT ';'; SELECT ";" -- ;`+"\n; ;", Postgres, ";"), []string{"SELECT ';'", `SELECT ";" -- ;`}},
		{"dollars", Split("SELECT $a$;$a$, a$b;SELECT $1; SELECT $$;$$", Postgres, ";"), []string{"SELECT $a$;$a$, a$b", "SELECT $1", "SELECT $$;$$"}},
		{"parentheses", Split("CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2); SELECT 3", Postgres, ";"),
			[]string{"CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)", "SELECT 3"}},
		{"escapes", Split(`SELECT E'\';'; SELECT '\'; SELECT 2`, Postgres, ";"), []string{`SELECT E'\';'`, `SELECT '\'`, "SELECT 2"}},
		{"nested comments", Split("/* /* ; */ ; */ SELECT 1; SELECT 2", Postgres, ";"), []string{"/* /* ; */ ; */ SELECT 1", "SELECT 2"}},
		{"MySQL", Split("SELECT '\\';', `;`; SELECT 1--;\n# ;\n", MySQL, ";"), []string{"SELECT '\\';', `;`", "SELECT 1--", "# ;"}},
		{"another delimiter", Split("BEGIN; END// SELECT 1", MySQL, "//"), []string{"BEGIN; END", "SELECT 1"}},
		{"trigger", Split("CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END; SELECT 2", SQLite, ";"),
			[]string{"CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END", "SELECT 2"}},
		{"psql", statements(script("", "\\set x 1\nSELECT 1 \\gset\nCOPY t FROM stdin;\n1\t;\n\\.\nSELECT :'x' \\; SELECT 2;\n", Postgres)),
			[]string{"SELECT 1", "COPY t FROM stdin", "SELECT 'x'", "SELECT 2"}},
		{"spec", statements(spec("", "setup { SELECT 1; }\nsession s1\nstep a { SELECT '}'; }\nstep \"b\" { SELECT 2 }\n")),
			[]string{"SELECT 1", "SELECT '}'", "SELECT 2"}},
		{"mysqltest", statements(mysqltest("", "--echo x\n# y\nlet $a= 1;\nselect 1;\nquery_vertical select 2;\nif ($a) {\n  select 3;\n}\neval select $a;\n"+
			"delimiter |;\ncreate procedure p() begin select 4; end|\ndelimiter ;|\nperl;\nselect 5;\nEOF\nselect\n6;\n")),
			[]string{"select 1", "select 2", "create procedure p() begin select 4; end", "select\n6"}},
		{"Tcl", statements(tcl("", "do_execsql_test 1.1 {\n SELECT 1; SELECT $x\n} {1 2}\ndo_test 2 { execsql { SELECT '{}' } } {}\nexecsql \"SELECT $y\"\n")...),
			[]string{"SELECT 1", "SELECT $x", "SELECT '{}'"}},
		{"Go", statements(goStrings("", "package a\nvar s = []string{\"SELECT 1; SELECT 2\", `no`, \"INSERT \" + \"INTO t\", \"CREATE PROCEDURE p() BEGIN SELECT 1; END\"}\n", MySQL)),
			[]string{"SELECT 1", "SELECT 2", "INSERT INTO t", "CREATE PROCEDURE p() BEGIN SELECT 1; END"}},
	}
	for _, test := range tests {
		if !reflect.DeepEqual(test.got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
}

// A new database starts a new text.
func TestReset(t *testing.T) {
	t.Parallel()
	texts := tcl("a.test", "execsql { SELECT 1 }\nreset_db\nexecsql { SELECT 2 }\n")
	if len(texts) != 2 || texts[0].Path != "a.test" || !strings.HasPrefix(texts[1].Path, "a.test:") {
		t.Errorf("%+v, want two texts", texts)
	}
}

func TestProduct(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]Product{"a/mysql/q.sql": MySQL, "SQLite/q.sql": SQLite, "a/postgresql/q.sql": Postgres, "q.sql": Postgres} {
		if got := product(path); got != want {
			t.Errorf("%s is %s's, want %s's", path, got, want)
		}
	}
}
