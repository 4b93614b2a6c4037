package guarddriver_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/store/guard"
	"github.com/softdelete-go/softdelete/store/guard/guarddriver"
)

// fake is a driver with the least interfaces there can be. It writes down what
// it is sent.
type fake struct {
	sent     []string
	closed   int
	settings driver.Value
}

func (f *fake) log(what, text string) { f.sent = append(f.sent, what+" "+text) }

func (f *fake) Connect(context.Context) (driver.Conn, error) { return f, nil }
func (f *fake) Driver() driver.Driver                        { return nil }

func (f *fake) Prepare(text string) (driver.Stmt, error) {
	f.log("prepare", text)
	return &fakeStmt{f}, nil
}

func (f *fake) Close() error {
	f.closed++
	return nil
}

func (f *fake) Begin() (driver.Tx, error) {
	f.log("begin", "")
	return f, nil
}

func (f *fake) Commit() error   { return nil }
func (f *fake) Rollback() error { return nil }

type fakeStmt struct{ f *fake }

func (s *fakeStmt) Close() error                               { return nil }
func (s *fakeStmt) NumInput() int                              { return -1 }
func (s *fakeStmt) Exec([]driver.Value) (driver.Result, error) { return driver.RowsAffected(1), nil }
func (s *fakeStmt) Query([]driver.Value) (driver.Rows, error) {
	return &fakeRows{value: s.f.settings}, nil
}

type fakeRows struct {
	value driver.Value
	done  bool
}

func (r *fakeRows) Columns() []string { return []string{"settings"} }
func (r *fakeRows) Close() error      { return nil }

func (r *fakeRows) Next(row []driver.Value) error {
	if r.done || r.value == nil {
		return io.EOF
	}
	row[0], r.done = r.value, true
	return nil
}

// old is a fake that answers at once, as drivers did before contexts.
type old struct{ *fake }

func (o old) Connect(context.Context) (driver.Conn, error) { return o, nil }

func (o old) Exec(text string, args []driver.Value) (driver.Result, error) {
	if len(args) > 0 {
		return nil, driver.ErrSkip // as MySQL's does without interpolation
	}
	o.log("exec", text)
	return driver.RowsAffected(1), nil
}

func (o old) Query(text string, args []driver.Value) (driver.Rows, error) {
	if len(args) > 0 {
		return nil, driver.ErrSkip
	}
	o.log("query", text)
	return &fakeRows{value: o.settings}, nil
}

// TestOnce shows that a text is rewritten once on whatever way it goes, and that
// database/sql takes the same ways as without the guard.
func TestOnce(t *testing.T) {
	t.Parallel()
	const text = "SELECT id FROM document"
	g := newGuard(t, guard.SQLite, nil)
	guarded, err := g.Rewrite(text)
	if err != nil {
		t.Fatal(err)
	}
	minimal, legacy := &fake{}, old{&fake{}}
	tests := []struct {
		name string
		c    driver.Connector
		f    *fake
		want []string
	}{
		{"minimal", minimal, minimal, []string{"prepare ", "prepare ", "prepare ", "prepare ", "prepare ", "begin", "prepare "}},
		{"legacy", legacy, legacy.fake, []string{"exec ", "query ", "prepare ", "prepare ", "prepare ", "begin", "query "}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			db := sql.OpenDB(guarddriver.New(test.c, g))
			defer db.Close()
			ctx := t.Context()
			closed := func(rows *sql.Rows, err error) error {
				if err == nil {
					err = rows.Close()
				}
				return err
			}
			stmt := func(s *sql.Stmt, err error) error {
				if err == nil {
					err = s.Close()
				}
				return err
			}
			_, e1 := db.ExecContext(ctx, text)
			e2 := closed(db.QueryContext(ctx, text))
			_, e3 := db.ExecContext(ctx, text, 1)
			e4 := closed(db.QueryContext(ctx, text, 1))
			e5 := stmt(db.PrepareContext(ctx, text))
			tx, e6 := db.BeginTx(ctx, nil)
			if err := errors.Join(e1, e2, e3, e4, e5, e6); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(closed(tx.QueryContext(ctx, text)), tx.Commit(), db.PingContext(ctx)); err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, way := range test.want {
				if way == "begin" {
					want = append(want, "begin ")
					continue
				}
				want = append(want, way+guarded)
			}
			if diff := cmp.Diff(want, test.f.sent); diff != "" {
				t.Errorf("sent (-want +got)\n%s", diff)
			}
			if _, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}); err == nil {
				t.Error("options are dropped that the driver does not know")
			}
			if _, err := db.ExecContext(ctx, text, sql.Named("a", 1)); err == nil {
				t.Error("names are dropped that the driver does not know")
			}
			canceled, cancel := context.WithCancel(ctx)
			cancel()
			if _, err := db.ExecContext(canceled, text); !errors.Is(err, context.Canceled) {
				t.Errorf("Exec = %v, want %v", err, context.Canceled)
			}
		})
	}
}

// TestUnreadableSettings gives up connections of which it cannot be known how
// they split texts.
func TestUnreadableSettings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		d    *guard.Dialect
		// settings are what the server answers.
		settings driver.Value
		ok       bool
	}{
		{"usual", guard.MySQL, "utf8mb4,STRICT_TRANS_TABLES", true},
		{"bytes", guard.MySQL, []byte("utf8mb4,"), true},
		{"usual PostgreSQL", guard.Postgres, "UTF8,on", true},
		{"nothing", guard.MySQL, nil, false},
		{"a number", guard.MySQL, int64(7), false},
		{"a character set with backslashes in its characters", guard.MySQL, "gbk,", false},
		{"another language", guard.MySQL, "utf8mb4,PIPES_AS_CONCAT,ORACLE", false},
		{"another encoding", guard.Postgres, "SJIS,on", false},
		{"another server", guard.Postgres, "utf8mb4,", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, f := range []*fake{{settings: test.settings}, {settings: test.settings}} {
				for _, c := range []driver.Connector{f, old{f}} {
					f.closed = 0
					conn, err := guarddriver.New(c, newGuard(t, test.d, nil)).Connect(t.Context())
					if (err == nil) != test.ok {
						t.Fatalf("Connect = %v", err)
					}
					if err == nil {
						err = conn.Close()
					}
					if f.closed != 1 {
						t.Errorf("the connection was closed %d times (%v), want once", f.closed, err)
					}
				}
			}
		})
	}
}

// every has the three interfaces that a connection is asked for by their type.
type every struct{ *fake }

func (e every) Connect(context.Context) (driver.Conn, error) { return e, nil }
func (e every) ResetSession(context.Context) error           { e.log("reset", ""); return nil }
func (e every) IsValid() bool                                { e.log("valid", ""); return true }
func (e every) CheckNamedValue(v *driver.NamedValue) error {
	e.log("check", v.Value.(string))
	v.Value = "checked"
	return nil
}

// TestForwarded calls them.
func TestForwarded(t *testing.T) {
	t.Parallel()
	f := &fake{}
	db := sql.OpenDB(guarddriver.New(every{f}, newGuard(t, guard.SQLite, nil)))
	defer db.Close()
	for range 2 {
		if _, err := db.ExecContext(t.Context(), "SELECT 1", "an argument"); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"reset ", "valid ", "check an argument"} {
		if !slices.Contains(f.sent, want) {
			t.Errorf("no %q in %q", want, f.sent)
		}
	}
}
