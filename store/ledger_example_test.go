package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/store"
)

// A purge dooms the row's objects; a Reclaimer frees them, and the row is
// reclaimed.
func ExampleNewLedger() {
	st, db, clock := service(1)
	defer db.Close()
	ctx := context.Background()
	bucket, err := memobj.New("reports", &memobj.Options{Clock: clock, Versioning: objstore.Versioned})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := bucket.Put(ctx, "r/1", strings.NewReader("bytes"), 5, nil); err != nil {
		log.Fatal(err)
	}
	for _, edge := range []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Purge} {
		inTx(db, func(ctx context.Context, tx *sql.Tx) error {
			_, err := st.Apply(ctx, tx, edge, reports.Row(1), lifecycle.Cause{By: "user:42"})
			return err
		})
	}
	ledger, err := store.NewLedger(st, db, nil)
	if err != nil {
		log.Fatal(err)
	}
	reclaimer, err := objstore.NewReclaimer(bucket, ledger, &objstore.ReclaimOptions{Clock: clock})
	if err != nil {
		log.Fatal(err)
	}
	report, err := reclaimer.Run(ctx)
	if err != nil {
		log.Fatal(err)
	}
	record, err := st.Record(ctx, db, reports.Row(1))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Done, "object,", report.Bytes, "bytes; the row is", record.State)
	// Output:
	// 1 object, 5 bytes; the row is reclaimed
}
