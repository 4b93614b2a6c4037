//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// installMissing installs the packages of servers whose programs are missing.
func installMissing(ctx context.Context, wanted []*server) error {
	if len(missingPackages(wanted)) == 0 {
		return nil
	}
	// Two test beds which install at once would fail on apt's own locks.
	unlock, err := lockFile(ctx, "apt.lock")
	if err != nil {
		return err
	}
	defer unlock()
	packages := missingPackages(wanted)
	if len(packages) == 0 {
		return nil
	}
	shell, ok := rootShell(ctx)
	if !ok {
		return fmt.Errorf("missing programs, and no apt-get which root or sudo may run: install the packages %s (or what they are called here), or set %s",
			strings.Join(packages, ", "), strings.Join(variables(wanted), ", "))
	}
	report("installing %s", strings.Join(packages, ", "))
	cmd := exec.CommandContext(ctx, shell[0], append(append(shell[1:], "-c", installScript, "install"), packages...)...)
	cmd.SysProcAttr = attributes(nil, syscall.SIGTERM)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("installing %s: %w\n%s", strings.Join(packages, ", "), err, output)
	}
	return nil
}

// installScript installs the packages that are its arguments. Their services
// shall not start: they would take memory and the products' own ports, and are
// not used. Debian's way to say so is a policy-rc.d, which is there only as long
// as the installation takes; one that an administrator wrote is left alone, one
// of a killed test bed is not. An outdated list of packages may still do.
const installScript = `
policy=/usr/sbin/policy-rc.d
marker='written by the softdelete test bed'
if ! [ -e "$policy" ] || grep -q "$marker" "$policy"; then
	trap 'rm -f "$policy"' EXIT
	trap 'exit 1' HUP INT TERM
	printf '#!/bin/sh\n# %s\nexit 101\n' "$marker" >"$policy"
	chmod 755 "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
apt-get -o DPkg::Lock::Timeout=600 -qq update || echo "apt-get update failed" >&2
apt-get -o DPkg::Lock::Timeout=600 -qq install -y --no-install-recommends "$@"
`

// missingPackages returns the packages of the servers which can't start.
func missingPackages(wanted []*server) []string {
	var packages []string
	for _, s := range wanted {
		for _, program := range s.programs {
			if _, err := findProgram(program); err != nil {
				packages = append(packages, s.packages...)
				break
			}
		}
	}
	return packages
}

// variables returns the variables which provide the servers from elsewhere.
func variables(wanted []*server) []string {
	var names []string
	for _, s := range wanted {
		names = append(names, s.variable)
	}
	return names
}

// rootShell returns the command line which starts a shell as root, and false if
// there is no apt-get or no way to be root without a password.
func rootShell(ctx context.Context) ([]string, bool) {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return nil, false
	}
	if os.Geteuid() == 0 {
		return []string{"sh"}, true
	}
	if exec.CommandContext(ctx, "sudo", "-n", "true").Run() == nil {
		return []string{"sudo", "-n", "sh"}, true
	}
	return nil, false
}
