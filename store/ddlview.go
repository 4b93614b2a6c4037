package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/softdelete-go/softdelete/internal/rowstate"
	"github.com/softdelete-go/softdelete/lifecycle"
)

// View is a view of a table's rows in one scope, in the table's schema.
type View struct {
	// Name is live_ or trashed_ and the table's name, at most 63 bytes long: a
	// longer name ends in a checksum instead.
	Name string
	// Scope is lifecycle.Live or lifecycle.OnlyTrashed.
	Scope lifecycle.Scope
	// Create are the statements that make the view, or make it anew.
	Create []string
	// Drop removes it, and its grants with it.
	Drop string
}

// Views returns the statements for two views of a table: its live rows and its
// trash, for people and programs that write their own SQL. It sends nothing. A
// table without the trash has no views.
//
// A view holds the columns that the table had when the view was made. On
// PostgreSQL and MySQL a column that is added later is not in it until Create
// runs again, which keeps its grants; Check names such a view. A column that was
// renamed or dropped needs Drop first on PostgreSQL, which refuses to drop a
// column that a view has. SQLite follows the table by itself.
//
// A view runs with the rights and under the row-level security of whoever reads
// it (SQL SECURITY INVOKER, security_invoker), so that no grant on it opens the
// table: it hides rows from mistakes, and from nobody who may read the table.
// For the same reason it is no security_barrier: that would keep the planner
// from using indexes for the reader's conditions, and protect nothing.
//
// Writes through a view can neither hide a row nor bring one back, nor insert
// one that the view would not show: WITH CHECK OPTION refuses them. A DELETE, and
// MySQL's REPLACE, would end rows without a trash, as on the table itself: do not
// grant DELETE. On SQLite views are read-only.
func (s *Store) Views(t *lifecycle.Table) ([]View, error) {
	p, err := s.plan(t)
	if err != nil {
		return nil, fmt.Errorf("store: views: %w", err)
	}
	return p.views(), nil
}

func (p *plan) views() []View {
	if p.t.Kind != lifecycle.Asset {
		return nil
	}
	return []View{p.view("live_", lifecycle.Live), p.view("trashed_", lifecycle.OnlyTrashed)}
}

func (p *plan) view(prefix string, scope lifecycle.Scope) View {
	v := View{Name: bounded(prefix+p.t.Name, p.t.Name), Scope: scope}
	fill := strings.NewReplacer(
		"%v", p.d.qualified(p.t.Schema, v.Name), "%t", p.from, "%p", p.scope(scope),
	)
	for _, text := range p.d.Views.Create {
		v.Create = append(v.Create, fill.Replace(text))
	}
	v.Drop = fill.Replace(p.d.Views.Drop)
	return v
}

// scope is the predicate that a row is visible, for texts on this table alone.
func (p *plan) scope(s lifecycle.Scope) string {
	b, _ := rowstate.AppendScope(nil, p.t, s, "", p.d.appendIdent)
	return string(b)
}

// bounded returns a name as it is, or cut to the limit of identifiers with a
// checksum of what it is made of at its end.
func bounded(name string, parts ...string) string {
	if len(name) <= lifecycle.MaxIdentifier {
		return name
	}
	return checked(name, parts...)
}

// checked ends a name with a checksum of what it is made of.
func checked(name string, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	check := "_" + hex.EncodeToString(sum[:4])
	end := min(len(name), lifecycle.MaxIdentifier-len(check))
	for end < len(name) && !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end] + check
}
