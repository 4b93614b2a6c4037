package objstore_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
)

// A purge has doomed two keys; one of them was overwritten and hidden before.
// The ledger of a service is a store.Ledger, and its bucket an s3obj.Bucket.
func ExampleReclaimer() {
	ctx := context.Background()
	clock := lifecycletest.NewClock(epoch)
	bucket, err := memobj.New("files", &memobj.Options{Clock: clock, Versioning: objstore.Versioned})
	if err != nil {
		log.Fatal(err)
	}
	for _, key := range []string{"in/1", "in/1", "in/2", "in/20"} {
		if _, err := bucket.Put(ctx, key, strings.NewReader("bytes"), 5, nil); err != nil {
			log.Fatal(err)
		}
	}
	ledger := newBook(clock)
	ledger.promise("in/1", "in/2")

	reclaimer, err := objstore.NewReclaimer(bucket, ledger, &objstore.ReclaimOptions{Clock: clock})
	if err != nil {
		log.Fatal(err)
	}
	report, err := reclaimer.Run(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %d keys are gone: %d versions, %d bytes\n", report.Done, report.Claimed, report.Versions, report.Bytes)
	fmt.Println("left:", report.Debt.Objects, "complete:", report.Complete)
	// Output:
	// 2 of 2 keys are gone: 3 versions, 15 bytes
	// left: 0 complete: true
}

// A plan shows what a run would doom. Nothing is deleted by either: a Reclaimer
// does that, with what the run has doomed.
func ExampleSweeper() {
	ctx := context.Background()
	clock := lifecycletest.NewClock(epoch)
	bucket, err := memobj.New("files", &memobj.Options{Clock: clock})
	if err != nil {
		log.Fatal(err)
	}
	for _, key := range []string{"in/1", "in/2", "in/lost", "incoming/3"} {
		if _, err := bucket.Put(ctx, key, strings.NewReader("bytes"), 5, nil); err != nil {
			log.Fatal(err)
		}
	}
	clock.Advance(48 * time.Hour)
	referee := newBook(clock)
	referee.refer("in/1", "in/2")

	sweeper, err := objstore.NewSweeper(bucket, referee, &objstore.SweepOptions{
		Prefixes: []objstore.Prefix{"in/"},
		Clock:    clock,
	})
	if err != nil {
		log.Fatal(err)
	}
	plan, err := sweeper.Plan(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range plan.Sample {
		fmt.Printf("%s: no row refers to it, and it is from %s\n", c.Key, c.Newest.Format(time.DateOnly))
	}
	report, err := sweeper.Run(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d keys listed, %d protected, %d doomed\n", report.Keys, report.Protected, report.Doomed)
	// Output:
	// in/lost: no row refers to it, and it is from 2026-03-01
	// 3 keys listed, 2 protected, 1 doomed
}

// An empty database with a production bucket is the worst that can be swept.
func ExampleRefusedError() {
	clock := lifecycletest.NewClock(epoch)
	bucket, err := memobj.New("files", &memobj.Options{Clock: clock})
	if err != nil {
		log.Fatal(err)
	}
	sweeper, err := objstore.NewSweeper(bucket, newBook(clock), &objstore.SweepOptions{Prefixes: []objstore.Prefix{"in/"}})
	if err != nil {
		log.Fatal(err)
	}
	_, err = sweeper.Run(context.Background())
	var refused *objstore.RefusedError
	if errors.As(err, &refused) {
		fmt.Println(refused.Reason)
	}
	fmt.Println(err)
	// Output:
	// no-references
	// objstore: sweep bucket files: refused: no-references: no row refers to any key of it (is this its database?)
}
