// Command testbed runs a command with private servers for the tests:
//
//	go run ./internal/testbed -- go test ./...
//
// It starts PostgreSQL, MariaDB, Redis and an S3 server (SeaweedFS) in a
// temporary directory, listening on the loopback interface only, and tells the
// command where they are through the SOFTDELETE_ variables which package testdb
// reads. It exits with the command's exit code ("go run" makes 1 of any but 0),
// after the servers are stopped and the directory is removed. Without a command
// it prints the variables, for a shell's eval, and waits for an interrupt.
//
// A server whose variable is set already is left alone; -only chooses among the
// others. Missing programs are installed with apt-get where root or sudo allows
// it, without starting the services in these packages; SeaweedFS is compiled
// once, which takes some ten minutes, and kept in the user's cache directory.
// Any number of test beds may run at once. A test bed that is killed takes its
// servers along on Linux, and the next one removes its directory.
package main
