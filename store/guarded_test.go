package store_test

import (
	"testing"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store"
	"github.com/softdelete-go/softdelete/store/guard"
	"github.com/softdelete-go/softdelete/store/guard/guarddriver"
	"github.com/softdelete-go/softdelete/store/storetest"
)

// TestConformanceGuarded runs the store over guarded connections, which must let
// all its statements pass as they are. The suite's own rows are written around
// them.
func TestConformanceGuarded(t *testing.T) {
	t.Parallel()
	dialects := map[string]*guard.Dialect{"postgres": guard.Postgres, "mariadb": guard.MySQL, "sqlite": guard.SQLite}
	for _, v := range variants() {
		dialect := dialects[v.name]
		if dialect == nil {
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			if _, ok := v.open(t); !ok {
				return
			}
			storetest.Run(t, func(t *testing.T, c *lifecycle.Catalog, clock lifecycle.Clock) *storetest.Harness {
				d, _ := v.open(t)
				return guarded(t, d, dialect, c, clock)
			})
		})
	}
}

func guarded(t *testing.T, d *testdb.Database, dialect *guard.Dialect, c *lifecycle.Catalog, clock lifecycle.Clock) *storetest.Harness {
	t.Helper()
	bare := backendOf(d.Name, d.DB)
	s, err := store.New(c, bare.dialect, &store.Options{Clock: clock, Batch: 64})
	if err != nil {
		t.Fatal(err)
	}
	bare.create(t, c)
	g, err := guard.New(c, dialect, &guard.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	db, err := guarddriver.Open(d.Driver, d.DSN, g)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(32)
	db.SetMaxIdleConns(32)
	if err := s.Install(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	h := backendOf(d.Name, db).harness(t, s)
	h.Insert = bare.insert
	return h
}
