package objstore

import (
	"hash/fnv"
	"strconv"
	"time"
)

// backoff is the pause before the next attempt: least, doubled for each attempt
// that is recorded already, at most most, and then less by up to a quarter. The
// spread decides how much less, so that keys which failed together do not all
// come back together.
func backoff(least, most time.Duration, attempts int, spread uint32) time.Duration {
	d := min(least, most)
	for range attempts {
		if d > most/2 {
			d = most
			break
		}
		d *= 2
	}
	return d - d/1024*time.Duration(spread%257)
}

// spreadOf differs by key and attempt and is the same in every process, so that
// a run can be repeated.
func spreadOf(c Claim) uint32 {
	h := fnv.New32a()
	h.Write([]byte(c.Key))
	h.Write([]byte(strconv.Itoa(c.Attempts)))
	return h.Sum32()
}

// window is the number of entries of a delete request: halved when the store
// asks to slow down, and grown by a tenth of its limit when it does not.
type window struct{ size, limit int }

func (w *window) shrink() { w.size = max(1, w.size/2) }

func (w *window) grow() { w.size = min(w.limit, w.size+max(1, w.limit/10)) }
