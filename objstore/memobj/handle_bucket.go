package memobj

import (
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/softdelete-go/softdelete/objstore"
)

func (q *request) listBuckets() error {
	s := q.server
	s.mu.Lock()
	defer s.mu.Unlock()
	var x xmlWriter
	x.open("ListAllMyBucketsResult")
	x.open("Buckets")
	for _, name := range slices.Sorted(maps.Keys(s.buckets)) {
		x.open("Bucket")
		x.elem("Name", name)
		x.time("CreationDate", s.created[name])
		x.close("Bucket")
	}
	x.close("Buckets")
	x.close("ListAllMyBucketsResult")
	return q.reply(&x)
}

func (q *request) createBucket(name string) error {
	s, opts := q.server, q.server.opts
	if q.Header.Get("X-Amz-Bucket-Object-Lock-Enabled") == "true" {
		opts.ObjectLock, opts.Versioning = true, objstore.Versioned
	}
	b, err := New(name, &opts)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.buckets[name] != nil {
		return bucketOwned
	}
	s.buckets[name], s.created[name] = b, opts.Clock.Now()
	q.w.Header().Set("Location", "/"+name)
	q.w.WriteHeader(http.StatusOK)
	return nil
}

func (q *request) deleteBucket() error {
	s := q.server
	s.mu.Lock()
	defer s.mu.Unlock()
	empty := func() error {
		if len(q.bucket.keys) > 0 {
			return bucketNotEmpty
		}
		return nil
	}
	if err := q.bucket.locked(empty); err != nil {
		return err
	}
	delete(s.buckets, q.bucket.name)
	delete(s.created, q.bucket.name)
	q.w.WriteHeader(http.StatusNoContent)
	return nil
}

func (q *request) headBucket() error {
	q.w.WriteHeader(http.StatusOK)
	return nil
}

func (q *request) getLocation() error {
	var x xmlWriter
	x.elem("LocationConstraint", "")
	return q.reply(&x)
}

// versioningConfig is a bucket's versioning as it travels.
type versioningConfig struct {
	XMLName   xml.Name `xml:"VersioningConfiguration"`
	Status    string   `xml:",omitempty"`
	MFADelete string   `xml:"MfaDelete,omitempty"`
}

var versioningNames = map[objstore.VersioningStatus]string{
	objstore.Versioned: "Enabled",
	objstore.Suspended: "Suspended",
}

func (q *request) getVersioning() error {
	v, err := q.bucket.Versioning(q.Context())
	if err != nil {
		return err
	}
	out := versioningConfig{Status: versioningNames[v.Status]}
	if v.MFADelete {
		out.MFADelete = "Enabled"
	}
	return q.replyStruct(out)
}

func (q *request) replyStruct(v any) error {
	data, err := xml.Marshal(v)
	if err != nil {
		return err
	}
	var x xmlWriter
	x.Write(data)
	return q.reply(&x)
}

// putVersioning leaves MFA delete as it is: only the account's root can change
// it, with a token.
func (q *request) putVersioning() error {
	var in versioningConfig
	if err := q.decode(&in); err != nil {
		return err
	}
	for status, name := range versioningNames {
		if name == in.Status {
			return q.bucket.SetVersioning(q.Context(), status)
		}
	}
	return fmt.Errorf("status %q: %w", in.Status, malformedXML)
}

func (q *request) getLifecycle() error {
	rules, err := q.bucket.readRules(q.Context())
	switch {
	case err != nil:
		return err
	case len(rules) == 0:
		return noSuchLifecycle
	}
	return q.replyStruct(lifecycleConfig{Rules: rules})
}

func (q *request) putLifecycle() error {
	var in lifecycleConfig
	if err := q.decode(&in); err != nil {
		return err
	}
	for i, r := range in.Rules {
		if !r.valid() {
			return fmt.Errorf("rule %d: %w", i, malformedXML)
		}
		if r.ID == "" {
			in.Rules[i].ID = fmt.Sprintf("rule-%d", i)
		}
	}
	if len(in.Rules) == 0 {
		return malformedXML
	}
	q.bucket.storeRules(in.Rules)
	q.w.WriteHeader(http.StatusOK)
	return nil
}

func (q *request) deleteLifecycle() error {
	q.bucket.storeRules(nil)
	q.w.WriteHeader(http.StatusNoContent)
	return nil
}

// lockConfig is a bucket's object lock as it travels.
type lockConfig struct {
	XMLName xml.Name  `xml:"ObjectLockConfiguration"`
	Enabled string    `xml:"ObjectLockEnabled"`
	Rule    *lockRule `xml:"Rule"`
}

type lockRule struct {
	Mode  string `xml:"DefaultRetention>Mode"`
	Days  int    `xml:"DefaultRetention>Days,omitempty"`
	Years int    `xml:"DefaultRetention>Years,omitempty"`
}

// valid wants days or years, and not both.
func (r *lockRule) valid() bool {
	return (r.Mode == modeGovernance || r.Mode == modeCompliance) &&
		r.Days >= 0 && r.Years >= 0 && (r.Days > 0) != (r.Years > 0)
}

func (q *request) getLockConfig() error {
	b := q.bucket
	b.mu.Lock()
	on, r := b.objectLock, b.retention
	b.mu.Unlock()
	if !on {
		return noSuchLockConfig
	}
	out := lockConfig{Enabled: ruleEnabled}
	if r != (defaultRetention{}) {
		out.Rule = &lockRule{Mode: mode(r.governance), Days: r.days, Years: r.years}
	}
	return q.replyStruct(out)
}

// putLockConfig turns object lock on, for good, and sets the default retention.
func (q *request) putLockConfig() error {
	var in lockConfig
	if err := q.decode(&in); err != nil {
		return err
	}
	if in.Enabled != ruleEnabled || in.Rule != nil && !in.Rule.valid() {
		return malformedXML
	}
	var r defaultRetention
	if in.Rule != nil {
		r = defaultRetention{governance: in.Rule.Mode == modeGovernance, days: in.Rule.Days, years: in.Rule.Years}
	}
	b := q.bucket
	err := b.locked(func() error {
		if b.status != objstore.Versioned {
			return invalidBucketState
		}
		b.objectLock, b.retention = true, r
		return nil
	})
	if err == nil {
		q.w.WriteHeader(http.StatusOK)
	}
	return err
}
