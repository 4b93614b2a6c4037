package dberr

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/lib/pq"
)

func TestConstraint(t *testing.T) {
	t.Parallel()
	var none *pgconn.PgError
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"nil", nil, ""},
		{"plain", errors.New("x"), ""},
		{"a nil pointer", none, ""},
		{"pgx", &pgconn.PgError{Code: "23505", ConstraintName: "doc_live"}, "doc_live"},
		{"lib/pq", &pq.Error{Code: "23505", Constraint: "doc_live"}, "doc_live"},
		{"mysql has a sentence", &mysql.MySQLError{Number: 1062, Message: "Duplicate entry 'a' for key 'doc_live'"}, ""},
		{"wrapped", fmt.Errorf("x: %w", &pgconn.PgError{ConstraintName: "doc_live"}), "doc_live"},
		{"joined", errors.Join(errors.New("x"), &pgconn.PgError{ConstraintName: "doc_live"}), "doc_live"},
	} {
		if got := Constraint(c.err); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
