//go:build linux || darwin

package main

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/softdelete-go/softdelete/internal/clock"
)

// cachePath returns the path of a file which is kept between runs.
func cachePath(name string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "softdelete")
	return filepath.Join(dir, name), os.MkdirAll(dir, 0o755)
}

// lockFile waits until no other process has the lock of that name. The kernel
// drops the lock of a process which dies.
func lockFile(ctx context.Context, name string) (unlock func(), err error) {
	path, err := cachePath(name)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for begin := clock.System.Now(); ; {
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			return func() { file.Close() }, nil
		}
		if clock.System.Now().Sub(begin) > 15*time.Second {
			report("waiting for another test bed, which has %s", path)
			begin = clock.System.Now()
		}
		select {
		case <-ctx.Done():
			file.Close()
			return nil, context.Cause(ctx)
		case <-time.After(200 * time.Millisecond):
		}
	}
}
