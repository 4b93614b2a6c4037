package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Report counts what became of the cases of a run.
type Report struct {
	// Database is the dialect, Seed the run's.
	Database string
	Seed     uint64
	Counts
	// Reasons counts the refusals, Invalid the queries that no copy answered, by
	// their causes.
	Reasons, Causes map[string]int
	// Constructs counts the cases that have a construct.
	Constructs map[string]*Counts
	// Faults are the numbers of the cases that differ or fail.
	Faults []int
	// Doubtful are the numbers of the cases for which the server has two answers.
	Doubtful []int

	told int
}

// Counts are the verdicts of some cases.
type Counts struct {
	// Tried are all; Compared those that both copies answered.
	Tried, Compared int
	// Filled are the compared ones whose answer was not empty.
	Filled int
	// Differing are those whose answers differ, Errors those that only the twin
	// answered.
	Differing, Errors int
	// Refused are those that the guard refused, Invalid those that are no query.
	Refused, Invalid int
	// Unsure are those for which the server has two answers.
	Unsure int
}

func newReport(database string, seed uint64) *Report {
	return &Report{Database: database, Seed: seed, Reasons: map[string]int{}, Causes: map[string]int{}, Constructs: map[string]*Counts{}}
}

func (r *Report) add(c *testCase, out outcome, config Config) {
	r.Counts.add(out)
	for _, name := range c.constructs {
		if r.Constructs[name] == nil {
			r.Constructs[name] = &Counts{}
		}
		r.Constructs[name].add(out)
	}
	switch out.verdict {
	case refused:
		r.Reasons[out.reason]++
	case invalid:
		r.Causes[shortCause(out.reason)]++
	case differs, fails:
		r.Faults = append(r.Faults, c.number)
	case unsure:
		r.Doubtful = append(r.Doubtful, c.number)
	}
}

// shortCause leaves what a server says about one query out of its message.
func shortCause(reason string) string {
	for _, quote := range []string{`"`, "'", "`"} {
		parts := strings.Split(reason, quote)
		for i := 1; i < len(parts); i += 2 {
			parts[i] = "…"
		}
		reason = strings.Join(parts, quote)
	}
	return reason[:min(len(reason), 90)]
}

func (n *Counts) add(out outcome) {
	n.Tried++
	switch out.verdict {
	case agrees, differs:
		n.Compared++
		if !out.empty {
			n.Filled++
		}
		if out.verdict == differs {
			n.Differing++
		}
	case fails:
		n.Errors++
	case refused:
		n.Refused++
	case invalid:
		n.Invalid++
	case unsure:
		n.Unsure++
	}
}

// String returns the counts as one line of a table.
func (n *Counts) String() string {
	return fmt.Sprintf("%8d %8d %8d %9d %7d %8d %8d %7d", n.Tried, n.Compared, n.Filled, n.Differing, n.Errors, n.Refused, n.Invalid, n.Unsure)
}

// String returns the whole report as text.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, seed %d\n%-34s %8s %8s %8s %9s %7s %8s %8s %7s\n", r.Database, r.Seed, "",
		"tried", "compared", "filled", "differing", "errors", "refused", "invalid", "unsure")
	fmt.Fprintf(&b, "%-34s %s\n", "all", &r.Counts)
	for _, name := range slices.Sorted(maps.Keys(r.Constructs)) {
		fmt.Fprintf(&b, "%-34s %s\n", name, r.Constructs[name])
	}
	writeCauses(&b, "refused", r.Reasons)
	writeCauses(&b, "invalid", r.Causes)
	if len(r.Faults) > 0 {
		fmt.Fprintf(&b, "cases: %v\n", r.Faults[:min(len(r.Faults), 50)])
	}
	if len(r.Doubtful) > 0 {
		fmt.Fprintf(&b, "the server has two answers to: %v\n", r.Doubtful[:min(len(r.Doubtful), 50)])
	}
	return b.String()
}

func writeCauses(b *strings.Builder, what string, causes map[string]int) {
	names := slices.SortedFunc(maps.Keys(causes), func(x, y string) int {
		return cmp.Or(causes[y]-causes[x], strings.Compare(x, y))
	})
	for _, name := range names[:min(len(names), 25)] {
		fmt.Fprintf(b, "%s %6d  %s\n", what, causes[name], name)
	}
}

// String lists the rows with their states.
func (all data) String() string {
	var b strings.Builder
	for _, t := range tables {
		if len(all[t]) == 0 {
			continue
		}
		var names []string
		for _, c := range t.cols {
			names = append(names, c.name)
		}
		for _, c := range t.lifeCols {
			names = append(names, c[0])
		}
		fmt.Fprintf(&b, "  %s (%s)\n", t.name, strings.Join(names, ", "))
		for _, r := range all[t] {
			fmt.Fprintf(&b, "    %s  %s\n", strings.Join(r.values, ", "), r.state)
		}
	}
	return b.String()
}
