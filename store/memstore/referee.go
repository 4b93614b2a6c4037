package memstore

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// refer says which rows refer to an object.
type refer struct {
	living bool // an active or a trashed row
	purged bool // a purged row that is not reclaimed
	held   bool // such a row under legal hold
}

func (v *view) refersTo(name objectName) refer { return v.references(name.bucket)[name.key] }

// references looks at every row with an object in the bucket.
func (v *view) references(bucket string) map[string]refer {
	found := map[string]refer{}
	for id, r := range v.rows.all() {
		for i, key := range r.objects {
			if key == "" || id.table.Objects[i].Bucket != bucket || r.state == lifecycle.Reclaimed {
				continue
			}
			f := found[key]
			if r.state == lifecycle.Purged {
				f.purged, f.held = true, f.held || r.held
			} else {
				f.living = true
			}
			found[key] = f
		}
	}
	return found
}

// References implements [objstore.Referee]. It counts them all.
func (l *Ledger) References(ctx context.Context, bucket string) (int64, error) {
	var total int64
	err := l.m.read(ctx, l.m, func(v *view) error {
		for id, r := range v.rows.all() {
			for i, key := range r.objects {
				if key != "" && id.table.Objects[i].Bucket == bucket && r.state != lifecycle.Reclaimed {
					total++
				}
			}
		}
		return nil
	})
	return total, wrap("references", nil, nil, err)
}

// Unprotected implements [objstore.Referee]. A key that a database could not
// hold counts as protected: nothing could be asked about it.
func (l *Ledger) Unprotected(ctx context.Context, bucket string, keys []string) ([]string, error) {
	var free []string
	err := l.m.read(ctx, l.m, func(v *view) error {
		free = v.unprotected(bucket, keys)
		return nil
	})
	return free, wrap("unprotected", nil, nil, err)
}

func (v *view) unprotected(bucket string, keys []string) []string {
	refers := v.references(bucket)
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		o, _ := v.objects.get(objectName{bucket, key})
		unknowable := key == "" || !utf8.ValidString(key) || strings.IndexByte(key, 0) >= 0
		return unknowable || o.owed() || refers[key] != refer{}
	})
}

// Doom implements [objstore.Referee].
func (l *Ledger) Doom(ctx context.Context, bucket string, keys []string) ([]string, error) {
	var accepted []string
	err := l.in(ctx, "doom", func(v *view) error {
		accepted = v.unprotected(bucket, keys)
		slices.Sort(accepted)
		accepted = slices.Compact(accepted)
		for _, key := range accepted {
			v.doom(objectName{bucket, key}, true, l.m.now())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return accepted, nil
}
