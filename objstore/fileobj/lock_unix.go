//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package fileobj

import (
	"errors"
	"os"
	"syscall"
)

// flock waits for the file's lock, which ends when the file is closed or its
// process dies.
func flock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// tryFlock takes the file's lock where nobody has it.
func tryFlock(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
