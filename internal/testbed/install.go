//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// installMissing installs the packages of servers whose programs are missing.
// Services these packages may start are not ours and are not used.
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
	apt, ok := aptGet(ctx)
	if !ok {
		return fmt.Errorf("missing programs: install the packages %s (or newer names for them), or set %s",
			strings.Join(packages, ", "), strings.Join(variables(wanted), ", "))
	}
	report("installing %s", strings.Join(packages, ", "))
	for _, args := range [][]string{
		{"update", "-qq"},
		append([]string{"install", "-qq", "-y", "--no-install-recommends"}, packages...),
	} {
		cmd := exec.CommandContext(ctx, apt[0], append(apt[1:], args...)...)
		if output, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("apt-get %s: %w\n%s", args[0], err, output)
		}
	}
	return nil
}

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

// aptGet returns the command line which starts apt-get as root, and false if
// there is no apt-get or no way to be root without a password.
func aptGet(ctx context.Context) ([]string, bool) {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return nil, false
	}
	apt := []string{"env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=600"}
	if os.Geteuid() == 0 {
		return apt, true
	}
	if exec.CommandContext(ctx, "sudo", "-n", "true").Run() == nil {
		return append([]string{"sudo", "-n"}, apt...), true
	}
	return nil, false
}
