package judge

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/softdelete-go/softdelete/internal/sqltext"
)

// MariaDB is a MariaDB server, which is asked to prepare statements. It opens the
// tables of a statement before it looks at anything else in them, and says which
// one is not there. So each reference found gets a table of its own: if another
// one is not there then, a reference was missed; if a table that does not exist
// in the place of one is no fault, that one was invented.
//
// What it refuses before it opens tables it does not judge. Tables of its own,
// such as those of information_schema, it never misses.
type MariaDB struct {
	db   *sql.DB
	conn *sql.Conn
	// here is the database in use, which is empty; copies has the tables.
	here, copies string
	// lost is what the server did not survive.
	lost error
}

// copied is for how many references there are tables.
const copied = 64

// NewMariaDB returns the judge, for a server's DSN, and makes its databases.
func NewMariaDB(dsn string) (_ *MariaDB, err error) {
	ctx := context.Background()
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		return nil, err
	}
	m := &MariaDB{db: db, here: fmt.Sprintf("judge_%d", os.Getpid()), copies: fmt.Sprintf("judge_%d_copies", os.Getpid())}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.Close())
		}
	}()
	if m.conn, err = db.Conn(ctx); err != nil {
		return nil, err
	}
	setup := []string{"CREATE DATABASE " + m.here, "CREATE DATABASE " + m.copies, "USE " + m.here}
	for i := range copied {
		setup = append(setup, fmt.Sprintf("CREATE TABLE %s.t%d (c INT) ENGINE=MEMORY", m.copies, i))
	}
	for _, text := range setup {
		if _, err = m.conn.ExecContext(ctx, text); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Close drops the databases. The error tells as well if the server was lost.
func (m *MariaDB) Close() error {
	faults := []error{m.lost}
	for _, name := range []string{m.here, m.copies} {
		if m.conn != nil {
			_, err := m.conn.ExecContext(context.Background(), "DROP DATABASE IF EXISTS "+name)
			faults = append(faults, err)
		}
	}
	return errors.Join(append(faults, m.db.Close())...)
}

// Name is "mariadb".
func (*MariaDB) Name() string { return "mariadb" }

// Compare judges one statement.
func (m *MariaDB) Compare(text string, found []sqltext.Reference) (d Difference, err error) {
	if len(found) > copied {
		return d, fmt.Errorf("%w: %d tables", ErrRefused, len(found))
	}
	if sequence.MatchString(text) {
		return d, fmt.Errorf("%w: sequences are tables to it", ErrRefused)
	}
	if len(found) == 0 {
		return m.none(text)
	}
	if err := m.words(text); err != nil {
		return d, err
	}
	if err := m.Parses(text, found); err != nil {
		if d = m.broken(text, found); d.Equal() {
			return d, err
		}
		return d, nil
	}
	err = m.prepare(m.put(text, found, func(int) bool { return true }))
	if absent, ok := missing(err); ok {
		d.Missed = append(d.Missed, absent)
	}
	for i := range found {
		// Tables of a query of WITH that nothing asks for are not opened.
		err := m.prepare(m.put(text, found, func(j int) bool { return i != j }))
		if !nowhere(err) && number(err) != notPartitioned && !with.MatchString(text) {
			d.Extra = append(d.Extra, Table{found[i].Schema, found[i].Name})
		}
	}
	return d, nil
}

// words refuses a text whose names are words of the server's. It must not see its
// own tables in it: their columns it would look for, and has died of that.
func (m *MariaDB) words(text string) error {
	if own.MatchString(text) {
		return nil
	}
	if err := m.prepare(text); number(err) == syntax {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return nil
}

// Parses tells whether the server can parse a text, by whether it looks for its
// tables.
func (m *MariaDB) Parses(text string, found []sqltext.Reference) error {
	err := m.prepare(m.put(text, found, func(int) bool { return false }))
	if nowhere(err) {
		return nil
	}
	return fmt.Errorf("%w: it does not look for tables: %w", ErrRefused, err)
}

// none judges a statement in which no table was found.
func (m *MariaDB) none(text string) (d Difference, err error) {
	if !queries.MatchString(text) {
		return d, fmt.Errorf("%w: it may look for tables that no query reads", ErrRefused)
	}
	err = m.prepare(text)
	if absent, ok := missing(err); ok {
		return Difference{Missed: []Table{absent}}, nil
	}
	if err != nil {
		return d, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return d, nil
}

// broken finds the references in whose place no table can stand.
func (m *MariaDB) broken(text string, found []sqltext.Reference) (d Difference) {
	if own.MatchString(text) {
		return d
	}
	for i, r := range found {
		if err := m.prepare(m.put(text, found[i:i+1], func(int) bool { return false })); number(err) == syntax {
			d.Extra = append(d.Extra, Table{r.Schema, r.Name})
		}
	}
	return d
}

// Numbers of errors.
const (
	noSchema       = 1049
	syntax         = 1064
	noTable        = 1146
	notPartitioned = 1747
)

var (
	queries   = regexp.MustCompile(`(?is)^[\s(]*(?:SELECT|WITH|VALUES|INSERT|REPLACE|UPDATE|DELETE|EXPLAIN|DO|SET|CALL)\b|^\s*CREATE\b.*\bSELECT\b`)
	own       = regexp.MustCompile(`(?i)_schema\b|\bmysql\b|\bsys\b`)
	sequence  = regexp.MustCompile(`(?i)\b(?:NEXTVAL|LASTVAL|SETVAL)\s*\(|\bVALUE\s+FOR\b`)
	with      = regexp.MustCompile(`(?i)\bWITH\b`)
	partition = regexp.MustCompile(`(?i)^\s*PARTITION\b`)
	tableName = regexp.MustCompile(`Table '(.*?)\.(.*)' doesn't exist`)
)

func (m *MariaDB) prepare(text string) error {
	if m.lost != nil {
		return m.lost
	}
	statement, err := m.conn.PrepareContext(context.Background(), text)
	if err == nil {
		return statement.Close()
	}
	if !errors.As(err, new(*mysql.MySQLError)) {
		m.lost = fmt.Errorf("judge: MariaDB was lost at %q: %w", text, err)
	}
	return err
}

// number returns the number of an error, and 0 for none.
func number(err error) uint16 {
	var at *mysql.MySQLError
	if errors.As(err, &at) {
		return at.Number
	}
	return 0
}

// missing returns the table that an error says is missing, unless it is the one
// that nowhere is.
func missing(err error) (t Table, ok bool) {
	var at *mysql.MySQLError
	if !errors.As(err, &at) || at.Number != noTable || nowhere(err) {
		return t, false
	}
	name := tableName.FindStringSubmatch(at.Message)
	if name == nil {
		return Table{Name: at.Message}, true
	}
	return Table{name[1], name[2]}, true
}

// nowhere tells whether an error is about the table that does not exist.
func nowhere(err error) bool {
	n := number(err)
	return (n == noTable || n == noSchema) && strings.Contains(err.Error(), "nowhere")
}

// put puts tables in the place of references: those that exist, or one that does
// not. They keep the names that the rest of the statement has for them.
func (m *MariaDB) put(text string, found []sqltext.Reference, exists func(i int) bool) string {
	var b strings.Builder
	end := 0
	for i, r := range found {
		b.WriteString(text[end:r.Text.Start])
		if exists(i) {
			fmt.Fprintf(&b, " %s.`t%d`", m.copies, i)
		} else {
			b.WriteString(" nowhere.`nowhere`")
		}
		end = r.Text.End
		alias := r.Role == sqltext.Read || r.Role == sqltext.Update || r.Role == sqltext.Delete && !r.Fixed
		if alias && r.Alias.End == 0 && !partition.MatchString(text[end:]) {
			b.WriteString(" AS `" + strings.ReplaceAll(r.Name, "`", "``") + "`")
		}
	}
	b.WriteString(text[end:])
	return b.String()
}
