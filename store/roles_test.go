package store_test

import (
	"context"
	"database/sql"
	"net/url"
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
)

// roles are three users of a PostgreSQL schema, none of whom owns a table.
type roles struct {
	*schemaBed
	// reader is a program of users' lists. keeper has the store's role. member
	// reads as users do and may take the store's role.
	reader, keeper, member string
}

// newRoles makes them; roles belong to the whole server, so that their names are
// the schema's. The store's role has a name that has to be quoted.
func newRoles(t *testing.T, d *testdb.Database) *roles {
	t.Helper()
	r := &roles{schemaBed: newSchemaBed(d)}
	schema := r.schema(t)
	r.reader, r.keeper, r.member = schema+"_r", schema+`_"k\'s`, schema+"_m"
	t.Cleanup(func() {
		for _, name := range []string{r.member, r.reader, r.keeper} {
			for _, text := range []string{"REASSIGN OWNED BY " + r.q(name) + " TO CURRENT_USER", "DROP OWNED BY " + r.q(name), "DROP ROLE " + r.q(name)} {
				if _, err := d.DB.ExecContext(context.WithoutCancel(t.Context()), text); err != nil {
					t.Errorf("%s: %v", text, err)
				}
			}
		}
	})
	for _, name := range []string{r.reader, r.keeper, r.member} {
		r.run(t, "CREATE ROLE "+r.q(name)+" LOGIN NOINHERIT", "GRANT USAGE ON SCHEMA "+r.q(schema)+" TO "+r.q(name))
	}
	r.run(t, "GRANT "+r.q(r.keeper)+" TO "+r.q(r.member))
	return r
}

// grant gives everybody every right on rows of the tables that are there.
func (r *roles) grant(t *testing.T) {
	t.Helper()
	for _, name := range []string{r.reader, r.keeper, r.member} {
		to := " IN SCHEMA " + r.q(r.schema(t)) + " TO " + r.q(name)
		r.run(t, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES"+to, "GRANT USAGE ON ALL SEQUENCES"+to)
	}
}

// fence puts the policies of each table with a trash in force.
func (r *roles) fence(t *testing.T, s *store.Store, o store.PolicyOptions) {
	t.Helper()
	for _, table := range s.Catalog().Tables() {
		if table.Kind != lifecycle.Asset {
			continue
		}
		p, err := s.Policies(table, &o)
		if err != nil {
			t.Fatal(err)
		}
		r.run(t, p.Create...)
	}
}

// as is a pool of a role.
func (r *roles) as(t *testing.T, role string) *sql.DB {
	t.Helper()
	u, err := url.Parse(r.DSN)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User(role)
	return testdb.Open(t, r.Driver, u.String())
}

// refused tells whether an error is the one of a policy.
func refused(err error) bool {
	return err != nil && strings.Contains(err.Error(), "row-level security policy") && strings.Contains(err.Error(), "42501")
}
