package judge

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"

	"github.com/softdelete-go/softdelete/internal/sqltext"
)

// SQLite is SQLite itself. It keeps no tree that could be asked, but does not
// prepare a statement whose tables it cannot read, and tells an authorizer which
// ones of which database it reads. So each reference found gets a database of its
// own with a copy of the definitions, and all that is left in the first one is
// broken: if the statement still needs it, a reference was missed; if one of the
// copies is not used, and a database that does not exist in its place is no fault,
// one was invented.
//
// It judges a statement by the tables that the statements before it made.
type SQLite struct {
	// main has the definitions, and mirror their copies.
	main, mirror connection
	// stale says that the copies are older than the definitions.
	stale bool
	// copies are the databases of the mirror with copies, broken the views in its
	// first one.
	copies, broken []string
}

// NewSQLite returns the judge, with an empty database.
func NewSQLite() (*SQLite, error) {
	s := &SQLite{}
	for i := range 9 {
		s.copies = append(s.copies, fmt.Sprintf("copy_%d", i))
	}
	return s, s.Reset()
}

// Name is "sqlite".
func (s *SQLite) Name() string { return "sqlite" }

// Close frees the databases.
func (s *SQLite) Close() error { return errors.Join(s.main.close(), s.mirror.close()) }

// Reset starts with an empty database.
func (s *SQLite) Reset() error {
	if err := s.Close(); err != nil {
		return err
	}
	s.main, s.mirror, s.stale, s.broken = connection{}, connection{}, true, nil
	return errors.Join(s.main.open(), s.mirror.open())
}

var (
	comments    = regexp.MustCompile(`(?s)^(?:\s|--[^\n]*\n|/\*.*?\*/)*`)
	defines     = regexp.MustCompile(`(?i)^(CREATE|DROP|ALTER|BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE)\b`)
	temporary   = regexp.MustCompile(`(?i)^(CREATE\s+)TEMP(?:ORARY)?\s+(TABLE|VIEW)\b`)
	queryless   = regexp.MustCompile(`(?i)^(EXPLAIN\s+(QUERY\s+PLAN\s+)?)?(CREATE|DROP|ALTER|ANALYZE|REINDEX|VACUUM|PRAGMA)\b`)
	tableAs     = regexp.MustCompile(`(?i)^CREATE\s+(TEMP\s+|TEMPORARY\s+)?TABLE\s[^(]*\sAS\s`)
	viewAs      = regexp.MustCompile(`(?i)^CREATE\s+(TEMP\s+|TEMPORARY\s+)?VIEW\s+(IF\s+NOT\s+EXISTS\s+)?([\w.]+|"[^"]*"|\[[^]]*\])\s*(\([^)]*\))?\s*AS\s`)
	needsBroken = regexp.MustCompile(`no such table: main\.broken (.*)|cannot modify (.*) because it is a view`)
)

// bare returns a text without comments before it.
func bare(text string) string { return text[len(comments.FindString(text)):] }

// Run lets a statement define, change or drop tables. Other statements are not
// run. Temporary tables become lasting ones, for the copies to have them.
func (s *SQLite) Run(text string) {
	text = bare(text)
	if !defines.MatchString(text) {
		return
	}
	s.main.exec(temporary.ReplaceAllString(text, "$1$2"))
	s.stale = true
}

// Compare judges one statement. Of CREATE VIEW it judges the query.
func (s *SQLite) Compare(text string, found []sqltext.Reference) (Difference, error) {
	at := len(text) - len(bare(text))
	at += len(viewAs.FindString(text[at:]))
	text = text[at:]
	used, err := s.main.prepare(text)
	if err != nil {
		return Difference{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if len(found) == 0 && (len(used) == 0 || queryless.MatchString(text) && !tableAs.MatchString(text)) {
		return Difference{}, nil
	}
	if err := s.refresh(); err != nil {
		return Difference{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	var d Difference
	for from := 0; from == 0 || from < len(found); from += len(s.copies) {
		if err := s.group(text, at, found, from, &d); err != nil {
			return Difference{}, err
		}
	}
	return d, nil
}

// group puts copies in the place of all references, each its own from one index
// on.
func (s *SQLite) group(text string, at int, found []sqltext.Reference, from int, d *Difference) error {
	// What has no place of its own shares the last copy.
	own := min(len(s.copies), len(found)-from)
	schema := func(i int) string {
		if i >= from && i < from+own {
			return s.copies[i-from]
		}
		return s.copies[len(s.copies)-1]
	}
	moved, err := move(text, at, found, schema)
	if err != nil {
		return err
	}
	used, err := s.mirror.prepare(moved)
	if err != nil {
		return s.faulty(text, at, found, err, d)
	}
	if from == 0 {
		d.Missed = schemas(text, used)
	}
	for i := from; i < from+own; i++ {
		if !uses(used, schema(i), found[i].Name) && !s.named(text, at, found, i) {
			d.Extra = append(d.Extra, Table{found[i].Schema, found[i].Name})
		}
	}
	return nil
}

// schemas are the tables of the first database's schema that are used, unless by
// a definition itself. All other tables there are broken.
func schemas(text string, used map[use]bool) (list []Table) {
	for u := range used {
		if u.schema == "main" && strings.HasPrefix(u.table, "sqlite_") && !queryless.MatchString(text) {
			list = append(list, Table{"main", u.table})
		}
	}
	return list
}

// faulty says whose fault it is that a statement with copies cannot be prepared.
func (s *SQLite) faulty(text string, at int, found []sqltext.Reference, err error, d *Difference) error {
	m := needsBroken.FindStringSubmatch(err.Error())
	if m != nil && m[2] != "" {
		// Copies of views lack temporary triggers.
		if views, err := s.main.names("'view'"); err != nil || slices.Contains(views, m[2]) {
			return fmt.Errorf("%w: a view is written", ErrRefused)
		}
	}
	if m != nil {
		d.Missed = []Table{{Name: m[1] + m[2]}}
		return nil
	}
	for i := range found {
		if !s.named(text, at, found, i) {
			d.Extra = append(d.Extra, Table{found[i].Schema, found[i].Name})
		}
	}
	if d.Equal() {
		return fmt.Errorf("%w: copies: %w", ErrRefused, err)
	}
	return nil
}

// uses tells whether a table was used. Some have two names.
func uses(used map[use]bool, schema, name string) bool {
	for u := range used {
		if u.schema == schema && (strings.EqualFold(u.table, name) || strings.HasPrefix(u.table, "sqlite_")) {
			return true
		}
	}
	return false
}

// named tells whether the server minds that one reference is in a database that
// is not there. What it does not read at all, such as a query of WITH that
// nothing asks for, it does not mind.
func (s *SQLite) named(text string, at int, found []sqltext.Reference, i int) bool {
	moved, err := move(text, at, found[i:i+1], func(int) string { return "nowhere" })
	if err != nil {
		return false
	}
	_, err = s.main.prepare(moved)
	return err == nil || strings.Contains(err.Error(), "no such table: nowhere.") || strings.Contains(err.Error(), "unknown database nowhere")
}

// move puts references into other schemas.
func move(text string, at int, found []sqltext.Reference, schema func(i int) string) (string, error) {
	var b strings.Builder
	end := 0
	for i, r := range found {
		from, to := r.Text.Start-at, r.Text.End-at
		if from < end {
			return "", fmt.Errorf("%w: references out of order", ErrRefused)
		}
		name := text[from:to]
		if r.Schema != "" {
			_, rest, ok := strings.Cut(name, ".")
			if !ok || !strings.EqualFold(r.Schema, "main") {
				return "", fmt.Errorf("%w: a table of another database", ErrRefused)
			}
			name = strings.TrimSpace(rest)
		}
		b.WriteString(text[end:from])
		b.WriteString(" " + schema(i) + "." + name)
		end = to
	}
	b.WriteString(text[end:])
	return b.String(), nil
}

// refresh copies the definitions.
func (s *SQLite) refresh() error {
	if !s.stale {
		return nil
	}
	image, err := s.main.conn.Serialize("main")
	if err != nil {
		return err
	}
	if len(image) == 0 {
		return errors.New("nothing is defined")
	}
	err = s.breakMain()
	for _, name := range s.copies {
		if !s.mirror.attached {
			s.mirror.exec("ATTACH ':memory:' AS " + name)
		}
		err = errors.Join(err, s.mirror.conn.Deserialize(image, name))
	}
	s.mirror.attached = true
	s.stale = err != nil
	return err
}

// breakMain puts views that cannot be read in the place of all that is in the
// first database.
func (s *SQLite) breakMain() error {
	for _, name := range s.broken {
		s.mirror.exec("DROP VIEW " + quoted(name))
	}
	var err error
	if s.broken, err = s.main.names("'table', 'view'"); err != nil {
		return err
	}
	for _, name := range s.broken {
		s.mirror.exec("CREATE VIEW " + quoted(name) + " AS SELECT * FROM " + quoted("broken "+name))
	}
	return nil
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// use is what an authorizer is told.
type use struct{ schema, table string }

type connection struct {
	conn     *sqlite3.SQLiteConn
	used     map[use]bool
	attached bool
}

func (c *connection) open() error {
	conn, err := (&sqlite3.SQLiteDriver{}).Open(":memory:")
	if err != nil {
		return err
	}
	c.conn = conn.(*sqlite3.SQLiteConn)
	c.conn.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, 1<<20)
	c.conn.RegisterAuthorizer(c.authorize)
	return nil
}

func (c *connection) close() error {
	if c.conn == nil {
		return nil
	}
	return c.conn.Close()
}

// authorize notes the tables that are used.
func (c *connection) authorize(action int, a, _, schema string) int {
	switch action {
	case sqlite3.SQLITE_READ, sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE:
		if c.used != nil {
			c.used[use{schema, a}] = true
		}
	}
	return sqlite3.SQLITE_OK
}

// names returns what is defined of some types.
func (c *connection) names(types string) (list []string, err error) {
	rows, err := c.conn.QueryContext(context.Background(), "SELECT name FROM main.sqlite_master WHERE type IN ("+types+") AND name NOT LIKE 'sqlite%'", nil)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	row := make([]driver.Value, 1)
	for err = rows.Next(row); err == nil; err = rows.Next(row) {
		list = append(list, fmt.Sprint(row[0]))
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return list, err
}

// prepare returns what a statement uses.
func (c *connection) prepare(text string) (map[use]bool, error) {
	c.used = map[use]bool{}
	defer func() { c.used = nil }()
	statement, err := c.conn.Prepare(text)
	if err != nil {
		return nil, err
	}
	return c.used, statement.Close()
}

// exec runs a definition. What fails defines nothing.
func (c *connection) exec(text string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = c.conn.ExecContext(ctx, text, []driver.NamedValue{})
}
