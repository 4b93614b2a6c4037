package guarddriver_test

import (
	"context"
	"database/sql/driver"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/store/guard"
	"github.com/softdelete-go/softdelete/store/guard/guarddriver"
)

// interfaces tells which optional interfaces of a connection the driver has, the
// deprecated ones under the names of those that took their places.
func interfaces(conn driver.Conn) map[string]bool {
	has := map[string]bool{}
	_, has["Pinger"] = conn.(driver.Pinger)
	_, has["ExecerContext"] = conn.(driver.ExecerContext)
	_, has["QueryerContext"] = conn.(driver.QueryerContext)
	_, has["ConnPrepareContext"] = conn.(driver.ConnPrepareContext)
	_, has["ConnBeginTx"] = conn.(driver.ConnBeginTx)
	_, has["SessionResetter"] = conn.(driver.SessionResetter)
	_, has["Validator"] = conn.(driver.Validator)
	_, has["NamedValueChecker"] = conn.(driver.NamedValueChecker)
	return has
}

// TestInterfaces compares the wrapped and the bare connection of each driver, and
// what they return.
func TestInterfaces(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p product, d *testdb.Database) {
		raw := func(conn any) map[string]bool { return interfaces(conn.(driver.Conn)) }
		var bare, wrapped, unwrapped map[string]bool
		conn, err := d.DB.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		db := open(t, d, newGuard(t, p.d, nil))
		through, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer through.Close()
		err = conn.Raw(func(c any) error {
			bare = raw(c)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		err = through.Raw(func(c any) error {
			wrapped = raw(c)
			unwrapped = raw(c.(interface{ Unwrap() driver.Conn }).Unwrap())
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(bare, wrapped); diff != "" {
			t.Errorf("interfaces (-bare +wrapped)\n%s", diff)
		}
		if diff := cmp.Diff(bare, unwrapped); diff != "" {
			t.Errorf("interfaces (-bare +unwrapped)\n%s", diff)
		}
		if got, want := db.Driver(), d.DB.Driver(); got != want {
			t.Errorf("the driver is %v, want %v", got, want)
		}
	})
}

// one connects to a connection that is there.
type one struct{ driver.Conn }

func (o one) Connect(context.Context) (driver.Conn, error) { return o.Conn, nil }
func (o one) Driver() driver.Driver                        { return nil }

// TestCombinations has the connections that no driver here makes.
func TestCombinations(t *testing.T) {
	t.Parallel()
	type (
		resets    = driver.SessionResetter
		validates = driver.Validator
		checks    = driver.NamedValueChecker
	)
	f := &fake{}
	tests := []struct {
		name string
		conn driver.Conn
	}{
		{"none", f},
		{"resets", struct {
			*fake
			resets
		}{fake: f}},
		{"validates", struct {
			*fake
			validates
		}{fake: f}},
		{"checks", struct {
			*fake
			checks
		}{fake: f}},
		{"resets and validates", struct {
			*fake
			resets
			validates
		}{fake: f}},
		{"resets and checks", struct {
			*fake
			resets
			checks
		}{fake: f}},
		{"validates and checks", struct {
			*fake
			validates
			checks
		}{fake: f}},
		{"all", every{f}},
	}
	for _, test := range tests {
		conn, err := guarddriver.New(one{test.conn}, newGuard(t, guard.SQLite, nil)).Connect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := interfaces(test.conn)
		// What is not there is answered as database/sql would.
		for _, always := range []string{"Pinger", "ExecerContext", "QueryerContext", "ConnPrepareContext", "ConnBeginTx"} {
			want[always] = true
		}
		if diff := cmp.Diff(want, interfaces(conn)); diff != "" {
			t.Errorf("%s: interfaces (-want +got)\n%s", test.name, diff)
		}
	}
}
