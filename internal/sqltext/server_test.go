package sqltext_test

import (
	"database/sql"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/internal/sqltext"
	"github.com/softdelete-go/softdelete/internal/testdb"
)

// serverModes are the modes which the test databases have by default.
var serverModes = map[string]sqltext.Mode{
	"postgres": {Quote: '"', Dollar: true, NestedComment: true},
	"mariadb":  {Quote: '`', Backslash: true, HashComment: true, DoubleString: true},
	"sqlite":   {Quote: '`', DoubleName: true}, // the widest of its modes
}

// columns are what a select list is made of, with commas in places where they
// separate nothing; noise is what goes between and into them.
var (
	columns = []string{
		"1", "1.5", "1e5", "0x1F", "1e", "1.", "0b1", "'a'", "'a, b'", "'it''s, '", `'\'`, `'\\'`, `'\', '`, `'a\'', '`,
		`"a, b"`, `"a\", "`, "`a, b`", "[a, b]", "$$a, b$$", "$q$a, $$ b$q$", "E'a\\', '", "N'a, b'", "x'41'", "_utf8'a, '",
		"U&'a, '", "NULL", "- 1", "1 - -1", "1--1", "4 / 2", "2 * 3", "a", "t.a", "1a", "1 b", "2AS c",
	}
	noise = []string{
		" ", "\n", "\t", "\r\n", "\r", "\f", "\v", "/* , */", "/*, /* , */ , */", "/**/", "/*/, */", "-- , \n", "--, \n", "-- ,\r\n", "-- ,\r",
		"# , \n", "#\n", "/*! , 1 */", "/*!99999 , 1 */", "/*M! , 1 */", "/*+ , */", "'", `"`, "`", `\`, "$$", "$q$", "/*", "*/", "--", "#",
		"\u00a0", "\ufeff", "\u2028", "E", "e", "_", "1", ".", "é",
	}
)

// statement makes a random query, most of the time one that a server accepts.
func statement(random *rand.Rand) string {
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	var b strings.Builder
	b.WriteString("SELECT 0")
	for range 1 + random.IntN(3) {
		b.WriteString(", " + pick(columns))
		for range random.IntN(3) {
			b.WriteString(pick(noise))
		}
	}
	b.WriteString("\n, 9 FROM (SELECT 1 AS a) t")
	return b.String()
}

// listed returns how many columns the tokens of a statement select.
func listed(text string, tokens []sqltext.Token) int {
	n := 1
	for _, t := range tokens {
		if t.Kind == sqltext.Symbol && text[t.Start:t.End] == "," {
			n++
		}
	}
	return n
}

// TestServersSplitAlike sends random texts that the lexer accepts to the real
// servers. Where a server accepts one too, it has to see as many columns.
func TestServersSplitAlike(t *testing.T) {
	t.Parallel()
	const texts, least = 20000, 200
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		random := rand.New(rand.NewPCG(1, 2))
		accepted := 0
		for range texts {
			text := statement(random)
			tokens, err := sqltext.Lex(text, serverModes[d.Name])
			if err != nil {
				continue
			}
			got, ok := selected(t, d.DB, text)
			if !ok {
				continue
			}
			accepted++
			if want := listed(text, tokens); len(got) != want {
				t.Errorf("%q: the server selects %d columns (%q), the lexer sees %d", text, len(got), got, want)
			}
		}
		if accepted < least {
			t.Errorf("the server accepted %d texts of %d, too few to prove anything", accepted, texts)
		}
		t.Logf("compared %d texts", accepted)
	})
}

// selected returns the columns of a query, and false if the server refuses it.
func selected(t *testing.T, db *sql.DB, text string) ([]string, bool) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), text)
	if err != nil {
		return nil, false
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(names), true
}
