package objstoretest

import (
	"context"
	"errors"
	"fmt"

	"github.com/softdelete-go/softdelete/objstore"
)

// probe asks one thing of a bucket. What it finds is its error, with one line
// for each finding. The bucket is empty, or is the view of one through an empty
// prefix, and the probe may leave there what it likes.
type probe struct {
	name string
	run  func(context.Context, objstore.Bucket) error
}

// plain probes run whatever the versioning status is.
var plain = []probe{
	{"round trip", roundTrip},
	{"overwritten", overwritten},
	{"wrong size", wrongSize},
	{"broken body", brokenBody},
	{"missing", missing},
	{"listed fields", listedFields},
	{"order", listOrder},
	{"after", listAfter},
	{"pages", listPages},
	{"wrong page", wrongPage},
	{"stopped listing", stoppedListing},
	{"empty listing", emptyListing},
	{"odd keys", oddKeys},
	{"keys of every length", keyLengths},
	{"wrong keys", wrongKeys},
	{"delete in order", deleteInOrder},
	{"delete what is missing", deleteMissing},
	{"delete next to neighbours", deleteNeighbours},
	{"refused batches", refusedBatches},
	{"empty batch", emptyBatch},
	{"cancelled", cancelled},
	{"cancelled listing", cancelledListing},
	{"puts of many keys", putManyKeys},
	{"puts of one key", putOneKey},
}

// conditional probes are for stores with conditional writes.
var conditional = []probe{
	{"if absent", ifAbsent},
	{"if absent, at once", ifAbsentAtOnce},
}

// byStatus are the probes for one versioning status.
var byStatus = map[objstore.VersioningStatus][]probe{
	objstore.Unversioned: {
		{"one version", oneVersion},
	},
	objstore.Versioned: {
		{"versions", versions},
		{"versions are read", versionsRead},
		{"versions of neighbours", versionNeighbours},
		{"delete marker", deleteMarker},
		{"delete versions", deleteVersions},
		{"delete all", deleteAll},
		{"pages of versions", versionPages},
		{"versions at once", versionsAtOnce},
	},
	objstore.Suspended: {
		{"null version", nullVersion},
		{"null marker", nullMarker},
	},
}

// notes collects the findings of a probe.
type notes struct {
	found []error
	// opaque takes any error for the absence of a key.
	opaque bool
}

// addf notes a finding.
func (n *notes) addf(format string, args ...any) {
	n.found = append(n.found, fmt.Errorf(format, args...))
}

// add notes an error, nil is none.
func (n *notes) add(what string, err error) {
	if err != nil {
		n.addf("%s: %w", what, err)
	}
}

// is notes an error that is not of the kind wanted; nil wants none.
func (n *notes) is(what string, err, want error) {
	switch {
	case want == nil && err != nil:
		n.addf("%s: %w", what, err)
	case want != nil && err == nil:
		n.addf("%s: no error, want one that wraps %q", what, want)
	case !errors.Is(err, want):
		n.addf("%s: %w, want one that wraps %q", what, err, want)
	}
}

func (n *notes) err() error { return errors.Join(n.found...) }
