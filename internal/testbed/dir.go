//go:build linux || darwin

package main

import (
	"os"
	"path/filepath"
	"syscall"
)

// maxDir leaves room for a file name in the 103 bytes of a socket's path.
const maxDir = 70

// lockName is the file in the directory whose lock says that it is in use.
const lockName = "lock"

// parentDir returns where test beds' directories are: the system's temporary
// directory, or /tmp where that one's name is too long or is closed to the users
// that servers run as.
func parentDir() string {
	parent := os.TempDir()
	if len(parent) > maxDir-len("/"+dirPrefix+"1234567890") {
		return "/tmp"
	}
	for dir := parent; os.Geteuid() == 0; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm()&0o001 == 0 {
			return "/tmp"
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return parent
}

// lockDir marks a new directory as used by us, until the file is closed or we
// end. It waits: removeAbandoned of another test bed may hold the lock meanwhile.
func lockDir(dir string) (*os.File, error) {
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	return lock, syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
}

// removeAbandoned removes the directories of test beds that were killed. It is
// a courtesy: what fails, or belongs to another user, stays.
func removeAbandoned(parent string) {
	locks, _ := filepath.Glob(filepath.Join(parent, dirPrefix+"*", lockName))
	for _, name := range locks {
		lock, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		// A new directory's lock is taken an instant after its file is there.
		abandoned := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil && !isNew(filepath.Dir(name))
		if abandoned && os.RemoveAll(filepath.Dir(name)) == nil {
			report("removed %s, which a killed test bed left", filepath.Dir(name))
		}
		lock.Close()
	}
}

// isNew tells whether there is only the lock in the directory.
func isNew(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err != nil || len(entries) < 2
}
