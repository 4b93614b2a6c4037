package memobj

import (
	"context"
	"encoding/xml"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
)

// lifecycleConfig is a bucket's rules as they travel.
type lifecycleConfig struct {
	XMLName xml.Name        `xml:"LifecycleConfiguration"`
	Rules   []lifecycleRule `xml:"Rule"`
}

type lifecycleRule struct {
	ID         string            `xml:"ID"`
	Prefix     *string           `xml:"Prefix"` // as rules had it before filters
	Filter     *lifecycleFilter  `xml:"Filter"`
	Status     string            `xml:"Status"`
	Expiration *expiration       `xml:"Expiration"`
	Noncurrent *noncurrentExpiry `xml:"NoncurrentVersionExpiration"`
	Abort      *abortUploads     `xml:"AbortIncompleteMultipartUpload"`
	// Kept for whoever put them there; nothing is moved here.
	Transitions           []opaque `xml:"Transition"`
	NoncurrentTransitions []opaque `xml:"NoncurrentVersionTransition"`
}

type expiration struct {
	Days    int        `xml:"Days,omitempty"`
	Date    *time.Time `xml:"Date"`
	Markers bool       `xml:"ExpiredObjectDeleteMarker,omitempty"`
}

type noncurrentExpiry struct {
	Days  int `xml:"NoncurrentDays,omitempty"`
	Newer int `xml:"NewerNoncurrentVersions,omitempty"`
}

type abortUploads struct {
	Days int `xml:"DaysAfterInitiation,omitempty"`
}

type opaque struct {
	Inner string `xml:",innerxml"`
}

// lifecycleFilter has pointers where an absent element is not an empty one.
type lifecycleFilter struct {
	And         *lifecycleFilter `xml:"And"`
	Prefix      *string          `xml:"Prefix"`
	Tags        []opaque         `xml:"Tag"`
	LargerThan  *int64           `xml:"ObjectSizeGreaterThan"`
	SmallerThan *int64           `xml:"ObjectSizeLessThan"`
}

const (
	ruleEnabled  = "Enabled"
	ruleDisabled = "Disabled"
)

func (r lifecycleRule) valid() bool {
	acts := r.Expiration != nil || r.Noncurrent != nil || r.Abort != nil ||
		len(r.Transitions) > 0 || len(r.NoncurrentTransitions) > 0
	return acts && (r.Status == ruleEnabled || r.Status == ruleDisabled) && (r.Filter == nil) != (r.Prefix == nil)
}

// flat returns the filter's terms, whether they stand in an And or alone.
func (r lifecycleRule) flat() lifecycleFilter {
	f := lifecycleFilter{Prefix: r.Prefix}
	if r.Filter != nil {
		f = *r.Filter
	}
	if f.And != nil {
		f = *f.And
	}
	return f
}

// covers leaves out what is filtered by tags: no object here has any.
func (r lifecycleRule) covers(key string, size int) bool {
	f := r.flat()
	return r.Status == ruleEnabled && len(f.Tags) == 0 &&
		(f.Prefix == nil || strings.HasPrefix(key, *f.Prefix)) &&
		(f.LargerThan == nil || int64(size) > *f.LargerThan) &&
		(f.SmallerThan == nil || int64(size) < *f.SmallerThan)
}

func (r lifecycleRule) rule() objstore.Rule {
	f := r.flat()
	out := objstore.Rule{
		ID:       r.ID,
		Enabled:  r.Status == ruleEnabled,
		Filtered: len(f.Tags) > 0 || f.LargerThan != nil || f.SmallerThan != nil,
	}
	if f.Prefix != nil {
		out.Prefix = *f.Prefix
	}
	if r.Expiration != nil {
		out.ExpirationDays = r.Expiration.Days
		if r.Expiration.Date != nil {
			out.ExpirationDate = r.Expiration.Date.UTC()
		}
	}
	if r.Noncurrent != nil {
		out.NoncurrentDays = r.Noncurrent.Days
	}
	if r.Abort != nil {
		out.AbortMultipartAfterDays = r.Abort.Days
	}
	return out
}

// stored is the reverse of rule. A filter is made one by tags, since an
// objstore.Rule does not say what it filters by.
func stored(r objstore.Rule) lifecycleRule {
	f := &lifecycleFilter{Prefix: &r.Prefix}
	if r.Filtered {
		f.Tags = []opaque{{Inner: "<Key>filtered</Key><Value>yes</Value>"}}
		f = &lifecycleFilter{And: f}
	}
	out := lifecycleRule{ID: r.ID, Status: ruleDisabled, Filter: f}
	if r.Enabled {
		out.Status = ruleEnabled
	}
	if r.ExpirationDays > 0 || !r.ExpirationDate.IsZero() {
		out.Expiration = &expiration{Days: r.ExpirationDays}
		if !r.ExpirationDate.IsZero() {
			out.Expiration.Date = &r.ExpirationDate
		}
	}
	if r.NoncurrentDays > 0 {
		out.Noncurrent = &noncurrentExpiry{Days: r.NoncurrentDays}
	}
	if r.AbortMultipartAfterDays > 0 {
		out.Abort = &abortUploads{Days: r.AbortMultipartAfterDays}
	}
	return out
}

// Rules returns the bucket's lifecycle rules.
func (b *Bucket) Rules(ctx context.Context) ([]objstore.Rule, error) {
	rules, err := b.readRules(ctx)
	var out []objstore.Rule
	for _, r := range rules {
		out = append(out, r.rule())
	}
	return out, b.convert(OpRules, "", err)
}

func (b *Bucket) readRules(ctx context.Context) (rules []lifecycleRule, err error) {
	err = b.do(ctx, OpRules, nil, func(Fault) error {
		rules = b.rules
		return nil
	})
	return rules, err
}

// SetRules replaces the bucket's lifecycle rules; none removes them. Nothing
// acts on them but ApplyLifecycle, and on a filtered rule nothing does.
func (b *Bucket) SetRules(rules ...objstore.Rule) {
	var all []lifecycleRule
	for _, r := range rules {
		all = append(all, stored(r))
	}
	b.storeRules(all)
}

func (b *Bucket) storeRules(rules []lifecycleRule) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rules = rules
}
