package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// printer writes the timeline, and progress where there is a terminal.
type printer struct {
	out, progress io.Writer // progress is nil without a terminal
	pending       bool
}

func newPrinter(stdout, stderr io.Writer) *printer {
	p := &printer{out: stdout}
	if f, ok := stderr.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.progress = stderr
		}
	}
	return p
}

// step shows how far a stage has come, on one line that is written over.
func (p *printer) step(what string, done, of int64) {
	if p.progress == nil {
		return
	}
	line := fmt.Sprintf("%s %d", what, done)
	if of > 0 {
		line = fmt.Sprintf("%s %d of %d", what, done, of)
	}
	fmt.Fprintf(p.progress, "\r%-60s", line)
	p.pending = true
}

func (p *printer) printf(format string, args ...any) {
	if p.pending {
		fmt.Fprintf(p.progress, "\r%-60s\r", "")
		p.pending = false
	}
	fmt.Fprintf(p.out, format, args...)
}

// census is how many rows are in each state, and what the bucket holds.
type census struct {
	active, trashed, purged, reclaimed int64
	objects, bytes                     int64
}

func (p *printer) head() {
	p.printf("\n%-4s %-52s %7s %7s %7s %9s   %s\n", "day", "what happened", "active", "trashed", "purged", "reclaimed", "in the bucket")
	p.printf("%s\n", strings.Repeat("-", 118))
}

func (p *printer) line(day int, c census, format string, args ...any) {
	p.printf("%4d %-52s %7d %7d %7d %9d   %d versions, %s\n",
		day, fmt.Sprintf(format, args...), c.active, c.trashed, c.purged, c.reclaimed, c.objects, size(c.bytes))
}

// note adds a line to the event above it.
func (p *printer) note(format string, args ...any) {
	p.printf("     %s\n", fmt.Sprintf(format, args...))
}

// size writes a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}
