package objstore_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/objstore"
)

// epoch is where the clocks of the tests begin.
var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const lease = 5 * time.Minute

// The states of a line.
const (
	live       = "live"
	doomed     = "doomed"
	reclaiming = "reclaiming"
	reclaimed  = "reclaimed"
)

type line struct {
	id       int64
	key      string
	state    string
	fence    int64
	next     time.Time // the lease's end while it is claimed
	claimed  bool
	attempts []objstore.Attempt
	orphan   bool
}

// book is a ledger and a referee in memory, with the leases and fences of the
// real one. References are counted by key.
type book struct {
	clock  lifecycle.Clock
	bucket string

	mu    sync.Mutex
	lines map[string]*line
	refs  map[string]int
	// fault is asked before each call, by its name; nil is no fault.
	fault func(op string) (before, after error)
	// asked is the largest question of the referee, questions their number.
	asked, questions int
}

var (
	_ objstore.Ledger  = (*book)(nil)
	_ objstore.Referee = (*book)(nil)
)

func newBook(clock lifecycle.Clock) *book {
	return &book{clock: clock, bucket: "files", lines: map[string]*line{}, refs: map[string]int{}}
}

// promise dooms keys, as a purge does.
func (b *book) promise(keys ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, key := range keys {
		b.lines[key] = &line{id: int64(len(b.lines) + 1), key: key, state: doomed}
	}
}

// refer makes rows refer to keys.
func (b *book) refer(keys ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, key := range keys {
		b.refs[key]++
	}
}

func (b *book) states() map[string]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	states := map[string]string{}
	for key, l := range b.lines {
		states[key] = l.state
	}
	return states
}

// last returns the last attempt at a key.
func (b *book) last(key string) objstore.Attempt {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.lines[key]
	if l == nil || len(l.attempts) == 0 {
		return objstore.Attempt{}
	}
	return l.attempts[len(l.attempts)-1]
}

// in runs one transaction under the plan of faults.
func (b *book) in(ctx context.Context, op string, work func() error) error {
	var before, after error
	if b.fault != nil {
		before, after = b.fault(op)
	}
	if before == nil {
		before = ctx.Err()
	}
	if before != nil {
		return before
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := work(); err != nil {
		return err
	}
	return after
}

func (b *book) Claim(ctx context.Context, bucket string, n int) ([]objstore.Claim, error) {
	var claims []objstore.Claim
	err := b.in(ctx, "claim", func() error {
		now := b.clock.Now()
		for _, key := range slices.SortedFunc(maps.Keys(b.lines), b.older) {
			l := b.lines[key]
			if len(claims) == n || bucket != b.bucket {
				break
			}
			if l.state != doomed && l.state != reclaiming || l.next.After(now) {
				continue
			}
			if b.refs[key] > 0 && l.state == doomed {
				l.state = live
				continue
			}
			l.state, l.claimed, l.fence, l.next = reclaiming, true, l.fence+1, now.Add(lease)
			claims = append(claims, objstore.Claim{
				ID: l.id, Bucket: bucket, Key: key, Fence: l.fence, Attempts: len(l.attempts), Lease: l.next, Orphan: l.orphan,
			})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return claims, nil
}

func (b *book) older(x, y string) int {
	if c := b.lines[x].next.Compare(b.lines[y].next); c != 0 {
		return c
	}
	return strings.Compare(x, y)
}

func (b *book) close(ctx context.Context, op string, c objstore.Claim, a objstore.Attempt, then func(*line)) error {
	return b.in(ctx, op, func() error {
		l := b.lines[c.Key]
		if l.state != reclaiming || l.fence != c.Fence {
			return fmt.Errorf("%s: %w", c.Key, objstore.ErrFenced)
		}
		l.attempts = append(l.attempts, a)
		l.claimed = false
		then(l)
		return nil
	})
}

func (b *book) Done(ctx context.Context, c objstore.Claim, a objstore.Attempt) error {
	return b.close(ctx, "done", c, a, func(l *line) { l.state = reclaimed })
}

func (b *book) Fail(ctx context.Context, c objstore.Claim, a objstore.Attempt) error {
	return b.close(ctx, "fail", c, a, func(l *line) { l.fence, l.next = l.fence+1, a.NotBefore })
}

func (b *book) Debt(ctx context.Context, bucket string) (objstore.Debt, error) {
	var d objstore.Debt
	err := b.in(ctx, "debt", func() error {
		for _, l := range b.lines {
			if l.state == doomed || l.state == reclaiming {
				d.Objects++
				if l.next.After(b.clock.Now()) {
					d.Waiting++
				}
			}
		}
		return nil
	})
	return d, err
}

func (b *book) References(ctx context.Context, _ string) (n int64, err error) {
	err = b.in(ctx, "references", func() error {
		n = int64(len(b.refs))
		return nil
	})
	return n, err
}

func (b *book) Unprotected(ctx context.Context, _ string, keys []string) (free []string, err error) {
	err = b.in(ctx, "unprotected", func() error {
		b.asked, b.questions = max(b.asked, len(keys)), b.questions+1
		free = b.free(keys)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return free, nil
}

func (b *book) free(keys []string) (free []string) {
	for _, key := range keys {
		l := b.lines[key]
		if b.refs[key] == 0 && (l == nil || l.state == live || l.state == reclaimed) {
			free = append(free, key)
		}
	}
	return free
}

func (b *book) Doom(ctx context.Context, _ string, keys []string) (free []string, err error) {
	err = b.in(ctx, "doom", func() error {
		free = b.free(keys)
		for _, key := range free {
			if l := b.lines[key]; l != nil {
				l.state, l.next, l.orphan = doomed, time.Time{}, true
				continue
			}
			b.lines[key] = &line{id: int64(len(b.lines) + 1), key: key, state: doomed, orphan: true}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return free, nil
}

// asideLedger returns no claims while there are protected keys among the first
// that are due, as the ledger in a database does.
type asideLedger struct{ *worker }

func (l *asideLedger) Claim(ctx context.Context, bucket string, n int) ([]objstore.Claim, error) {
	if l.setAside(n) {
		return nil, nil
	}
	return l.worker.Claim(ctx, bucket, n)
}

func (l *asideLedger) setAside(n int) (any bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(l.lines)) {
		if n > 0 && l.lines[key].state == doomed && l.refs[key] > 0 {
			l.lines[key].state = live
			n, any = n-1, true
		}
	}
	return any
}
