package objstore

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// VersioningStatus is a bucket's versioning configuration.
type VersioningStatus string

const (
	// Unversioned: the bucket never had versioning.
	Unversioned VersioningStatus = "unversioned"
	// Versioned: every write makes a new version.
	Versioned VersioningStatus = "versioned"
	// Suspended: versions made before stay, new writes replace the null version.
	Suspended VersioningStatus = "suspended"
)

// Versioning is what a bucket says of its versions.
type Versioning struct {
	Status VersioningStatus
	// MFADelete means that no version can be deleted without a hardware token:
	// a reclaimer can do nothing there.
	MFADelete bool
}

// Versioner is a bucket that can tell its versioning status.
type Versioner interface {
	Versioning(ctx context.Context) (Versioning, error)
}

// Rule is one lifecycle rule of a bucket, cut down to what can break a promise.
// A zero number of days means that the rule has no such action.
type Rule struct {
	ID      string
	Enabled bool
	// Prefix is what the rule covers; empty covers the whole bucket.
	Prefix string
	// Filtered says that the rule is narrowed by tags or sizes as well, so that
	// it covers only part of its prefix.
	Filtered                bool
	ExpirationDays          int
	ExpirationDate          time.Time
	NoncurrentDays          int
	AbortMultipartAfterDays int
}

// RuleReader is a bucket whose lifecycle rules can be read. A bucket without
// rules returns none and no error.
type RuleReader interface {
	Rules(ctx context.Context) ([]Rule, error)
}

// Lock says what keeps one version from being deleted.
type Lock struct {
	// LegalHold keeps the version until somebody lifts it.
	LegalHold bool
	// Until is the end of the version's retention, zero where it has none.
	Until time.Time
	// Governance says that the retention can be bypassed with a permission;
	// nothing of this library ever does.
	Governance bool
}

// LockReader is a bucket with object lock. A version without a lock, or a
// bucket without the feature, is a zero Lock and no error; so is a delete marker.
type LockReader interface {
	Lock(ctx context.Context, id ID) (Lock, error)
}

// VersioningOf asks a bucket for its versioning status. A bucket that is no
// Versioner yields an error that wraps [errors.ErrUnsupported].
func VersioningOf(ctx context.Context, b Bucket) (Versioning, error) {
	if v, ok := b.(Versioner); ok {
		return v.Versioning(ctx)
	}
	return Versioning{}, fmt.Errorf("objstore: versioning of bucket %s: %w", b.Name(), errors.ErrUnsupported)
}

// RulesOf asks a bucket for its lifecycle rules; [errors.ErrUnsupported] as in
// VersioningOf.
func RulesOf(ctx context.Context, b Bucket) ([]Rule, error) {
	if r, ok := b.(RuleReader); ok {
		return r.Rules(ctx)
	}
	return nil, fmt.Errorf("objstore: lifecycle rules of bucket %s: %w", b.Name(), errors.ErrUnsupported)
}

// LockOf asks a bucket what locks a version; [errors.ErrUnsupported] as in
// VersioningOf.
func LockOf(ctx context.Context, b Bucket, id ID) (Lock, error) {
	if l, ok := b.(LockReader); ok {
		return l.Lock(ctx, id)
	}
	return Lock{}, fmt.Errorf("objstore: lock of %s in bucket %s: %w", id.Key, b.Name(), errors.ErrUnsupported)
}
