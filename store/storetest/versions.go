package storetest

import (
	"testing"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/memstore"
)

// testVersions asks for each edge on the condition that the row is as the caller
// saw it: once with the version before, once with the right one.
func testVersions(t *testing.T, open Open) {
	w := newTwin(t, open)
	const first = 7
	w.insert(t, w.doc, key(w.doc, 1), memstore.Seed{State: lifecycle.Active, Version: first})
	version := int64(first)
	for _, edge := range []lifecycle.EdgeName{
		lifecycle.Trash, lifecycle.Restore, lifecycle.Trash, lifecycle.Purge, lifecycle.Reclaim,
	} {
		for _, other := range []int64{version - 1, version + 1} {
			if got := w.apply(t, edge, row(w.doc, 1).IfVersion(other)); got.Outcome != lifecycle.VersionMismatch {
				t.Errorf("%s of version %d, which is %d: %s", edge, other, version, got.Outcome)
			}
		}
		if got := w.apply(t, edge, row(w.doc, 1).IfVersion(version)); got.Outcome != lifecycle.Transitioned {
			t.Errorf("%s of version %d: %s", edge, version, got.Outcome)
		}
		version++
		w.same(t, row(w.doc, 1))
	}
}
