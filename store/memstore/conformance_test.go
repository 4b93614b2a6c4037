package memstore_test

import (
	"context"
	"testing"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/memstore"
	"github.com/softdelete-go/softdelete/store/storetest"
)

// TestConformance holds the model against the suite's hand-written stories and
// its ledger; where the suite compares with a model, with a second one of its
// own.
func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T, c *lifecycle.Catalog, clock lifecycle.Clock) *storetest.Harness {
		h := storetest.Model(t, c, clock)
		ledger := h.Ledger.(*memstore.Ledger)
		h.Settle = func(ctx context.Context) error {
			_, err := ledger.Settle(ctx)
			return err
		}
		return h
	})
}
