// Package testdb gives a test its own database, bucket or Redis address.
//
// The servers come from the environment, which `go run ./internal/testbed`
// sets up; SQLite needs no server and is always there:
//
//	func TestRestore(t *testing.T) {
//		testdb.Each(t, func(t *testing.T, d *testdb.Database) {
//			if _, err := d.DB.Exec("CREATE TABLE doc (id BIGINT PRIMARY KEY)"); err != nil {
//				t.Fatal(err)
//			}
//		})
//	}
//
// A server that is not configured yields no subtest, or false: nothing is
// skipped, because nothing is run. When SOFTDELETE_TESTBED is "full" the whole
// test bed is promised, and a missing server fails the test instead.
//
// # Isolation
//
// Everything handed out is empty, belongs to one test, and is dropped when the
// test ends, together with the sessions the test left open. Names are random,
// so that any number of test processes may share the servers. A process that
// is killed leaves names starting with "softdelete_" (buckets: "softdelete-")
// behind; the test bed throws its servers away, other servers keep them.
//
// A PostgreSQL database is a schema of its own in the database of the DSN.
// Advisory locks, NOTIFY channels and the oldest running transaction are
// therefore shared with other tests. A Redis server is shared altogether.
package testdb
