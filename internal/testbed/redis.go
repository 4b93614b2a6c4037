//go:build linux || darwin

package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strconv"
	"syscall"

	"github.com/softdelete-go/softdelete/internal/clock"
)

// startRedis starts a Redis server that saves nothing.
func startRedis(ctx context.Context, b *bed) error {
	begin := clock.System.Now()
	redis, err := findProgram("redis-server")
	if err != nil {
		return err
	}
	port, err := b.ports.take()
	if err != nil {
		return err
	}
	p := &process{name: "redis", stopSignal: syscall.SIGKILL}
	err = b.spawn(p, redis,
		"--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--save", "", "--dir", b.dir)
	if err != nil {
		return err
	}
	addr := loopback(port)
	b.setenv("SOFTDELETE_REDIS_ADDR", addr)
	return waitReady(ctx, p, begin, func(ctx context.Context) error { return pingRedis(ctx, addr) })
}

// pingRedis sends PING and wants PONG.
func pingRedis(ctx context.Context, addr string) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		conn.SetDeadline(deadline)
	}
	if _, err := fmt.Fprint(conn, "PING\r\n"); err != nil {
		return err
	}
	answer, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil && answer != "+PONG\r\n" {
		err = fmt.Errorf("PING answered %q", answer)
	}
	return err
}
