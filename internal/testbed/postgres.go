//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"strconv"
	"syscall"

	"github.com/jackc/pgx/v5"

	"github.com/softdelete-go/softdelete/internal/clock"
)

// startPostgres starts a PostgreSQL server that never syncs to disk.
func startPostgres(ctx context.Context, b *bed) error {
	begin := clock.System.Now()
	owner, err := serverAccount("postgres")
	if err != nil {
		return err
	}
	initdb, err := findProgram("initdb")
	if err != nil {
		return err
	}
	postgres, err := findProgram("postgres")
	if err != nil {
		return err
	}
	port, err := b.ports.take()
	if err != nil {
		return err
	}
	data, err := b.mkdir("postgres", owner)
	if err != nil {
		return err
	}
	err = b.runTool(ctx, owner, initdb, "--pgdata="+data, "--username=postgres", "--auth=trust",
		"--encoding=UTF8", "--locale=C", "--no-sync")
	if err != nil {
		return err
	}
	// SIGQUIT stops it at once too, but lets it give its shared memory back.
	p := &process{name: "postgres", owner: owner, stopSignal: syscall.SIGQUIT}
	err = b.spawn(p, postgres, "-D", data,
		"-c", "listen_addresses=127.0.0.1",
		"-c", "port="+strconv.Itoa(port),
		"-c", "unix_socket_directories="+data,
		"-c", "max_connections=300",
		"-c", "fsync=off",
		"-c", "full_page_writes=off",
		"-c", "synchronous_commit=off",
		"-c", "dynamic_shared_memory_type=mmap",
	)
	if err != nil {
		return err
	}
	dsn := fmt.Sprintf("postgres://postgres@%s/postgres?sslmode=disable", loopback(port))
	b.setenv("SOFTDELETE_POSTGRES_DSN", dsn)
	return waitReady(ctx, p, begin, func(ctx context.Context) error {
		conn, err := pgx.Connect(ctx, dsn)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		return conn.Ping(ctx)
	})
}
