package objstore

import "time"

// ReclaimReport is what one run of a Reclaimer came to. It counts what the store
// and the ledger answered, never what was hoped for.
type ReclaimReport struct {
	// Bucket is the bucket's name.
	Bucket string

	// Claimed is the number of keys taken from the ledger. Each of them is in
	// exactly one of Done, Left, Fenced and Unrecorded.
	Claimed int64
	// Done is the number of keys observed empty, and recorded so.
	Done int64
	// Left counts the keys that stay in debt, by the code that was recorded.
	Left map[string]int64
	// Fenced is the number of keys that another worker had taken over.
	Fenced int64
	// Unrecorded is the number of keys whose outcome the ledger did not
	// acknowledge. They are due again when their lease ends, if not before.
	Unrecorded int64

	// Requested is the number of versions and delete markers that delete
	// requests named, and always the sum of Acknowledged, Failed and Unknown.
	Requested int64
	// Acknowledged is the number of those that the store said are gone.
	Acknowledged int64
	// Failed counts those that the store refused, by its code.
	Failed map[string]int64
	// Unknown is the number of those the store said nothing of. Their keys may
	// be Done all the same, where a later listing showed nothing.
	Unknown int64

	// Versions and Markers are the acknowledged versions and delete markers,
	// Bytes the physical size of those versions.
	Versions, Markers, Bytes int64
	// Locked is the number of keys that only retention or a legal hold keeps.
	Locked int64
	// Requests is the number of delete requests, Throttled that of requests, of
	// either kind, on which the store asked to slow down.
	Requests, Throttled int64

	// Debt is what the ledger said is left at the end. It is the zero Debt where
	// the run ended before it could be asked.
	Debt Debt
	// Complete says that every key that was due has been tried. Keys that were
	// left are no contradiction: Left and Debt name them.
	Complete bool
}

// SweepCounts is what a sweep saw, of one prefix or of all of them. Every key is
// in exactly one of Protected, Young, Candidates and Aliens.
type SweepCounts struct {
	// Keys, Versions and Markers are what was listed; Bytes is the physical size
	// of all versions.
	Keys, Versions, Markers, Bytes int64
	// Protected is the number of keys that a row protects, or that a claim is
	// busy with.
	Protected int64
	// Young is the number of unprotected keys with a version or delete marker
	// that is not older than the grace.
	Young int64
	// Candidates is the number of orphans, CandidateBytes their physical size.
	Candidates, CandidateBytes int64
	// Aliens is the number of keys that CheckKey refuses, or that are a prefix
	// itself. They are never doomed.
	Aliens int64
}

// Candidate is one orphan, and why it is one: no row protects Key, and Newest,
// the youngest of its versions and delete markers, is older than the grace.
type Candidate struct {
	// Key is the exact key.
	Key string
	// Prefix is the managed prefix that holds it.
	Prefix Prefix
	// Versions and Markers are what is stored under the key, Bytes the physical
	// size of the versions.
	Versions, Markers, Bytes int64
	// Newest is the store's instant of the youngest entry.
	Newest time.Time
}

// SweepReport is what one plan or run of a Sweeper came to.
type SweepReport struct {
	// Bucket is the bucket's name.
	Bucket string
	// Started is the instant before the first read, Cutoff the grace before it.
	// Only what is older than Cutoff can be an orphan.
	Started, Cutoff time.Time
	// SweepCounts are the sums over all prefixes of the pass that counts.
	SweepCounts
	// Prefixes has the counts of each managed prefix that was begun.
	Prefixes map[Prefix]SweepCounts
	// Sample holds the first candidates and AlienSample the first aliens, up to
	// SweepOptions.Keep each.
	Sample      []Candidate
	AlienSample []string

	// Doomed is the number of orphans that the referee accepted; always 0 in a
	// plan. Spared is the number of those it refused because something protects
	// them by now. Unknown is the number of those whose answer was lost.
	Doomed, Spared, Unknown int64

	// Complete says that every prefix was listed to its end, and in a run that
	// every candidate was put to the referee. Without it, a key that does not
	// appear proves nothing.
	Complete bool
}

func (c *SweepCounts) add(d SweepCounts) {
	c.Keys += d.Keys
	c.Versions += d.Versions
	c.Markers += d.Markers
	c.Bytes += d.Bytes
	c.Protected += d.Protected
	c.Young += d.Young
	c.Candidates += d.Candidates
	c.CandidateBytes += d.CandidateBytes
	c.Aliens += d.Aliens
}

// maxCodes bounds how many codes a report tells apart: they are the store's
// words, and a report must not grow with what a store makes up.
const maxCodes = 64

// codeOther stands for the codes beyond maxCodes.
const codeOther = "other"

func count(m *map[string]int64, code string) {
	if *m == nil {
		*m = map[string]int64{}
	}
	if _, known := (*m)[code]; !known && len(*m) >= maxCodes {
		code = codeOther
	}
	(*m)[code]++
}
