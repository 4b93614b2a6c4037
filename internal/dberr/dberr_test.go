package dberr_test

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/lib/pq"

	"github.com/softdelete-go/softdelete/internal/dberr"
	"github.com/softdelete-go/softdelete/internal/testdb"
)

// Error types as other drivers have them, and some that look like it.
type (
	byMethod   struct{ code uint16 }
	byField    struct{ Code, ExtendedCode int32 }
	byText     struct{ Number string }
	byArgument struct{}
	embedding  struct{ *inner }
	inner      struct{ Number int }
)

func (e byMethod) Error() string         { return "method" }
func (e byMethod) ExtendedCode() uint16  { return e.code }
func (e *byField) Error() string         { return "field" }
func (e byText) Error() string           { return "text" }
func (e byArgument) Error() string       { return "argument" }
func (e byArgument) Number(base int) int { return base }
func (e byArgument) Code() (int, error)  { return 1, nil }
func (e embedding) Error() string        { return "embedding" }
func (e *inner) String() string          { return "inner" }
func wrapped(err error) error            { return fmt.Errorf("store: insert: %w", err) }
func joined(err error) error             { return errors.Join(errors.New("rollback"), wrapped(err)) }
func doubly(err error) error             { return fmt.Errorf("%w and %w", sql.ErrTxDone, err) }
func through(err error, n int, w ...func(error) error) []error {
	all := []error{err}
	for range n {
		for _, fn := range w {
			all = append(all, fn(all[len(all)-1]))
		}
	}
	return all
}

func TestSQLState(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"nil", nil, ""},
		{"another error", errors.New("23505"), ""},
		{"pgx", &pgconn.PgError{Code: "23505"}, "23505"},
		{"pq", &pq.Error{Code: "40001"}, "40001"},
		{"mysql has no method", &mysql.MySQLError{Number: 1062, SQLState: [5]byte{'2', '3', '0', '0', '0'}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.err == nil {
				if got := dberr.SQLState(nil); got != "" {
					t.Errorf("no error has state %q", got)
				}
				return
			}
			for _, err := range through(tt.err, 2, wrapped, joined, doubly) {
				if got := dberr.SQLState(err); got != tt.want {
					t.Errorf("%v: state %q, want %q", err, got, tt.want)
				}
			}
		})
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		err   error
		names []string
		want  int
	}{
		{"mysql", &mysql.MySQLError{Number: 1062}, []string{"Number"}, 1062},
		{"a method", byMethod{2067}, []string{"ExtendedCode", "Code"}, 2067},
		{"the first name", &byField{Code: 19, ExtendedCode: 2067}, []string{"ExtendedCode", "Code"}, 2067},
		{"the second name", &byField{Code: 5}, []string{"ExtendedCode", "Code"}, 5},
		{"no such name", &byField{Code: 5}, []string{"Number"}, 0},
		{"no names", &byField{Code: 5}, nil, 0},
		{"a text", byText{"1062"}, []string{"Number"}, 0},
		{"a method with an argument", byArgument{}, []string{"Number", "Code"}, 0},
		{"a pointer that is nil", (*byField)(nil), []string{"Code"}, 0},
		{"an embedded field", embedding{&inner{7}}, []string{"Number"}, 7},
		{"an embedded field that is not there", embedding{}, []string{"Number"}, 0},
		{"an error without fields", errors.New("1062"), []string{"Number"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, err := range through(tt.err, 2, wrapped, joined, doubly) {
				if got := dberr.Number(err, tt.names...); got != tt.want {
					t.Errorf("%T: number %d, want %d", err, got, tt.want)
				}
			}
		})
	}
	if got := dberr.Number(nil, "Number"); got != 0 {
		t.Errorf("no error has number %d", got)
	}
}

// twice inserts the same key again and returns the error as a caller sees it.
func twice(t *testing.T, db *sql.DB, table string) error {
	t.Helper()
	if _, err := db.Exec("CREATE TABLE " + table + " (id INTEGER PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("INSERT INTO " + table + " VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	_, err := db.Exec("INSERT INTO " + table + " VALUES (1)")
	if err == nil {
		t.Fatal("the key was taken twice")
	}
	return wrapped(err)
}

// TestDrivers reads the errors of real servers.
func TestDrivers(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		err := twice(t, d.DB, "doc")
		switch d.Name {
		case "postgres":
			wantState(t, err, "23505")
			wantState(t, twice(t, testdb.Open(t, "postgres", d.DSN), "doc_pq"), "23505")
		case "mariadb":
			wantNumber(t, err, 1062, "Number")
		case "sqlite":
			wantNumber(t, err, 1555, "ExtendedCode", "Code")
			if got := dberr.SQLState(err); got != "" {
				t.Errorf("%v: state %q", err, got)
			}
		}
	})
}

func wantState(t *testing.T, err error, want string) {
	t.Helper()
	if got := dberr.SQLState(err); got != want {
		t.Errorf("%v: state %q, want %q", err, got, want)
	}
}

func wantNumber(t *testing.T, err error, want int, names ...string) {
	t.Helper()
	if got := dberr.Number(err, names...); got != want {
		t.Errorf("%v: number %d, want %d", err, got, want)
	}
}
