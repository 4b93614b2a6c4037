package memstore

import (
	"fmt"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// taken is the answer for a row that takes the edge.
func (c *call) taken(r row) lifecycle.Result {
	result := lifecycle.Result{
		Outcome: lifecycle.Transitioned, Key: r.key, State: c.ends(), Op: c.op, At: c.at,
	}
	if c.edge.To == lifecycle.Trashed {
		after := c.after(r)
		result.Deadline = c.deadline(after.deletedAt, after.purgeAfter)
	}
	return result
}

// refused is the answer for a row that stays as it is.
func (c *call) refused(key lifecycle.Key, rec lifecycle.Record, outcome lifecycle.Outcome) lifecycle.Result {
	result := lifecycle.Result{Outcome: outcome, Key: key, State: rec.State, At: c.at}
	if rec.State == lifecycle.Trashed {
		result.Deadline = c.deadline(rec.DeletedAt, rec.PurgeAfter)
	}
	if err := outcome.Err(); err != nil {
		result.Err = &lifecycle.Error{
			Op: c.edge.Name, Table: c.t.FullName(), Key: key, Err: err, Detail: c.detail(outcome, result),
		}
	}
	return result
}

// deadline is the end of the window of a row in the trash; zero without one.
func (c *call) deadline(deletedAt, purgeAfter time.Time) time.Time {
	end := purgeAfter
	if end.IsZero() && !deletedAt.IsZero() {
		end = c.t.Policy.Deadline(deletedAt)
	}
	if !end.Before(lifecycle.FarFuture) {
		return time.Time{}
	}
	return end
}

func (c *call) detail(outcome lifecycle.Outcome, r lifecycle.Result) string {
	switch outcome {
	case lifecycle.Expired:
		return r.Deadline.Format(time.RFC3339Nano)
	case lifecycle.NotDue:
		if !r.Deadline.IsZero() {
			return "before " + r.Deadline.Format(time.RFC3339Nano)
		}
	case lifecycle.Illegal:
		return fmt.Sprintf("(the row is %s, the edge starts in %s)", r.State, c.edge.From[0])
	}
	return ""
}
