package fileobj

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/softdelete-go/softdelete/objstore"
)

// envWriter makes the test binary a writer in the bucket of that directory.
const envWriter = "FILEOBJ_TEST_WRITER"

func TestMain(m *testing.M) {
	run := func() error { return nil }
	if dir := os.Getenv(envWriter); dir != "" {
		run = func() error { return writer(dir) }
	} else if order := os.Getenv(envVictim); order != "" {
		run = func() error { return victim(order) }
	} else {
		os.Exit(m.Run())
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const writerKeys = 20

// writer stores every key that nobody else stored, and prints those. It adds a
// version to one key each time.
func writer(dir string) error {
	ctx := context.Background()
	b, err := New(dir, nil)
	if err != nil {
		return err
	}
	for i := range writerKeys {
		key := fmt.Sprintf("k%d", i)
		_, err := b.Put(ctx, key, strings.NewReader(key), int64(len(key)), &objstore.PutOptions{IfAbsent: true})
		if err == nil {
			fmt.Println(key)
		} else if !errors.Is(err, objstore.ErrExists) {
			return err
		}
		if _, err := b.Put(ctx, "shared", strings.NewReader("1"), 1, nil); err != nil {
			return err
		}
	}
	return b.Close()
}

func TestProcesses(t *testing.T) {
	t.Parallel()
	const writers = 3
	dir := t.TempDir()
	b := openBucket(t, dir, Options{Create: true, Versioning: objstore.Versioned}, nil)
	var commands [writers]*exec.Cmd
	var output, complaints [writers]bytes.Buffer
	for i := range commands {
		c := exec.CommandContext(t.Context(), os.Args[0])
		c.Env = append(os.Environ(), envWriter+"="+dir)
		c.Stdout, c.Stderr = &output[i], &complaints[i]
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		commands[i] = c
	}
	won := map[string]int{}
	for i, c := range commands {
		if err := c.Wait(); err != nil {
			t.Fatalf("%v: %s", err, complaints[i].String())
		}
		for key := range strings.FieldsSeq(output[i].String()) {
			won[key]++
		}
	}
	for i := range writerKeys {
		if key := fmt.Sprintf("k%d", i); won[key] != 1 {
			t.Errorf("%s was stored by %d writers", key, won[key])
		}
	}
	shared := 0
	for _, err := range b.Versions(t.Context(), "shared", nil) {
		if err != nil {
			t.Fatal(err)
		}
		shared++
	}
	if shared != writers*writerKeys {
		t.Errorf("%d versions are left of %d", shared, writers*writerKeys)
	}
	checkOwned(t, b)
}
