package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// textWidth is the number of characters of an instant as text.
const textWidth = int64(len(lifecycle.RFC3339Layout))

// checkLife holds a mapped column against what the store writes there.
func (p *plan) checkLife(live *liveTable, c lifeColumn) []Problem {
	l := live.column(c.name)
	if l == nil {
		one := p.missing(live, c.name, "Columns."+c.role)
		one.Mend = p.addColumns([]lifeColumn{c})
		return []Problem{one}
	}
	if l.calculated {
		return []Problem{p.problem(c.name, computed, "the database computes its value, so that it cannot be written")}
	}
	var problems []Problem
	if one := p.checkType(c, l); one != nil {
		problems = append(problems, *one)
	}
	if one := p.checkNull(c, l); one != nil {
		problems = append(problems, *one)
	}
	if one := p.checkDefault(c, l); one != nil {
		problems = append(problems, *one)
	}
	return problems
}

// checkType looks at the type, then at its size.
func (p *plan) checkType(c lifeColumn, l *liveColumn) *Problem {
	wrong := p.problem(c.name, wrongType, "it is %s, Columns.%s wants %s", l.typ, c.role, c.typ)
	switch {
	case p.d.accepts(c, l):
		return p.checkSize(c, l)
	case p.d.TypeOf != "" && p.d.textual(c.as) && l.family == "numeric" && c.width == 0 && !c.counter:
		wrong.Warning = true
		wrong.What += ": drivers take such a column for a date and write forms that do not sort by time, whose rows are never due"
	case l.family == "local" && c.instant():
		wrong.Warning, wrong.Mend = true, p.template(p.d.Alter.Zoned, c.name, "%y", c.typ)
		wrong.What += ": it holds UTC, which others that write it have to know"
	case l.family == "session" && c.instant():
		wrong.What += ": it ends in 2038 and its meaning follows the session's time zone"
		if mend := p.restate(c, l); len(mend) > 0 {
			wrong.Mend = append([]string{p.d.Alter.InUTC}, mend...)
		}
	}
	return &wrong
}

// instant tells whether the column has the database's own type for instants.
func (c lifeColumn) instant() bool {
	return c.width == 0 && !c.counter && c.as.Dated() && !c.as.Epoch() && c.as != lifecycle.RFC3339
}

// accepts tells whether a column of the live type keeps what the store writes.
func (d *Dialect) accepts(c lifeColumn, l *liveColumn) bool {
	number := l.family == "int" || l.family == "numeric" && d.TypeOf != ""
	switch {
	case c.width > 0:
		return l.family == "text" || l.family == "char"
	case c.counter, c.as == lifecycle.Flag, c.as.Epoch():
		return number
	case c.as == lifecycle.Boolean && d.Types.Boolean != "boolean":
		return number
	case c.as == lifecycle.Boolean:
		return l.family == "bool"
	case d.textual(c.as):
		return l.family == "text" || l.family == "char" && l.size == textWidth || l.family == "binary" && d.TypeOf != ""
	default:
		return l.family == "instant"
	}
}

// checkSize looks at the digits of a second, the bits of an integer and the
// characters of a text.
func (p *plan) checkSize(c lifeColumn, l *liveColumn) *Problem {
	want := p.d.wants(c)
	if l.size < 0 || l.size >= want {
		return nil
	}
	one := p.problem(c.name, tooSmall, "%s keeps %d", l.typ, l.size)
	switch {
	case c.width > 0:
		one.What += fmt.Sprintf(" characters of %d", want)
		// An operation's id has one length; most actors have a short name.
		one.Warning = c.width == lifecycle.MaxActor
	case c.counter || c.as.Epoch():
		one.What += fmt.Sprintf(" bits of %d", want)
		one.Warning = c.counter || c.as == lifecycle.UnixSeconds && !p.neverEnds(c)
	case p.d.textual(c.as):
		one.What += fmt.Sprintf(" characters of %d", want)
	default:
		one.What += fmt.Sprintf(" digits of a second of %d, and the server may round up (or declare the column As what it keeps)", want)
	}
	one.Mend = p.retype(c, l)
	return &one
}

// neverEnds tells whether the column gets a deadline past every year of 32 bits.
func (p *plan) neverEnds(c lifeColumn) bool {
	return c.role == "PurgeAfter" && p.t.Policy.Window == lifecycle.Never
}

// wants is the size that a column needs.
func (d *Dialect) wants(c lifeColumn) int64 {
	switch {
	case c.width > 0:
		return c.width
	case c.counter || c.as.Epoch():
		return 64
	case !c.as.Dated():
		return 1
	case d.textual(c.as):
		return textWidth
	default:
		return int64(max(len(fraction(c.as))-1, 0))
	}
}

// retype gives the column its type, where its values stay what they are.
func (p *plan) retype(c lifeColumn, l *liveColumn) []string {
	if p.d.Alter.ChangeType != "" {
		return p.template(p.d.Alter.ChangeType, c.name, "%y", c.typ)
	}
	return p.restate(c, l)
}

// restate gives the column its whole definition. A default that the service
// chose would be lost, and so there is no statement then.
func (p *plan) restate(c lifeColumn, l *liveColumn) []string {
	if c.written && l.preset != "" {
		return nil
	}
	d := p.d.ident(c.name) + " " + c.typ
	if c.null == neverNull || c.null == anyNull && !l.nullable {
		d += " NOT NULL"
	} else {
		d += " NULL"
	}
	if c.preset != "" {
		d += " DEFAULT " + c.preset
	}
	return p.template(p.d.Alter.Restate, c.name, "%d", d)
}

func (p *plan) checkNull(c lifeColumn, l *liveColumn) *Problem {
	switch {
	case c.null == mustNull && !l.nullable:
		one := p.problem(c.name, nullability, "it is NOT NULL, and NULL is how Columns.%s is unset", c.role)
		one.Mend = p.template(p.d.Alter.DropNotNull, c.name)
		if p.d.Alter.DropNotNull == "" {
			one.Mend = p.restate(c, l)
		}
		return &one
	case c.null == neverNull && l.nullable:
		one := p.problem(c.name, nullability, "it may be NULL, which fits no state")
		if c.counter {
			one.What = "it may be NULL, which no edge can raise"
		} else {
			one.What += " (or declare the column Nullable)"
		}
		set := p.template(p.d.Alter.SetNotNull, c.name)
		if p.d.Alter.SetNotNull == "" {
			set = p.restate(c, l)
		}
		if len(set) > 0 {
			name := p.d.ident(c.name)
			fill := "UPDATE " + p.from + " SET " + name + " = " + c.preset + " WHERE " + name + " IS NULL"
			one.Mend = append([]string{fill}, set...)
		}
		return &one
	}
	return nil
}

// checkDefault wants new rows to be active. One without a default that must not
// be NULL fails the inserts of every program that does not name the column.
func (p *plan) checkDefault(c lifeColumn, l *liveColumn) *Problem {
	switch {
	case c.written || c.counter && l.preset != "":
		return nil
	case l.preset == "":
		if l.nullable || c.preset == "" {
			return nil
		}
		one := p.problem(c.name, wrongDefault, "it is NOT NULL and has none: an insert that does not name it fails")
		one.Warning, one.Mend = true, p.template(p.d.Alter.SetDefault, c.name, "%v", c.preset)
		return &one
	case c.preset != "" && isUnset(l.preset):
		return nil
	}
	one := p.problem(c.name, wrongDefault, "it is %s, so that new rows are not active", l.preset)
	switch {
	case strings.Contains(strings.ToLower(l.preset), "on update"):
		one.What = "an update of anything in the row sets it"
		one.Mend = p.restate(c, l)
	case c.preset != "":
		one.Mend = p.template(p.d.Alter.SetDefault, c.name, "%v", c.preset)
	default:
		one.Mend = p.template(p.d.Alter.DropDefault, c.name)
	}
	return &one
}

// isUnset tells whether a default is 0 or false, as databases print it: '0',
// (0), b'0', false, 0::smallint.
func isUnset(preset string) bool {
	text := strings.ToLower(preset)
	if i := strings.Index(text, "::"); i >= 0 {
		text = text[:i]
	}
	text = strings.TrimPrefix(strings.Trim(text, " ()"), "b")
	text = strings.Trim(text, "' ()")
	return text == "0" || text == "false"
}

// checkValues looks for the first value that a column of a loose type should
// not hold.
func (s *Store) checkValues(ctx context.Context, db lifecycle.DB, p *plan, c lifeColumn) ([]Problem, error) {
	if s.d.TypeOf == "" || c.width > 0 || c.counter || !c.as.Dated() {
		return nil, nil
	}
	name := s.d.ident(c.name)
	kind := strings.ReplaceAll(s.d.TypeOf, "%s", name)
	bad := kind + " <> 'integer'"
	if s.d.textual(c.as) {
		bad = "(" + kind + " <> 'text' OR NOT " + strings.ReplaceAll(s.d.WellFormed, "%s", name) + ")"
	}
	q := "SELECT " + kind + " FROM " + p.from + " WHERE " + name + " IS NOT NULL AND " + bad + " LIMIT 1"
	found, err := query(ctx, db, q, nil, func(rows *sql.Rows) (string, error) {
		raw, err := scanAny(rows, 1)
		return text(raw[0]), err
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	one := p.problem(c.name, wrongValues, "a row holds the type %s where %s is declared: its date is not understood", found[0], c.as)
	if s.d.textual(c.as) && found[0] == "text" {
		one.What = "a row holds a date in another form than " + lifecycle.RFC3339Layout + ": it does not sort by time, and is never due"
		one.Warning = true
	}
	return []Problem{one}, nil
}
