package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
)

// folding makes object_key a column in which letter case does not count.
func folding(name string) []string {
	switch name {
	case "postgres":
		return []string{
			"CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
			"ALTER TABLE doc ALTER object_key TYPE text COLLATE folding",
		}
	case "mariadb":
		return []string{"ALTER TABLE doc MODIFY object_key VARCHAR(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"}
	}
	return []string{"ALTER TABLE doc DROP COLUMN object_key", "ALTER TABLE doc ADD COLUMN object_key TEXT COLLATE NOCASE"}
}

// TestKeysThatDifferInCase asks for two objects whose keys the column takes for
// equal. Each is protected by its own row.
func TestKeysThatDifferInCase(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		s := openShelf(t, d, 0, store.Options{})
		s.run(t, folding(d.Name)...)
		s.trashedWith(t, "Key", "key", "KEY")
		l := s.ledger(t)
		asked := []string{"Key", "key", "KEY", "another"}
		free, err := l.Unprotected(t.Context(), "files", asked)
		if diff := cmp.Diff([]string{"another"}, free); diff != "" || err != nil {
			t.Errorf("unprotected: %v (-want +got):\n%s", err, diff)
		}
		s.purge(t, 1, 2)
		claims, err := l.Claim(t.Context(), "files", 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range claims {
			if c.Key == "KEY" {
				t.Errorf("claimed %q, which a row in the trash has", c.Key)
			}
		}
	})
}

// TestAuditInALatinDatabase audits keys that the database's own character set
// cannot hold, in a table whose set can.
func TestAuditInALatinDatabase(t *testing.T) {
	t.Parallel()
	d, ok := testdb.MySQL(t)
	if !ok {
		return
	}
	var name string
	if err := d.DB.QueryRowContext(t.Context(), "SELECT DATABASE()").Scan(&name); err != nil {
		t.Fatal(err)
	}
	table := &lifecycle.Table{Name: "n", Columns: lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}}}
	st, err := store.New(lifecycle.MustCatalog(table), backendOf(d.Name, d.DB).dialect, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{backend: backendOf(d.Name, d.DB), store: st, doc: table}
	s.run(t, "ALTER DATABASE "+name+" CHARACTER SET latin1",
		"CREATE TABLE n (id VARCHAR(50) NOT NULL PRIMARY KEY, deleted_at DATETIME(6)) CHARACTER SET utf8mb4",
		"INSERT INTO n (id) VALUES ('😀'), ('ж')")
	if err := st.Install(t.Context(), d.DB); err != nil {
		t.Fatal(err)
	}
	tx := s.begin(t)
	if _, err := st.TrashAll(t.Context(), tx, table.Rows(lifecycle.Key{"😀"}, lifecycle.Key{"ж"}), who); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"😀", "ж"} {
		if history, err := st.History(t.Context(), tx, table.Row(key)); len(history) != 1 || err != nil {
			t.Errorf("%s has %d entries, %v; want 1", key, len(history), err)
		}
	}
}
