package objstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"
	"time"
)

// The codes of our own; Reclaimer explains them.
const (
	codeListing        = "listing"
	codeLocked         = "locked"
	codeThrottled      = "throttled"
	codeDenied         = "denied"
	codeUnacknowledged = "unacknowledged"
	codeRequest        = "request"
	codeClaim          = "claim"
	codeRemaining      = "remaining"
	codeLease          = "lease"
	codeInterrupted    = "interrupted"
	codeUnrecorded     = "unrecorded"
)

// shareLimit is the number of recorded attempts from which a key shares its
// requests with no other.
const shareLimit = 3

// job is one attempt at one claim.
type job struct {
	claim   Claim
	attempt Attempt
	code    string
	locked  ID   // the first locked version met: the newest
	stopped bool // nothing more may be sent for it
}

func (j *job) alone() bool { return j.claim.Attempts >= shareLimit }

// fault keeps the reason for which the key will be left. A lock gives way to any
// other reason, since only a lock alone can be waited out.
func (j *job) fault(code string) {
	if j.code == "" || j.code == codeLocked {
		j.code = code
	}
}

func (j *job) stop(code string) bool {
	j.code, j.stopped = code, true
	return false
}

// entry is one version or delete marker to delete.
type entry struct {
	job    *job
	id     ID
	marker bool
	size   int64
}

// may tells whether the claim still permits a request.
func (w *reclaim) may(ctx context.Context, j *job) bool {
	switch {
	case j.stopped:
		return false
	case ctx.Err() != nil:
		return j.stop(codeInterrupted)
	case !w.opts.Clock.Now().Add(w.opts.Margin).Before(j.claim.Lease):
		return j.stop(codeLease)
	}
	return true
}

// versions yields the entries of the exact key. In byte order they come before
// every other key that begins with it, so the first of those ends the listing.
func (w *reclaim) versions(ctx context.Context, key string, page int) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		for o, err := range w.bucket.Versions(ctx, key, &ListOptions{Page: page}) {
			switch {
			case err != nil:
			case !strings.HasPrefix(o.Key, key):
				err = fmt.Errorf("listing of %q has %q: %w", key, o.Key, ErrIncomplete)
			case o.Key != key:
				return
			case o.Version == "" && w.versioned:
				err = fmt.Errorf("listing of %q has an entry without a version id: %w", key, ErrIncomplete)
			}
			if !yield(o, err) || err != nil {
				return
			}
		}
	}
}

// collect lists the key and hands its entries to the shared requests. Entries
// that a broken listing has shown are deleted too: each is the key's own.
func (w *reclaim) collect(ctx context.Context, j *job) {
	if j.claim.Key == "" || j.claim.Bucket != w.report.Bucket {
		// Not this bucket's claim: an empty prefix would list everything.
		j.stop(codeClaim)
		return
	}
	if !w.may(ctx, j) {
		return
	}
	if j.alone() {
		w.flush(ctx)
	}
	for o, err := range w.versions(ctx, j.claim.Key, 0) {
		if err != nil {
			w.unlisted(ctx, j, err)
			break
		}
		w.pending = append(w.pending, entry{job: j, id: ID{o.Key, o.Version}, marker: o.DeleteMarker, size: o.Size})
		if len(w.pending) >= w.window.size {
			w.flush(ctx)
		}
		if j.stopped {
			break
		}
	}
	if j.alone() {
		w.flush(ctx)
	}
}

// unlisted ends an attempt whose listing failed. What was listed before it stays
// in the pending request, which does not look at the code.
func (w *reclaim) unlisted(ctx context.Context, j *job, err error) {
	switch {
	case ctx.Err() != nil:
		j.stop(codeInterrupted)
		return
	case errors.Is(err, ErrThrottled):
		j.code = codeThrottled
	default:
		j.code = codeListing
	}
	w.storeFailed(err)
}

// flush sends the pending entries of claims that still permit it.
func (w *reclaim) flush(ctx context.Context) {
	var ids []ID
	send, lease := w.pending[:0], time.Time{}
	for _, e := range w.pending {
		if !w.may(ctx, e.job) {
			continue
		}
		send, ids = append(send, e), append(ids, e.id)
		if lease.IsZero() || e.job.claim.Lease.Before(lease) {
			lease = e.job.claim.Lease
		}
	}
	w.pending = w.pending[:0]
	if len(send) == 0 {
		return
	}
	// The request itself must not outlast the first of its leases.
	bound, cancel := context.WithTimeout(ctx, lease.Sub(w.opts.Clock.Now()))
	results, err := w.bucket.Delete(bound, ids)
	cancel()
	w.report.Requests++
	w.report.Requested += int64(len(send))
	w.account(send, results, err)
}

// account books the answer to each entry. A result counts only in its place and
// for its own entry; and a request that failed as a whole acknowledges nothing,
// because an adapter that was cut off cannot tell success from silence.
func (w *reclaim) account(sent []entry, results []DeleteResult, err error) {
	throttled, acknowledged := false, false
	for i, e := range sent {
		r := DeleteResult{Err: ErrUnacknowledged}
		if i < len(results) && results[i].ID == e.id {
			r = results[i]
		}
		switch {
		case err != nil && (r.Err == nil || errors.Is(r.Err, ErrUnacknowledged)):
			w.report.Unknown++
			e.job.fault(wholeCode(err))
		case r.Err == nil:
			acknowledged = true
			w.acknowledge(e)
		case errors.Is(r.Err, ErrUnacknowledged):
			w.report.Unknown++
			e.job.fault(codeUnacknowledged)
		default:
			throttled = throttled || errors.Is(r.Err, ErrThrottled)
			w.refused(e, r)
		}
	}
	switch {
	case err != nil:
		w.storeFailed(err)
	case throttled:
		w.storeFailed(ErrThrottled)
	default:
		w.window.grow()
	}
	w.progress = w.progress || acknowledged
}

func wholeCode(err error) string {
	if errors.Is(err, ErrThrottled) {
		return codeThrottled
	}
	return codeRequest
}

func (w *reclaim) acknowledge(e entry) {
	w.report.Acknowledged++
	if e.marker {
		w.report.Markers++
		e.job.attempt.Markers++
		return
	}
	w.report.Versions++
	w.report.Bytes += e.size
	e.job.attempt.Versions++
	e.job.attempt.Bytes += e.size
}

func (w *reclaim) refused(e entry, r DeleteResult) {
	code := codeOf(r)
	count(&w.report.Failed, code)
	if code != codeLocked {
		e.job.fault(code)
	} else if e.job.code == "" {
		e.job.code, e.job.locked = codeLocked, e.id
	}
}

// codeOf is the word for a refusal: ours where it has a meaning here, else the
// store's.
func codeOf(r DeleteResult) string {
	switch {
	case errors.Is(r.Err, ErrLocked):
		return codeLocked
	case errors.Is(r.Err, ErrThrottled):
		return codeThrottled
	case r.Code != "":
		return r.Code
	case errors.Is(r.Err, fs.ErrPermission):
		return codeDenied
	}
	return codeRequest
}
