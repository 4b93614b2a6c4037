package testdb

import (
	"context"
	"crypto/rand"
	"os"
	"strings"
	"testing"
	"time"
)

// The environment variables which say where the servers are.
const (
	envPostgres    = "SOFTDELETE_POSTGRES_DSN"
	envMySQL       = "SOFTDELETE_MYSQL_DSN"
	envRedis       = "SOFTDELETE_REDIS_ADDR"
	envS3Endpoint  = "SOFTDELETE_S3_ENDPOINT"
	envS3AccessKey = "SOFTDELETE_S3_ACCESS_KEY"
	envS3SecretKey = "SOFTDELETE_S3_SECRET_KEY"
	envTestbed     = "SOFTDELETE_TESTBED"
)

// lookup returns the value of the variable and whether the server behind it is
// configured. It fails the test where the whole test bed was promised.
func lookup(tb testing.TB, variable string) (string, bool) {
	tb.Helper()
	value := os.Getenv(variable)
	if value == "" && os.Getenv(envTestbed) == "full" {
		tb.Fatalf("testdb: %s=full but %s is not set", envTestbed, variable)
	}
	return value, value != ""
}

// uniqueName returns a name no other test uses, in this process or another. It
// consists of lower-case letters, digits and the separator.
func uniqueName(separator string) string {
	return "softdelete" + separator + strings.ToLower(rand.Text()[:16])
}

// cleanup runs fn when the test ends, with a context that still lives then.
// Errors are the test's: what can't be dropped is a leak.
func cleanup(tb testing.TB, fn func(ctx context.Context) error) {
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), time.Minute)
		defer cancel()
		if err := fn(ctx); err != nil {
			tb.Errorf("testdb: cleaning up: %v", err)
		}
	})
}
