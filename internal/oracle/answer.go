package oracle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// answer is what a case did.
type answer struct {
	columns  []string
	rows     []string
	affected int64
	// written are the rows of the table that was written to, by their keys.
	written []stored
}

// stored is a row with what it takes to know its state.
type stored struct{ key, text string }

// run runs a text of a case in a session and takes back what it wrote.
func (b *Bed) run(ctx context.Context, conn *sql.Conn, c *testCase, text string) (answer, error) {
	timeout := serverTimeout
	if b.d == sqlite {
		timeout = sqliteTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if !c.writes && !c.makes {
		return b.read(ctx, conn, text)
	}
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return answer{}, err
	}
	a, err := b.write(ctx, conn, c, text)
	// The rollback has to happen whatever became of the case's own time.
	after := context.WithoutCancel(ctx)
	if _, e := conn.ExecContext(after, "ROLLBACK"); e != nil {
		err = errors.Join(err, e)
	}
	if c.makes && b.d == mysql {
		_, e := conn.ExecContext(after, "DROP TEMPORARY TABLE IF EXISTS made")
		err = errors.Join(err, e)
	}
	return a, err
}

func (b *Bed) write(ctx context.Context, conn *sql.Conn, c *testCase, text string) (a answer, err error) {
	if slices.Contains(c.constructs, "RETURNING") || slices.Contains(c.constructs, "data-modifying CTE") {
		a, err = b.read(ctx, conn, text)
	} else {
		var result sql.Result
		if result, err = conn.ExecContext(ctx, text); err == nil && c.writes {
			a.affected, err = result.RowsAffected()
		}
	}
	if err != nil || c.makes {
		if err == nil {
			a, err = b.read(ctx, conn, "SELECT * FROM made")
		}
		return a, err
	}
	for _, r := range c.refs {
		if r.target {
			a.written, err = b.stored(ctx, conn, c, r, conn == b.guarded)
		}
	}
	return a, err
}

// stored reads the table that was written to.
func (b *Bed) stored(ctx context.Context, conn *sql.Conn, c *testCase, r *ref, full bool) ([]stored, error) {
	name := b.d.quote(r.t.name)
	if !full && r.scope != nil {
		name = b.schemaOf(*r.scope, c.scope) + "." + name
	}
	key := strings.Join(r.t.key, ", ")
	rows, err := b.read(ctx, conn, "SELECT "+key+" FROM "+name+" ORDER BY "+key)
	if err != nil {
		return nil, err
	}
	all, err := b.read(ctx, conn, "SELECT * FROM "+name+" ORDER BY "+key)
	if err != nil {
		return nil, err
	}
	var list []stored
	for i := range rows.rows {
		list = append(list, stored{rows.rows[i], all.rows[i]})
	}
	return list, nil
}

// read runs a query.
func (b *Bed) read(ctx context.Context, conn *sql.Conn, text string) (a answer, err error) {
	rows, err := conn.QueryContext(ctx, text)
	if err != nil {
		return a, err
	}
	defer rows.Close()
	if a.columns, err = rows.Columns(); err != nil {
		return a, err
	}
	values, into := make([]any, len(a.columns)), make([]any, len(a.columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return a, err
		}
		a.rows = append(a.rows, encode(values))
	}
	return a, rows.Err()
}

// encode writes the values of a row, so that different rows differ.
func encode(values []any) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		switch v := v.(type) {
		case nil:
			b.WriteString("NULL")
		case []byte:
			fmt.Fprintf(&b, "'%s'", v)
		case string:
			fmt.Fprintf(&b, "'%s'", v)
		case time.Time:
			b.WriteString(v.UTC().Format(time.RFC3339Nano))
		default:
			fmt.Fprint(&b, v)
		}
	}
	return b.String()
}

// compare says how the guarded answer differs from the twin's; empty if it does
// not.
func (b *Bed) compare(c *testCase, got, want answer) string {
	if fmt.Sprint(got.columns) != fmt.Sprint(b.translate(c, want.columns)) && len(c.apart) == 0 {
		return fmt.Sprintf("columns %q, want %q", got.columns, want.columns)
	}
	if !c.ordered {
		slices.Sort(got.rows)
		slices.Sort(want.rows)
	}
	if !slices.Equal(got.rows, want.rows) {
		return fmt.Sprintf("rows\n\t%s\nwant\n\t%s", strings.Join(got.rows, "\n\t"), strings.Join(want.rows, "\n\t"))
	}
	if got.affected != want.affected {
		return fmt.Sprintf("%d rows affected, want %d", got.affected, want.affected)
	}
	for _, r := range c.refs {
		if r.target {
			return b.compareWritten(c, r, got.written, want.written)
		}
	}
	return ""
}

// translate gives columns that are called by an expression's text the name of
// the full copy's schema.
func (b *Bed) translate(c *testCase, names []string) (all []string) {
	from, to := b.schemaOf(c.scope, c.scope), b.schemaOf(lifecycle.Everything, lifecycle.Everything)
	for _, n := range names {
		n = strings.ReplaceAll(n, from, to)
		// MariaDB cuts a name in the middle of a schema's.
		if at := cut(n, from); len(n) >= longestName && len(from) == len(to) {
			n = n[:len(n)-at] + to[:at]
		}
		all = append(all, n)
	}
	return all
}

// longestName is where MariaDB cuts the names of columns, less what it counts in
// another way.
const longestName = 240

// cut returns how much of a schema's name is at the end of a text.
func cut(text, schema string) int {
	for n := len(schema) - 1; n > 0; n-- {
		if strings.HasSuffix(text, schema[:n]) {
			return n
		}
	}
	return 0
}

// compareWritten wants what the scope shows of the full table to equal the
// twin's, and what it hides to be as before.
func (b *Bed) compareWritten(c *testCase, r *ref, got, want []stored) string {
	scope := c.scope
	if r.scope != nil {
		scope = *r.scope
	}
	before := map[string]row{}
	for _, old := range b.data[r.t] {
		before[old.key(r.t)] = old
	}
	var shown, twin []string
	for _, s := range got {
		old, known := before[s.key]
		switch {
		case !known || r.t.shows(scope, old):
			shown = append(shown, s.text)
		case b.hidden[r.t][s.key] != s.text:
			return fmt.Sprintf("the hidden row %s of %s is now %s", s.key, r.t.name, s.text)
		}
		delete(before, s.key)
	}
	for _, s := range want {
		twin = append(twin, s.text)
	}
	for k, old := range before {
		if !r.t.shows(scope, old) {
			return fmt.Sprintf("the hidden row %s of %s is gone", k, r.t.name)
		}
	}
	slices.Sort(shown)
	slices.Sort(twin)
	if !slices.Equal(shown, twin) {
		return fmt.Sprintf("table %s is now\n\t%s\nwant\n\t%s", r.t.name, strings.Join(shown, "\n\t"), strings.Join(twin, "\n\t"))
	}
	return ""
}
