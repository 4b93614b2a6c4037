package memobj

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"time"

	"github.com/softdelete-go/softdelete/objstore"
)

const (
	modeGovernance = "GOVERNANCE"
	modeCompliance = "COMPLIANCE"
)

func mode(governance bool) string {
	if governance {
		return modeGovernance
	}
	return modeCompliance
}

func (q *request) getRetention() error {
	l, err := q.lock()
	switch {
	case err != nil:
		return err
	case l.Until.IsZero():
		return noSuchLock
	}
	var x xmlWriter
	x.open("Retention")
	x.elem("Mode", mode(l.Governance))
	x.time("RetainUntilDate", l.Until)
	x.close("Retention")
	return q.reply(&x)
}

func (q *request) getLegalHold() error {
	l, err := q.lock()
	if err != nil {
		return err
	}
	status := "OFF"
	if l.LegalHold {
		status = "ON"
	}
	var x xmlWriter
	x.open("LegalHold")
	x.elem("Status", status)
	x.close("LegalHold")
	return q.reply(&x)
}

// lock reads the version's lock; in a bucket without object lock that is an
// invalid request.
func (q *request) lock() (objstore.Lock, error) {
	if !q.bucket.hasLock() {
		return objstore.Lock{}, fmt.Errorf("bucket has no object lock: %w", invalidRequest)
	}
	return q.bucket.readLock(q.Context(), q.id())
}

func (q *request) putRetention() error {
	var in struct {
		XMLName xml.Name `xml:"Retention"`
		Mode    string
		Until   time.Time `xml:"RetainUntilDate"`
	}
	if err := q.decode(&in); err != nil {
		return err
	}
	if in.Mode != modeGovernance && in.Mode != modeCompliance {
		return fmt.Errorf("mode %q: %w", in.Mode, malformedXML)
	}
	now := q.bucket.clock.Now()
	if !in.Until.After(now) {
		return fmt.Errorf("retention ends in the past: %w", invalidArgument)
	}
	return q.changeLock(func(l *objstore.Lock) error {
		return retain(l, in.Until, in.Mode == modeGovernance, now, q.bypass())
	})
}

func (q *request) putLegalHold() error {
	var in struct {
		XMLName xml.Name `xml:"LegalHold"`
		Status  string
	}
	if err := q.decode(&in); err != nil {
		return err
	}
	if in.Status != "ON" && in.Status != "OFF" {
		return fmt.Errorf("status %q: %w", in.Status, malformedXML)
	}
	return q.changeLock(func(l *objstore.Lock) error {
		l.LegalHold = in.Status == "ON"
		return nil
	})
}

func (q *request) changeLock(change func(*objstore.Lock) error) error {
	err := q.bucket.locked(func() error { return q.bucket.changeLock(q.id(), change) })
	if err == nil {
		q.w.WriteHeader(http.StatusOK)
	}
	return err
}
