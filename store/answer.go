package store

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// answers sorts results by the question. A database may find a row by another
// spelling of its key (letter case, a number as text).
type answers struct {
	keys    []lifecycle.Key
	results []lifecycle.Result // without an outcome where there is no answer yet
	exact   map[string]int
	folded  map[string][]int
}

func newAnswers(keys []lifecycle.Key) *answers {
	return &answers{keys: keys, results: make([]lifecycle.Result, len(keys))}
}

// taken answers several places alike, each with its own key.
func (a *answers) taken(places []int, result lifecycle.Result) {
	for _, i := range places {
		a.results[i] = result
		a.results[i].Key = a.keys[i]
	}
}

// put files a result. It refuses where two asked keys were the same row, since
// the second would be answered with what the first did.
func (a *answers) put(r lifecycle.Result) error {
	if a.exact == nil {
		a.exact = make(map[string]int, len(a.keys))
		for i, k := range a.keys {
			a.exact[k.String()] = i
		}
	}
	i, ok := a.exact[r.Key.String()]
	if !ok && !(len(a.keys) == 1 && sameTypes(a.keys[0], r.Key)) {
		same := a.alike(r.Key)
		if len(same) != 1 {
			return fmt.Errorf("%w: the row %s was found, and %d of the keys asked for may mean it (spell them as the database does)", lifecycle.ErrInvalid, r.Key, len(same))
		}
		i = same[0]
	}
	if a.results[i].Outcome != 0 {
		return fmt.Errorf("%w: several rows have the key %s (Table.Key is not the primary key)", lifecycle.ErrInvalid, r.Key)
	}
	a.results[i] = r
	return nil
}

// sameTypes tells whether a database can only have taken one key for the other
// because its collation says that they are equal, accents and all. A number
// that finds text is another matter: 1 also finds "1abc".
func sameTypes(asked, found lifecycle.Key) bool {
	for i := range min(len(asked), len(found)) {
		if reflect.TypeOf(asked[i]) != reflect.TypeOf(found[i]) {
			return false
		}
	}
	return len(asked) == len(found)
}

// alike returns the places of keys that a database may take for this one.
func (a *answers) alike(key lifecycle.Key) []int {
	if a.folded == nil {
		a.folded = make(map[string][]int, len(a.keys))
		for i, k := range a.keys {
			a.folded[fold(k)] = append(a.folded[fold(k)], i)
		}
	}
	return a.folded[fold(key)]
}

// list returns one result for each key asked for. What the database did not
// find is NotFound.
func (a *answers) list(c *call, edge lifecycle.EdgeName, table string) []lifecycle.Result {
	for i := range a.results {
		if r := &a.results[i]; r.Outcome == 0 {
			r.Outcome, r.Key, r.At = lifecycle.NotFound, a.keys[i], c.at
			r.Err = &lifecycle.Error{Op: edge, Table: table, Key: a.keys[i], Err: lifecycle.ErrNotFound}
		}
	}
	return a.results
}

func fold(k lifecycle.Key) string {
	parts := make([]string, len(k))
	for i, v := range k {
		parts[i] = strings.ToLower(strings.TrimRight(fmt.Sprint(v), " "))
	}
	return strings.Join(parts, "\x00")
}
