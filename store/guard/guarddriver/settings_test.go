package guarddriver_test

import (
	"errors"
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/store/guard"
	"github.com/softdelete-go/softdelete/store/guard/guarddriver"
)

// TestSettings reads texts in which a table is inside a string or outside, as the
// session's settings have it. Each counts the visible documents.
func TestSettings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		open func(testing.TB) (*testdb.Database, bool)
		d    *guard.Dialect
		text string
	}{
		{"ANSI_QUOTES", func(tb testing.TB) (*testdb.Database, bool) { return testdb.MySQL(tb, "sql_mode='ANSI_QUOTES'") },
			guard.MySQL, `SELECT count(*) FROM "document"`},
		{"ANSI_QUOTES and a backslash", func(tb testing.TB) (*testdb.Database, bool) { return testdb.MySQL(tb, "sql_mode='ANSI'") },
			guard.MySQL, `SELECT count(*) AS "\" FROM document -- "`},
		{"usual MySQL", func(tb testing.TB) (*testdb.Database, bool) { return testdb.MySQL(tb) },
			guard.MySQL, `SELECT count("\" FROM folder -- ") FROM document`},
		{"NO_BACKSLASH_ESCAPES", func(tb testing.TB) (*testdb.Database, bool) {
			return testdb.MySQL(tb, "sql_mode='NO_BACKSLASH_ESCAPES'")
		}, guard.MySQL, `SELECT count('\') FROM document -- '`},
		{"usual PostgreSQL", func(tb testing.TB) (*testdb.Database, bool) { return testdb.Postgres(tb) },
			guard.Postgres, `SELECT count('\') FROM document -- '`},
		{"backslashes", func(tb testing.TB) (*testdb.Database, bool) {
			return testdb.Postgres(tb, "standard_conforming_strings=off", "escape_string_warning=off")
		}, guard.Postgres, `SELECT count('\' FROM folder -- ') FROM document`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d, ok := test.open(t)
			if !ok {
				return
			}
			fill(t, d.DB)
			var n int
			err := open(t, d, newGuard(t, test.d, nil)).QueryRowContext(t.Context(), test.text).Scan(&n)
			if err != nil || n != 2 {
				t.Errorf("%s shows %d documents (%v), want 2", test.text, n, err)
			}
		})
	}
}

// TestOtherLanguages does not connect to sessions that read texts as the guard
// does not.
func TestOtherLanguages(t *testing.T) {
	t.Parallel()
	for _, param := range []string{"sql_mode='ORACLE'", "charset=latin1", "charset=gbk"} {
		d, ok := testdb.MySQL(t, param)
		if !ok {
			continue
		}
		db, err := guarddriver.Open(d.Driver, d.DSN, newGuard(t, guard.MySQL, nil))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.PingContext(t.Context()); !errors.Is(err, guard.ErrNotUnderstood) {
			t.Errorf("%s: %v, want %v", param, err, guard.ErrNotUnderstood)
		}
	}
}
