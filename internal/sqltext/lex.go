// Package sqltext reads SQL text: the module's one lexer. It changes nothing and
// understands no grammar; it splits a text into tokens at known offsets, so that
// its callers can decide by tokens and never by searching text. What it cannot
// split for certain it refuses.
package sqltext

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Kind is what a token is.
type Kind uint8

const (
	// Word is an unquoted identifier or a keyword.
	Word Kind = iota + 1
	// Quoted is a quoted identifier.
	Quoted
	// String is a string literal of any form.
	String
	// Number is a numeric literal.
	Number
	// Placeholder is a question mark that stands for an argument.
	Placeholder
	// Question is a doubled question mark: an operator with a question mark in
	// it, escaped as squirrel does.
	Question
	// Comment is a comment, from its opening to its end.
	Comment
	// Symbol is any other single character.
	Symbol
)

// Token is a piece of the text: text[Start:End].
type Token struct {
	Kind       Kind
	Start, End int
}

// Mode is how a server splits text; it differs between servers and settings.
type Mode struct {
	// Quote is the character around identifiers.
	Quote byte
	// Backslash says that a backslash escapes inside string literals.
	Backslash bool
	// HashComment says that # starts a comment, and that -- does so only before
	// white space.
	HashComment bool
	// Dollar says that $tag$ starts a string literal.
	Dollar bool
	// DoubleString says that a double quote encloses a string, not an identifier.
	DoubleString bool
	// NestedComment says that comments nest.
	NestedComment bool
}

// Error says why and at which byte a text was refused.
type Error struct {
	Offset int
	Reason string
}

// Error reads "at byte 7: …".
func (e *Error) Error() string { return fmt.Sprintf("at byte %d: %s", e.Offset, e.Reason) }

// Lex splits a text. The error is an *Error.
func Lex(text string, m Mode) ([]Token, error) {
	l := lexer{text: text, mode: m}
	for l.at < len(text) {
		if err := l.next(); err != nil {
			return nil, err
		}
	}
	return l.tokens, nil
}

type lexer struct {
	text   string
	mode   Mode
	at     int
	tokens []Token
}

func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.text) {
		return l.text[l.at+n]
	}
	return 0
}

func (l *lexer) emit(k Kind, end int) {
	l.tokens = append(l.tokens, Token{k, l.at, end})
	l.at = end
}

func (l *lexer) fail(reason string) error { return &Error{l.at, reason} }

func (l *lexer) next() error {
	c := l.text[l.at]
	switch {
	case c == 0:
		return l.fail("a NUL byte")
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
		l.at++
		return nil
	case c == '\'':
		return l.quoted(String, '\'', l.mode.Backslash)
	case c == l.mode.Quote:
		return l.quoted(Quoted, c, false)
	case c == '"' && l.mode.DoubleString:
		return l.quoted(String, '"', l.mode.Backslash)
	case c == '"' || c == '`' || c == '[' && l.bracketed():
		return l.fail("a quotation mark this server may read in two ways")
	case c == '-' && l.peek(1) == '-', c == '#' && l.mode.HashComment:
		return l.lineComment()
	case c == '/' && l.peek(1) == '*':
		return l.blockComment()
	case c == '$' && l.mode.Dollar:
		return l.dollar()
	case c == '?' && l.peek(1) == '?':
		l.emit(Question, l.at+2)
	case c == '?':
		l.emit(Placeholder, l.at+1)
	case c >= '0' && c <= '9':
		l.number()
	case wordStart(l.rune()):
		return l.word()
	case c < 0x20 || c == 0x7f || l.rune() == utf8.RuneError:
		return l.fail("a character that is no text")
	default:
		l.emit(Symbol, l.at+1)
	}
	return nil
}

// bracketed tells whether a bracket would quote an identifier: SQLite reads
// [name] so, PostgreSQL an array.
func (l *lexer) bracketed() bool { return !l.mode.Dollar }

func (l *lexer) rune() rune {
	r, _ := utf8.DecodeRuneInString(l.text[l.at:])
	return r
}

func wordStart(r rune) bool {
	return r == '_' || r != utf8.RuneError && unicode.IsLetter(r) || r >= 0x80 && r != utf8.RuneError
}

func wordPart(r rune) bool { return wordStart(r) || r == '$' || unicode.IsDigit(r) }

func (l *lexer) quoted(k Kind, quote byte, backslash bool) error {
	for i := l.at + 1; i < len(l.text); i++ {
		switch l.text[i] {
		case 0:
			return l.fail("a NUL byte")
		case '\\':
			if backslash {
				i++
			}
		case quote:
			if i+1 < len(l.text) && l.text[i+1] == quote {
				i++
				continue
			}
			l.emit(k, i+1)
			return nil
		}
	}
	return l.fail("a quotation mark without its end")
}

func (l *lexer) word() error {
	end := l.at
	for end < len(l.text) {
		r, size := utf8.DecodeRuneInString(l.text[end:])
		if !wordPart(r) || r == utf8.RuneError {
			break
		}
		end += size
	}
	// A prefix such as E'…', N'…' or _utf8'…' changes how the string is read.
	if end < len(l.text) && l.text[end] == '\'' {
		return l.fail("a string with a prefix")
	}
	l.emit(Word, end)
	return nil
}

func (l *lexer) number() {
	end := l.at
	for end < len(l.text) {
		c := l.text[end]
		exponent := (c == '+' || c == '-') && end > l.at && (l.text[end-1] == 'e' || l.text[end-1] == 'E')
		if c != '.' && !exponent && !wordPart(rune(c)) {
			break
		}
		end++
	}
	l.emit(Number, end)
}

func (l *lexer) lineComment() error {
	if l.text[l.at] == '-' && l.mode.HashComment {
		switch l.peek(2) {
		case ' ', '\t', '\n', '\r':
		default:
			return l.fail("two minus signs, which only some servers read as a comment")
		}
	}
	end := l.at
	for end < len(l.text) && l.text[end] != '\n' && l.text[end] != '\r' {
		end++
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

// dollar reads $tag$…$tag$. A dollar and a number would be an argument, which
// texts given to this module mark with a question mark.
func (l *lexer) dollar() error {
	end := l.at + 1
	for end < len(l.text) && l.text[end] != '$' {
		r, size := utf8.DecodeRuneInString(l.text[end:])
		if !wordPart(r) || end == l.at+1 && unicode.IsDigit(r) {
			return l.fail("a dollar sign (arguments are marked with ?)")
		}
		end += size
	}
	if end == len(l.text) {
		return l.fail("a dollar sign (arguments are marked with ?)")
	}
	tag := l.text[l.at : end+1]
	for i := end + 1; i+len(tag) <= len(l.text); i++ {
		if l.text[i:i+len(tag)] == tag {
			l.emit(String, i+len(tag))
			return nil
		}
	}
	return l.fail("a dollar quotation without its end")
}
