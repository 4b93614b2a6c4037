//go:build linux || darwin

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/softdelete-go/softdelete/internal/clock"
)

// exitInterrupted is the shells' exit code for a command ended by SIGINT.
const exitInterrupted = 130

func main() {
	only := flag.String("only", strings.Join(serverNames(), ","), "comma-separated `servers` to start")
	keep := flag.Bool("keep", false, "keep the temporary directory, for its logs")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends us at once
	stopWithParent()             // "go run" doesn't pass signals on

	code, err := run(ctx, *only, *keep, flag.Args())
	if ctx.Err() != nil {
		code, err = exitInterrupted, context.Cause(ctx)
	}
	if err != nil {
		report("%v", err)
	}
	os.Exit(code)
}

// run returns the exit code of the command, or 1 and an error.
func run(ctx context.Context, only string, keep bool, command []string) (code int, err error) {
	wanted, err := selectServers(only)
	if err != nil {
		return 1, err
	}
	b, err := newBed()
	if err != nil {
		return 1, err
	}
	defer func() {
		if closeErr := b.close(keep); err == nil && closeErr != nil {
			code, err = 1, closeErr
		}
	}()

	begin := clock.System.Now()
	if err := b.start(ctx, wanted); err != nil {
		return 1, err
	}
	report("ready after %s", since(begin))
	if len(command) == 0 {
		for _, variable := range b.env {
			fmt.Println("export " + quoted(variable))
		}
		<-ctx.Done()
		return 0, nil
	}
	return runCommand(ctx, command, b.env)
}

// quoted returns NAME='value' for a shell: DSNs have parentheses in them.
func quoted(variable string) string {
	name, value, _ := strings.Cut(variable, "=")
	return name + "='" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}

// report prints a line of progress.
func report(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "testbed: "+format+"\n", args...)
}

// since returns the time passed, rounded for people.
func since(begin time.Time) time.Duration {
	return clock.System.Now().Sub(begin).Round(100 * time.Millisecond)
}
