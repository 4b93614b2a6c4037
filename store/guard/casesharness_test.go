package guard_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	sq "github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/store/guard"
)

// scenario is a case: a statement whose guarded answer has to be the plain one of
// the twin, where the deleted rows are not there.
type scenario struct {
	name string
	// text is for products without one of their own. Its double quotes become the
	// product's, {schema} the schema's name.
	text string
	// own are texts of single products, taken as they are; an empty one says that
	// the product does not have the construct.
	own map[*guard.Dialect]string
	// mariadb is for MariaDB, where MySQL does not have the construct.
	mariadb string
	// build makes the text with squirrel.
	build func(sq.StatementBuilderType) sq.Sqlizer
	// twin is the twin's text where it has to be another one.
	twin string
	// with sets scopes, and shows is what they show.
	with  func(*guard.Guard) *guard.Guard
	shows shows
	// options are the guard's.
	options *guard.Options
	// ordered says that the order of the rows is part of the answer.
	ordered bool
	// alike says that the plain text does not care about deleted rows: the scenario
	// is about something that has to be left alone.
	alike bool
	// refused is the sentinel of a statement that gets no answer.
	refused error
}

type dialectTexts = map[*guard.Dialect]string

// quoted writes names as a product quotes them.
func quoted(d *guard.Dialect, text string) string {
	if d == guard.MySQL {
		return strings.ReplaceAll(text, `"`, "`")
	}
	return text
}

// statement renders the scenario for a side, and is empty where the product does
// not have the construct.
func (s *scenario) statement(t *testing.T, b *bed, on side) (string, []any) {
	t.Helper()
	text, ok := s.own[b.d]
	switch {
	case s.mariadb != "" && b.mariadb:
		text = s.mariadb
	case s.mariadb != "" && b.d == guard.MySQL, ok && text == "":
		return "", nil
	case s.build != nil:
		format := sq.PlaceholderFormat(sq.Question)
		if b.d == guard.Postgres {
			format = sq.Dollar
		}
		text, args, err := s.build(sq.StatementBuilder.PlaceholderFormat(format)).ToSql()
		if err != nil {
			t.Fatal(err)
		}
		return quoted(b.d, text), args
	case !ok:
		text = quoted(b.d, s.text)
	}
	return strings.ReplaceAll(text, "{schema}", on.schema), nil
}

// answer is what a statement did.
type answer struct {
	Columns  []string
	Rows     []string
	Affected int64
	// Tables are the rows of each table afterwards, where it was a write.
	Tables map[string][]string
	// Touched are rows that the scope hides and that are not as they were.
	Touched []string
}

// each runs scenarios on all products, each of them on databases that fn shares.
func each(t *testing.T, scenarios []scenario, fn func(t *testing.T, b *bed, s *scenario)) {
	t.Helper()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		shared := newBed(t, d, nil)
		shared.shared = true
		names := map[string]bool{}
		for _, s := range scenarios {
			if names[s.name] {
				t.Errorf("two scenarios are called %q", s.name)
			}
			names[s.name] = true
			if text, _ := s.statement(t, shared, shared.full); text == "" {
				continue
			}
			t.Run(s.name, func(t *testing.T) {
				b := shared
				if s.shows != nil {
					t.Parallel()
					b = newBed(t, another(t, d.Name), s.shows)
				}
				fn(t, b, &s)
			})
		}
	})
}

// guard makes the scenario's guard.
func (s *scenario) guard(t *testing.T, d *guard.Dialect) *guard.Guard {
	t.Helper()
	g, err := guard.New(casesCatalog(), d, s.options)
	if err != nil {
		t.Fatal(err)
	}
	if s.with != nil {
		g = s.with(g)
	}
	return g
}

// readsAs wants the guarded query to answer as the twin does.
func readsAs(t *testing.T, b *bed, s *scenario) {
	if b.shared {
		t.Parallel()
	}
	s.compare(t, b, func(on side, text string, args []any) (answer, error) {
		return query(t.Context(), on.db, text, args, s.ordered)
	})
}

// writesAs wants the guarded statement to do as the twin does, to what is shown.
func writesAs(t *testing.T, b *bed, s *scenario) {
	s.compare(t, b, func(on side, text string, args []any) (answer, error) {
		return b.write(t, on, text, args, s.ordered)
	})
}

// runner runs a text on a side.
type runner func(on side, text string, args []any) (answer, error)

func (s *scenario) compare(t *testing.T, b *bed, run runner) {
	t.Helper()
	want := s.wanted(t, b, run)
	text, args := s.statement(t, b, b.full)
	if plain, err := run(b.full, text, args); !s.alike && err == nil && cmp.Equal(want, plain) {
		t.Errorf("deleted rows make no difference to the plain text: the scenario shows nothing\n%s", text)
	}
	guarded, err := s.guard(t, b.d).Rewrite(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	got, err := run(b.full, guarded, args)
	if err != nil {
		t.Fatalf("%v\n%s", err, guarded)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s\n%s", diff, guarded)
	}
}

// wanted is the twin's answer.
func (s *scenario) wanted(t *testing.T, b *bed, run runner) answer {
	t.Helper()
	text, args := s.statement(t, b, b.twin)
	if s.twin != "" {
		text = strings.ReplaceAll(quoted(b.d, s.twin), "{schema}", b.twin.schema)
	}
	want, err := run(b.twin, text, args)
	if err != nil {
		t.Fatalf("on the twin: %v\n%s", err, text)
	}
	return want
}

// refuses wants a statement that the product takes, and that deleted rows make a
// difference to, to be refused without being sent.
func refuses(t *testing.T, b *bed, s *scenario) {
	text, args := s.statement(t, b, b.full)
	run := func(on side, text string, args []any) (answer, error) {
		return b.write(t, on, text, args, false)
	}
	want := s.wanted(t, b, run)
	plain, err := run(b.full, text, args)
	if !s.alike && err == nil && cmp.Equal(want, plain) {
		t.Errorf("deleted rows make no difference to the plain text: the scenario shows nothing\n%s", text)
	}
	g, before := s.guard(t, b.d), b.full.tables(t, b.d, b.full.db)
	var e *guard.Error
	if got, err := g.Rewrite(text); got != "" || !errors.Is(err, s.refused) || !errors.As(err, &e) {
		t.Errorf("Rewrite = %q, %v; want no text and %v", got, err, s.refused)
	}
	if result, err := g.Runner(b.full.db).ExecContext(t.Context(), text, args...); result != nil || !errors.Is(err, s.refused) {
		t.Errorf("Exec = %v, %v; want nothing and %v", result, err, s.refused)
	}
	rows, err := g.Runner(b.full.db).QueryContext(t.Context(), text, args...)
	if rows != nil || !errors.Is(err, s.refused) {
		t.Errorf("Query = %v, %v; want nothing and %v", rows, err, s.refused)
	}
	if diff := cmp.Diff(before, b.full.tables(t, b.d, b.full.db)); diff != "" {
		t.Errorf("the tables (-before +after)\n%s", diff)
	}
}

// querier is a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func query(ctx context.Context, db querier, text string, args []any, ordered bool) (a answer, err error) {
	rows, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if a.Columns, err = rows.Columns(); err != nil {
		return a, err
	}
	values, into := make([]any, len(a.Columns)), make([]any, len(a.Columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return a, err
		}
		a.Rows = append(a.Rows, line(values))
	}
	if !ordered {
		slices.Sort(a.Rows)
	}
	return a, rows.Err()
}

// line writes a row.
func line(values []any) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		switch v := v.(type) {
		case nil:
			b.WriteString("NULL")
		case string, []byte:
			fmt.Fprintf(&b, "%q", v)
		case time.Time:
			b.WriteString(v.UTC().Format(time.RFC3339Nano))
		default:
			fmt.Fprint(&b, v)
		}
	}
	return b.String()
}

// write runs a statement in a transaction that it takes back.
func (b *bed) write(t *testing.T, on side, text string, args []any, ordered bool) (a answer, err error) {
	t.Helper()
	tx, err := on.db.BeginTx(t.Context(), nil)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	if upper := strings.ToUpper(text); strings.Contains(upper, "RETURNING") || strings.HasPrefix(upper, "SELECT") {
		a, err = query(t.Context(), tx, text, args, ordered)
	} else {
		var result sql.Result
		if result, err = tx.ExecContext(t.Context(), text, args...); err == nil {
			a.Affected, err = result.RowsAffected()
		}
	}
	if err != nil {
		return a, err
	}
	a.Tables = on.tables(t, b.d, tx)
	if on == b.full {
		for _, name := range slices.Sorted(maps.Keys(a.Tables)) {
			var touched []string
			a.Tables[name], touched = without(a.Tables[name], b.hidden[name])
			a.Touched = append(a.Touched, touched...)
		}
	}
	return a, nil
}

// tables reads all tables.
func (on side) tables(t *testing.T, d *guard.Dialect, db querier) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range fixture {
		a, err := query(t.Context(), db, quoted(d, "SELECT * FROM "+table.name), nil, false)
		if err != nil {
			t.Fatal(err)
		}
		all[table.name] = a.Rows
	}
	return all
}

// without returns the lines that are left of all, and those that were not there.
func without(all, some []string) (left, missing []string) {
	left = slices.Clone(all)
	for _, s := range some {
		if at := slices.Index(left, s); at >= 0 {
			left = slices.Delete(left, at, at+1)
		} else {
			missing = append(missing, s)
		}
	}
	return left, missing
}
