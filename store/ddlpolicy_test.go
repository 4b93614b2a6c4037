package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/storetest"
)

// TestConformanceFenced runs the whole suite as the store's role, which owns no
// table, with every table behind its policy.
func TestConformanceFenced(t *testing.T) {
	t.Parallel()
	if _, ok := testdb.Postgres(t); !ok {
		return
	}
	storetest.Run(t, func(t *testing.T, c *lifecycle.Catalog, clock lifecycle.Clock) *storetest.Harness {
		d, _ := testdb.Postgres(t)
		r := newRoles(t, d)
		s, err := store.New(c, r.dialect, &store.Options{Clock: clock, Batch: 64})
		if err != nil {
			t.Fatal(err)
		}
		backendOf(d.Name, d.DB).create(t, c)
		if err := s.Install(t.Context(), d.DB); err != nil {
			t.Fatal(err)
		}
		r.fence(t, s, store.PolicyOptions{Role: r.keeper, Alone: true})
		r.grant(t)
		return backendOf(d.Name, r.as(t, r.keeper)).harness(t, s)
	})
}

// fenced is a table with an active, a trashed and a purged row behind a policy.
type fenced struct {
	*roles
	store *store.Store
	doc   *lifecycle.Table
}

func newFenced(t *testing.T, o store.PolicyOptions) (*fenced, bool) {
	t.Helper()
	d, ok := testdb.Postgres(t)
	if !ok {
		return nil, false
	}
	f := &fenced{roles: newRoles(t, d), doc: &lifecycle.Table{Name: "doc"}}
	f.store = f.open(t, f.doc)
	ddl, err := f.store.DDL(f.doc)
	if err != nil {
		t.Fatal(err)
	}
	f.create(t, f.doc, append([]string{"owner BIGINT NOT NULL DEFAULT 1"}, ddl.Columns...)...)
	f.run(t, ddl.Indexes...)
	if o.Role != "" {
		o.Role = f.keeper
	}
	f.fence(t, f.store, o)
	for _, v := range viewsOf(t, f.store, f.doc) {
		f.run(t, v.Create...)
	}
	f.grant(t)
	f.trashed(t, f.store, f.doc)
	return f, true
}

// session is one connection of a role.
func (f *fenced) session(t *testing.T, role string, setup ...string) *sql.Conn {
	t.Helper()
	conn, err := f.as(t, role).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	for _, text := range setup {
		if _, err := conn.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return conn
}

func seen(t *testing.T, conn *sql.Conn, text string) string {
	t.Helper()
	all := ""
	if err := conn.QueryRowContext(t.Context(), "SELECT COALESCE(string_agg(id::text, ' ' ORDER BY id), '') FROM ("+text+") s").Scan(&all); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return all
}

// TestPolicies asks who sees what.
func TestPolicies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		options store.PolicyOptions
		role    func(*fenced) string
		setup   func(*fenced) []string
		want    string
	}{
		{"reader", store.PolicyOptions{Role: "keeper", Alone: true}, func(f *fenced) string { return f.reader }, nil, "1"},
		{"keeper", store.PolicyOptions{Role: "keeper", Alone: true}, func(f *fenced) string { return f.keeper }, nil, "1 2 3"},
		{"member as users read", store.PolicyOptions{Role: "keeper", Alone: true}, func(f *fenced) string { return f.member }, nil, "1"},
		{"member with the role", store.PolicyOptions{Role: "keeper", Alone: true}, func(f *fenced) string { return f.member },
			func(f *fenced) []string { return []string{"SET ROLE " + f.q(f.keeper)} }, "1 2 3"},
		{"no setting", store.PolicyOptions{Setting: "softdelete.scope", Alone: true}, func(f *fenced) string { return f.reader }, nil, "1"},
		{"setting", store.PolicyOptions{Setting: "softdelete.scope", Alone: true}, func(f *fenced) string { return f.reader },
			func(*fenced) []string { return []string{"SET softdelete.scope = 'everything'"} }, "1 2 3"},
		{"setting reset", store.PolicyOptions{Setting: "softdelete.scope", Alone: true}, func(f *fenced) string { return f.reader },
			func(*fenced) []string {
				return []string{"SET softdelete.scope = 'everything'", "RESET softdelete.scope"}
			}, "1"},
		{"role or setting", store.PolicyOptions{Role: "keeper", Setting: "softdelete.scope", Alone: true}, func(f *fenced) string { return f.keeper }, nil, "1 2 3"},
		{"nothing admits", store.PolicyOptions{Role: "keeper"}, func(f *fenced) string { return f.keeper }, nil, ""},
		{"a policy of one's own", store.PolicyOptions{Role: "keeper"}, func(f *fenced) string { return f.reader },
			func(f *fenced) []string {
				f.run(t, "INSERT INTO doc (id, owner) VALUES (8, 2)", "CREATE POLICY tenant ON doc USING (owner = current_setting('app.tenant')::bigint)")
				return []string{"SET app.tenant = '2'"}
			}, "8"},
		{"the owner", store.PolicyOptions{Role: "keeper", Alone: true}, func(f *fenced) string { return f.reader },
			func(f *fenced) []string { f.run(t, "ALTER TABLE doc OWNER TO "+f.q(f.reader)); return nil }, "1 2 3"},
		{"the owner forced", store.PolicyOptions{Role: "keeper", Alone: true, Force: true}, func(f *fenced) string { return f.reader },
			func(f *fenced) []string { f.run(t, "ALTER TABLE doc OWNER TO "+f.q(f.reader)); return nil }, "1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, ok := newFenced(t, tt.options)
			if !ok {
				return
			}
			var setup []string
			if tt.setup != nil {
				setup = tt.setup(f)
			}
			conn := f.session(t, tt.role(f), setup...)
			if got := seen(t, conn, "SELECT id FROM doc"); got != tt.want {
				t.Errorf("doc: rows %q, want %q", got, tt.want)
			}
			if got, want := seen(t, conn, "SELECT id FROM trashed_doc"), map[bool]string{true: "2"}[len(tt.want) > 1]; got != want {
				t.Errorf("trashed_doc: rows %q, want %q", got, want)
			}
		})
	}
}

// TestPolicyTrash is case C55: an UPDATE that trashes a row, with RETURNING and
// without. A plain policy for SELECT refuses both, whoever asks.
func TestPolicyTrash(t *testing.T) {
	t.Parallel()
	for _, tail := range []string{"", " RETURNING id, deleted_at"} {
		text := "UPDATE doc SET deleted_at = now() WHERE id = 1" + tail
		trash := func(ctx context.Context, conn *sql.Conn) (n int, err error) {
			rows, err := conn.QueryContext(ctx, text)
			if err != nil {
				return 0, err
			}
			defer rows.Close()
			for rows.Next() {
				n++
			}
			return n, rows.Err()
		}
		t.Run("plain policy"+tail, func(t *testing.T) {
			t.Parallel()
			f, ok := newFenced(t, store.PolicyOptions{Role: "keeper", Alone: true})
			if !ok {
				return
			}
			f.run(t, "DROP POLICY softdelete_live ON doc", "DROP POLICY softdelete_rows ON doc",
				"CREATE POLICY p ON doc FOR SELECT USING (deleted_at IS NULL)", "CREATE POLICY q ON doc FOR UPDATE USING (true)")
			if _, err := trash(t.Context(), f.session(t, f.keeper)); !refused(err) {
				t.Errorf("the case is not what it was: %v", err)
			}
		})
		t.Run("ours"+tail, func(t *testing.T) {
			t.Parallel()
			f, ok := newFenced(t, store.PolicyOptions{Role: "keeper", Setting: "softdelete.scope", Alone: true})
			if !ok {
				return
			}
			if _, err := trash(t.Context(), f.session(t, f.reader)); !refused(err) {
				t.Errorf("a reader trashes a row: %v", err)
			}
			for name, conn := range map[string]*sql.Conn{
				"keeper":  f.session(t, f.keeper),
				"member":  f.session(t, f.member, "SET ROLE "+f.q(f.keeper)),
				"setting": f.session(t, f.reader, "SET softdelete.scope = 'everything'"),
			} {
				n, err := trash(t.Context(), conn)
				if want := map[bool]int{true: 1}[tail != ""]; err != nil || n != want {
					t.Errorf("%s: %d rows, %v", name, n, err)
				}
				if got := seen(t, f.session(t, f.reader), "SELECT id FROM doc"); got != "" {
					t.Errorf("%s: the reader still sees %q", name, got)
				}
				f.run(t, "UPDATE doc SET deleted_at = NULL WHERE id = 1")
			}
		})
	}
}

// TestPolicyWrites writes as somebody whom the policy binds.
func TestPolicyWrites(t *testing.T) {
	t.Parallel()
	f, ok := newFenced(t, store.PolicyOptions{Role: "keeper", Alone: true})
	if !ok {
		return
	}
	state := func() string {
		all := ""
		if err := f.DB.QueryRowContext(t.Context(), "SELECT string_agg(concat_ws(':', id, owner, deleted_at IS NOT NULL, is_deleted), ' ' ORDER BY id) FROM doc").Scan(&all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := state()
	if want := "1:1:f:0 2:1:t:0 3:1:t:1"; before != want {
		t.Fatalf("rows %s, want %s", before, want)
	}
	for _, tt := range []struct {
		name, text string
		rows       int64 // -1: refused
		want       string
	}{
		{"no condition", "UPDATE doc SET owner = 5", 1, "1:5:f:0 2:1:t:0 3:1:t:1"},
		{"a live row", "UPDATE doc SET owner = 5 WHERE id = 1", 1, "1:5:f:0 2:1:t:0 3:1:t:1"},
		{"a row in the trash", "UPDATE doc SET owner = 5 WHERE id = 2", 0, before},
		{"a restore by hand", "UPDATE doc SET deleted_at = NULL WHERE id = 2", 0, before},
		{"a restore of everything", "UPDATE doc SET deleted_at = NULL, is_deleted = 0", 1, before},
		{"a purge by hand", "UPDATE doc SET is_deleted = 1", -1, before},
		{"a delete of the trash", "DELETE FROM doc WHERE id > 1", 0, before},
		{"a delete of everything", "DELETE FROM doc", 1, "2:1:t:0 3:1:t:1"},
		{"an insert", "INSERT INTO doc (id) VALUES (9)", 1, before + " 9:1:f:0"},
		{"an insert into the trash", "INSERT INTO doc (id, deleted_at) VALUES (9, now())", -1, before},
		{"an upsert of a row in the trash", "INSERT INTO doc (id) VALUES (2) ON CONFLICT (id) DO UPDATE SET owner = 5", -1, before},
		{"an upsert of a live row", "INSERT INTO doc (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET owner = 5", 1, "1:5:f:0 2:1:t:0 3:1:t:1"},
		{"a merge", "MERGE INTO doc USING (VALUES (2)) v (id) ON doc.id = v.id WHEN MATCHED THEN UPDATE SET owner = 5 WHEN NOT MATCHED THEN DO NOTHING", 0, before},
		{"through the view", "UPDATE live_doc SET owner = 5", 1, "1:5:f:0 2:1:t:0 3:1:t:1"},
		{"through the trash's view", "UPDATE trashed_doc SET owner = 5", 0, before},
	} {
		conn := f.session(t, f.reader)
		rows := int64(-1)
		result, err := conn.ExecContext(t.Context(), tt.text)
		if err == nil {
			if rows, err = result.RowsAffected(); err != nil {
				t.Fatal(err)
			}
		} else if !refused(err) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := state(); rows != tt.rows || got != tt.want {
			t.Errorf("%s: %d rows, then %s, %v, want %d rows, then %s", tt.name, rows, got, err, tt.rows, tt.want)
		}
		f.run(t, "DELETE FROM doc WHERE id NOT IN (2, 3)", "INSERT INTO doc (id) VALUES (1)")
	}
}

// TestPolicyVerbs takes a row through its life as a member of the store's role
// that reads as users do, and takes the role for the verbs only.
func TestPolicyVerbs(t *testing.T) {
	t.Parallel()
	f, ok := newFenced(t, store.PolicyOptions{Role: "keeper", Alone: true})
	if !ok {
		return
	}
	db, ctx := f.as(t, f.member), t.Context()
	later, err := store.New(f.store.Catalog(), f.dialect, &store.Options{Clock: lifecycletest.NewClock(noon.Add(40 * lifecycle.Day))})
	if err != nil {
		t.Fatal(err)
	}
	type verb struct {
		name string
		run  func(lifecycle.Tx) (lifecycle.Outcome, error)
	}
	one := func(name string, do func(context.Context, lifecycle.Tx, lifecycle.Row, lifecycle.Cause) (lifecycle.Result, error)) verb {
		return verb{name, func(tx lifecycle.Tx) (lifecycle.Outcome, error) {
			r, err := do(ctx, tx, f.doc.Row(1), who)
			return r.Outcome, err
		}}
	}
	verbs := []verb{one("trash", f.store.Trash), one("restore", f.store.Restore), one("trash again", f.store.Trash)}
	verbs = append(verbs, verb{"expire", func(tx lifecycle.Tx) (lifecycle.Outcome, error) {
		r, err := later.ExpireDue(ctx, tx, f.doc, 10, who)
		if err == nil && len(r.Rows) != 2 { // rows 1 and 2
			err = fmt.Errorf("%d rows expired", len(r.Rows))
		}
		return lifecycle.Transitioned, errors.Join(err, r.Err())
	}})
	for _, v := range verbs {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(ctx, "SET LOCAL ROLE "+f.q(f.keeper)); err != nil {
			t.Fatal(err)
		}
		if got, err := v.run(tx); err != nil || got != lifecycle.Transitioned {
			t.Fatalf("%s: %v, %v", v.name, got, err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		conn := f.session(t, f.member)
		if diff := cmp.Diff(map[bool]string{true: "1"}[v.name == "restore"], seen(t, conn, "SELECT id FROM doc")); diff != "" {
			t.Errorf("after %s (-want +got)\n%s", v.name, diff)
		}
	}
	rec, err := f.store.Record(ctx, f.as(t, f.member), f.doc.Row(1))
	if err != nil || rec.State != "" {
		t.Errorf("without the role: %q, %v", rec.State, err)
	}
}

// TestPoliciesDrop takes the fence away again.
func TestPoliciesDrop(t *testing.T) {
	t.Parallel()
	for _, o := range []store.PolicyOptions{{Role: "keeper", Alone: true}, {Role: "keeper", Alone: true, Force: true}} {
		f, ok := newFenced(t, o)
		if !ok {
			return
		}
		p, err := f.store.Policies(f.doc, &o)
		if err != nil {
			t.Fatal(err)
		}
		f.run(t, p.Drop...)
		f.run(t, p.Drop...)
		if got := seen(t, f.session(t, f.reader), "SELECT id FROM doc"); got != "1 2 3" {
			t.Errorf("%+v: rows %q", o, got)
		}
	}
}

// TestPoliciesRefused asks for policies that cannot be.
func TestPoliciesRefused(t *testing.T) {
	t.Parallel()
	doc := &lifecycle.Table{Name: "doc"}
	login := &lifecycle.Table{Name: "login", Kind: lifecycle.Technical}
	catalog := lifecycle.MustCatalog(doc, login)
	tests := []struct {
		name    string
		table   *lifecycle.Table
		options *store.PolicyOptions
		want    error
	}{
		{"nobody could restore", doc, nil, lifecycle.ErrInvalid},
		{"NUL", doc, &store.PolicyOptions{Role: "a\x00"}, lifecycle.ErrInvalid},
		{"no dot", doc, &store.PolicyOptions{Setting: "scope"}, lifecycle.ErrInvalid},
		{"two dots", doc, &store.PolicyOptions{Setting: "a.b.c"}, lifecycle.ErrInvalid},
		{"a digit first", doc, &store.PolicyOptions{Setting: "a.1"}, lifecycle.ErrInvalid},
		{"an empty word", doc, &store.PolicyOptions{Setting: "a."}, lifecycle.ErrInvalid},
		{"a quote", doc, &store.PolicyOptions{Setting: "a.b'"}, lifecycle.ErrInvalid},
		{"no trash", login, &store.PolicyOptions{Role: "a"}, lifecycle.ErrInvalid},
		{"another catalog's table", &lifecycle.Table{Name: "doc"}, &store.PolicyOptions{Role: "a"}, lifecycle.ErrInvalid},
	}
	for _, d := range dialects {
		s, err := store.New(catalog, d, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range tests {
			want := tt.want
			if !d.RowSecurity && tt.name != "another catalog's table" {
				want = errors.ErrUnsupported
			}
			if _, err := s.Policies(tt.table, tt.options); !errors.Is(err, want) {
				t.Errorf("%s, %s: %v", d.Name, tt.name, err)
			}
		}
	}
}
