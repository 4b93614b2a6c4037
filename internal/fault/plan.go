package fault

import (
	"errors"
	"sync"
)

// ErrInjected is the failure.
var ErrInjected = errors.New("injected fault")

// Mode is what a failing call does.
type Mode uint8

const (
	// Before fails without doing anything.
	Before Mode = iota
	// After does the work and loses the answer.
	After
)

// Plan says which call fails. It is safe for concurrent use.
type Plan struct {
	mu    sync.Mutex
	left  int
	mode  Mode
	armed bool
	fired bool
}

// Arm makes the i-th call from now fail, counted from 0.
func (p *Plan) Arm(i int, mode Mode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left, p.mode, p.armed, p.fired = i, mode, true, false
}

// Disarm lets every call pass.
func (p *Plan) Disarm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.armed = false
}

// Fired tells whether a call failed since Arm.
func (p *Plan) Fired() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fired
}

// next tells what the call that starts now does.
func (p *Plan) next() (fail bool, mode Mode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.armed {
		return false, Before
	}
	if p.left--; p.left >= 0 {
		return false, Before
	}
	p.armed, p.fired = false, true
	return true, p.mode
}

// call runs work under the plan.
func call[T any](p *Plan, work func() (T, error)) (T, error) {
	var zero T
	fail, mode := p.next()
	if fail && mode == Before {
		return zero, ErrInjected
	}
	result, err := work()
	if fail && err == nil {
		return zero, ErrInjected
	}
	return result, err
}
