package store

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// call is what one verb knows when it runs a prepared text.
type call struct {
	at      time.Time // cut to the microsecond
	by      string
	op      lifecycle.Op
	key     lifecycle.Key
	version int64

	recorded bool // the operation's own record is written
}

// arg is an argument of a prepared text: a value, or what takes one out of a
// call.
type arg struct {
	value any
	of    func(*call) any
}

// prepared is a statement's text with what to bind, made once and used often.
type prepared struct {
	text string
	args []arg
}

func (p prepared) bind(c *call) []any {
	args := make([]any, len(p.args))
	for i, a := range p.args {
		if args[i] = a.value; a.of != nil {
			args[i] = a.of(c)
		}
	}
	return args
}

// writer builds a statement. Values never enter the text.
type writer struct {
	strings.Builder
	d    *Dialect
	args []arg
}

func (w *writer) prepared() prepared { return prepared{w.String(), w.args} }

func (w *writer) bound(a arg) {
	w.args = append(w.args, a)
	w.placeholder(len(w.args))
}

func (w *writer) arg(of func(*call) any) { w.bound(arg{of: of}) }
func (w *writer) value(v any)            { w.bound(arg{value: v}) }

func (w *writer) placeholder(n int) {
	if !w.d.Numbered {
		w.WriteByte('?')
		return
	}
	var digits [8]byte
	w.WriteByte('$')
	w.Write(strconv.AppendInt(digits[:0], int64(n), 10))
}

// room makes room for n more arguments.
func (w *writer) room(n int) {
	w.args = slices.Grow(w.args, n+8)
	w.Grow(7 * n)
}

// put writes pieces of text.
func (w *writer) put(pieces ...string) {
	for _, p := range pieces {
		w.Builder.WriteString(p)
	}
}

// list writes n things with a separator between them.
func (w *writer) list(n int, sep string, write func(i int)) {
	for i := range n {
		if i > 0 {
			w.put(sep)
		}
		write(i)
	}
}

// ident quotes an identifier: the quote inside is doubled.
func (d *Dialect) ident(name string) string {
	q := string(d.Quote)
	return q + strings.ReplaceAll(name, q, q+q) + q
}

// appendIdent is ident for texts that are bytes.
func (d *Dialect) appendIdent(b []byte, name string) []byte { return append(b, d.ident(name)...) }

func (d *Dialect) qualified(schema, name string) string {
	if schema == "" {
		return d.ident(name)
	}
	return d.ident(schema) + "." + d.ident(name)
}

// instant is the moment of the call as a column of the encoding holds it.
func (w *writer) instant(e lifecycle.Encoding) {
	d := w.d
	w.arg(func(c *call) any { return d.bind(e, e.Cut(c.at)) })
}
