package store_test

import (
	"context"
	"database/sql"
	"fmt"

	sq "github.com/Masterminds/squirrel"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Many rows by a condition, always bounded. squirrel's expressions are
// conditions; so is anything with its ToSql method.
func ExampleStore_TrashAll() {
	st, db, _ := service(9)
	defer db.Close()
	inTx(db, func(ctx context.Context, tx *sql.Tx) error {
		old := sq.Or{sq.Lt{"id": 4}, sq.Eq{"object_key": "r/8"}}
		results, err := st.TrashAll(ctx, tx, reports.Where(old, 100), lifecycle.Cause{By: "job:tidy"})
		for _, r := range results.Rows {
			fmt.Println(r.Key, r.Outcome, "until", r.Deadline.Format("2 January"))
		}
		return err
	})
	// Output:
	// [1] transitioned until 31 March
	// [2] transitioned until 31 March
	// [3] transitioned until 31 March
	// [8] transitioned until 31 March
}
