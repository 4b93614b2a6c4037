package testdb

import "testing"

// RedisAddr returns the host:port of the Redis server, and false if none is
// configured. All tests share the server: choose keys nobody else does.
func RedisAddr(tb testing.TB) (string, bool) {
	tb.Helper()
	return lookup(tb, envRedis)
}
