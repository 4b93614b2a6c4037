package testdb

import (
	"bufio"
	"fmt"
	"net"
	"testing"
	"time"
)

func TestRedisAnswers(t *testing.T) {
	addr, ok := RedisAddr(t)
	if !ok {
		return
	}
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprint(conn, "PING\r\n")
	if answer, err := bufio.NewReader(conn).ReadString('\n'); answer != "+PONG\r\n" {
		t.Errorf("PING answered %q, %v", answer, err)
	}
}
