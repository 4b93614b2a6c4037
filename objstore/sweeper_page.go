package objstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// found is all that a listing shows of one key.
type found struct {
	Candidate
	// undated says that an entry came without an instant: it may be young.
	undated bool
}

// verdict is what one page of keys came to.
type verdict struct {
	SweepCounts
	candidates []Candidate
	aliens     []string
}

// judged lists a prefix and calls act with the verdict on each page of keys. A
// page holds whole keys only: a version that the listing has not shown yet
// could be the young one.
func (w *sweep) judged(ctx context.Context, p Prefix, act func(verdict) error) error {
	var page []found
	judge := func() error {
		v, err := w.judge(ctx, page)
		page = page[:0]
		if err != nil {
			return err
		}
		return act(v)
	}
	for o, err := range w.bucket.Versions(ctx, string(p), &ListOptions{Page: w.opts.Page}) {
		if err != nil {
			return err
		}
		if len(page) > 0 && page[len(page)-1].Key == o.Key {
			page[len(page)-1].see(o)
			continue
		}
		if err := inOrder(p, page, o.Key); err != nil {
			return err
		}
		if len(page) == w.opts.Page {
			if err := judge(); err != nil {
				return err
			}
		}
		page = append(page, found{Candidate: Candidate{Key: o.Key, Prefix: p}})
		page[len(page)-1].see(o)
	}
	// A listing that was cut off by the context must not be taken for a whole
	// one, even where an adapter lets it look like the end.
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(page) == 0 {
		return nil
	}
	return judge()
}

// inOrder refuses a listing that leaves the prefix or goes backwards: a key
// could come up a second time, with the version that would have saved it.
func inOrder(p Prefix, page []found, key string) error {
	if !strings.HasPrefix(key, string(p)) {
		return fmt.Errorf("the listing has %q: %w", key, ErrIncomplete)
	}
	if len(page) > 0 && key < page[len(page)-1].Key {
		return fmt.Errorf("the listing has %q after %q: %w", key, page[len(page)-1].Key, ErrIncomplete)
	}
	return nil
}

func (f *found) see(o Object) {
	if o.DeleteMarker {
		f.Markers++
	} else {
		f.Versions++
		f.Bytes += o.Size
	}
	f.undated = f.undated || o.Modified.IsZero()
	if o.Modified.After(f.Newest) {
		f.Newest = o.Modified
	}
}

// judge asks the referee about the page, after it was listed, so that rows
// written meanwhile count.
func (w *sweep) judge(ctx context.Context, page []found) (verdict, error) {
	var v verdict
	var asked []string
	for _, f := range page {
		if !f.alien() {
			asked = append(asked, f.Key)
		}
	}
	var free map[string]bool
	if len(asked) > 0 {
		answer, err := w.referee.Unprotected(ctx, w.report.Bucket, slices.Clone(asked))
		if err == nil {
			free, err = subset(asked, answer)
		}
		if err != nil {
			return verdict{}, fmt.Errorf("unprotected: %w", err)
		}
	}
	for _, f := range page {
		v.sort(f, free[f.Key], w.report.Cutoff)
	}
	return v, nil
}

// alien tells whether the key is none that a sweep may judge.
func (f *found) alien() bool { return !f.Prefix.Holds(f.Key) || CheckKey(f.Key) != nil }

// sort puts one key into its class.
func (v *verdict) sort(f found, free bool, cutoff time.Time) {
	v.Keys++
	v.Versions += f.Versions
	v.Markers += f.Markers
	v.Bytes += f.Bytes
	switch {
	case f.alien():
		v.Aliens++
		v.aliens = append(v.aliens, f.Key)
	case !free:
		v.Protected++
	case f.undated || !f.Newest.Before(cutoff):
		v.Young++
	default:
		v.Candidates++
		v.CandidateBytes += f.Bytes
		v.candidates = append(v.candidates, f.Candidate)
	}
}
