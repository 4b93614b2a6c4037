//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// startTimeout is how long a server may take until it answers.
const startTimeout = 2 * time.Minute

// dirPrefix starts the names of test beds' directories.
const dirPrefix = "softdelete-testbed-"

// bed is the temporary directory with the servers that live in it.
type bed struct {
	dir   string
	lock  *os.File // held while the directory is in use
	ports *portBlock

	mu        sync.Mutex
	processes []*process
	env       []string // NAME=value, for the command
}

// newBed creates the directory and reserves the ports.
func newBed() (*bed, error) {
	parent := parentDir()
	removeAbandoned(parent)
	dir, err := os.MkdirTemp(parent, dirPrefix)
	if err != nil {
		return nil, err
	}
	b := &bed{dir: dir}
	b.lock, err = lockDir(dir)
	if err == nil {
		b.ports, err = reservePorts()
	}
	if err == nil {
		err = os.Chmod(dir, 0o755) // servers run as users of their own
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return b, nil
}

// start starts the servers which the environment doesn't provide, in parallel,
// and collects the variables.
func (b *bed) start(ctx context.Context, wanted []*server) error {
	full := len(wanted) == len(servers)
	wanted = slices.DeleteFunc(slices.Clone(wanted), func(s *server) bool {
		provided := os.Getenv(s.variable) != ""
		if provided {
			report("%s: using %s", s.name, s.variable)
		}
		return provided
	})
	if err := installMissing(ctx, wanted); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, s := range wanted {
		group.Go(func() error {
			if err := s.start(ctx, b); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if full {
		b.setenv("SOFTDELETE_TESTBED", "full")
	}
	return nil
}

// setenv sets a variable for the command.
func (b *bed) setenv(name, value string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.env = append(b.env, name+"="+value)
}

// path returns a path in the directory.
func (b *bed) path(name string) string { return filepath.Join(b.dir, name) }

// mkdir creates a directory in the directory, for the user if it isn't nil.
func (b *bed) mkdir(name string, owner *account) (string, error) {
	dir := b.path(name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	if owner == nil {
		return dir, nil
	}
	return dir, os.Chown(dir, owner.uid, owner.gid)
}

// close stops the servers and removes the directory.
func (b *bed) close(keep bool) error {
	var stopped sync.WaitGroup
	for _, p := range b.processes {
		stopped.Go(p.stop)
	}
	stopped.Wait()
	b.ports.release()
	defer b.lock.Close()
	if keep {
		report("kept %s", b.dir)
		return os.Remove(b.lock.Name())
	}
	return os.RemoveAll(b.dir)
}
