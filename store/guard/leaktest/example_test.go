package leaktest_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	_ "modernc.org/sqlite" // driver "sqlite"

	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
	"github.com/softdelete-go/softdelete/store/guard/leaktest"
)

func openDocuments() (*sql.DB, *lifecycle.Catalog) {
	catalog := lifecycle.MustCatalog(&lifecycle.Table{
		Name: "documents", Columns: lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at", As: lifecycle.Timestamp}},
	})
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(1)
	for _, text := range []string{
		"CREATE TABLE documents (id INTEGER PRIMARY KEY, deleted_at TEXT)",
		"INSERT INTO documents VALUES (1, NULL), (2, '2026-01-01T00:00:00Z')",
	} {
		if _, err := db.Exec(text); err != nil {
			panic(err)
		}
	}
	return db, catalog
}

func ExampleCheck() {
	test := func(t *testing.T) {
		db, catalog := openDocuments()
		defer db.Close()
		leaktest.Check(t, db, guard.SQLite, catalog, "SELECT id FROM documents WHERE deleted_at IS NULL")
	}
	fmt.Println(testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "TestQuery", F: test}}))
	// Output: true
}

func ExampleDifference() {
	db, catalog := openDocuments()
	defer db.Close()
	for _, query := range []string{"SELECT id FROM documents", "SELECT id FROM documents WHERE deleted_at IS NULL"} {
		difference, err := leaktest.Difference(context.Background(), db, guard.SQLite, catalog, query)
		fmt.Println(difference != "", err)
	}
	// Output:
	// true <nil>
	// false <nil>
}
