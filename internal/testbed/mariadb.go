//go:build linux || darwin

package main

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strconv"
	"syscall"

	_ "github.com/go-sql-driver/mysql" // driver "mysql"

	"github.com/softdelete-go/softdelete/internal/clock"
)

// startMariaDB starts a MariaDB server that never syncs to disk. Its root
// account has no password.
func startMariaDB(ctx context.Context, b *bed) error {
	begin := clock.System.Now()
	owner, err := serverAccount("mysql")
	if err != nil {
		return err
	}
	install, err := findProgram("mariadb-install-db")
	if err != nil {
		return err
	}
	mariadbd, err := findProgram("mariadbd")
	if err != nil {
		return err
	}
	port, err := b.ports.take()
	if err != nil {
		return err
	}
	data, err := b.mkdir("mariadb", owner)
	if err != nil {
		return err
	}
	options := []string{
		"--no-defaults", // must come first
		"--datadir=" + data,
		"--skip-log-bin",
		"--innodb-buffer-pool-size=64M",
		"--innodb-flush-log-at-trx-commit=0",
		"--innodb-flush-method=nosync",
		"--innodb-doublewrite=0",
	}
	err = b.runTool(ctx, owner, install, append(options, "--auth-root-authentication-method=normal", "--skip-test-db")...)
	if err != nil {
		return err
	}
	p := &process{name: "mariadb", owner: owner, stopSignal: syscall.SIGKILL}
	err = b.spawn(p, mariadbd, append(options,
		"--bind-address=127.0.0.1",
		"--port="+strconv.Itoa(port),
		"--socket="+filepath.Join(data, "socket"),
		"--pid-file="+filepath.Join(data, "pid"),
		"--skip-name-resolve",
		"--max-connections=300",
		"--character-set-server=utf8mb4",
	)...)
	if err != nil {
		return err
	}
	dsn := fmt.Sprintf("root@tcp(%s)/", loopback(port))
	b.setenv("SOFTDELETE_MYSQL_DSN", dsn)
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	return waitReady(ctx, p, begin, db.PingContext)
}
