package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// census counts what the database and the bucket hold, each by its own word.
func (w *world) census(ctx context.Context) (census, error) {
	var c census
	err := w.db.QueryRowContext(ctx, `SELECT
		COALESCE(SUM(CASE WHEN is_deleted = 0 AND deleted_at IS NULL THEN 1 ELSE 0 END), 0),
		COALESCE(SUM(CASE WHEN is_deleted = 0 AND deleted_at IS NOT NULL THEN 1 ELSE 0 END), 0),
		COALESCE(SUM(CASE WHEN is_deleted <> 0 AND reclaimed_at IS NULL THEN 1 ELSE 0 END), 0),
		COALESCE(SUM(CASE WHEN is_deleted <> 0 AND reclaimed_at IS NOT NULL THEN 1 ELSE 0 END), 0)
		FROM quickstart_file`).Scan(&c.active, &c.trashed, &c.purged, &c.reclaimed)
	if err != nil {
		return c, err
	}
	for o, err := range w.bucket.Versions(ctx, string(prefix), nil) {
		if err != nil {
			return c, err
		}
		c.objects++
		c.bytes += o.Size
	}
	return c, nil
}

// verify holds the database, the bucket and the directory against each other.
// Whatever it finds is an error.
func (w *world) verify(ctx context.Context, f found) error {
	expected := map[string]file{}
	for _, one := range f.files {
		record, err := w.st.Record(ctx, w.db, Files.Row(one.id))
		if err != nil {
			return err
		}
		switch record.State {
		case lifecycle.Active, lifecycle.Trashed:
			expected[objectKey(one.id)] = one
		case lifecycle.Reclaimed:
		default:
			return fmt.Errorf("row %d was left %s", one.id, record.State)
		}
	}
	agreed, young, total, err := w.compare(ctx, expected)
	if err != nil {
		return fmt.Errorf("verification failed: %w", err)
	}
	w.out.printf("\nverified: %d rows and %d objects agree byte for byte (%s);\n", agreed, agreed, size(total))
	if young > 0 {
		w.out.printf("          %d upload under way was left alone;\n", young)
	}
	w.out.printf("          nothing is left of %d reclaimed rows and %d orphans: no version, no delete marker, no debt\n", int64(len(f.files))-agreed, orphans)
	return nil
}

// compare reads every current object back. It returns how many belong to rows.
func (w *world) compare(ctx context.Context, expected map[string]file) (agreed, young, total int64, err error) {
	seen := map[string]bool{}
	for o, err := range w.bucket.Versions(ctx, string(prefix), nil) {
		if err != nil {
			return 0, 0, 0, err
		}
		one, ok := expected[o.Key]
		switch {
		case o.Key == string(prefix)+"uploads/under-way":
			young++
			continue
		case !ok:
			return 0, 0, 0, fmt.Errorf("the bucket holds %s, and no row needs it", o.Key)
		case !o.Latest || o.DeleteMarker:
			continue // an older version of a live file
		}
		n, err := w.same(ctx, one)
		if err != nil {
			return 0, 0, 0, err
		}
		seen[o.Key] = true
		agreed++
		total += n
		w.out.step("verified", agreed, int64(len(expected)))
	}
	for key, one := range expected {
		if !seen[key] {
			return 0, 0, 0, fmt.Errorf("row %d (%s) has lost its object", one.id, one.name)
		}
	}
	return agreed, young, total, w.debtless(ctx)
}

// same compares an object with the file it was made of.
func (w *world) same(ctx context.Context, one file) (n int64, err error) {
	id := objectID(one)
	body, err := w.bucket.Open(ctx, id)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, body.Close()) }()
	stored, err := io.ReadAll(body)
	if err != nil {
		return 0, err
	}
	original, err := os.ReadFile(one.path)
	if err != nil {
		return 0, err
	}
	if !bytes.Equal(stored, original) {
		return 0, fmt.Errorf("%s differs from its object %s", one.path, id.Key)
	}
	return int64(len(stored)), nil
}

// debtless asks the ledger whether anything is still owed.
func (w *world) debtless(ctx context.Context) error {
	p, err := w.pass()
	if err != nil {
		return err
	}
	plan, err := p.Plan(ctx)
	if err != nil {
		return err
	}
	if debt := plan.Buckets[0].Debt; debt.Objects > 0 || debt.Rows > 0 || plan.Buckets[0].Sweep.Candidates > 0 || plan.Tables[0].Rows > 0 {
		return fmt.Errorf("something is still owed: %+v", plan)
	}
	return nil
}
