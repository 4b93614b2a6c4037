package lifecycle

import (
	"fmt"
	"math"
	"slices"
)

// Row names one row of a table. Make it with Table.Row; no query is sent.
type Row struct {
	Table *Table
	Key   Key

	version *int64
}

// Row names the row with this key: one value for each key column.
func (t *Table) Row(key ...any) Row { return Row{Table: t, Key: key} }

// IfVersion returns the row with a condition: a verb refuses it with
// ErrVersionMismatch unless its version column holds v.
func (r Row) IfVersion(v int64) Row {
	r.version = &v
	return r
}

// Version returns the condition of IfVersion, if there is one.
func (r Row) Version() (v int64, ok bool) {
	if r.version == nil {
		return 0, false
	}
	return *r.version, true
}

// Condition is a part of a WHERE clause with ? for each argument. Every
// squirrel.Sqlizer is one.
type Condition interface {
	ToSql() (sql string, args []any, err error)
}

// Selection names rows of one table: by keys, or by a condition and a bound.
type Selection struct {
	Table *Table
	// Keys are the rows, where they are known.
	Keys []Key
	// Where selects the rows otherwise. It has to name at least one column.
	Where Condition
	// Limit bounds the rows of one call with Where; it has to be positive.
	Limit int
}

// Rows selects rows by their keys.
func (t *Table) Rows(keys ...Key) Selection {
	return Selection{Table: t, Keys: slices.Clone(keys)}
}

// Where selects at most limit rows that meet a condition and from which the
// edge starts, in the order of their keys. There is no selection without a
// condition.
func (t *Table) Where(cond Condition, limit int) Selection {
	return Selection{Table: t, Where: cond, Limit: limit}
}

// ascending tells whether the keys are single integers that only grow, as most
// lists are: then none is repeated.
func ascending(keys []Key) bool {
	last := int64(math.MinInt64)
	for _, k := range keys {
		n, ok := k[0].(int64)
		if !ok || len(k) > 1 || n <= last {
			return false
		}
		last = n
	}
	return true
}

// distinct drops keys that are repeated.
func distinct(keys []Key) []Key {
	if ascending(keys) {
		return keys
	}
	seen := make(map[string]bool, len(keys))
	return slices.DeleteFunc(keys, func(k Key) bool {
		text := k.String()
		repeated := seen[text]
		seen[text] = true
		return repeated
	})
}

// Check refuses a selection that selects nothing or everything: no table, no
// keys, both keys and a condition, no positive bound, a bad key. The keys are
// returned in their normal form, each once. The error wraps ErrInvalid.
func (s Selection) Check() ([]Key, error) {
	switch {
	case s.Table == nil:
		return nil, fmt.Errorf("%w: the selection has no table", ErrInvalid)
	case s.Where == nil && len(s.Keys) == 0:
		return nil, fmt.Errorf("%w: the selection has neither keys nor a condition", ErrInvalid)
	case s.Where != nil && len(s.Keys) > 0:
		return nil, fmt.Errorf("%w: the selection has both keys and a condition", ErrInvalid)
	case s.Where != nil && s.Limit <= 0:
		return nil, fmt.Errorf("%w: Selection.Limit: %d is not positive", ErrInvalid, s.Limit)
	}
	keys := make([]Key, len(s.Keys))
	for i, k := range s.Keys {
		n, err := k.Normal()
		if err != nil {
			return nil, err
		}
		keys[i] = n
	}
	return distinct(keys), nil
}
