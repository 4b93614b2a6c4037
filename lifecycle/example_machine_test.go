package lifecycle_test

import (
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// A life of one's own: invoices are voided, and can be reopened until the books
// are closed.
func ExampleNewMachine() {
	invoice, err := lifecycle.NewMachine(lifecycle.Spec{
		Name:    "invoice",
		Initial: "open",
		Gone:    []lifecycle.State{"closed"},
		Final:   []lifecycle.State{"closed"},
		Edges: []lifecycle.Edge{
			{Name: "void", From: []lifecycle.State{"open"}, To: "void", Repeat: []lifecycle.State{"void"}},
			{Name: "reopen", From: []lifecycle.State{"void"}, To: "open", Needs: lifecycle.WindowOpen},
			{Name: "close", From: []lifecycle.State{"open", "void"}, To: "closed", Needs: lifecycle.NotHeld},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	policy := lifecycle.Policy{Window: lifecycle.Day}
	fmt.Println(invoice.Decide(lifecycle.Record{State: "open"}, "void", noon, policy))
	fmt.Println(invoice.Decide(lifecycle.Record{State: "void", DeletedAt: noon}, "reopen", noon.Add(lifecycle.Day), policy))
	fmt.Println(invoice.Decide(lifecycle.Record{State: "closed"}, "reopen", noon, policy))
	// Output:
	// transitioned
	// expired
	// gone
}
