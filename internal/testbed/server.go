//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// server is one kind of server the test bed can start.
type server struct {
	name     string
	variable string   // when it is set the server is provided already
	programs []string // what must be installed
	packages []string // the Debian packages which have the programs

	// start returns when the server answers and its variables are set.
	start func(context.Context, *bed) error
}

// servers are all of them, in the order of -only's default.
var servers = []*server{
	{
		name:     "postgres",
		variable: "SOFTDELETE_POSTGRES_DSN",
		programs: []string{"postgres", "initdb"},
		packages: []string{"postgresql"},
		start:    startPostgres,
	},
	{
		name:     "mariadb",
		variable: "SOFTDELETE_MYSQL_DSN",
		programs: []string{"mariadbd", "mariadb-install-db"},
		packages: []string{"mariadb-server"},
		start:    startMariaDB,
	},
	{
		name:     "redis",
		variable: "SOFTDELETE_REDIS_ADDR",
		programs: []string{"redis-server"},
		packages: []string{"redis-server"},
		start:    startRedis,
	},
	{
		name:     "s3",
		variable: "SOFTDELETE_S3_ENDPOINT",
		start:    startS3,
	},
}

// serverNames returns the names -only takes.
func serverNames() []string {
	var names []string
	for _, s := range servers {
		names = append(names, s.name)
	}
	return names
}

// selectServers returns the servers with the comma-separated names.
func selectServers(names string) ([]*server, error) {
	chosen := map[string]bool{}
	for name := range strings.SplitSeq(names, ",") {
		chosen[name] = true
	}
	var selected []*server
	for _, s := range servers {
		if chosen[s.name] {
			selected = append(selected, s)
			delete(chosen, s.name)
		}
	}
	for name := range chosen {
		return nil, fmt.Errorf("-only: no server %q (there are %s)", name, strings.Join(serverNames(), ", "))
	}
	return selected, nil
}

// findProgram looks for a program in PATH and where distributions hide servers
// from it. Of several versions of PostgreSQL it returns the newest.
func findProgram(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	versions, _ := filepath.Glob("/usr/lib/postgresql/[1-9][0-9]/bin")
	for i := range versions {
		dir := versions[len(versions)-1-i]
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	for _, dir := range []string{"/usr/sbin", "/usr/local/sbin"} {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: not found", name)
}

// waitReady calls probe until it succeeds, the process is gone, or it took too
// long. It reports the time since begin.
func waitReady(ctx context.Context, p *process, begin time.Time, probe func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		probeCtx, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := probe(probeCtx)
		cancel()
		if err == nil {
			report("%s ready in %s", p.name, since(begin))
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("ended early: %v\n%s", p.err, p.logTail())
		case <-ctx.Done():
			return fmt.Errorf("not ready: %v\n%s", err, p.logTail())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// writeConfig writes a file only its owner can read.
func writeConfig(path, content string) error {
	return os.WriteFile(path, []byte(content), 0o600)
}
