package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/internal/testdb"
	"github.com/softdelete-go/softdelete/objstore"
)

var update = flag.Bool("update", false, "write the golden file anew")

// directory makes files of every sort: empty, equal, with odd names.
func directory(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		name := filepath.Join(dir, fmt.Sprintf("%02d", i%3), fmt.Sprintf("file %d & %c.txt", i, 'α'+i))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, bytes.Repeat([]byte{byte(i)}, i*i*10), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOutput(t *testing.T) {
	t.Parallel()
	dir := directory(t, 30)
	var first, second strings.Builder
	for _, out := range []*strings.Builder{&first, &second} {
		if err := run(t.Context(), []string{"-dir", dir}, out, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(first.String(), second.String()); diff != "" {
		t.Errorf("two runs differ (-first +second):\n%s", diff)
	}
	golden := filepath.Join("testdata", "output.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(first.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), first.String()); diff != "" {
		t.Errorf("output (-want +got), -update writes it anew:\n%s", diff)
	}
}

// TestSmallDirectories has too few files for parts of the story.
func TestSmallDirectories(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 3, 4, 8, 11, 12} {
		if err := run(t.Context(), []string{"-dir", directory(t, n)}, io.Discard, io.Discard); err != nil {
			t.Errorf("%d files: %v", n, err)
		}
	}
}

func TestRealServers(t *testing.T) {
	dir := directory(t, 25)
	args := map[string][]string{}
	if d, ok := testdb.Postgres(t); ok {
		args["PostgreSQL"] = []string{"-dsn", d.DSN}
	}
	if d, ok := testdb.MySQL(t); ok {
		args["MariaDB"] = []string{"-dsn", d.DSN}
	}
	if b, ok := testdb.S3(t, testdb.Versioned); ok {
		t.Setenv("AWS_ACCESS_KEY_ID", os.Getenv("SOFTDELETE_S3_ACCESS_KEY"))
		t.Setenv("AWS_SECRET_ACCESS_KEY", os.Getenv("SOFTDELETE_S3_SECRET_KEY"))
		endpoint := os.Getenv("SOFTDELETE_S3_ENDPOINT") + "/" + b.Bucket
		args["S3"] = []string{"-s3", endpoint}
		args["S3, a new bucket"] = []string{"-s3", endpoint + "-new"}
		args["S3 and PostgreSQL"] = append([]string{"-s3", endpoint}, args["PostgreSQL"]...)
	}
	for name, extra := range args {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := run(t.Context(), append([]string{"-dir", dir}, extra...), &out, io.Discard); err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			if !strings.Contains(out.String(), "agree byte for byte") {
				t.Errorf("no verification in\n%s", out.String())
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"no such directory", []string{"-dir", filepath.Join(t.TempDir(), "none")}, "none"},
		{"an empty directory", []string{"-dir", t.TempDir()}, "holds no files"},
		{"an argument", []string{"here"}, "-dir"},
		{"no bucket", []string{"-dir", directory(t, 1), "-s3", "http://localhost:1/"}, "http://host/bucket"},
		{"no server", []string{"-dir", directory(t, 1), "-dsn", "postgres://localhost:1/x"}, "-dsn"},
	} {
		err := run(t.Context(), c.args, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want something on %q", c.name, err, c.want)
		}
	}
}

// TestVerifyFindsDamage breaks the world behind the library's back.
func TestVerifyFindsDamage(t *testing.T) {
	t.Parallel()
	lost := func(ctx context.Context, w *world) error {
		_, err := w.bucket.Delete(ctx, []objstore.ID{{Key: objectKey(2)}})
		return err
	}
	for _, c := range []struct {
		name   string
		damage func(ctx context.Context, w *world) error
		want   string
	}{
		{"nothing", func(context.Context, *world) error { return nil }, ""},
		{"a lost object", lost, "has lost its object"},
		{"another body", func(ctx context.Context, w *world) error { return w.put(ctx, objectKey(2), []byte("x")) }, "differs"},
		{"an orphan", func(ctx context.Context, w *world) error { return w.put(ctx, objectKey(99), nil) }, "no row needs it"},
		{"a purged row", func(ctx context.Context, w *world) error {
			_, err := w.db.ExecContext(ctx, "UPDATE quickstart_file SET is_deleted = 1 WHERE id = 3")
			return err
		}, "left purged"},
	} {
		f, err := findFiles(directory(t, 5))
		if err != nil {
			t.Fatal(err)
		}
		w, err := open(t.Context(), settings{}, newPrinter(io.Discard, io.Discard))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.store(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if err := c.damage(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		err = w.verify(t.Context(), f)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want something on %q", c.name, err, c.want)
		}
		if err := w.close(false); err != nil {
			t.Error(err)
		}
	}
}
