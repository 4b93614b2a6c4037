//go:build linux || darwin

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
)

// Ports below the range from which kernels take those of outgoing connections:
// a port found free there could be taken before the server binds it.
const (
	firstPort = 20000
	lastPort  = 31999
	blockSize = 20
)

// portBlock hands out free ports. Its first port is held open, which keeps the
// block from other test beds.
type portBlock struct {
	lock net.Listener

	mu   sync.Mutex
	next int
	end  int
}

// reservePorts returns a block no other test bed has.
func reservePorts() (*portBlock, error) {
	for range 100 {
		first := firstPort + rand.IntN((lastPort-firstPort)/blockSize)*blockSize
		lock, err := net.Listen("tcp", loopback(first))
		if err == nil {
			return &portBlock{lock: lock, next: first + 1, end: first + blockSize}, nil
		}
	}
	return nil, fmt.Errorf("no free ports between %d and %d", firstPort, lastPort)
}

// take returns a free port.
func (b *portBlock) take() (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.next < b.end {
		port := b.next
		b.next++
		if l, err := net.Listen("tcp", loopback(port)); err == nil {
			l.Close()
			return port, nil
		}
	}
	return 0, errors.New("no free ports left")
}

// release gives the block back.
func (b *portBlock) release() { b.lock.Close() }

// loopback returns the address of the port on the loopback interface.
func loopback(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }
