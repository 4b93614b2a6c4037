package sqltext

import (
	"fmt"
	"strings"
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
	// Kind is what it is.
	Kind Kind
	// key is the keyword a Word of a parsed text is.
	key keyword
	// Start and End are offsets in bytes.
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
	// DoubleName says that a double quote encloses an identifier as well as Quote
	// does: for what SQLite itself wrote, where it never means a string.
	DoubleName bool
	// NestedComment says that comments nest.
	NestedComment bool
	// Whole says that the text is a whole statement as a driver gets it: strings
	// may have prefixes, and arguments are written as the server takes them.
	Whole bool
}

func (m *Mode) postgres() bool { return m.Dollar }
func (m *Mode) mysql() bool    { return m.HashComment }
func (m *Mode) sqlite() bool   { return !m.Dollar && !m.HashComment }

// Error says why and at which byte a text was refused.
type Error struct {
	// Offset is the byte from which on the text was not understood.
	Offset int
	// Reason completes "the text has …".
	Reason string
}

// Error reads "at byte 7: …".
func (e *Error) Error() string { return fmt.Sprintf("at byte %d: %s", e.Offset, e.Reason) }

// Lex splits a text. The error is an *Error.
func Lex(text string, m Mode) ([]Token, error) {
	l := lexer{text: text, mode: m}
	return l.lex()
}

func (l *lexer) lex() ([]Token, error) {
	text := l.text
	// Servers read on, or end the text, at other places than we would.
	if l.at = strings.IndexByte(text, 0); l.at >= 0 {
		return nil, l.fail("a NUL byte")
	}
	if l.at = invalid(text); l.at >= 0 {
		return nil, l.fail("a byte that is not UTF-8")
	}
	l.at = 0
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

// invalid returns the offset of the first byte that is not UTF-8, and -1 where
// there is none.
func invalid(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.text) {
		return l.text[l.at+n]
	}
	return 0
}

func (l *lexer) emit(k Kind, end int) {
	l.tokens = append(l.tokens, Token{Kind: k, Start: l.at, End: end})
	l.at = end
}

func (l *lexer) fail(reason string) error { return &Error{l.at, reason} }

func (l *lexer) next() error {
	c := l.text[l.at]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
		l.at++
		return nil
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return l.word()
	}
	if l.mode.Whole {
		if done, err := l.whole(c); done {
			return err
		}
	}
	switch {
	case c == '\'':
		return l.quoted(String, '\'', l.mode.Backslash)
	case c == l.mode.Quote:
		return l.quoted(Quoted, c, false)
	case c == '"' && l.mode.DoubleName:
		return l.quoted(Quoted, c, false)
	case c == '"' && l.mode.DoubleString:
		return l.quoted(String, '"', l.mode.Backslash)
	case c == '"' || c == '`' || c == '[' && l.bracketed():
		return l.fail("a quotation mark this server may read in two ways")
	case c == '-' && l.peek(1) == '-', c == '#' && l.mode.HashComment:
		return l.lineComment()
	case c == '/' && l.peek(1) == '*':
		return l.blockComment()
	case c == '$':
		return l.dollar()
	case c == '?':
		return l.question()
	case c >= '0' && c <= '9':
		return l.number()
	case c < 0x20 || c == 0x7f || unreadable(l.rune()):
		return l.fail("a character that is no text")
	case wordStart(l.rune()):
		return l.word()
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

// unreadable tells whether a character stands for a lost one, or is a byte order
// mark, which SQLite takes for white space and others for a part of a name.
func unreadable(r rune) bool { return r == utf8.RuneError || r == 0xFEFF }

func wordStart(r rune) bool { return r == '_' || unicode.IsLetter(r) || r >= utf8.RuneSelf }

func wordPart(r rune) bool { return wordStart(r) || r == '$' || r >= '0' && r <= '9' }

func (l *lexer) quoted(k Kind, quote byte, backslash bool) error {
	for i := l.at + 1; i < len(l.text); i++ {
		switch l.text[i] {
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
	end := l.wordEnd(l.at)
	if end < len(l.text) && l.text[end] >= utf8.RuneSelf {
		l.at = end
		return l.fail("a character that is no text")
	}
	if l.mode.Whole {
		return l.wholeWord(end)
	}
	// A prefix such as E'…', N'…' or _utf8'…' changes how the string is read.
	if strings.HasPrefix(l.text[end:], "'") {
		return l.fail("a string with a prefix")
	}
	// U&'…' and U&"…" have escapes: such a name is not what it looks like.
	if strings.EqualFold(l.text[l.at:end], "u") && l.mode.Dollar &&
		(strings.HasPrefix(l.text[end:], "&'") || strings.HasPrefix(l.text[end:], `&"`)) {
		return l.fail("a quotation with escapes")
	}
	l.emit(Word, end)
	return nil
}

// question reads an argument, or an operator's question mark. Only PostgreSQL
// has such operators, and only SQLite arguments with a number.
func (l *lexer) question() error {
	next := l.peek(1)
	switch {
	case next == '?' && l.mode.Dollar:
		l.emit(Question, l.at+2)
	case next == '?':
		return l.fail("a doubled question mark")
	case next >= '0' && next <= '9':
		return l.fail("an argument with a number")
	default:
		l.emit(Placeholder, l.at+1)
	}
	return nil
}
