package store_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/lifecycle/lifecycletest"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/mysql"
	"github.com/softdelete-go/softdelete/store/postgres"
	"github.com/softdelete-go/softdelete/store/sqlite"
)

var update = flag.Bool("update", false, "write the golden files anew")

var dialects = []*store.Dialect{postgres.Dialect, mysql.Dialect, sqlite.Dialect}

// TestGoldenStatements shows the statements of each verb in every dialect, side
// by side.
func TestGoldenStatements(t *testing.T) {
	t.Parallel()
	canonical := &lifecycle.Table{Name: "doc"}
	gorm := &lifecycle.Table{Name: "order", Schema: "app", Columns: lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}}}
	epoch := &lifecycle.Table{
		Name: "session", Key: []string{"tenant", "id"},
		Columns: lifecycle.Columns{
			DeletedAt: lifecycle.Column{Name: "deleted", As: lifecycle.UnixMillis},
			IsDeleted: lifecycle.Column{Name: "gone", As: lifecycle.Flag, Nullable: true},
			Version:   "v",
		},
	}
	folder := &lifecycle.Table{Name: "folder"}
	file := &lifecycle.Table{Name: "file", Parents: []lifecycle.Parent{{Table: folder, Columns: []string{"folder_id"}}}}
	for _, table := range []struct {
		name string
		t    *lifecycle.Table
		keys []lifecycle.Key
	}{
		{"canonical", canonical, lifecycle.Keys(7, 8)},
		{"gorm", gorm, lifecycle.Keys(7, 8)},
		{"epoch", epoch, []lifecycle.Key{{"a", 7}, {"b", 8}}},
		{"child", file, lifecycle.Keys(7, 8)},
		{"parent", folder, lifecycle.Keys(7, 8)},
	} {
		t.Run(table.name, func(t *testing.T) {
			t.Parallel()
			catalog := lifecycle.MustCatalog(canonical, gorm, epoch, folder, file)
			var b strings.Builder
			for _, edge := range []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Restore, lifecycle.Purge, lifecycle.Expire} {
				for _, d := range dialects {
					s, err := store.New(catalog, d, &store.Options{Clock: lifecycletest.NewClock(noon)})
					if err != nil {
						t.Fatal(err)
					}
					one, read, write := store.Statements(s, table.t, edge, table.keys...)
					if one == "" {
						one = "(needs a lock first)"
					}
					fmt.Fprintf(&b, "-- %s, %s\none:   %s\nread:  %s\nwrite: %s\n\n", edge, d.Name, one, read, write)
				}
			}
			golden(t, table.name+".sql", b.String())
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	goldenFile(t, filepath.Join("statements", name), got)
}

// goldenFile holds a text against the one in testdata.
func goldenFile(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got), -update writes it anew:\n%s", name, diff)
	}
}
