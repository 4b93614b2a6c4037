//go:build linux || darwin

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/softdelete-go/softdelete/internal/clock"
)

// weedPackage is SeaweedFS's program. Its version is in weedModule's go.mod.
const (
	weedPackage = "github.com/seaweedfs/seaweedfs/weed"
	weedModule  = "internal/tools/weed"
)

// weedProgram returns the path of the compiled weed, which it compiles first
// if no test bed on this machine has done so.
func weedProgram(ctx context.Context) (string, error) {
	module, err := weedDir(ctx)
	if err != nil {
		return "", err
	}
	hash, err := weedHash(module)
	if err != nil {
		return "", err
	}
	path, err := cachePath("weed-" + hash)
	if err != nil {
		return "", err
	}
	if isFile(path) {
		return path, nil
	}
	unlock, err := lockFile(ctx, "weed-"+hash+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if isFile(path) {
		return path, nil
	}
	return path, buildWeed(ctx, module, path)
}

// weedDir returns the directory of the nested module.
func weedDir(ctx context.Context) (string, error) {
	output, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	gomod := string(bytes.TrimSpace(output))
	if gomod == "" || gomod == os.DevNull {
		return "", errors.New("run the test bed inside its repository")
	}
	return filepath.Join(filepath.Dir(gomod), filepath.FromSlash(weedModule)), nil
}

// weedHash identifies what weed is built from and for.
func weedHash(module string) (string, error) {
	hash := sha256.New()
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(module, name))
		if err != nil {
			return "", err
		}
		hash.Write(content)
	}
	fmt.Fprint(hash, runtime.GOOS, "/", runtime.GOARCH)
	return fmt.Sprintf("%x", hash.Sum(nil)[:6]), nil
}

// buildWeed compiles weed. The file appears under its name when it is whole;
// the caller's lock makes the name of the unfinished one ours.
func buildWeed(ctx context.Context, module, path string) error {
	begin := clock.System.Now()
	report("compiling the S3 server, once: about 10 minutes on 2 cores")
	temporary := path + ".partial"
	defer os.Remove(temporary)

	cmd := exec.CommandContext(ctx, "go", "build", "-o", temporary, weedPackage)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.SysProcAttr = attributes(nil, syscall.SIGTERM)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output

	done := make(chan error, 1)
	go func() { done <- cmd.Run() }()
	for {
		select {
		case err := <-done:
			if err != nil {
				return fmt.Errorf("go build %s: %w\n%s", weedPackage, err, output.Bytes())
			}
			report("compiled the S3 server in %s", since(begin))
			return os.Rename(temporary, path)
		case <-time.After(15 * time.Second):
			report("still compiling the S3 server after %s", clock.System.Now().Sub(begin).Round(time.Second))
		}
	}
}

// isFile reports whether there is a file.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
