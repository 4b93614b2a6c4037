package source

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// Cache is where corpora are kept.
type Cache struct {
	// Dir is the directory. Required.
	Dir string
}

// module returns the directory of a Go module's source. A module that this one is
// built with has the version it is built with.
func (c Cache) module(path, version string) (string, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				version = m.Version
			}
		}
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return "", err
	}
	out, err := c.run("go", "mod", "download", "-json", path+"@"+version)
	if err != nil {
		return "", err
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return "", fmt.Errorf("source: %s: %w", path, err)
	}
	return m.Dir, nil
}

// debian returns the directory with the files of a Debian source package that
// match the patterns. The packages are alternatives, the first one first.
func (c Cache) debian(packages []string, patterns ...string) (string, error) {
	var faults []error
	for _, p := range packages {
		dir := filepath.Join(c.Dir, p)
		if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
			return dir, nil
		}
		err := c.source(p, dir, patterns)
		if err == nil {
			return dir, os.WriteFile(filepath.Join(dir, "complete"), nil, 0o644)
		}
		faults = append(faults, err)
	}
	return "", errors.Join(faults...)
}

// source downloads a package and unpacks it. Not every version a list names is
// still there.
func (c Cache) source(name, dir string, patterns []string) error {
	options, err := c.apt()
	if err != nil {
		return err
	}
	list, err := c.run("apt-cache", append(options, "showsrc", "--only-source", name)...)
	if err != nil {
		return err
	}
	var faults []error
	for lines := bufio.NewScanner(bytes.NewReader(list)); lines.Scan(); {
		version, ok := strings.CutPrefix(lines.Text(), "Version: ")
		if !ok {
			continue
		}
		if _, err := c.run("apt-get", append(options, "source", "--download-only", "--tar-only", name+"="+version)...); err != nil {
			faults = append(faults, err)
			continue
		}
		return c.unpack(name, version, dir, patterns)
	}
	return errors.Join(append(faults, fmt.Errorf("source: no version of %s could be had", name))...)
}

func (c Cache) unpack(name, version, dir string, patterns []string) error {
	if _, after, ok := strings.Cut(version, ":"); ok {
		version = after
	}
	if i := strings.LastIndexByte(version, '-'); i >= 0 {
		version = version[:i]
	}
	tars, err := filepath.Glob(filepath.Join(c.Dir, name+"_"+version+".orig.tar.*"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, tar := range tars {
		if filepath.Ext(tar) == ".asc" {
			continue
		}
		if _, err := c.run("tar", append([]string{"-C", dir, "-xf", tar, "--wildcards"}, patterns...)...); err != nil {
			return err
		}
		return os.Remove(tar)
	}
	return fmt.Errorf("source: %s %s has no sources", name, version)
}

// apt returns the options for which apt knows the sources of the packages it
// installs; the system's own lists are not touched.
func (c Cache) apt() ([]string, error) {
	root := filepath.Join(c.Dir, "apt")
	lists := filepath.Join(root, "lists")
	parts := filepath.Join(root, "sources.list.d")
	for _, dir := range []string{filepath.Join(lists, "partial"), filepath.Join(root, "cache"), parts} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	options := []string{"-q", "-o", "Dir::State::Lists=" + lists, "-o", "Dir::Cache=" + filepath.Join(root, "cache"),
		"-o", "Dir::Etc::SourceList=" + filepath.Join(root, "sources.list"), "-o", "Dir::Etc::SourceParts=" + parts, "-o", "APT::Sandbox::User=root"}
	found, err := filepath.Glob("/etc/apt/sources.list.d/*")
	if err != nil {
		return nil, err
	}
	for _, path := range append(found, "/etc/apt/sources.list") {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		s := strings.ReplaceAll("\n"+string(text), "\nTypes: deb\n", "\nTypes: deb-src\n")
		s = strings.ReplaceAll(s, "\ndeb ", "\ndeb-src ")
		to := filepath.Join(parts, filepath.Base(path))
		if filepath.Dir(path) == "/etc/apt" {
			to = filepath.Join(root, "sources.list")
		}
		if err := os.WriteFile(to, []byte(s), 0o644); err != nil {
			return nil, err
		}
	}
	_, err = c.run("apt-get", append(options, "update")...)
	return options, err
}

func (c Cache) run(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = c.Dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("source: %s: %w: %s%s", cmd, err, stderr.String(), out)
	}
	return out, nil
}
