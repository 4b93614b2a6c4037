package oracle

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// epoch is how many cases share one set of rows.
const epoch = 250

// row is a row of a table with the state its life's columns say.
type row struct {
	values []string // literals
	state  lifecycle.State
}

// data is the rows of each table.
type data map[*table][]row

// newData makes the rows of an epoch: the same ones for the same seed.
func newData(d *dialect, seed uint64, n int) data {
	r := rand.New(rand.NewPCG(seed^0x0dd5, uint64(n)))
	all := data{}
	for _, t := range tables {
		taken := map[string]bool{}
		for range 4 + r.IntN(5) {
			row := newRow(r, d, t)
			if k := row.key(t); !taken[k] {
				taken[k] = true
				all[t] = append(all[t], row)
			}
		}
	}
	return all
}

// shows tells whether a scope shows a row. What has no trash is always there.
func (t *table) shows(s lifecycle.Scope, r row) bool { return !t.registered() || s.Shows(r.state) }

// key names the row among those of its table.
func (r row) key(t *table) string {
	var parts []string
	for i, c := range t.cols {
		for _, k := range t.key {
			if c.name == k {
				parts = append(parts, r.values[i])
			}
		}
	}
	return strings.Join(parts, ",")
}

func newRow(r *rand.Rand, d *dialect, t *table) row {
	row := row{state: lifecycle.Active}
	for i, c := range t.cols {
		switch {
		case i == 0 || t == links && i == 1:
			row.values = append(row.values, strconv.Itoa(1+r.IntN(8)))
		case r.IntN(6) == 0:
			row.values = append(row.values, "NULL")
		case c.typ == text:
			row.values = append(row.values, []string{"'ann'", "'bob'", "'cy'", "'it''s'", "''"}[r.IntN(5)])
		case c.name == "id" || strings.HasSuffix(c.name, "_id"):
			row.values = append(row.values, strconv.Itoa(1+r.IntN(9))) // 9 is nobody's
		default:
			row.values = append(row.values, strconv.Itoa(1+r.IntN(4)))
		}
	}
	if !t.registered() {
		return row
	}
	if r.IntN(2) == 0 {
		row.state = lifecycle.Trashed
		if len(t.lifeCols) > 1 && r.IntN(3) == 0 {
			row.state = lifecycle.Purged
		}
	}
	for _, c := range t.lifeCols {
		row.values = append(row.values, lifeValue(r, d, c, row.state))
	}
	return row
}

// lifeValue returns what a column of the life holds in a state.
func lifeValue(r *rand.Rand, d *dialect, c [2]string, s lifecycle.State) string {
	second := c[0] == "is_deleted" || c[0] == "wiped"
	set := s == lifecycle.Trashed && !second || s == lifecycle.Purged && (second || r.IntN(4) > 0)
	day := 1 + r.IntN(3)
	switch {
	case c[1] == "instant" && set && d == mysql:
		return fmt.Sprintf("'2026-01-0%d 00:00:00'", day)
	case c[1] == "instant" && set:
		return fmt.Sprintf("'2026-01-0%dT00:00:00.000000Z'", day)
	case c[1] == "epoch" && set:
		return strconv.Itoa(1767225600 + day)
	case c[1] == "instant", strings.HasPrefix(c[1], "null") && !set && r.IntN(2) == 0, c[1] == "epoch" && r.IntN(3) == 0:
		return "NULL"
	case strings.HasSuffix(c[1], "bool"):
		return strconv.FormatBool(set)
	case set:
		return "1"
	default:
		return "0"
	}
}

// load puts the rows that each copy shows into it.
func (b *Bed) load(ctx context.Context, all data) error {
	b.data = all
	for _, s := range copies {
		for _, t := range tables {
			if err := b.exec(ctx, s, "DELETE FROM "+b.d.quote(t.name)); err != nil {
				return err
			}
			var shown []row
			for _, r := range all[t] {
				if t.shows(s, r) {
					shown = append(shown, r)
				}
			}
			if err := b.insert(ctx, s, t, shown); err != nil {
				return err
			}
		}
	}
	return b.remember(ctx)
}

// remember notes how the full copy's rows read, so that a change shows.
func (b *Bed) remember(ctx context.Context) error {
	b.hidden = map[*table]map[string]string{}
	for _, t := range tables {
		rows, err := b.stored(ctx, b.guarded, &testCase{}, &ref{t: t}, true)
		if err != nil {
			return err
		}
		b.hidden[t] = map[string]string{}
		for _, r := range rows {
			b.hidden[t][r.key] = r.text
		}
	}
	return nil
}

func (b *Bed) insert(ctx context.Context, s lifecycle.Scope, t *table, rows []row) error {
	if len(rows) == 0 {
		return nil
	}
	var tuples []string
	for _, r := range rows {
		tuples = append(tuples, "("+strings.Join(r.values, ", ")+")")
	}
	return b.exec(ctx, s, "INSERT INTO "+b.d.quote(t.name)+" VALUES "+strings.Join(tuples, ", "))
}
