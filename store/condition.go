package store

import (
	"fmt"
	"strings"

	"github.com/softdelete-go/softdelete/internal/sqltext"
	"github.com/softdelete-go/softdelete/lifecycle"
)

// condition is a caller's part of a WHERE clause that was read and found whole.
type condition struct {
	pieces []string // the text around its arguments
	args   []any
}

// condition reads a caller's condition by its tokens. It has to stand by
// itself between parentheses, name a column and have an argument for each
// placeholder; else it could widen what the statement deletes.
func (d *Dialect) condition(c lifecycle.Condition) (*condition, error) {
	fail := func(format string, args ...any) (*condition, error) {
		return nil, fmt.Errorf("%w: Selection.Where: %s", lifecycle.ErrInvalid, fmt.Sprintf(format, args...))
	}
	text, args, err := c.ToSql()
	if err != nil {
		return nil, fmt.Errorf("%w: Selection.Where: %w", lifecycle.ErrInvalid, err)
	}
	tokens, err := sqltext.Lex(text, d.Text)
	if err != nil {
		return fail("%v", err)
	}
	if reason := standsAlone(text, tokens); reason != "" {
		return fail("%s", reason)
	}
	out := &condition{args: args}
	from := 0
	var piece strings.Builder
	for _, t := range tokens {
		switch t.Kind {
		case sqltext.Placeholder:
			piece.WriteString(text[from:t.Start])
			out.pieces = append(out.pieces, piece.String())
			piece.Reset()
			from = t.End
		case sqltext.Question:
			piece.WriteString(text[from : t.Start+1])
			from = t.End
		}
	}
	piece.WriteString(text[from:])
	out.pieces = append(out.pieces, piece.String())
	if n := len(out.pieces) - 1; n != len(args) {
		return fail("%d placeholders and %d arguments", n, len(args))
	}
	return out, nil
}

// write puts the condition into a statement, its arguments numbered there.
func (c *condition) write(w *writer) {
	w.put(c.pieces[0])
	for i, v := range c.args {
		w.value(v)
		w.put(c.pieces[i+1])
	}
}

// standsAlone tells why a text is no condition by itself; empty where it is one.
func standsAlone(text string, tokens []sqltext.Token) string {
	depth, names := 0, false
	for i, t := range tokens {
		word := text[t.Start:t.End]
		switch {
		case t.Kind == sqltext.Comment:
			return "has a comment"
		case t.Kind == sqltext.Quoted:
			names = true
		case t.Kind == sqltext.Word:
			names = names || !constant(word) && !called(text, tokens, i)
		case word == "(":
			depth++
		case word == ")":
			depth--
		case word == ";":
			return "has a semicolon"
		}
		if depth < 0 {
			return "closes a parenthesis that it did not open"
		}
	}
	switch {
	case depth != 0:
		return "leaves a parenthesis open"
	case !names:
		return "names no column (an empty condition would select every row)"
	}
	return ""
}

// called tells whether the word before a parenthesis is a function's name, or a
// keyword that stands there.
func called(text string, tokens []sqltext.Token, i int) bool {
	return i+1 < len(tokens) && text[tokens[i+1].Start:tokens[i+1].End] == "("
}

// constant tells whether a word is part of an expression without columns.
func constant(word string) bool {
	switch strings.ToUpper(word) {
	case "TRUE", "FALSE", "NULL", "NOT", "AND", "OR", "XOR", "IS", "IN", "LIKE", "BETWEEN", "UNKNOWN", "DIV", "MOD":
		return true
	}
	return false
}
