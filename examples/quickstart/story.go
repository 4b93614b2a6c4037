package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"os"

	sq "github.com/Masterminds/squirrel"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/retention"
)

var user = lifecycle.Cause{By: "user:42", Why: "spring cleaning"}

// The rows that something special happens to. All of them are in the trash then:
// every fourth row is trashed.
const (
	every     = 4
	restored  = 4  // brought back while its window is open
	held      = 8  // under legal hold
	forgotten = 12 // asked for too late
	orphans   = 3  // uploads whose row was never written
)

// live lives through the whole story.
func (w *world) live(ctx context.Context, f found) error {
	w.out.printf("%d files in %s\n", len(f.files), w.where)
	if f.skipped > 0 {
		w.out.printf("%d files were left out: more than %s each, or %s in all\n", f.skipped, size(maxFile), size(maxTotal))
	}
	w.out.head()
	for _, step := range []func(context.Context, found) error{
		w.store, w.interrupt, w.trash, w.restore, w.hold, w.tooLate, w.plan, w.run, w.verify,
	} {
		if err := step(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

func objectKey(id int64) string { return fmt.Sprintf("%sfiles/%08d", prefix, id) }

// store puts each file into the bucket, and then a row into the table. Every
// tenth file is uploaded twice, so that the bucket holds an older version of it.
func (w *world) store(ctx context.Context, f found) error {
	versions := 0
	for _, one := range f.files {
		body, err := os.ReadFile(one.path)
		if err != nil {
			return err
		}
		if one.id%10 == 0 {
			if err := w.put(ctx, objectKey(one.id), append([]byte("draft of "), body...)); err != nil {
				return err
			}
			versions++
		}
		if err := w.put(ctx, objectKey(one.id), body); err != nil {
			return err
		}
		if err := w.insert(ctx, one, int64(len(body))); err != nil {
			return err
		}
		w.out.step("stored", one.id, int64(len(f.files)))
	}
	return w.line(ctx, "stored %d files, %d of them twice", len(f.files), versions)
}

func (w *world) put(ctx context.Context, key string, body []byte) error {
	_, err := w.bucket.Put(ctx, key, bytes.NewReader(body), int64(len(body)), nil)
	return err
}

func (w *world) insert(ctx context.Context, one file, size int64) error {
	insert := sq.Insert("quickstart_file").Columns("id", "name", "object_key", "size").
		Values(one.id, one.name, objectKey(one.id), size)
	if w.d.Numbered {
		insert = insert.PlaceholderFormat(sq.Dollar)
	}
	_, err := insert.RunWith(w.db).ExecContext(ctx)
	return err
}

// interrupt leaves objects behind whose rows were never written.
func (w *world) interrupt(ctx context.Context, _ found) error {
	for i := range orphans {
		if err := w.put(ctx, fmt.Sprintf("%suploads/lost-%d", prefix, i+1), []byte("an upload that was interrupted")); err != nil {
			return err
		}
	}
	return w.line(ctx, "%d uploads lost their rows", orphans)
}

// trash moves rows to the trash by a condition, in one operation.
func (w *world) trash(ctx context.Context, f found) error {
	w.clock.goTo(1)
	var results lifecycle.Results
	err := w.in(ctx, func(tx *sql.Tx) (err error) {
		results, err = w.st.TrashAll(ctx, tx, Files.Where(sq.Expr("id % ? = 0", every), len(f.files)), user)
		return err
	})
	if err != nil {
		return err
	}
	return w.line(ctx, "trashed every %dth file: %d rows", every, results.Count(lifecycle.Transitioned))
}

// restore brings a row back inside its window, twice: a double click is no error.
func (w *world) restore(ctx context.Context, f found) error {
	w.clock.goTo(11)
	if len(f.files) < restored {
		return nil
	}
	var outcomes []lifecycle.Outcome
	for range 2 {
		err := w.in(ctx, func(tx *sql.Tx) error {
			result, err := w.st.Restore(ctx, tx, Files.Row(restored), user)
			outcomes = append(outcomes, result.Outcome)
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := w.line(ctx, "restored row %d, inside its window", restored); err != nil {
		return err
	}
	w.out.note("%s; asked again: %s", outcomes[0], outcomes[1])
	return nil
}

// hold puts a legal hold on a row in the trash. Holds are the service's own.
func (w *world) hold(ctx context.Context, f found) error {
	w.clock.goTo(20)
	if len(f.files) < held {
		return nil
	}
	if _, err := w.db.ExecContext(ctx, "UPDATE quickstart_file SET legal_hold = 1 WHERE id = 8"); err != nil {
		return err
	}
	err := w.in(ctx, func(tx *sql.Tx) error {
		_, err := w.st.Purge(ctx, tx, Files.Row(held), user)
		return err
	})
	if !errors.Is(err, lifecycle.ErrHeld) {
		return fmt.Errorf("a purge under legal hold was answered with %w", err)
	}
	if err := w.line(ctx, "a purge of row %d, under legal hold, is refused", held); err != nil {
		return err
	}
	w.refusal(err)
	return nil
}

// tooLate asks for a row whose window has closed. No job has run: the deadline
// is in the statement that would change the row.
func (w *world) tooLate(ctx context.Context, f found) error {
	w.clock.goTo(31)
	if len(f.files) < forgotten {
		return nil
	}
	err := w.in(ctx, func(tx *sql.Tx) error {
		_, err := w.st.Restore(ctx, tx, Files.Row(forgotten), user)
		return err
	})
	if lifecycle.HTTPStatus(err) != http.StatusGone {
		return fmt.Errorf("a restore past the window was answered with %w", err)
	}
	if err := w.line(ctx, "a restore of row %d, past its window, is refused", forgotten); err != nil {
		return err
	}
	w.refusal(err)
	return nil
}

func (w *world) refusal(err error) {
	status := lifecycle.HTTPStatus(err)
	w.out.note("%d %s: %v", status, http.StatusText(status), err)
}

func (w *world) pass() (*retention.Pass, error) {
	return retention.New(w.st, w.db, &retention.Options{
		Sweep:    true,
		Progress: func(p retention.Progress) { w.out.step(string(p.Stage), p.Done, 0) },
		Buckets: []retention.Bucket{{
			Bucket:  w.bucket,
			Reclaim: &objstore.ReclaimOptions{Clock: w.clock},
			Sweep:   &objstore.SweepOptions{Clock: w.clock, Prefixes: []objstore.Prefix{prefix}},
		}},
	})
}

// plan shows what the nightly run would do. An upload is under way meanwhile,
// too young to be an orphan: where the bucket knows that a month has passed.
func (w *world) plan(ctx context.Context, _ found) error {
	if w.ours {
		if err := w.put(ctx, string(prefix)+"uploads/under-way", []byte("an upload that is under way")); err != nil {
			return err
		}
	}
	p, err := w.pass()
	if err != nil {
		return err
	}
	plan, err := p.Plan(ctx)
	if err != nil {
		return err
	}
	table, sweep := plan.Tables[0], plan.Buckets[0].Sweep
	if err := w.line(ctx, "the nightly run, planned"); err != nil {
		return err
	}
	w.out.note("to purge: %d rows with %d objects, %s as the rows have it; held: %d", table.Rows, table.Objects, size(table.Bytes), table.Held)
	w.out.note("to sweep: %d orphans, %s; protected: %d keys; too young to tell: %d", sweep.Candidates, size(sweep.CandidateBytes), sweep.Protected, sweep.Young)
	return nil
}

// run is the nightly run.
func (w *world) run(ctx context.Context, _ found) error {
	p, err := w.pass()
	if err != nil {
		return err
	}
	report, err := p.Run(ctx)
	if err != nil {
		return err
	}
	b := report.Buckets[0]
	if err := w.line(ctx, "the nightly run, done"); err != nil {
		return err
	}
	w.out.note("purged %d rows; freed %d objects, %d versions; swept %d orphans", report.Purged(), b.Reclaim.Done, b.Reclaim.Versions, b.Orphans.Done)
	w.out.note("bytes freed: %s as stored", size(report.Freed()))
	return nil
}

// line prints an event with the state of the world after it.
func (w *world) line(ctx context.Context, format string, args ...any) error {
	c, err := w.census(ctx)
	if err != nil {
		return err
	}
	w.out.line(w.clock.day(), c, format, args...)
	return nil
}

func objectID(one file) objstore.ID { return objstore.ID{Key: objectKey(one.id)} }
