package retention

import (
	"context"
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// maxRetries bounds how often in a row the database may ask for a retry. The
// batch is halved each time, so that in the end single rows are tried.
const maxRetries = 12

// purge takes a table's due rows, batch by batch. A budget of 0 is none.
func (p *Pass) purge(ctx context.Context, t *lifecycle.Table, budget int64) TableReport {
	report := TableReport{Table: t.FullName()}
	n, retries := p.opts.Batch, 0
	for {
		if err := ctx.Err(); err != nil {
			report.Err = err
			return report
		}
		want := n
		if budget > 0 {
			want = int(min(int64(n), budget-report.Purged))
		}
		if want <= 0 {
			return report
		}
		results, err := p.purgeBatch(ctx, t, want)
		report.Batches++
		switch {
		case p.st.Retryable(err) && retries < maxRetries && ctx.Err() == nil:
			retries++
			report.Retries++
			n = max(1, n/2)
			continue
		case err != nil:
			report.Err = err
			return report
		}
		retries, n = 0, min(2*n, p.opts.Batch)
		took := results.Count(lifecycle.Transitioned)
		report.Purged += int64(took)
		p.opts.Progress(Progress{StagePurge, report.Table, report.Purged})
		if len(results.Rows) == 0 {
			report.Complete = true
			return report
		}
		if took == 0 {
			// Every row found was refused under its lock. Looking again would
			// find the same ones.
			report.Err = fmt.Errorf("no progress in %s: %w", report.Table, results.Err())
			return report
		}
	}
}

func (p *Pass) purgeBatch(ctx context.Context, t *lifecycle.Table, n int) (lifecycle.Results, error) {
	tx, err := p.db.BeginTx(ctx, p.st.TxOptions())
	if err != nil {
		return lifecycle.Results{}, err
	}
	defer tx.Rollback()
	results, err := p.st.ExpireDue(ctx, tx, t, n, p.opts.Cause)
	if err != nil {
		return lifecycle.Results{}, err
	}
	return results, tx.Commit()
}
