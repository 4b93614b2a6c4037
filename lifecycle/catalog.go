package lifecycle

import (
	"errors"
	"fmt"
	"slices"
)

// Catalog is a checked, immutable set of tables and of what belongs to what.
type Catalog struct {
	tables   []*Table
	resolved map[*Table]*Table
	children map[*Table][]Child
}

// Child is a table whose rows belong to another table's rows.
type Child struct {
	// Table is the child, as Resolve returns it.
	Table *Table
	// Parent is the child's declaration of the bond.
	Parent Parent
}

// NewCatalog checks the tables, each by itself and as a graph: no two of one
// name, every parent is in the catalog and matched by as many columns as its
// key has, and no table is its own ancestor over another one (a table may be
// its own parent, as trees are). The error wraps ErrInvalid and names every
// fault.
func NewCatalog(tables ...*Table) (*Catalog, error) {
	c := &Catalog{resolved: map[*Table]*Table{}, children: map[*Table][]Child{}}
	var faults []error
	names := map[string]bool{}
	for i, t := range tables {
		if t == nil {
			faults = append(faults, fmt.Errorf("table %d is nil", i+1))
			continue
		}
		n := t.normal()
		// Audits know a table by its full name: dots may make two of them alike.
		if names[n.FullName()] {
			faults = append(faults, fmt.Errorf("table %s is declared twice", n.FullName()))
		}
		names[n.FullName()] = true
		if err := n.check(); err != nil {
			faults = append(faults, fmt.Errorf("table %s: %w", n.FullName(), err))
		}
		c.tables = append(c.tables, n)
		c.resolved[t], c.resolved[n] = n, n
	}
	faults = append(faults, c.link()...)
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("lifecycle: catalog: %w: %w", ErrInvalid, err)
	}
	return c, nil
}

// MustCatalog is NewCatalog for package-level declarations; it panics.
func MustCatalog(tables ...*Table) *Catalog {
	c, err := NewCatalog(tables...)
	if err != nil {
		panic(err)
	}
	return c
}

// link replaces each parent by its resolved table and notes the children.
func (c *Catalog) link() (faults []error) {
	for _, t := range c.tables {
		for i := range t.Parents {
			p := &t.Parents[i]
			parent := c.resolved[p.Table]
			if parent == nil {
				faults = append(faults, fmt.Errorf("table %s: parent %d is not in the catalog", t.FullName(), i+1))
				continue
			}
			p.Table = parent
			if len(p.Columns) != len(parent.Key) {
				faults = append(faults, fmt.Errorf("table %s: %d columns refer to the key of %s, which has %d",
					t.FullName(), len(p.Columns), parent.FullName(), len(parent.Key)))
			}
			for _, col := range p.Columns {
				if err := checkIdentifier("Parents.Columns", col); err != nil {
					faults = append(faults, fmt.Errorf("table %s: %w", t.FullName(), err))
				}
			}
			c.children[parent] = append(c.children[parent], Child{Table: t, Parent: *p})
		}
	}
	if len(faults) > 0 {
		return faults
	}
	return c.cycles()
}

func (c *Catalog) cycles() (faults []error) {
	const open, done = 1, 2
	color := map[*Table]int{}
	var visit func(t *Table)
	visit = func(t *Table) {
		color[t] = open
		for _, p := range t.Parents {
			switch {
			case p.Table == t || color[p.Table] == done:
			case color[p.Table] == open:
				faults = append(faults, fmt.Errorf("table %s is its own ancestor through %s", p.Table.FullName(), t.FullName()))
			default:
				visit(p.Table)
			}
		}
		color[t] = done
	}
	for _, t := range c.tables {
		if color[t] == 0 {
			visit(t)
		}
	}
	return faults
}

// Tables returns every table with its defaults filled in, in the order of the
// declaration. They are shared: do not change them.
func (c *Catalog) Tables() []*Table { return slices.Clone(c.tables) }

// Resolve returns the catalog's own copy of a table, every default filled in.
// It takes the declaration or the copy. An unknown or nil table is an error
// that wraps ErrInvalid.
func (c *Catalog) Resolve(t *Table) (*Table, error) {
	if n := c.resolved[t]; n != nil {
		return n, nil
	}
	if t == nil {
		return nil, fmt.Errorf("lifecycle: %w: no table", ErrInvalid)
	}
	return nil, fmt.Errorf("lifecycle: %w: table %s is not in the catalog", ErrInvalid, t.FullName())
}

// Children returns the tables whose rows belong to rows of t.
func (c *Catalog) Children(t *Table) []Child { return slices.Clone(c.children[c.resolved[t]]) }

// Admit tells whether an edge of the canonical life may be asked for at all in
// a table, by its kind. The error is an *Error that wraps ErrNotDeletable, and
// says what to do instead.
func (t *Table) Admit(edge EdgeName) error {
	var detail string
	switch {
	case t.Kind == Status:
		detail = "(" + t.Why + ")"
	case t.Kind == Technical && edge != HardDelete:
		detail = "(technical rows have no trash: use HardDelete)"
	case t.Kind == Asset && edge == HardDelete:
		detail = "(asset rows go through the trash: use Trash, then Purge)"
	default:
		return nil
	}
	return &Error{Op: edge, Table: t.FullName(), Detail: detail, Err: ErrNotDeletable}
}
