package main

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestKilled kills the test bed itself: its server goes with it, and the next
// one removes its directory. What the command started lives on: only the command
// itself is told.
func TestKilled(t *testing.T) {
	t.Parallel()
	if !withRedis() {
		return
	}
	cmd, child, addr, tmp := startSleeper(t, []string{"SOFTDELETE_REDIS_ADDR="}, "-only", "redis")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if pid, err := strconv.Atoi(child); err == nil {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	cmd.Wait()
	gone(t, "the server", func() bool { return !dialable(addr) })

	next, _, stderr := testbed(t, []string{"TMPDIR=" + tmp}, "true")
	if code := exitCode(t, next); code != 0 || !strings.Contains(stderr.String(), "which a killed test bed left") {
		t.Errorf("the next test bed exits with %d and says %q", code, stderr)
	}
	wantEmpty(t, tmp)
}

// TestParentKilled kills the process which started the test bed, as happens to
// "go run".
func TestParentKilled(t *testing.T) {
	t.Parallel()
	bed, _, _ := testbed(t, nil)
	parent := exec.CommandContext(t.Context(), "sh", "-c", `"$0" sh -c 'echo $PPID $$; sleep 1000' & wait`, bed.Path)
	parent.Env = bed.Env
	parent.Stderr = os.Stderr
	pipe, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(pipe).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	parent.Process.Kill()
	parent.Wait()
	for id := range strings.FieldsSeq(line) {
		gone(t, "process "+id, ended(t, id))
	}
}
