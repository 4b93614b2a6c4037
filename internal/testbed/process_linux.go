package main

import "syscall"

// attributes puts a child in a process group of its own, runs it as the user
// if there is one, and sends it the signal if we die without stopping it.
func attributes(owner *account, deathSignal syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Setpgid:    true,
		Pdeathsig:  deathSignal,
		Credential: owner.credential(),
	}
}

// stopWithParent sends us SIGTERM when our parent dies.
func stopWithParent() {
	syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGTERM), 0)
}
