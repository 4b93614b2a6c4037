// Package clock is the one place of this module that reads the machine's clock.
// Everything else is given a clock, so that tests and simulations own time:
// clock.System is what a nil clock in options stands for.
package clock
