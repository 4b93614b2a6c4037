package store_test

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// A restore is refused once the window has closed, whether or not a background
// pass has run. The error has the status for the client.
func ExampleStore_Restore() {
	st, db, clock := service(2)
	defer db.Close()
	user := lifecycle.Cause{By: "user:42"}
	inTx(db, func(ctx context.Context, tx *sql.Tx) error {
		_, err := st.TrashAll(ctx, tx, reports.Rows(lifecycle.Keys(1, 2)...), user)
		return err
	})
	for id := 1; id <= 2; id++ {
		clock.Advance(20 * lifecycle.Day)
		inTx(db, func(ctx context.Context, tx *sql.Tx) error {
			result, err := st.Restore(ctx, tx, reports.Row(id), user)
			fmt.Println("after", 20*id, "days:", result.Outcome, lifecycle.HTTPStatus(err))
			return nil
		})
	}
	// Output:
	// after 20 days: transitioned 200
	// after 40 days: expired 410
}
