package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Each edge leaves a line, in the transaction that took it.
func ExampleStore_History() {
	st, db, clock := service(1)
	defer db.Close()
	for _, edge := range []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Restore, lifecycle.Trash, lifecycle.Purge} {
		inTx(db, func(ctx context.Context, tx *sql.Tx) error {
			_, err := st.Apply(ctx, tx, edge, reports.Row(1), lifecycle.Cause{By: "user:42"})
			return err
		})
		clock.Advance(lifecycle.Day)
	}
	entries, err := st.History(context.Background(), db, reports.Row(1))
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range entries {
		fmt.Printf("%s: %s to %s by %s\n", e.At.Format("2 January"), e.From, e.To, e.By)
	}
	// Output:
	// 1 March: active to trashed by user:42
	// 2 March: trashed to active by user:42
	// 3 March: active to trashed by user:42
	// 4 March: trashed to purged by user:42
}
