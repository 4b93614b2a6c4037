package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// ownTables are the store's own tables, quoted, and the fixed texts on them.
type ownTables struct {
	d                                   *Dialect
	op, audit, object, waiting, attempt string

	insertOp, insertAudit, insertAudits, history string
}

func newOwnTables(d *Dialect, o Options) ownTables {
	name := func(n string) string { return d.qualified(o.Schema, o.Prefix+n) }
	t := ownTables{
		d: d, op: name("op"), audit: name("audit"), object: name("object"),
		waiting: name("waiting"), attempt: name("attempt"),
	}
	t.insertOp = d.number("INSERT INTO " + t.op + " (id, edge, actor, reason, at) VALUES (?, ?, ?, ?, ?)")
	into := "INSERT INTO " + t.audit + " (op, table_name, edge, from_state, to_state, at, row_key) "
	t.insertAudit = d.number(into + "VALUES (?, ?, ?, ?, ?, ?, ?)")
	t.insertAudits = d.number(into + d.AuditEach)
	t.history = d.number("SELECT a.id, a.op, a.table_name, a.row_key, a.edge, a.from_state, a.to_state, o.actor, o.reason, a.at FROM " +
		t.audit + " a JOIN " + t.op + " o ON o.id = a.op WHERE a.table_name = ? AND a.row_key = ? ORDER BY a.id")
	return t
}

// bind returns an instant for the store's own columns.
func (t ownTables) bind(at time.Time) any {
	return t.d.bind(lifecycle.Timestamp, lifecycle.Timestamp.Cut(at))
}

// number turns the placeholders of a fixed text of ours, which has no other
// question marks, into the dialect's.
func (d *Dialect) number(text string) string {
	if !d.Numbered {
		return text
	}
	w := &writer{d: d}
	for i, piece := range strings.Split(text, "?") {
		if i > 0 {
			w.placeholder(i)
		}
		w.put(piece)
	}
	return w.String()
}

// fill puts the names of the store's tables into a migration's text.
func (t ownTables) fill(o Options, text string) string {
	index := func(n string) string { return t.d.ident(o.Prefix + n) }
	return strings.NewReplacer(
		"{op}", t.op, "{audit}", t.audit, "{object}", t.object, "{waiting}", t.waiting, "{attempt}", t.attempt,
		"{audit_row}", index("audit_row"), "{audit_op}", index("audit_op"),
		"{object_key}", index("object_key"), "{object_due}", index("object_due"),
		"{waiting_object}", index("waiting_object"), "{attempt_object}", index("attempt_object"),
	).Replace(text)
}

// Migration is one numbered step of the store's own schema.
type Migration struct {
	// Number orders the steps; a published step is never changed.
	Number int
	// Name says what the step brings.
	Name string
	// Statements are run one by one. They can be run again without harm.
	Statements []string
}

// Migrations returns the steps that make the store's own tables, with the
// configured names: for a migration tool, or for Install.
func (s *Store) Migrations() []Migration {
	all := make([]Migration, len(s.d.Migrations))
	for i, m := range s.d.Migrations {
		all[i] = Migration{Number: i + 1, Name: fmt.Sprintf("softdelete %d", i+1)}
		for _, text := range strings.Split(m, ";\n") {
			if text = strings.TrimSpace(text); text != "" {
				all[i].Statements = append(all[i].Statements, s.own.fill(s.opts, strings.TrimSuffix(text, ";")))
			}
		}
	}
	return all
}

// Install makes the store's own tables where they are missing. It runs each
// statement by itself, outside a transaction of its own; on MySQL each one
// commits implicitly. Services with a migration tool use Migrations instead.
func (s *Store) Install(ctx context.Context, db lifecycle.DB) error {
	for _, m := range s.Migrations() {
		for _, text := range m.Statements {
			if _, err := exec(ctx, db, text); err != nil {
				return fmt.Errorf("store: install step %d: %w", m.Number, err)
			}
		}
	}
	return nil
}
