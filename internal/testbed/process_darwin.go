package main

import "syscall"

// attributes puts a child in a process group of its own and runs it as the
// user if there is one. There is no signal here for the case that we die.
func attributes(owner *account, _ syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: owner.credential()}
}

// stopWithParent does nothing: no signal tells us that our parent died.
func stopWithParent() {}
