package objstore

import (
	"context"
	"errors"
	"time"
)

// ErrFenced: the claim is no longer this worker's; another one has taken it
// over, or has finished it. Nothing was recorded.
var ErrFenced = errors.New("claim was taken over")

// Claim is one key that one worker may delete, until its lease ends.
type Claim struct {
	// ID is the ledger's number for the key.
	ID int64
	// Bucket and Key name what has to go: the exact key, every version of it.
	Bucket, Key string
	// Fence is the number of this claim. It grows with each claim of the key,
	// and a worker with an older one can record nothing any more.
	Fence int64
	// Attempts is the number of attempts recorded before this claim.
	Attempts int
	// Lease is when the claim ends; never zero. Nothing is sent after it.
	Lease time.Time
	// Orphan says that no row ever asked for this deletion: a sweep found the key.
	Orphan bool
}

// Attempt is what one try to delete a claimed key came to.
type Attempt struct {
	// Versions is the number of versions that the store acknowledged as deleted,
	// Markers that of delete markers.
	Versions, Markers int
	// Bytes is the physical size of those versions.
	Bytes int64
	// Code is the store's error code or a short word of ours; empty where the
	// key was then observed empty.
	Code string
	// NotBefore is the earliest instant of the next attempt, where the key is
	// not done.
	NotBefore time.Time
}

// Debt is what has been promised and not yet freed.
type Debt struct {
	// Objects is the number of keys doomed or being reclaimed.
	Objects int64
	// Waiting is the number of those whose next attempt is not due.
	Waiting int64
	// Rows is the number of purged rows that wait for them.
	Rows int64
	// Oldest is when the oldest of the keys was doomed; zero without debt.
	Oldest time.Time
}

// Ledger is where deletions are promised, claimed and recorded: the only lock
// between workers. Each method opens one short transaction of its own. Safe for
// concurrent use by many processes.
type Ledger interface {
	// Claim takes up to n doomed keys of the bucket that are due, and keys whose
	// claim has outlived its lease. A key that a row which is not purged refers
	// to is not claimed: it is taken out of the debt instead. Keys of rows under
	// legal hold stay doomed. Both are put aside for a while, so that the next
	// claim meets other keys: an empty answer alone does not say that nothing is
	// due, Debt does.
	Claim(ctx context.Context, bucket string, n int) ([]Claim, error)
	// Done records that the key was observed empty, and takes the reclaim edge
	// for each row that waits for nothing else. ErrFenced where the claim is
	// no longer the caller's.
	Done(ctx context.Context, c Claim, a Attempt) error
	// Fail records an attempt that left something, or proved nothing, and makes
	// the key due again at a.NotBefore. ErrFenced as in Done.
	Fail(ctx context.Context, c Claim, a Attempt) error
	// Debt counts what is left in the bucket.
	Debt(ctx context.Context, bucket string) (Debt, error)
}

// Referee tells which keys rows still rely on. A sweep believes nothing else.
type Referee interface {
	// References counts the keys of the bucket that rows refer to, up to a
	// bound of the implementation's. Zero stops a sweep.
	References(ctx context.Context, bucket string) (int64, error)
	// Unprotected returns which of the keys no row protects and no claim is
	// busy with. The question is put by equality, on the primary. Any error
	// means that nothing is known.
	Unprotected(ctx context.Context, bucket string, keys []string) ([]string, error)
	// Doom writes orphans into the ledger, so that a Reclaimer may claim them,
	// and returns those it accepted. Protection is checked again in the same
	// transaction.
	Doom(ctx context.Context, bucket string, keys []string) ([]string, error)
}
