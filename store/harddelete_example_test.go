package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// What a deletion means is declared: an asset has a trash, and cannot be
// deleted around it.
func ExampleStore_HardDelete() {
	st, db, _ := service(1)
	defer db.Close()
	inTx(db, func(ctx context.Context, tx *sql.Tx) error {
		_, err := st.HardDelete(ctx, tx, reports.Rows(lifecycle.Key{1}), lifecycle.Cause{By: "job:tidy"})
		fmt.Println(errors.Is(err, lifecycle.ErrNotDeletable), lifecycle.HTTPStatus(err))
		fmt.Println(err)
		return nil
	})
	// Output:
	// true 405
	// lifecycle: hard_delete report: this kind of table is not deleted so (asset rows go through the trash: use Trash, then Purge)
}
