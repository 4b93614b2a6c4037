package objstore

import (
	"context"
	"errors"
	"time"
)

// verifyPage is the page of the listing that looks for anything left: the first
// entry decides, and the rest would be neighbours.
const verifyPage = 10

// conclude lists the key again and records what the attempt came to.
func (w *reclaim) conclude(ctx context.Context, j *job) {
	if w.listedEmpty(ctx, j) {
		w.done(j)
		return
	}
	w.left(ctx, j)
}

// listedEmpty tells whether a whole listing shows nothing of the key. It gives
// the job a code where it does not.
func (w *reclaim) listedEmpty(ctx context.Context, j *job) bool {
	if j.code == codeListing || !w.may(ctx, j) {
		return false
	}
	for _, err := range w.versions(ctx, j.claim.Key, verifyPage) {
		if err != nil {
			w.unlisted(ctx, j, err)
			return false
		}
		if j.code == "" {
			j.code = codeRemaining
		}
		return false
	}
	// A listing that was cut off by the context proves nothing, even where an
	// adapter lets it look like the end.
	return ctx.Err() == nil || j.stop(codeInterrupted)
}

func (w *reclaim) done(j *job) {
	j.attempt.Code = ""
	err := w.ledger.Done(w.closing, j.claim, j.attempt)
	switch {
	case err == nil:
		w.report.Done++
		w.progress = true
	case errors.Is(err, ErrFenced):
		w.report.Fenced++
	default:
		w.report.Unrecorded++
		w.blame(err)
		// Ask for a pause, so that a key that cannot be recorded is not claimed
		// at the end of every lease. If the first answer was only lost, the key
		// is not ours any more and this changes nothing.
		j.attempt.Code = codeUnrecorded
		j.attempt.NotBefore = w.later(j)
		_ = w.ledger.Fail(w.closing, j.claim, j.attempt)
	}
}

func (w *reclaim) left(ctx context.Context, j *job) {
	j.attempt.Code = j.code
	j.attempt.NotBefore = w.notBefore(ctx, j)
	err := w.ledger.Fail(w.closing, j.claim, j.attempt)
	switch {
	case err == nil:
		count(&w.report.Left, j.code)
		if j.code == codeLocked {
			w.report.Locked++
		}
	case errors.Is(err, ErrFenced):
		w.report.Fenced++
	default:
		w.report.Unrecorded++
		w.blame(err)
	}
}

// later is when a failed key may be tried again.
func (w *reclaim) later(j *job) time.Time {
	pause := backoff(w.opts.Backoff, w.opts.MaxBackoff, j.claim.Attempts, spreadOf(j.claim))
	return w.opts.Clock.Now().Add(pause)
}

func (w *reclaim) notBefore(ctx context.Context, j *job) time.Time {
	switch j.code {
	case codeInterrupted:
		// Nothing is wrong with the key: the next run may have it at once.
		return w.opts.Clock.Now()
	case codeLocked:
		return w.unlock(ctx, j)
	}
	return w.later(j)
}

// unlock is when the lock of the newest locked version ends. Older versions
// wait with it: trying at the end of each lock would mean one attempt, with a
// refusal for every other version, per version.
func (w *reclaim) unlock(ctx context.Context, j *job) time.Time {
	later := w.later(j)
	lock, err := LockOf(ctx, w.bucket, j.locked)
	switch {
	case err != nil:
		return later
	case lock.LegalHold && lock.Until.Before(later):
		return w.opts.Clock.Now().Add(w.opts.MaxBackoff)
	case lock.Until.After(later):
		return lock.Until
	}
	return later
}
