package store

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// ownTable is one of the store's own tables as its migrations make it.
type ownTable struct {
	name    string
	step    int // the migration that made it
	columns []ownColumn
	indexes []ownIndex
}

type ownColumn struct {
	name, typ, collation string
	size                 int64
	step                 int
}

type ownIndex struct {
	name    string
	unique  bool
	columns []string
	step    int
}

// The migrations' texts are the store's own and have one form: a column or a
// constraint a line, names in braces.
var (
	makesTable  = regexp.MustCompile(`^CREATE TABLE IF NOT EXISTS \{(\w+)\}`)
	addsColumn  = regexp.MustCompile(`^ALTER TABLE \{(\w+)\} ADD COLUMN (?:IF NOT EXISTS )?(.*)`)
	makesIndex  = regexp.MustCompile(`^CREATE (UNIQUE )?INDEX IF NOT EXISTS \{(\w+)\} ON \{(\w+)\} \(([^)]*)\)`)
	columnLine  = regexp.MustCompile(`^([a-z]\w*)\s+([A-Za-z]\w*)(?:\((\d+)\))?(.*)`)
	indexLine   = regexp.MustCompile(`^(UNIQUE )?INDEX \{(\w+)\} \(([^)]*)\)`)
	collateWord = regexp.MustCompile(`COLLATE "?(\w+)"?`)
)

// ownSchema reads from the migrations what the store's own tables have.
func (d *Dialect) ownSchema() []*ownTable {
	var all []*ownTable
	find := func(name string) *ownTable {
		for _, t := range all {
			if t.name == name {
				return t
			}
		}
		return nil
	}
	for n, migration := range d.Migrations {
		for _, text := range strings.Split(migration, ";\n") {
			text = strings.TrimSpace(text)
			if m := makesTable.FindStringSubmatch(text); m != nil {
				all = append(all, newOwnTable(m[1], n+1, text))
			} else if m := makesIndex.FindStringSubmatch(text); m != nil && find(m[3]) != nil {
				t := find(m[3])
				t.indexes = append(t.indexes, ownIndex{m[2], m[1] != "", strings.Split(m[4], ", "), n + 1})
			} else if m := addsColumn.FindStringSubmatch(text); m != nil && find(m[1]) != nil {
				find(m[1]).column(m[2], "", n+1)
			}
		}
	}
	return all
}

func newOwnTable(name string, step int, text string) *ownTable {
	t := &ownTable{name: name, step: step}
	lines := strings.Split(text, "\n")
	// What holds for the whole table stands behind its closing parenthesis.
	collation := ""
	if m := collateWord.FindStringSubmatch(lines[len(lines)-1]); m != nil {
		collation = m[1]
	}
	for _, line := range lines[1 : len(lines)-1] {
		line = strings.TrimSpace(line)
		if m := indexLine.FindStringSubmatch(line); m != nil {
			t.indexes = append(t.indexes, ownIndex{m[2], m[1] != "", strings.Split(m[3], ", "), step})
			continue
		}
		t.column(line, collation, step)
	}
	return t
}

func (t *ownTable) column(line, collation string, step int) {
	m := columnLine.FindStringSubmatch(line)
	if m == nil {
		return
	}
	c := ownColumn{name: m[1], typ: m[2], collation: collation, size: -1, step: step}
	if m[3] != "" {
		c.size, _ = strconv.ParseInt(m[3], 10, 64)
	}
	if m := collateWord.FindStringSubmatch(m[4]); m != nil {
		c.collation = m[1]
	}
	t.columns = append(t.columns, c)
}

// checkOwn looks at the store's own tables: they have no version but what they
// hold.
func (s *Store) checkOwn(ctx context.Context, db lifecycle.DB) ([]Problem, error) {
	var problems []Problem
	for _, t := range s.d.ownSchema() {
		name := s.opts.Prefix + t.name
		live, err := s.live(ctx, db, s.opts.Schema, name)
		if err != nil {
			return nil, err
		}
		o := ownCheck{s: s, t: t, live: live, table: name}
		if s.opts.Schema != "" {
			o.table = s.opts.Schema + "." + name
		}
		o.run()
		problems = append(problems, o.problems...)
	}
	return problems, nil
}

// ownCheck is the check of one of the store's own tables.
type ownCheck struct {
	s        *Store
	t        *ownTable
	live     *liveTable
	table    string
	problems []Problem
}

func (o *ownCheck) add(column, kind, format string, args ...any) *Problem {
	o.problems = append(o.problems, Problem{Table: o.table, Column: column, Kind: kind, What: fmt.Sprintf(format, args...)})
	return &o.problems[len(o.problems)-1]
}

// lacks names what a step would have brought, with the step as its mend.
func (o *ownCheck) lacks(column, kind string, step int) {
	one := o.add(column, kind, "softdelete's step %d has not run here (see Store.Migrations)", step)
	one.Mend = o.s.Migrations()[step-1].Statements
}

func (o *ownCheck) run() {
	if o.live.kind == "" && len(o.live.similar) == 0 {
		o.lacks("", missingTable, o.t.step)
		return
	}
	if found := checkRelation(o.table, o.live); len(found) > 0 {
		o.problems = append(o.problems, found...)
		return
	}
	known := map[string]bool{}
	for _, c := range o.t.columns {
		known[strings.ToLower(c.name)] = true
		o.column(c)
	}
	for _, l := range o.live.columns {
		if !known[strings.ToLower(l.name)] {
			one := o.add(l.name, schemaVersion, "this version does not know the column: a newer one was here")
			one.Warning = l.nullable || l.preset != ""
		}
	}
	for _, i := range o.t.indexes {
		o.index(i)
	}
}

func (o *ownCheck) column(c ownColumn) {
	l := o.live.column(c.name)
	switch {
	case l == nil && c.step == o.t.step:
		o.add(c.name, missingColumn, "the table is not the one that step %d makes", c.step)
	case l == nil:
		o.lacks(c.name, missingColumn, c.step)
	case !strings.EqualFold(l.typ, c.typ):
		o.add(c.name, wrongType, "it is %s, the store wants %s", l.typ, c.typ)
	case l.size >= 0 && l.size < c.size:
		o.add(c.name, tooSmall, "it keeps %d of %d", l.size, c.size)
	case c.collation != "" && (l.family == "text" || l.family == "char") && !binaryCollation(l.collation):
		// Keys that differ in letter case would be one key, and one of them lost.
		o.add(c.name, wrongCollation, "it compares by %s, keys have to be compared byte by byte", l.collation)
	}
}

func binaryCollation(name string) bool {
	return name == "C" || name == "POSIX" || name == "binary" || strings.HasSuffix(name, "_bin")
}

// index wants the indexes by their columns. A unique one is more than speed.
func (o *ownCheck) index(i ownIndex) {
	for n := range o.live.indexes {
		l := &o.live.indexes[n]
		if l.valid && (!i.unique || l.unique && len(l.parts) == len(i.columns)) && o.live.starts(l, i.columns, false) {
			return
		}
	}
	name := o.s.opts.Prefix + i.name
	one := o.add(name, missingIndex, "none on %s", strings.Join(i.columns, ", "))
	one.Warning = !i.unique
	for _, text := range o.s.Migrations()[i.step-1].Statements {
		if strings.Contains(text, "INDEX IF NOT EXISTS "+o.s.d.ident(name)+" ") {
			one.Mend = []string{text}
		}
	}
	if one.Mend == nil {
		one.Mend = []string{o.addIndex(name, i)}
	}
}

// addIndex is for databases whose migrations make the indexes with the table.
func (o *ownCheck) addIndex(name string, i ownIndex) string {
	d := o.s.d
	quoted := make([]string, len(i.columns))
	for n, c := range i.columns {
		quoted[n] = d.ident(c)
	}
	word := "INDEX "
	if i.unique {
		word = "UNIQUE INDEX "
	}
	return "CREATE " + word + d.ident(name) + " ON " + d.qualified(o.s.opts.Schema, o.s.opts.Prefix+o.t.name) + " (" + strings.Join(quoted, ", ") + ")"
}
