package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"os"
	osexec "os/exec"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
)

// user is another user of a MySQL server.
type user struct {
	name, dsn string
}

// newUser makes one without any right.
func newUser(t *testing.T, b *schemaBed) *user {
	t.Helper()
	config, err := mysql.ParseDSN(b.DSN)
	if err != nil {
		t.Fatal(err)
	}
	config.User, config.Passwd = strings.TrimPrefix(b.schema(t), "softdelete_"), "secret"
	// An anonymous user of this very host would come before one of any host.
	host := ""
	if err := b.DB.QueryRowContext(t.Context(), "SELECT SUBSTRING_INDEX(USER(), '@', -1)").Scan(&host); err != nil {
		t.Fatal(err)
	}
	u := &user{name: "'" + config.User + "'@'" + host + "'", dsn: config.FormatDSN()}
	b.run(t, "CREATE USER "+u.name+" IDENTIFIED BY 'secret'")
	db := b.DB
	t.Cleanup(func() {
		if _, err := db.ExecContext(context.WithoutCancel(t.Context()), "DROP USER "+u.name); err != nil {
			t.Error(err)
		}
	})
	return u
}

func (u *user) open(t *testing.T) *sql.DB {
	t.Helper()
	return testdb.Open(t, "mysql", u.dsn)
}

// program finds a database's command line program. It comes with the server in
// the test bed, so that it is missed there only; SQLite has no server.
func program(t *testing.T, promised bool, names ...string) (string, bool) {
	t.Helper()
	for _, name := range names {
		if path, err := osexec.LookPath(name); err == nil {
			return path, true
		}
	}
	if promised && os.Getenv("SOFTDELETE_TESTBED") == "full" {
		t.Fatalf("none of the programs %q is installed, and the whole test bed was promised", names)
	}
	return "", false
}

// client runs statements as somebody who has nothing but a program. The answer
// is one line a row, or the error.
type client func(t *testing.T, statements string) string

// clientOf is the program of a database for a user; "" is the test's own.
func clientOf(t *testing.T, b *schemaBed, dsn string) (client, bool) {
	t.Helper()
	if dsn == "" {
		dsn = b.DSN
	}
	switch b.Name {
	case "postgres":
		return psql(t, b, dsn)
	case "mariadb":
		return mariadb(t, dsn)
	}
	path, ok := program(t, false, "sqlite3")
	file, _, _ := strings.Cut(strings.TrimPrefix(dsn, "file:"), "?")
	return run(path, nil, "-bail", "-batch", file), ok
}

func psql(t *testing.T, b *schemaBed, dsn string) (client, bool) {
	t.Helper()
	path, ok := program(t, true, "psql")
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	// libpq does not take the schema as a parameter of the URL.
	query := url.Values{"sslmode": u.Query()["sslmode"], "options": {"-c search_path=" + b.schema(t)}}
	u.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20")
	return run(path, nil, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", u.String()), ok
}

func mariadb(t *testing.T, dsn string) (client, bool) {
	t.Helper()
	path, ok := program(t, true, "mariadb", "mysql")
	config, err := mysql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--no-defaults", "--batch", "--skip-column-names", "-u", config.User, config.DBName}
	if host, port, err := net.SplitHostPort(config.Addr); err == nil {
		args = append(args, "-h", host, "-P", port, "--protocol=tcp")
	} else {
		args = append(args, "--socket="+config.Addr)
	}
	return run(path, []string{"MYSQL_PWD=" + config.Passwd}, args...), ok
}

func run(path string, env []string, args ...string) client {
	return func(t *testing.T, statements string) string {
		t.Helper()
		cmd := osexec.CommandContext(t.Context(), path, args...)
		cmd.Env = append(os.Environ(), env...)
		cmd.Stdin = strings.NewReader(statements)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Sprintf("error: %s%v", out, err)
		}
		return strings.TrimRight(string(out), "\n")
	}
}

// TestViewsByClients makes the views with the database's own program, from the
// text that a migration would hold, and reads them with it.
func TestViewsByClients(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		b := newSchemaBed(d)
		table := &lifecycle.Table{Name: "a\"b`c'd"}
		s := b.open(t, table)
		b.createDeclared(t, s, table)
		b.trashed(t, s, table)
		ask, ok := clientOf(t, b, "")
		if !ok {
			return
		}
		views := viewsOf(t, s, table)
		for range 2 {
			for _, v := range views {
				if out := ask(t, strings.Join(v.Create, ";\n")+";"); out != "" {
					t.Fatalf("%s", out)
				}
			}
		}
		got := map[string]string{
			"live":    ask(t, "SELECT id FROM "+b.view(table, views[0])+";"),
			"trashed": ask(t, "SELECT id FROM "+b.view(table, views[1])+";"),
			"all":     ask(t, "SELECT count(*) FROM "+b.table(table)+";"),
		}
		if diff := cmp.Diff(map[string]string{"live": "1", "trashed": "2", "all": "3"}, got); diff != "" {
			t.Errorf("rows (-want +got)\n%s", diff)
		}
		if out := ask(t, "UPDATE "+b.view(table, views[0])+" SET is_deleted = 1 WHERE id = 1;"); !strings.HasPrefix(out, "error: ") {
			t.Errorf("a row was hidden: %s", out)
		}
	})
}

// TestViewRights gives a user the view and not the table, which is not enough,
// and then both.
func TestViewRights(t *testing.T) {
	t.Parallel()
	for _, d := range testdb.All(t) {
		if d.Name == "sqlite" {
			continue // which has no users
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			b, table := newSchemaBed(d), &lifecycle.Table{Name: "doc"}
			s := b.open(t, table)
			b.createDeclared(t, s, table)
			b.trashed(t, s, table)
			for _, v := range viewsOf(t, s, table) {
				b.run(t, v.Create...)
			}
			name, dsn := "", ""
			if d.Name == "postgres" {
				r := newRoles(t, d)
				u, err := url.Parse(r.DSN)
				if err != nil {
					t.Fatal(err)
				}
				u.User = url.User(r.reader)
				name, dsn = r.q(r.reader), u.String()
			} else {
				u := newUser(t, b)
				name, dsn = u.name, u.dsn
			}
			ask, ok := clientOf(t, b, dsn)
			if !ok {
				return
			}
			b.run(t, "GRANT SELECT ON live_doc TO "+name)
			if out := ask(t, "SELECT id FROM live_doc;"); !strings.HasPrefix(out, "error: ") {
				t.Errorf("the view opens the table: %s", out)
			}
			b.run(t, "GRANT SELECT ON doc TO "+name)
			if out := ask(t, "SELECT id FROM live_doc;"); out != "1" {
				t.Errorf("with a right on both: %s", out)
			}
			if err := s.Check(t.Context(), b.DB); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestPoliciesByPsql reads behind the policy with nothing but psql.
func TestPoliciesByPsql(t *testing.T) {
	t.Parallel()
	f, ok := newFenced(t, store.PolicyOptions{Role: "keeper", Setting: "softdelete.scope", Alone: true})
	if !ok {
		return
	}
	as := func(role string) client {
		u, err := url.Parse(f.DSN)
		if err != nil {
			t.Fatal(err)
		}
		u.User = url.User(role)
		ask, found := clientOf(t, f.schemaBed, u.String())
		ok = ok && found
		return ask
	}
	reader, keeper, member := as(f.reader), as(f.keeper), as(f.member)
	if !ok {
		return
	}
	for _, tt := range []struct {
		name, text, want string
		ask              client
	}{
		{"reader", "SELECT id FROM doc ORDER BY id;", "1", reader},
		{"a copy", "COPY (SELECT id FROM doc ORDER BY id) TO STDOUT;", "1", reader},
		{"a copy of the table", "COPY doc (id) TO STDOUT;", "1", reader},
		{"a dump's setting", "SET row_security = off; SELECT id FROM doc;", "row-level security policy", reader},
		{"a lock", "SELECT id FROM doc WHERE id > 1 FOR UPDATE;", "", reader},
		{"the trash", "SELECT id FROM trashed_doc;", "", reader},
		{"a trash by hand", "UPDATE doc SET deleted_at = now() WHERE id = 1;", "row-level security policy", reader},
		{"a role that is not his", "SET ROLE " + f.q(f.keeper) + ";", "permission denied", reader},
		{"keeper", "SELECT id FROM doc ORDER BY id;", "1\n2\n3", keeper},
		{"keeper's live rows", "SELECT id FROM live_doc;", "1", keeper},
		{"member", "SELECT id FROM doc ORDER BY id;", "1", member},
		{"member in the role", "BEGIN; SET LOCAL ROLE " + f.q(f.keeper) + "; SELECT id FROM doc ORDER BY id; COMMIT; SELECT id FROM doc;", "1\n2\n3\n1", member},
		{"in the setting", "BEGIN; SET LOCAL softdelete.scope = 'everything'; SELECT id FROM doc ORDER BY id; COMMIT; SELECT id FROM doc;", "1\n2\n3\n1", reader},
	} {
		got := tt.ask(t, tt.text)
		if strings.HasPrefix(got, "error: ") && !strings.Contains(got, tt.want) || !strings.HasPrefix(got, "error: ") && got != tt.want {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}
