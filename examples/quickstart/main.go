package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		stop()
		os.Exit(1)
	}
}

// settings are the command line.
type settings struct {
	dir, dsn, s3 string
	keep         bool
}

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.dir, "dir", "", "the `directory` whose files are stored (default: this module's)")
	flags.StringVar(&s.dsn, "dsn", "", "a PostgreSQL `URL`, or a data source name of MySQL or MariaDB as user@tcp(host)/name (default: SQLite in a temporary file)")
	flags.StringVar(&s.s3, "s3", "", "the `URL` of an S3 endpoint with the bucket as its path (default: a store in this process)")
	flags.BoolVar(&s.keep, "keep", false, "leave the tables and the objects behind")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q (the directory is given with -dir)", flags.Arg(0))
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if s.dir == "" {
		if s.dir, err = moduleDir(); err != nil {
			return err
		}
	}
	files, err := findFiles(s.dir)
	if err != nil {
		return err
	}
	out := newPrinter(stdout, stderr)
	w, err := open(ctx, s, out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close(s.keep)) }()
	return w.live(ctx, files)
}
