package sqltext

import (
	"strings"
	"unicode/utf8"
)

func (l *lexer) lineComment() error {
	if l.text[l.at] == '-' && l.mode.HashComment {
		switch l.peek(2) {
		case ' ', '\t', '\n', '\r':
		default:
			return l.fail("two minus signs, which only some servers read as a comment")
		}
	}
	end := len(l.text)
	if i := strings.IndexAny(l.text[l.at:], "\r\n"); i >= 0 {
		end = l.at + i
	}
	if end < len(l.text) && l.text[end] == '\r' && !strings.HasPrefix(l.text[end:], "\r\n") {
		return l.fail("a comment with a carriage return, where only some servers end it")
	}
	l.emit(Comment, end)
	return nil
}

func (l *lexer) blockComment() error {
	if c := l.peek(2); c == '!' || c == 'M' && l.peek(3) == '!' {
		return l.fail("a comment that some servers execute")
	}
	depth := 0
	for i := l.at; i+1 < len(l.text); i++ {
		switch {
		case l.text[i] == '/' && l.text[i+1] == '*':
			if depth > 0 && !l.mode.NestedComment {
				return l.fail("a comment inside a comment")
			}
			depth, i = depth+1, i+1
		case l.text[i] == '*' && l.text[i+1] == '/':
			depth, i = depth-1, i+1
			if depth == 0 {
				l.emit(Comment, i+1)
				return nil
			}
		}
	}
	return l.fail("a comment without its end")
}

// dollar reads $tag$…$tag$. A dollar and a number, in SQLite a name, would be an
// argument, which texts given to this module mark with a question mark.
func (l *lexer) dollar() error {
	if !l.mode.Dollar {
		return l.fail("a dollar sign (arguments are marked with ?)")
	}
	end := l.at + 1
	for end < len(l.text) && l.text[end] != '$' {
		r, size := utf8.DecodeRuneInString(l.text[end:])
		if !wordPart(r) || unreadable(r) || end == l.at+1 && r >= '0' && r <= '9' {
			return l.fail("a dollar sign (arguments are marked with ?)")
		}
		end += size
	}
	if end == len(l.text) {
		return l.fail("a dollar sign (arguments are marked with ?)")
	}
	tag := l.text[l.at : end+1]
	if i := strings.Index(l.text[end+1:], tag); i >= 0 {
		l.emit(String, end+1+i+len(tag))
		return nil
	}
	return l.fail("a dollar quotation without its end")
}
