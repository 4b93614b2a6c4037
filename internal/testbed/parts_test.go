//go:build linux || darwin

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestQuoted(t *testing.T) {
	t.Parallel()
	for variable, want := range map[string]string{
		"A=b":           "A='b'",
		"A=":            "A=''",
		"A=r@tcp(h:1)/": "A='r@tcp(h:1)/'",
		"A=x=y&z":       "A='x=y&z'",
		"A=it's":        `A='it'\''s'`,
	} {
		got := quoted(variable)
		if got != want {
			t.Errorf("%s is quoted as %s, want %s", variable, got, want)
		}
		_, value, _ := strings.Cut(variable, "=")
		output, err := exec.CommandContext(t.Context(), "sh", "-c", got+`; printf %s "$A"`).Output()
		if err != nil || string(output) != value {
			t.Errorf("a shell reads %s as %q, %v", got, output, err)
		}
	}
}

func TestPorts(t *testing.T) {
	t.Parallel()
	seen := map[int]bool{}
	for range 10 {
		block, err := reservePorts()
		if err != nil {
			t.Fatal(err)
		}
		defer block.release()
		for range 9 { // what all servers need
			port, err := block.take()
			if err != nil {
				t.Fatal(err)
			}
			if seen[port] {
				t.Errorf("port %d twice", port)
			}
			seen[port] = true
		}
	}
}

func TestPortsRunOut(t *testing.T) {
	t.Parallel()
	block, err := reservePorts()
	if err != nil {
		t.Fatal(err)
	}
	defer block.release()
	for range blockSize {
		if _, err = block.take(); err != nil {
			return
		}
	}
	t.Errorf("%d ports and more in a block of %d", blockSize, blockSize)
}

// TestInstallScript runs the script with another apt-get and another policy.
func TestInstallScript(t *testing.T) {
	t.Parallel()
	const ours = "#!/bin/sh\n# written by the softdelete test bed\nexit 101\n"
	tests := []struct {
		name   string
		policy string // before
		apt    string // a script
		seen   string // the policy during the installation
		after  string
		fails  bool
	}{
		{name: "no policy", seen: ours},
		{name: "an administrator's", policy: "exit 0\n", seen: "exit 0\n", after: "exit 0\n"},
		{name: "a killed test bed's", policy: ours, seen: ours},
		{name: "a failure", apt: "exit 100", seen: ours, fails: true},
		{name: "an outdated list", apt: `case "$*" in *update) exit 1; esac`, seen: ours},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			policy, seen := filepath.Join(dir, "policy-rc.d"), filepath.Join(dir, "seen")
			if tt.policy != "" {
				write(t, policy, tt.policy)
			}
			write(t, filepath.Join(dir, "apt-get"), "#!/bin/sh\ncp "+policy+" "+seen+"\necho \"$@\" >>"+dir+"/calls\n"+tt.apt+"\n")
			script := strings.ReplaceAll(installScript, "/usr/sbin/policy-rc.d", policy)
			cmd := exec.CommandContext(t.Context(), "sh", "-c", script, "install", "redis-server")
			cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
			if output, err := cmd.CombinedOutput(); (err != nil) != tt.fails {
				t.Fatalf("%v\n%s", err, output)
			}
			if got := read(t, seen); got != tt.seen {
				t.Errorf("the policy was %q, want %q", got, tt.seen)
			}
			if got := read(t, policy); got != tt.after {
				t.Errorf("the policy became %q, want %q", got, tt.after)
			}
			if calls := read(t, filepath.Join(dir, "calls")); !strings.HasSuffix(calls, "--no-install-recommends redis-server\n") {
				t.Errorf("apt-get was called with %q", calls)
			}
		})
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
}

// read returns a file's content, empty where there is none.
func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(content)
}
