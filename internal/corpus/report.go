package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/softdelete-go/softdelete/internal/corpus/judge"
)

// tally is what came of a corpus before a judge.
type tally struct {
	corpus, judge string
	counts        map[kind]int
	// reasons are of refusals, by their kind.
	reasons map[kind]map[string]*reason
	// list is all that was missed, extra or unparsable, and of the kind asked for.
	list []finding
}

// reason is a reason of refusals, and its shortest statements: one in which the
// judge found tables, and one in which it did not.
type reason struct {
	text        string
	with        int
	without     int
	shortest    string
	unimportant string
}

func newTally(corpus, judge string) *tally {
	return &tally{corpus, judge, map[kind]int{}, map[kind]map[string]*reason{}, nil}
}

// add counts a finding, and keeps it where it is worth it.
func (t *tally) add(f finding, keep kind) {
	t.counts[f.kind]++
	switch f.kind {
	case missed, extra, unparsable:
		t.list = append(t.list, f)
		return
	case refused, refusal:
		t.because(f)
	}
	if f.kind == keep {
		t.list = append(t.list, f)
	}
}

func (t *tally) because(f finding) {
	of := t.reasons[f.kind]
	if of == nil {
		of = map[string]*reason{}
		t.reasons[f.kind] = of
	}
	r := of[f.reason]
	if r == nil {
		r = &reason{text: f.reason}
		of[f.reason] = r
	}
	count, example := &r.without, &r.unimportant
	if len(f.against.Missed)+len(f.tables) > 0 {
		count, example = &r.with, &r.shortest
	}
	if *count++; *count == 1 || len(f.text) < len(*example) {
		*example = f.text
	}
}

func (t *tally) compared() int {
	n := t.counts[agreed] + t.counts[refused]
	statements := map[string]bool{}
	for _, f := range t.list {
		if f.kind == missed || f.kind == extra {
			statements[f.path+f.text] = true
		}
	}
	return n + len(statements)
}

// wrong is how many findings fail the run.
func (t *tally) wrong() int { return t.counts[missed] + t.counts[extra] + t.counts[unparsable] }

// table writes the numbers of all.
func table(w io.Writer, all []*tally) error {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "corpus\tjudge\tstatements\tjudge refuses\tcompared\tagreed\trefused\tmissed\textra\trewritten\tunparsable\t")
	for _, t := range all {
		c := t.counts
		fmt.Fprintf(tab, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", t.corpus, t.judge, t.compared()+c[unjudged], c[unjudged],
			t.compared(), c[agreed], c[refused], c[missed], c[extra], c[guarded]+c[unparsable], c[unparsable])
	}
	return tab.Flush()
}

// explain writes the reasons of refusals, most frequent first.
func (t *tally) explain(w io.Writer, show int) {
	for _, k := range []kind{refused, refusal} {
		var list []*reason
		for _, r := range t.reasons[k] {
			list = append(list, r)
		}
		slices.SortFunc(list, func(a, b *reason) int {
			return cmp.Or(cmp.Compare(b.with+b.without, a.with+a.without), cmp.Compare(a.text, b.text))
		})
		if len(list) > 0 {
			fmt.Fprintf(w, "\n%s, %s: %s (of those that name tables)\n", t.corpus, t.judge, k)
		}
		for _, r := range list[:min(show, len(list))] {
			fmt.Fprintf(w, "%6d (%d) %s\n", r.with+r.without, r.with, r.text)
			for _, example := range []string{r.shortest, r.unimportant} {
				if example != "" {
					fmt.Fprintf(w, "         %s\n", oneLine(example, 200))
				}
			}
		}
	}
}

// print writes the findings of a kind, the shortest statement first.
func (t *tally) print(w io.Writer, k kind, show int) {
	list := slices.DeleteFunc(slices.Clone(t.list), func(f finding) bool { return f.kind != k })
	slices.SortStableFunc(list, func(a, b finding) int { return cmp.Compare(len(a.text), len(b.text)) })
	if len(list) > 0 {
		fmt.Fprintf(w, "\n%s, %s: %s\n", t.corpus, t.judge, k)
	}
	for _, f := range list[:min(show, len(list))] {
		fmt.Fprintf(w, "%s\n  %s\n", f.path, oneLine(f.text, 1000))
		fmt.Fprintf(w, "  found %s; missed %s; extra %s\n", join(f.tables), join(f.against.Missed), join(f.against.Extra))
		if f.reason != "" {
			fmt.Fprintf(w, "  %s\n", f.reason)
		}
		if f.rewritten != "" {
			fmt.Fprintf(w, "  %s\n", oneLine(f.rewritten, 1000))
		}
	}
}

func join(list []judge.Table) string { return fmt.Sprint(list) }

// oneLine shortens a text for a line. Line ends matter where comments are.
func oneLine(text string, most int) string {
	if !strings.Contains(text, "--") && !strings.Contains(text, "#") {
		text = strings.Join(strings.Fields(text), " ")
	}
	text = strings.ReplaceAll(text, "\n", "⏎")
	if len(text) > most {
		text = text[:most] + "…"
	}
	return text
}
