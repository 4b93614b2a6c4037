package objstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrRefused: a pass would be catastrophic, or could not do anything, and has
// not begun. The error is a *RefusedError with the reason.
var ErrRefused = errors.New("refused")

// Reason is why a pass refuses to begin.
type Reason string

// The reasons.
const (
	// ReasonGrace: the grace is shorter than the safe minimum.
	ReasonGrace Reason = "grace"
	// ReasonMFADelete: the bucket wants a hardware token for each deletion.
	ReasonMFADelete Reason = "mfa-delete"
	// ReasonNoReferences: no row refers to any key of the bucket. The database
	// is most likely empty, or another bucket's.
	ReasonNoReferences Reason = "no-references"
	// ReasonRule: a lifecycle rule of the bucket expires objects under a managed
	// prefix, whatever the rows say. RefusedError.Rule is its id.
	ReasonRule Reason = "lifecycle-rule"
	// ReasonCandidates: there are more orphans than one pass may doom.
	ReasonCandidates Reason = "candidates"
	// ReasonShare: the orphans are too large a share of the keys of a prefix.
	ReasonShare Reason = "share"
)

// RefusedError is a refusal with its facts. It wraps ErrRefused.
type RefusedError struct {
	// Op is "reclaim" or "sweep".
	Op string
	// Bucket is the bucket's name.
	Bucket string
	// Reason is the kind of refusal.
	Reason Reason
	// Rule is the id of the lifecycle rule in the way, for ReasonRule.
	Rule string
	// Prefix is the managed prefix concerned; empty where all are.
	Prefix Prefix
	// Detail says more, with the numbers.
	Detail string
}

// Error reads, for instance,
// "objstore: sweep bucket files: refused: no-references: no row refers to it".
func (e *RefusedError) Error() string {
	return fmt.Sprintf("objstore: %s bucket %s: %s: %s: %s", e.Op, e.Bucket, ErrRefused, e.Reason, e.Detail)
}

// Unwrap returns ErrRefused.
func (e *RefusedError) Unwrap() error { return ErrRefused }

// askVersioning asks for the bucket's status and refuses one that wants a
// hardware token for each deletion. A bucket that cannot tell is taken as one
// that has no such thing.
func askVersioning(ctx context.Context, op string, b Bucket) (VersioningStatus, error) {
	v, err := VersioningOf(ctx, b)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("objstore: %s bucket %s: versioning: %w", op, b.Name(), err)
	case v.MFADelete:
		return "", &RefusedError{
			Op: op, Bucket: b.Name(), Reason: ReasonMFADelete,
			Detail: "no version can be deleted without a hardware token (turn MFA delete off)",
		}
	}
	return v.Status, nil
}

// check is one question asked before a sweep reads anything. A further one is
// added to Sweeper.checks.
type check func(ctx context.Context) error

func (s *Sweeper) checks() []check {
	return []check{s.checkVersioning, s.checkRules, s.checkReferences}
}

func (s *Sweeper) preflight(ctx context.Context) error {
	for _, c := range s.checks() {
		if err := c(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sweeper) checkVersioning(ctx context.Context) error {
	_, err := askVersioning(ctx, opSweep, s.bucket)
	return err
}

// checkRules refuses rules that delete or hide current objects by their age
// alone. A rule narrowed by tags or sizes still covers some of the keys.
func (s *Sweeper) checkRules(ctx context.Context) error {
	rules, err := RulesOf(ctx, s.bucket)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("objstore: sweep bucket %s: lifecycle rules: %w", s.bucket.Name(), err)
	}
	for _, r := range rules {
		if !r.Enabled || r.ExpirationDays == 0 && r.ExpirationDate.IsZero() {
			continue
		}
		for _, p := range s.opts.Prefixes {
			if overlap(r.Prefix, string(p)) {
				refusal := s.refuse(ReasonRule, fmt.Sprintf("rule %q expires objects under %q", r.ID, string(p)))
				refusal.Rule, refusal.Prefix = r.ID, p
				return refusal
			}
		}
	}
	return nil
}

// overlap tells whether one of the prefixes holds the other.
func overlap(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }

func (s *Sweeper) checkReferences(ctx context.Context) error {
	n, err := s.referee.References(ctx, s.bucket.Name())
	if err != nil {
		return fmt.Errorf("objstore: sweep bucket %s: references: %w", s.bucket.Name(), err)
	}
	if n <= 0 {
		return s.refuse(ReasonNoReferences, "no row refers to any key of it (is this its database?)")
	}
	return nil
}

func (s *Sweeper) refuse(r Reason, detail string) *RefusedError {
	return &RefusedError{Op: opSweep, Bucket: s.bucket.Name(), Reason: r, Detail: detail}
}
