package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/memstore"
)

var allEdges = []lifecycle.EdgeName{
	lifecycle.Trash, lifecycle.Restore, lifecycle.Purge, lifecycle.Expire, lifecycle.Reclaim,
}

// testEdges tries every (table, state, instant, hold, edge).
func testEdges(t *testing.T, open Open) {
	w := newTwin(t, open)
	n := int64(0)
	for _, table := range w.assets() {
		for _, s := range seeds(table) {
			for _, edge := range allEdges {
				n++
				w.clock.Set(start)
				w.insert(t, table, key(table, n), s.seed)
				t.Run(fmt.Sprintf("%s %s %s", edge, table.Name, s.name), func(t *testing.T) {
					w.clock.Set(s.now)
					w.apply(t, edge, row(table, n))
					w.apply(t, edge, row(table, n))
					w.same(t, row(table, n))
				})
			}
		}
		t.Run("no such row in "+table.Name, func(t *testing.T) {
			for _, edge := range allEdges {
				w.apply(t, edge, row(table, 1<<40))
			}
			w.same(t, row(table, 1<<40))
		})
	}
}

// seeded is a row to start from and the instant of the call.
type seeded struct {
	name string
	seed memstore.Seed
	now  time.Time
}

// seeds lists the rows that a table can hold.
func seeds(table *lifecycle.Table) []seeded {
	c := table.Columns
	all := []seeded{{"active", memstore.Seed{State: lifecycle.Active}, start}}
	trashed := trashSeed(table, c)
	for _, at := range instants(table, c) {
		all = append(all, seeded{"trashed, " + at.name, trashed, at.now})
		if c.Hold.Name != "" {
			held := trashed
			held.Held = true
			all = append(all, seeded{"trashed, held, " + at.name, held, at.now})
		}
	}
	if c.PurgeAfter.Name != "" && c.DeletedAt.As.Dated() {
		undated := trashed
		undated.PurgeAfter = time.Time{}
		all = append(all, seeded{"trashed, no stored deadline", undated, start.Add(2 * lifecycle.Day)})
		odd := trashed
		odd.PurgeAfter = odd.DeletedAt
		all = append(all, seeded{"trashed, a deadline at its deletion", odd, start.Add(90 * lifecycle.Day)})
		early := trashed
		early.DeletedAt, early.PurgeAfter = beforeDates, beforeDates.Add(lifecycle.Day)
		all = append(all, seeded{"trashed, a deadline before there were any", early, start})
		future := trashed
		future.DeletedAt, future.PurgeAfter = trashed.DeletedAt.Add(lifecycle.Day), trashed.DeletedAt.Add(2*lifecycle.Day)
		all = append(all, seeded{"trashed in the future", future, start})
	}
	if c.DeletedAt.As.Dated() {
		early := trashed
		early.DeletedAt, early.PurgeAfter = beforeDates, time.Time{}
		all = append(all, seeded{"trashed before there were dates", early, start})
	}
	if c.IsDeleted.Name != "" {
		purged := trashed
		purged.State = lifecycle.Purged
		all = append(all, seeded{"purged", purged, start.Add(lifecycle.Day)})
		if c.Hold.Name != "" {
			purged.Held = true
			all = append(all, seeded{"purged, held", purged, start.Add(lifecycle.Day)})
		}
	}
	if c.ReclaimedAt.Name != "" {
		reclaimed := trashed
		reclaimed.State = lifecycle.Reclaimed
		all = append(all, seeded{"reclaimed", reclaimed, start.Add(lifecycle.Day)})
	}
	return all
}

// beforeDates is an instant that no row can have been deleted at.
var beforeDates = time.Date(1969, 6, 1, 0, 0, 0, 0, time.UTC)

// trashSeed is a row that somebody trashed at the start.
func trashSeed(table *lifecycle.Table, c lifecycle.Columns) memstore.Seed {
	seed := memstore.Seed{State: lifecycle.Trashed}
	if c.DeletedAt.As.Dated() {
		seed.DeletedAt = c.DeletedAt.As.Cut(start)
	}
	if c.PurgeAfter.Name != "" {
		seed.PurgeAfter = c.PurgeAfter.As.CutUp(table.Policy.Deadline(start))
	}
	return seed
}

type instant struct {
	name string
	now  time.Time
}

// instants are around the deadline, as near as a clock can be.
func instants(table *lifecycle.Table, c lifecycle.Columns) []instant {
	end := table.Policy.Deadline(start)
	switch {
	case c.PurgeAfter.Name != "":
		end = c.PurgeAfter.As.CutUp(end)
	case c.DeletedAt.As.Dated():
		end = table.Policy.Deadline(c.DeletedAt.As.Cut(start))
	}
	if table.Policy.Window == lifecycle.Never {
		end = start.Add(1000 * lifecycle.Day)
	}
	return []instant{
		{"at once", start},
		{"1µs before the deadline", end.Add(-time.Microsecond)},
		{"at the deadline", end},
		{"long after", end.Add(400 * lifecycle.Day)},
	}
}
