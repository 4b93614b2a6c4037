package store_test

import (
	"errors"
	"strings"
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
		// The same row would be found by this spelling: better to ask twice than
		// to free it.
		if free, err = l.Unprotected(t.Context(), "files", []string{"kEy"}); len(free) > 0 || err != nil {
			t.Errorf("unprotected: %q, %v; want nothing", free, err)
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

// TestKeyByCollation asks for one row by a spelling that only the column's
// collation knows.
func TestKeyByCollation(t *testing.T) {
	t.Parallel()
	types := map[string]string{
		"postgres": "text COLLATE loose", "mariadb": "VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci", "sqlite": "TEXT COLLATE NOCASE",
	}
	asked := map[string]map[string]string{
		"postgres": {"CAFE": "café", "strasse": "Straße"},
		"mariadb":  {"CAFE": "café", "strasse": "Straße", "pad  ": "pad"},
		"sqlite":   {"CAFé": "café"},
	}
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		table := &lifecycle.Table{Name: "n", Columns: lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}}}
		s := &shelf{backend: backendOf(d.Name, d.DB), doc: table}
		var err error
		if s.store, err = store.New(lifecycle.MustCatalog(table), s.dialect, nil); err != nil {
			t.Fatal(err)
		}
		if d.Name == "postgres" {
			s.run(t, "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)")
		}
		s.run(t, "CREATE TABLE n (id "+types[d.Name]+" NOT NULL PRIMARY KEY, deleted_at "+s.types[lifecycle.Timestamp]+")",
			"INSERT INTO n (id) VALUES ('café'), ('Straße'), ('pad')")
		if err := s.store.Install(t.Context(), d.DB); err != nil {
			t.Fatal(err)
		}
		tx := s.begin(t)
		for ask, want := range asked[d.Name] {
			for _, edge := range []lifecycle.EdgeName{lifecycle.Trash, lifecycle.Trash, lifecycle.Restore} {
				result, err := s.store.Apply(t.Context(), tx, edge, table.Row(ask), who)
				if err != nil || result.Key.String() != (lifecycle.Key{want}).String() {
					t.Errorf("%s %q: %s, %v; want %q", edge, ask, result.Key, err, want)
				}
			}
		}
	})
}

// TestNumberThatFindsText asks MariaDB for a number, which also finds text that
// begins with it. That row is not meant.
func TestNumberThatFindsText(t *testing.T) {
	t.Parallel()
	d, ok := testdb.MySQL(t)
	if !ok {
		return
	}
	table := &lifecycle.Table{Name: "n", Columns: lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}}}
	s := &shelf{backend: backendOf(d.Name, d.DB), doc: table}
	var err error
	if s.store, err = store.New(lifecycle.MustCatalog(table), s.dialect, nil); err != nil {
		t.Fatal(err)
	}
	s.run(t, "CREATE TABLE n (id VARCHAR(20) NOT NULL PRIMARY KEY, deleted_at DATETIME(6))", "INSERT INTO n (id) VALUES ('1abc'), ('02')")
	if err := s.store.Install(t.Context(), d.DB); err != nil {
		t.Fatal(err)
	}
	tx := s.begin(t)
	for _, id := range []int{1, 2} {
		if result, err := s.store.Trash(t.Context(), tx, table.Row(id), who); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("trash %d: %s of %s, %v; want ErrInvalid", id, result.Outcome, result.Key, err)
		}
	}
}

// TestNumberThatIsText asks SQLite for numbers, in a column of text. The audit
// is the row's, whose key is text.
func TestNumberThatIsText(t *testing.T) {
	t.Parallel()
	d := testdb.SQLite(t)
	table := &lifecycle.Table{Name: "n", Columns: lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}}}
	s := &shelf{backend: backendOf(d.Name, d.DB), doc: table}
	var err error
	if s.store, err = store.New(lifecycle.MustCatalog(table), s.dialect, nil); err != nil {
		t.Fatal(err)
	}
	s.run(t, "CREATE TABLE n (id TEXT NOT NULL PRIMARY KEY, deleted_at TEXT)", "INSERT INTO n (id) VALUES ('1'), ('2'), ('3')")
	if err := s.store.Install(t.Context(), d.DB); err != nil {
		t.Fatal(err)
	}
	tx := s.begin(t)
	if result, err := s.store.Trash(t.Context(), tx, table.Row(1), who); err != nil || result.Key.String() != `["1"]` {
		t.Errorf("trash 1: %s, %v", result.Key, err)
	}
	results, err := s.store.TrashAll(t.Context(), tx, table.Rows(lifecycle.Keys(2, 3)...), who)
	if err != nil || results.Count(lifecycle.Transitioned) != 2 {
		t.Errorf("trash 2 and 3: %v, %v", results.Rows, err)
	}
	for _, key := range []string{"1", "2", "3"} {
		if history, err := s.store.History(t.Context(), tx, table.Row(key)); len(history) != 1 || err != nil {
			t.Errorf("%q has %d entries, %v; want 1", key, len(history), err)
		}
	}
}

// TestSeveralRowsWithTheKey declares a key that is none. No row is taken in the
// place of another one.
func TestSeveralRowsWithTheKey(t *testing.T) {
	t.Parallel()
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		table := &lifecycle.Table{Name: "n", Key: []string{"tenant"}, Columns: lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}}}
		s := &shelf{backend: backendOf(d.Name, d.DB), doc: table}
		var err error
		if s.store, err = store.New(lifecycle.MustCatalog(table), s.dialect, nil); err != nil {
			t.Fatal(err)
		}
		s.run(t, "CREATE TABLE n (tenant BIGINT NOT NULL, deleted_at "+s.types[lifecycle.Timestamp]+")", "INSERT INTO n (tenant) VALUES (1), (1), (2)")
		if err := s.store.Install(t.Context(), d.DB); err != nil {
			t.Fatal(err)
		}
		for name, call := range map[string]func(tx lifecycle.Tx) error{
			"one": func(tx lifecycle.Tx) error {
				_, err := s.store.Trash(t.Context(), tx, table.Row(1), who)
				return err
			},
			"many": func(tx lifecycle.Tx) error {
				_, err := s.store.TrashAll(t.Context(), tx, table.Rows(lifecycle.Keys(1, 2)...), who)
				return err
			},
		} {
			tx := s.begin(t)
			if err := call(tx); !errors.Is(err, lifecycle.ErrInvalid) {
				t.Errorf("%s: %v, want ErrInvalid", name, err)
			}
			tx.Rollback()
		}
	})
}

// TestOneRowInTwoSpellings asks for one row twice in a call. It would be wrong to
// tell the second that there is no such row.
func TestOneRowInTwoSpellings(t *testing.T) {
	t.Parallel()
	types := map[string]string{"mariadb": "VARCHAR(40) COLLATE utf8mb4_general_ci", "sqlite": "TEXT COLLATE NOCASE", "postgres": "uuid"}
	const id = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
	testdb.Each(t, func(t *testing.T, d *testdb.Database) {
		table := &lifecycle.Table{Name: "n", Columns: lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}}}
		s := &shelf{backend: backendOf(d.Name, d.DB), doc: table}
		var err error
		if s.store, err = store.New(lifecycle.MustCatalog(table), s.dialect, nil); err != nil {
			t.Fatal(err)
		}
		s.run(t, "CREATE TABLE n (id "+types[d.Name]+" NOT NULL PRIMARY KEY, deleted_at "+s.types[lifecycle.Timestamp]+")", "INSERT INTO n (id) VALUES ('"+id+"')")
		if err := s.store.Install(t.Context(), d.DB); err != nil {
			t.Fatal(err)
		}
		upper, mixed := strings.ToUpper(id), "A"+id[1:]
		results, err := s.store.TrashAll(t.Context(), s.begin(t), table.Rows(lifecycle.Key{upper}, lifecycle.Key{mixed}), who)
		if !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("trash: %v, %v; want ErrInvalid", results.Rows, err)
		}
	})
}
