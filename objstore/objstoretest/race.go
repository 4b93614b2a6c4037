package objstoretest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/softdelete-go/softdelete/objstore"
)

// racers is how many goroutines call at once.
const racers = 8

// atOnce calls work for each item, racers at a time, and joins the errors.
func atOnce[T any](items []T, work func(T) error) error {
	var (
		group sync.WaitGroup
		errs  = make([]error, len(items))
		next  = make(chan int)
	)
	for range min(racers, len(items)) {
		group.Go(func() {
			for i := range next {
				errs[i] = work(items[i])
			}
		})
	}
	for i := range items {
		next <- i
	}
	close(next)
	group.Wait()
	return errors.Join(errs...)
}

func putManyKeys(ctx context.Context, b objstore.Bucket) error {
	var n notes
	var keys []string
	for i := range 5 * racers {
		keys = append(keys, fmt.Sprintf("in/%d/%d", i%3, i))
	}
	n.add("puts at once", atOnce(keys, func(key string) error { return putAll(ctx, b, key) }))
	n.shows(ctx, b, "", nil, expected(keys, "", ""))
	for _, key := range keys {
		n.reads(ctx, b, objstore.ID{Key: key}, key)
	}
	return n.err()
}

// contents differ in size, so that a mixture of two shows.
func contents() (all []string) {
	for i := range racers {
		all = append(all, strings.Repeat(fmt.Sprint(i), 1000+i))
	}
	return all
}

// putOneKey wants what is read to be whole, whoever came last.
func putOneKey(ctx context.Context, b objstore.Bucket) error {
	var n notes
	n.add("puts at once", atOnce(contents(), func(content string) error {
		_, err := put(ctx, b, "k", content)
		return err
	}))
	got, err := get(ctx, b, objstore.ID{Key: "k"})
	n.add("open", err)
	n.oneOf(got, contents())
	head, err := b.Head(ctx, objstore.ID{Key: "k"})
	n.add("head", err)
	if head.Size != int64(len(got)) {
		n.addf("head says %d bytes, open reads %d", head.Size, len(got))
	}
	return n.err()
}

func (n *notes) oneOf(got string, all []string) {
	for _, content := range all {
		if got == content {
			return
		}
	}
	n.addf("open reads %d bytes %.40q, which nobody put", len(got), got)
}

func ifAbsentAtOnce(ctx context.Context, b objstore.Bucket) error {
	var (
		n       notes
		mu      sync.Mutex
		winners []string
	)
	n.add("puts at once", atOnce(contents(), func(content string) error {
		_, err := b.Put(ctx, "k", stream{strings.NewReader(content)}, int64(len(content)), &objstore.PutOptions{IfAbsent: true})
		switch {
		case err == nil:
			mu.Lock()
			defer mu.Unlock()
			winners = append(winners, content)
		case errors.Is(err, objstore.ErrExists), errors.Is(err, objstore.ErrThrottled):
			// S3 says of a write that met another one that it shall be repeated.
		default:
			return err
		}
		return nil
	}))
	if len(winners) != 1 {
		n.addf("%d of %d puts of an absent key succeeded, want 1", len(winners), racers)
		return n.err()
	}
	n.reads(ctx, b, objstore.ID{Key: "k"}, winners[0])
	return n.err()
}

// versionsAtOnce wants a version of each put, and one latest.
func versionsAtOnce(ctx context.Context, b objstore.Bucket) error {
	var n notes
	n.add("puts at once", atOnce(contents(), func(content string) error {
		o, err := put(ctx, b, "k", content)
		if err != nil {
			return err
		}
		got, err := get(ctx, b, objstore.ID{Key: "k", Version: o.Version})
		if err == nil && got != content {
			err = fmt.Errorf("version %q reads other bytes than were put", o.Version)
		}
		return err
	}))
	all, err := entries(ctx, b, "k", nil)
	n.add("versions", err)
	n.entries("versions put at once", all, racers, 0)
	return n.err()
}
