package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Problem is one place where the live schema is not what the declaration says.
type Problem struct {
	// Table is the table's name, with its schema where it was declared.
	Table string
	// Column is the column, or the index; empty where it is the table itself.
	Column string
	// Kind is one of: missing table, not a table, missing column, wrong type,
	// too small, nullability, default, computed, not a key, foreign key,
	// collation, missing index, values, schema version, view, policy.
	Kind string
	// What says what was found, what is wanted, and why where it is not plain.
	What string
	// Warning says that every answer of the store is right all the same, on the
	// terms that What names. Defaults to false: the store must not be used.
	Warning bool
	// Mend are statements that mend it, to be run in their order in one session;
	// empty where only a person can tell what is right. They may rewrite the
	// table, and on MySQL they restate a column without its comment.
	Mend []string
}

// String returns the problem on one line.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.Table)
	if p.Column != "" {
		b.WriteString("." + p.Column)
	}
	b.WriteString(": " + p.Kind)
	if p.What != "" {
		b.WriteString(": " + p.What)
	}
	if p.Warning {
		b.WriteString(" (warning)")
	}
	return b.String()
}

// The kinds of a Problem.
const (
	missingTable   = "missing table"
	notTable       = "not a table"
	missingColumn  = "missing column"
	wrongType      = "wrong type"
	tooSmall       = "too small"
	nullability    = "nullability"
	wrongDefault   = "default"
	computed       = "computed"
	notKey         = "not a key"
	foreignKey     = "foreign key"
	wrongCollation = "collation"
	missingIndex   = "missing index"
	wrongValues    = "values"
	schemaVersion  = "schema version"
	staleView      = "view"
	stalePolicy    = "policy"
)

// SchemaError lists every problem that Check found, in the order of the
// declaration.
type SchemaError struct {
	Problems []Problem
}

// Error names each problem on a line of its own.
func (e *SchemaError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = "\n\t" + p.String()
	}
	return fmt.Sprintf("store: the live schema differs from the declaration in %d places:%s", len(lines), strings.Join(lines, ""))
}

// Fatal tells whether some problem is more than a warning.
func (e *SchemaError) Fatal() bool {
	for _, p := range e.Problems {
		if !p.Warning {
			return true
		}
	}
	return false
}

// Check compares the declaration of every table of the catalog, and the store's
// own tables, with the live schema. It returns nil where nothing differs, and
// otherwise a *[SchemaError] with every problem; another error is the database's,
// and says nothing about the schema. What it does not know is a problem, never
// passed over. Run it when a service starts, and where its migrations are tested.
//
// It changes nothing and reads the database's description of itself, inside or
// outside a transaction. On SQLite, where columns hold values of any type, it
// reads the columns of instants as well, up to the first value that does not fit.
// The connection's user needs some right on each mapped column to see it.
//
// The views of Views and the policy of Policies are compared where they are there. What else reads the
// tables inside the database is not a fault of the schema: see Readers.
func (s *Store) Check(ctx context.Context, db lifecycle.DB) error {
	var problems []Problem
	for _, t := range s.catalog.Tables() {
		p := s.plans[t]
		found, err := s.checkTable(ctx, db, p)
		if err != nil {
			return s.fault("check", p, nil, err)
		}
		problems = append(problems, found...)
	}
	own, err := s.checkOwn(ctx, db)
	if err != nil {
		return s.fault("check", nil, nil, err)
	}
	if problems = append(problems, own...); len(problems) > 0 {
		return &SchemaError{Problems: problems}
	}
	return nil
}

func (s *Store) checkTable(ctx context.Context, db lifecycle.DB, p *plan) ([]Problem, error) {
	live, err := s.live(ctx, db, p.t.Schema, p.t.Name)
	if err != nil {
		return nil, err
	}
	if problems := p.checkRelation(live); len(problems) > 0 {
		return problems, nil
	}
	problems := p.checkKeys(live)
	for _, c := range p.life() {
		found := p.checkLife(live, c)
		if len(found) == 0 {
			if found, err = s.checkValues(ctx, db, p, c); err != nil {
				return nil, err
			}
		}
		problems = append(problems, found...)
	}
	foreign, err := s.checkForeign(ctx, db, p)
	if err != nil {
		return nil, err
	}
	views, err := s.checkViews(ctx, db, p, live)
	if err != nil {
		return nil, err
	}
	policy, err := s.checkPolicy(ctx, db, p)
	if err != nil {
		return nil, err
	}
	return slices.Concat(problems, p.checkOthers(live), foreign, p.checkIndexes(live), views, policy), nil
}

// problem names a column's problem.
func (p *plan) problem(column, kind, format string, args ...any) Problem {
	return Problem{Table: p.name, Column: column, Kind: kind, What: fmt.Sprintf(format, args...)}
}

func (p *plan) checkRelation(live *liveTable) []Problem {
	return checkRelation(p.name, live)
}

func checkRelation(name string, live *liveTable) []Problem {
	one := Problem{Table: name, Kind: missingTable}
	switch {
	case live.kind == "" && len(live.similar) > 0:
		one.What = fmt.Sprintf("there is %q: letter case counts", live.similar[0])
	case live.kind == "":
		one.What = "there is none of that name"
	case live.kind != "table" && live.kind != "partitioned table":
		one.Kind, one.What = notTable, "it is a "+live.kind
	case len(live.columns) == 0:
		one.Kind, one.What = missingColumn, "no column can be seen (has the user a right on the table?)"
	default:
		return nil
	}
	return []Problem{one}
}

// checkKeys wants the key's columns, not NULL, and a unique index that they
// fill: else one key would name several rows.
func (p *plan) checkKeys(live *liveTable) []Problem {
	var problems []Problem
	for _, name := range p.t.Key {
		c := live.column(name)
		switch {
		case c == nil:
			problems = append(problems, p.missing(live, name, "the key"))
		case c.nullable:
			problems = append(problems, p.problem(name, nullability, "a column of the key may be NULL"))
		case !keyFamily(p.d, c.family):
			problems = append(problems, p.problem(name, wrongType, "a %s cannot be a key", c.typ))
		}
	}
	if len(problems) == 0 && !live.identifies(p.t.Key) {
		problems = append(problems, p.problem(strings.Join(p.t.Key, ", "), notKey,
			"neither the primary key nor a unique index of the whole table (Table.Key has to name one in full)"))
	}
	return problems
}

func keyFamily(d *Dialect, family string) bool {
	switch family {
	case "int", "text", "char", "binary", "uuid":
		return true
	}
	return family == "numeric" && d.TypeOf != ""
}

// missing names a column that is not there, and one that is nearly it.
func (p *plan) missing(live *liveTable, name, use string) Problem {
	for _, c := range live.columns {
		if strings.EqualFold(c.name, name) {
			return p.problem(name, missingColumn, "%s: there is %q: letter case counts", use, c.name)
		}
	}
	return p.problem(name, missingColumn, "%s: there is none of that name", use)
}

// checkOthers wants the columns that other tables and the object store know.
// There is no statement that mends them: see Adopt.
func (p *plan) checkOthers(live *liveTable) []Problem {
	var problems []Problem
	want := func(name, use string) {
		if name != "" && live.column(name) == nil {
			problems = append(problems, p.missing(live, name, use))
		}
	}
	for _, parent := range p.t.Parents {
		for _, name := range parent.Columns {
			want(name, "refers to "+parent.Table.FullName())
		}
	}
	for _, o := range p.t.Objects {
		want(o.Key, "holds keys of the bucket "+o.Bucket)
		want(o.Version, "holds versions of the bucket "+o.Bucket)
		want(o.Size, "holds sizes of the bucket "+o.Bucket)
	}
	return problems
}

// checkIndexes names indexes that are missing on columns that are there.
func (p *plan) checkIndexes(live *liveTable) []Problem {
	var problems []Problem
	for _, i := range p.indexes() {
		if !live.all(i.columns) {
			continue
		}
		if mend := p.missingIndex(live, i); len(mend) > 0 {
			one := p.problem(i.name, missingIndex, "none begins with %s: statements read the whole table", strings.Join(i.columns[:i.lead], ", "))
			if i.where != "" {
				one.What += " (it has to hold all rows where " + i.where + ", and no others)"
			}
			one.Warning, one.Mend = true, mend
			problems = append(problems, one)
		}
	}
	return problems
}

func (t *liveTable) all(columns []string) bool {
	for _, c := range columns {
		if t.column(c) == nil {
			return false
		}
	}
	return true
}
