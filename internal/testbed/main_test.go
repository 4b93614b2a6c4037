//go:build linux || darwin

package main

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asTestbed makes the test's own program the test bed.
const asTestbed = "SOFTDELETE_TEST_AS_TESTBED"

func TestMain(m *testing.M) {
	if os.Getenv(asTestbed) != "" {
		main()
	}
	os.Exit(m.Run())
}

// testbed returns a test bed which is not started. Every server is provided,
// unless the environment given says otherwise.
func testbed(t *testing.T, env []string, args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	cmd = exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), asTestbed+"=1", "TMPDIR="+tempDir(t), "SOFTDELETE_TESTBED=")
	for _, s := range servers {
		cmd.Env = append(cmd.Env, s.variable+"=provided-"+s.name)
	}
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = time.Minute
	return cmd, stdout, stderr
}

// tempDir returns a temporary directory which the test bed accepts: with a short
// name, and open to the users that servers run as.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "bed-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// exitCode runs the command.
func exitCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

func TestExitCode(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args []string
		code int
		says string
	}{
		{"success", []string{"true"}, 0, "ready after"},
		{"failure", []string{"sh", "-c", "exit 7"}, 7, "redis: using SOFTDELETE_REDIS_ADDR"},
		{"killed", []string{"sh", "-c", "kill -9 $$"}, 128 + 9, ""},
		{"no such command", []string{"/nowhere/command"}, 1, "/nowhere/command"},
		{"no such server", []string{"-only", "oracle", "true"}, 1, `no server "oracle" (there are postgres, mariadb, redis, s3)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd, _, stderr := testbed(t, nil, tt.args...)
			if code := exitCode(t, cmd); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if !strings.Contains(stderr.String(), tt.says) {
				t.Errorf("it says %q, want %q", stderr, tt.says)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"all", nil, "full provided-postgres"},
		{"some", []string{"-only", "redis,s3"}, " provided-postgres"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			args := append(tt.args, "sh", "-c", "echo $SOFTDELETE_TESTBED $SOFTDELETE_POSTGRES_DSN")
			cmd, stdout, _ := testbed(t, nil, args...)
			if code := exitCode(t, cmd); code != 0 {
				t.Errorf("exit code %d", code)
			}
			if got := strings.TrimSpace(stdout.String()); got != strings.TrimSpace(tt.want) {
				t.Errorf("the command sees %q, want %q", got, tt.want)
			}
		})
	}
}

// TestMissingPrograms has neither Redis nor apt-get in its PATH.
func TestMissingPrograms(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	cmd, _, stderr := testbed(t, []string{"SOFTDELETE_REDIS_ADDR=", "PATH=" + empty, "HOME=" + empty, "XDG_CACHE_HOME=" + empty},
		"-only", "redis", "true")
	if code := exitCode(t, cmd); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	for _, want := range []string{"install the packages redis-server", "or set SOFTDELETE_REDIS_ADDR"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("it says %q, want %q", stderr, want)
		}
	}
}

// startSleeper starts a test bed whose command has a child, and returns the
// child's process id, the address of Redis and the bed's temporary directory.
func startSleeper(t *testing.T, env []string, args ...string) (cmd *exec.Cmd, child, addr, tmp string) {
	t.Helper()
	args = append(args, "sh", "-c", "sleep 1000 & echo $! $SOFTDELETE_REDIS_ADDR; wait")
	cmd, _, stderr := testbed(t, env, args...)
	cmd.Stdout = nil
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	var line []byte
	for one := make([]byte, 1); !bytes.HasSuffix(line, []byte("\n")); line = append(line, one...) {
		if _, err := io.ReadFull(pipe, one); err != nil {
			t.Fatalf("no output: %v\n%s", err, stderr)
		}
	}
	for _, variable := range cmd.Env {
		if value, ok := strings.CutPrefix(variable, "TMPDIR="); ok {
			tmp = value
		}
	}
	child, addr, _ = strings.Cut(strings.TrimSpace(string(line)), " ")
	return cmd, child, addr, tmp
}

// gone waits until the condition holds.
func gone(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for range 300 {
		if condition() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("%s is still there", what)
}

// ended tells whether the process with the id in decimal digits has ended.
func ended(t *testing.T, id string) func() bool {
	t.Helper()
	pid, err := strconv.Atoi(id)
	if err != nil {
		t.Fatal(err)
	}
	return func() bool {
		// A process whose parent is gone too may stay as a zombie.
		stat, err := os.ReadFile("/proc/" + id + "/stat")
		return syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ")
	}
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			cmd, child, _, tmp := startSleeper(t, nil)
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("exit code %d, want %d", code, exitInterrupted)
			}
			gone(t, "the command's child", ended(t, child))
			wantEmpty(t, tmp)
		})
	}
}

// wantEmpty checks that no test bed's directory is left.
func wantEmpty(t *testing.T, tmp string) {
	t.Helper()
	if left, _ := filepath.Glob(filepath.Join(tmp, dirPrefix+"*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// dialable tells whether something listens there.
func dialable(addr string) bool {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err == nil {
		conn.Close()
	}
	return err == nil
}

// withRedis tells whether a server can be started without installing it.
func withRedis() bool {
	_, err := findProgram("redis-server")
	return err == nil
}

// TestTwoAtOnce runs two test beds with servers side by side.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	if !withRedis() {
		return
	}
	env := []string{"SOFTDELETE_REDIS_ADDR="}
	first, _, firstAddr, firstTmp := startSleeper(t, env, "-only", "redis")
	second, _, secondAddr, secondTmp := startSleeper(t, env, "-only", "redis")
	if firstAddr == secondAddr || !dialable(firstAddr) || !dialable(secondAddr) {
		t.Errorf("the servers are at %q and %q", firstAddr, secondAddr)
	}
	first.Process.Signal(os.Interrupt)
	first.Wait()
	if dialable(firstAddr) || !dialable(secondAddr) {
		t.Error("the end of a test bed stopped another's server, or not its own")
	}
	second.Process.Signal(os.Interrupt)
	second.Wait()
	if dialable(secondAddr) {
		t.Error("the second server is still there")
	}
	wantEmpty(t, firstTmp)
	wantEmpty(t, secondTmp)
}
