package memstore_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/store/memstore"
)

var documents = &lifecycle.Table{Name: "document", Policy: lifecycle.Policy{Window: 30 * lifecycle.Day}}

// restorer is what the service's handler needs of a store: store.Store has it,
// and so has the fake.
type restorer interface {
	Restore(ctx context.Context, tx lifecycle.Tx, row lifecycle.Row, cause lifecycle.Cause) (lifecycle.Result, error)
}

// handler restores a document for whoever asks.
func handler(st restorer, begin func() (lifecycle.Tx, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		tx, err := begin()
		if err == nil {
			defer tx.Rollback()
			_, err = st.Restore(r.Context(), tx, documents.Row(r.PathValue("id")), lifecycle.Cause{By: "user:7"})
		}
		if err == nil {
			err = tx.Commit()
		}
		w.WriteHeader(lifecycle.HTTPStatus(err))
	}
}

// The test of a handler needs no database, and owns the time.
func Example() {
	clock := lifecycletest.NewClock(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	st, err := memstore.New(lifecycle.MustCatalog(documents), &memstore.Options{Clock: clock})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, id := range []string{"report", "draft"} {
		if err := st.Insert(documents, lifecycle.Key{id}, memstore.Seed{State: lifecycle.Trashed}); err != nil {
			fmt.Println(err)
			return
		}
	}
	mux := http.NewServeMux()
	mux.Handle("POST /documents/{id}/restore", handler(st, func() (lifecycle.Tx, error) { return st.Begin(), nil }))
	restore := func(id string) int {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("POST", "/documents/"+id+"/restore", nil))
		return w.Code
	}

	fmt.Println("at once:", restore("report"))
	fmt.Println("a double click:", restore("report"))
	fmt.Println("never heard of it:", restore("novel"))
	clock.Advance(30 * lifecycle.Day)
	fmt.Println("thirty days later:", restore("draft"))
	// Output:
	// at once: 200
	// a double click: 200
	// never heard of it: 404
	// thirty days later: 410
}
