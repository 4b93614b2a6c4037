package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/store"
)

// TestCheckPolicy damages the policy, which Check has to name.
func TestCheckPolicy(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		o    store.PolicyOptions
		do   string
		want []string
	}{
		{"a role", store.PolicyOptions{Role: "keeper"}, "SELECT 1", nil},
		{"a setting", store.PolicyOptions{Setting: "a.b", Alone: true}, "SELECT 1", nil},
		{"both", store.PolicyOptions{Role: "keeper", Setting: "a.b"}, "SELECT 1", nil},
		{"off", store.PolicyOptions{Role: "keeper"}, "ALTER TABLE doc DISABLE ROW LEVEL SECURITY", []string{"doc.softdelete_live: policy warning mend"}},
		{"none", store.PolicyOptions{Role: "keeper"}, "DROP POLICY softdelete_live ON doc", nil},
		{"half the predicate", store.PolicyOptions{Role: "keeper"}, "ALTER POLICY softdelete_live ON doc USING (deleted_at IS NULL)", []string{"doc.softdelete_live: policy warning"}},
		{"no check", store.PolicyOptions{Role: "keeper"}, "ALTER POLICY softdelete_live ON doc WITH CHECK (true)", []string{"doc.softdelete_live: policy warning"}},
		{"some roles", store.PolicyOptions{Role: "keeper"}, "ALTER POLICY softdelete_live ON doc TO pg_monitor", []string{"doc.softdelete_live: policy warning"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, ok := newFenced(t, tt.o)
			if !ok {
				return
			}
			f.run(t, tt.do)
			problems := problemsOf(t, f.schemaBed, f.store)
			var got []string
			for _, p := range problems {
				got = append(got, short(p))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want +got)\n%s", diff)
			}
			mendAll(t, f.schemaBed, f.store, problems)
		})
	}
}
