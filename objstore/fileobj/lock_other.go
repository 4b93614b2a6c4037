//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package fileobj

import (
	"errors"
	"os"
)

func flock(*os.File) error { return errors.ErrUnsupported }

func tryFlock(*os.File) (bool, error) { return false, errors.ErrUnsupported }
