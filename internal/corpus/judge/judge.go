package judge

import (
	"cmp"
	"errors"
	"slices"

	"github.com/softdelete-go/softdelete/internal/sqltext"
)

// Table is a table's name as a statement has it, without quotes.
type Table struct{ Schema, Name string }

// String returns schema.name.
func (t Table) String() string {
	if t.Schema == "" {
		return t.Name
	}
	return t.Schema + "." + t.Name
}

// Difference is what a judge has against a list of references.
type Difference struct {
	// Missed are tables that the statement names and the list does not, Extra the
	// other way round.
	Missed, Extra []Table
}

// ErrRefused is what a judge cannot parse, or cannot judge.
var ErrRefused = errors.New("the judge refuses")

// Judge knows the grammar of a product.
type Judge interface {
	// Name is unique among the judges.
	Name() string
	// Compare holds the references found in a text against those that are there.
	// The error wraps ErrRefused.
	Compare(text string, found []sqltext.Reference) (Difference, error)
}

// Parser is a judge that can tell whether a text with some references is one of
// its product, but not always more: servers have died of columns that are not
// there.
type Parser interface {
	// Parses returns an error that wraps ErrRefused where it is not.
	Parses(text string, found []sqltext.Reference) error
}

// Tables returns the names of references.
func Tables(found []sqltext.Reference) []Table {
	list := make([]Table, len(found))
	for i, r := range found {
		list[i] = Table{r.Schema, r.Name}
	}
	return list
}

// Differ compares two lists, in which the order does not count.
func Differ(found, want []Table) (d Difference) {
	found, want = sorted(found), sorted(want)
	for len(found) > 0 || len(want) > 0 {
		var c int
		switch {
		case len(found) == 0:
			c = 1
		case len(want) == 0:
			c = -1
		default:
			c = compare(found[0], want[0])
		}
		if c < 0 {
			d.Extra = append(d.Extra, found[0])
		}
		if c > 0 {
			d.Missed = append(d.Missed, want[0])
		}
		if c <= 0 {
			found = found[1:]
		}
		if c >= 0 {
			want = want[1:]
		}
	}
	return d
}

func compare(a, b Table) int {
	return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name))
}

func sorted(list []Table) []Table {
	list = slices.Clone(list)
	slices.SortFunc(list, compare)
	return list
}

// Equal tells whether a judge has nothing against a list.
func (d Difference) Equal() bool { return len(d.Missed) == 0 && len(d.Extra) == 0 }

// names are the WITH queries that can be seen from a place.
type names struct {
	up   *names
	list []string
}

func (n *names) has(name string, same func(a, b string) bool) bool {
	for ; n != nil; n = n.up {
		if slices.ContainsFunc(n.list, func(other string) bool { return same(other, name) }) {
			return true
		}
	}
	return false
}
