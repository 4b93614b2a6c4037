package guard

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/softdelete-go/softdelete/internal/sqltext"
	"github.com/softdelete-go/softdelete/lifecycle"
)

// Options change what a Guard refuses.
type Options struct {
	// Strict refuses tables that are not in the catalog. Defaults to leaving them
	// alone.
	Strict bool
	// Allow names the tables that Strict leaves alone, with their schema where the
	// query writes one. Defaults to none.
	Allow []string
	// Unconditional lets an UPDATE change all visible rows of a table. Defaults to
	// refusing one without a condition.
	Unconditional bool
	// Markers lets a comment in the text say what it shows, as Guard.With does:
	// /* softdelete: trashed(r) everything(s) */ or /* softdelete: with_trashed */,
	// with the words live, trashed, with_trashed and everything. Leave it off where
	// users can have a say in a text. Defaults to taking them for comments.
	Markers bool
	// Cache is how many texts are remembered; a negative number is none. Defaults
	// to 1024.
	Cache int
}

// Guard rewrites texts for one catalog and one database product.
type Guard struct {
	dialect *Dialect
	// mode is the dialect's, as the session's settings change it.
	mode    sqltext.Mode
	options Options
	tables  []*lifecycle.Table
	scope   lifecycle.Scope
	refs    map[string]lifecycle.Scope
	// scopes is mode, scope and refs as a key of the cache.
	scopes string
	cache  *cache
}

// New returns a guard that shows live rows. The error names the argument.
func New(c *lifecycle.Catalog, d *Dialect, o *Options) (*Guard, error) {
	if c == nil {
		return nil, errors.New("guard: catalog is nil")
	}
	if d == nil {
		return nil, errors.New("guard: dialect is nil")
	}
	g := &Guard{dialect: d, mode: d.mode, tables: c.Tables()}
	if o != nil {
		g.options = *o
		g.options.Allow = slices.Clone(o.Allow)
	}
	g.options.Cache = cmp.Or(g.options.Cache, 1024)
	g.cache = newCache(g.options.Cache)
	g.name()
	return g, nil
}

// With returns a guard that shows another scope: for the references named, by
// their alias or their table's name, or for all where none is named. The order
// of several calls does not matter, except that a later one for the same
// reference wins. The guard itself is not changed.
func (g *Guard) With(s lifecycle.Scope, refs ...string) *Guard {
	with := *g
	if len(refs) == 0 {
		with.scope = s
	} else {
		with.refs = maps.Clone(g.refs)
		if with.refs == nil {
			with.refs = map[string]lifecycle.Scope{}
		}
		for _, r := range refs {
			with.refs[r] = s
		}
	}
	with.name()
	return &with
}

// name sets what a guard's texts are remembered under.
func (g *Guard) name() {
	var key strings.Builder
	fmt.Fprintf(&key, "%t %t %d", g.mode.Backslash, g.mode.DoubleName, g.scope)
	for _, name := range slices.Sorted(maps.Keys(g.refs)) {
		fmt.Fprintf(&key, " %q %d", name, g.refs[name])
	}
	g.scopes = key.String()
}

// Rewrite returns the text that shows what the guard's scope shows. The error is
// an *Error, and there is no text then.
func (g *Guard) Rewrite(text string) (string, error) {
	if r, ok := g.cache.get(g.scopes, text); ok {
		return r, nil
	}
	r, err := g.rewrite(text)
	if err != nil {
		return "", err
	}
	g.cache.put(g.scopes, text, r)
	return r, nil
}

// Sqlizer is a query that renders itself, as squirrel's builders do.
type Sqlizer interface {
	// ToSql returns the text and its arguments.
	ToSql() (string, []any, error)
}

// ToSql renders a query and rewrites its text; the arguments stay as they are.
func (g *Guard) ToSql(q Sqlizer) (string, []any, error) {
	text, args, err := q.ToSql()
	if err != nil {
		return "", nil, err
	}
	if text, err = g.Rewrite(text); err != nil {
		return "", nil, err
	}
	return text, args, nil
}

func (g *Guard) rewrite(text string) (_ string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &Error{Reason: fmt.Sprint(r), Err: ErrNotUnderstood}
		}
	}()
	script, err := sqltext.Parse(text, g.mode)
	if err != nil {
		var at *sqltext.Error
		if errors.As(err, &at) {
			return "", &Error{Offset: at.Offset, Reason: at.Reason, Err: ErrNotUnderstood}
		}
		return "", &Error{Reason: err.Error(), Err: ErrNotUnderstood}
	}
	if g.options.Markers {
		if g, err = g.marked(script); err != nil {
			return "", err
		}
	}
	w := writer{g: g, s: script}
	return w.write()
}

// find returns the catalog's table that a reference means, and nil where it is
// none.
func (g *Guard) find(r *sqltext.Reference) (*lifecycle.Table, error) {
	var found *lifecycle.Table
	for _, t := range g.tables {
		if !g.same(t.Name, r.Name) || t.Schema != "" && r.Schema != "" && !g.same(t.Schema, r.Schema) {
			continue
		}
		if found != nil {
			return nil, ErrNotUnderstood
		}
		found = t
	}
	return found, nil
}

// same compares names. MySQL's depend on the server's file system: to know a
// table is the safe side.
func (g *Guard) same(a, b string) bool {
	if g.dialect == Postgres {
		return a == b
	}
	return strings.EqualFold(a, b)
}
