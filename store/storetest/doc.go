// Package storetest is the conformance suite of stores: the SQL store runs it on
// every database, memstore runs it too, and so can an adapter of yours.
//
//	func TestConformance(t *testing.T) {
//		storetest.Run(t, func(t *testing.T, c *lifecycle.Catalog, clock lifecycle.Clock) *storetest.Harness {
//			return open(t, c, clock) // fresh and empty
//		})
//	}
//
// The suite tries each edge from each state, before, at and after the deadline,
// held and not, in tables of every mapping and encoding, and compares answers,
// rows and audits with the model, which is memstore. It then tells stories with
// hand-written endings, sends what no caller should, rolls back, lets many
// goroutines race for the same rows, and walks at random. A failing walk prints
// its seed; SOFTDELETE_SEED=n repeats it.
package storetest
