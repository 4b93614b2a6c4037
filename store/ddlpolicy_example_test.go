package store_test

import (
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/postgres"
)

// Only members of one role see the trash. The service's login is a member that
// does not inherit, and says SET LOCAL ROLE in the transactions of the verbs.
func ExampleStore_Policies() {
	notes := &lifecycle.Table{Name: "note"}
	st, err := store.New(lifecycle.MustCatalog(notes), postgres.Dialect, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	policies, err := st.Policies(notes, &store.PolicyOptions{Role: "note_keeper", Alone: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range policies.Create {
		fmt.Println(text + ";")
	}
	// Output:
	// ALTER TABLE "note" ENABLE ROW LEVEL SECURITY;
	// DROP POLICY IF EXISTS "softdelete_live" ON "note";
	// DROP POLICY IF EXISTS "softdelete_rows" ON "note";
	// CREATE POLICY "softdelete_live" ON "note" AS RESTRICTIVE FOR ALL TO PUBLIC USING (("deleted_at" IS NULL AND "is_deleted" = 0) OR (SELECT pg_has_role('note_keeper', 'USAGE'))) WITH CHECK (("deleted_at" IS NULL AND "is_deleted" = 0) OR (SELECT pg_has_role('note_keeper', 'USAGE')));
	// CREATE POLICY "softdelete_rows" ON "note" AS PERMISSIVE FOR ALL TO PUBLIC USING (TRUE) WITH CHECK (TRUE);
}
