//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// account is a system user a server runs as; nil is the user we are.
type account struct {
	uid, gid int
}

// serverAccount returns the user of that name if we are root, which some
// servers refuse to run as, and nil otherwise.
func serverAccount(name string) (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup(name)
	if err != nil {
		return nil, fmt.Errorf("must not run as root: %w", err)
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return nil, err
	}
	return &account{uid: uid, gid: gid}, nil
}

// credential returns what makes a child run as the user.
func (a *account) credential() *syscall.Credential {
	if a == nil {
		return nil
	}
	return &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
}
