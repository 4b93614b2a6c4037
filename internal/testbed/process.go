//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// stopTimeout is how long a process may take to end after its signal.
const stopTimeout = 10 * time.Second

// process is a server that spawn starts.
type process struct {
	name       string
	owner      *account       // the user it runs as, nil for ours
	env        []string       // NAME=value, added to our environment
	stopSignal syscall.Signal // stops it quickly: what it would save is thrown away
	leftovers  []string       // files it leaves behind outside the directory

	cmd      *exec.Cmd
	logFile  string
	stopping atomic.Bool
	done     chan struct{} // closed when it ended
	err      error         // how, valid then
}

// spawn starts the process in a process group of its own, with its output in a
// log file.
func (b *bed) spawn(p *process, program string, args ...string) error {
	p.logFile = b.path(p.name + ".log")
	p.done = make(chan struct{})
	log, err := os.Create(p.logFile)
	if err != nil {
		return err
	}
	defer log.Close()
	p.cmd = exec.Command(program, args...)
	p.cmd.Dir = b.dir
	p.cmd.Env = append(os.Environ(), p.env...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = attributes(p.owner, p.stopSignal)
	if err := p.cmd.Start(); err != nil {
		return err
	}
	b.mu.Lock()
	b.processes = append(b.processes, p)
	b.mu.Unlock()
	go p.wait()
	return nil
}

// wait waits until the process ended, and says so if nobody asked it to.
func (p *process) wait() {
	p.err = p.cmd.Wait()
	if !p.stopping.Load() {
		report("%s ended unexpectedly: %v\n%s", p.name, p.err, p.logTail())
	}
	close(p.done)
}

// stop returns when the process and its group are gone.
func (p *process) stop() {
	p.stopping.Store(true)
	syscall.Kill(p.cmd.Process.Pid, p.stopSignal)
	select {
	case <-p.done:
	case <-time.After(stopTimeout):
		report("%s ignores %v: killing it", p.name, p.stopSignal)
	}
	syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	<-p.done
	for _, path := range p.leftovers {
		os.Remove(path)
	}
}

// logTail returns the end of the log.
func (p *process) logTail() string {
	log, err := os.ReadFile(p.logFile)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// runTool runs a program to its end as the user (nil: ours) and returns its
// output within the error if it fails.
func (b *bed) runTool(ctx context.Context, owner *account, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = b.dir
	cmd.SysProcAttr = attributes(owner, syscall.SIGKILL)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", program, err, output)
	}
	return nil
}

// runCommand runs the command with the variables added to our environment and
// returns its exit code. When the context ends, so does the command's process
// group.
func runCommand(ctx context.Context, command, env []string) (int, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = attributes(nil, syscall.SIGTERM)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = stopTimeout
	err := cmd.Run()
	if cmd.Process != nil {
		// What the command left behind would talk to servers that are gone.
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		if err != nil {
			return 1, err
		}
		return 0, nil
	}
	if status := exit.Sys().(syscall.WaitStatus); status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}
