package oracle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Apart is a reference with a scope of its own.
type Apart struct {
	Name  string
	Scope lifecycle.Scope
}

// Rewrite makes a text show what a scope shows, and some of its references, by
// their names, what their own scopes show.
type Rewrite func(text string, scope lifecycle.Scope, apart []Apart) (string, error)

// Config is a run.
type Config struct {
	// Seed makes the queries and the rows. Required.
	Seed uint64
	// First is the number of the first case. Defaults to 0.
	First int
	// Count is how many cases are run. Required.
	Count int
	// Rewrite is what is judged. Required.
	Rewrite Rewrite
	// Naive gives Rewrite a text in which every query block has the filters of
	// all its tables in WHERE, as people do it who know no better. It shows that
	// the oracle sees what is wrong with that.
	Naive bool
	// Reason shortens the error of a Rewrite that refuses. Defaults to the whole text.
	Reason func(error) string
	// Reports is how many faults are minimised and written. Defaults to none.
	Reports int
	// Output takes the reports. Defaults to none.
	Output io.Writer
}

// verdict is what became of a case.
type verdict uint8

const (
	agrees verdict = iota
	differs
	// fails: the twin answers, the guarded text does not.
	fails
	// refused: the guard did not rewrite it.
	refused
	// invalid: the twin does not answer either.
	invalid
	// unsure: the answers differ, but not once the server plans both texts in a
	// simpler way, so that it gives one of them two answers.
	unsure
)

func (v verdict) String() string {
	return [...]string{"agrees", "differs", "fails", "refused", "invalid", "unsure"}[v]
}

// outcome is a verdict with its reasons.
type outcome struct {
	verdict verdict
	reason  string
	plain   string
	guarded string
	empty   bool
}

// Run runs cases and counts what became of them. The error is one of the
// oracle's own: a table could not be filled, a connection is gone.
func (b *Bed) Run(ctx context.Context, c Config) (*Report, error) {
	report := newReport(b.d.name, c.Seed)
	loaded := -1
	for n := c.First; n < c.First+c.Count; n++ {
		if loaded != n/epoch {
			loaded = n / epoch
			if err := b.load(ctx, newData(b.d, c.Seed, loaded)); err != nil {
				return report, err
			}
		}
		tc := newCase(b.d, c.Seed, n)
		out := b.try(ctx, c, tc)
		if err := ctx.Err(); err != nil {
			return report, err
		}
		report.add(tc, out, c)
		if (out.verdict == differs || out.verdict == fails) && c.Output != nil && report.told < c.Reports {
			report.told++
			if err := b.explain(ctx, c, tc, out); err != nil {
				return report, err
			}
			loaded = -1 // rows are missing now
		}
	}
	return report, nil
}

// try runs a case on both copies.
func (b *Bed) try(ctx context.Context, c Config, tc *testCase) (out outcome) {
	out.plain = b.textOnTwin(tc)
	want, err := b.run(ctx, b.plain[tc.scope], tc, out.plain)
	if err != nil {
		out.verdict, out.reason = invalid, err.Error()
		return out
	}
	out.empty = len(want.rows) == 0 && want.affected == 0
	var apart []Apart
	for _, r := range tc.apart {
		apart = append(apart, Apart{bare(r.name), *r.scope})
	}
	if c.Naive {
		tc.naive = b.d.live
	}
	text := b.textOnFull(tc)
	tc.naive = nil
	out.guarded, err = c.Rewrite(text, tc.scope, apart)
	if err != nil {
		out.verdict, out.reason = refused, err.Error()
		if c.Reason != nil {
			out.reason = c.Reason(err)
		}
		return out
	}
	got, err := b.run(ctx, b.guarded, tc, out.guarded)
	switch {
	case err != nil && slow(err):
		out.verdict, out.reason = invalid, err.Error()
	case err != nil:
		out.verdict, out.reason = fails, err.Error()
	default:
		if out.reason = b.compare(tc, got, want); out.reason != "" {
			out.verdict = differs
			if b.unsure(ctx, tc, out) {
				out.verdict = unsure
			}
		}
	}
	return out
}

// unsure tells whether two texts agree where the server plans them in a simpler
// way. MariaDB gives wrong answers to some queries on tables as small as these,
// guarded or not.
func (b *Bed) unsure(ctx context.Context, tc *testCase, out outcome) bool {
	if b.d.simple == "" {
		return false
	}
	simply := func(conn *sql.Conn, text string) (a answer, err error) {
		if _, err := conn.ExecContext(ctx, b.d.simple); err != nil {
			return a, err
		}
		defer func() {
			_, e := conn.ExecContext(ctx, b.d.clever)
			err = errors.Join(err, e)
		}()
		return b.run(ctx, conn, tc, text)
	}
	want, err := simply(b.plain[tc.scope], out.plain)
	if err != nil {
		return false
	}
	got, err := simply(b.guarded, out.guarded)
	return err == nil && b.compare(tc, got, want) == ""
}

// slow tells whether a query was ended because it ran too long.
func slow(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "statement timeout") ||
		strings.Contains(err.Error(), "max_statement_time") || strings.Contains(err.Error(), "interrupted")
}

// explain minimises a fault and writes what it takes to see it again.
func (b *Bed) explain(ctx context.Context, c Config, tc *testCase, out outcome) error {
	small, err := b.minimise(ctx, c, tc, out)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Output, "== %s, seed %d, case %d: %s\n%s\nscope: %s %s\nas written: %s\nplain:   %s\nfull:    %s\nguarded: %s\nrows:\n%s\n",
		b.d.name, c.Seed, tc.number, small.verdict, small.reason, tc.scope, scopesOf(tc), out.plain, small.plain, b.textOnFull(tc), small.guarded, b.data.String())
	return err
}

func scopesOf(c *testCase) string {
	var all []string
	for _, r := range c.apart {
		all = append(all, fmt.Sprintf("%s of %s", r.scope, r.name))
	}
	return strings.Join(all, ", ")
}
