package sqltext

import (
	"strings"
	"unicode/utf8"
)

// whole reads what only a whole statement may have. It returns false for what is
// read as everywhere.
func (l *lexer) whole(c byte) (done bool, err error) {
	m := &l.mode
	switch {
	case c == '`' && m.sqlite():
		return true, l.quoted(Quoted, '`', false)
	case c == '[' && m.sqlite():
		return true, l.bracket()
	case c == '[':
		l.emit(Symbol, l.at+1)
		return true, nil
	case c == '$' && m.postgres() && digit(l.peek(1)):
		l.emit(Placeholder, l.digits(l.at+1, "0123456789"))
		return true, nil
	case m.mysql() && c == '@':
		return true, l.variable()
	case m.sqlite() && (c == '@' || c == ':' || c == '$' || c == '#'):
		return true, l.argument()
	case m.sqlite() && c == '?':
		l.emit(Placeholder, l.digits(l.at+1, "0123456789"))
		return true, nil
	}
	return false, nil
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// bracket reads SQLite's [name], which has no escape.
func (l *lexer) bracket() error {
	i := strings.IndexByte(l.text[l.at:], ']')
	if i < 0 {
		return l.fail("a bracket without its end")
	}
	l.emit(Quoted, l.at+i+1)
	return nil
}

// variable reads MySQL's @name, @@name and user@host: what follows the sign is
// never a keyword.
func (l *lexer) variable() error {
	end := l.at + 1
	if end < len(l.text) && l.text[end] == '@' {
		end++
	}
	word := l.wordEnd(end)
	// A dot is a part of a variable's name, even the last.
	for end == l.at+1 && word < len(l.text) && l.text[word] == '.' {
		word = l.wordEnd(word + 1)
	}
	if word == end && end < len(l.text) && strings.IndexByte("'\"`", l.text[end]) >= 0 {
		at := l.at
		l.at = end
		quote := l.text[end]
		if err := l.quoted(Placeholder, quote, l.mode.Backslash && (quote == '\'' || quote == '"' && l.mode.DoubleString)); err != nil {
			return err
		}
		l.tokens[len(l.tokens)-1].Start = at
		return nil
	}
	l.emit(Placeholder, word)
	return nil
}

// argument reads SQLite's @name, :name and $name.
func (l *lexer) argument() error {
	end := l.wordEnd(l.at + 1)
	if end == l.at+1 {
		return l.fail("a sign that starts no argument")
	}
	if rest := l.text[end:]; strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "::") {
		return l.fail("an argument with a suffix")
	}
	l.emit(Placeholder, end)
	return nil
}

func (l *lexer) wordEnd(end int) int {
	for end < len(l.text) {
		if c := l.text[end]; c < utf8.RuneSelf {
			if !plainPart[c] {
				break
			}
			end++
			continue
		}
		r, size := utf8.DecodeRuneInString(l.text[end:])
		if unreadable(r) {
			break
		}
		end += size
	}
	return end
}

// plainPart tells the ASCII characters inside of words.
var plainPart = func() (set [utf8.RuneSelf]bool) {
	for c := range set {
		set[c] = wordPart(rune(c))
	}
	return set
}()

// wholeWord reads a word that may be the prefix of a string.
func (l *lexer) wholeWord(end int) error {
	word, rest := l.text[l.at:end], l.text[end:]
	switch {
	case l.mode.postgres() && len(word) == 1 && word[0]|0x20 == 'u' && strings.HasPrefix(rest, "&'"):
		return l.prefixed(String, end+1, false)
	case l.mode.postgres() && len(word) == 1 && word[0]|0x20 == 'u' && strings.HasPrefix(rest, `&"`):
		return l.prefixed(Quoted, end+1, false)
	case len(word) != 1 || !strings.HasPrefix(rest, "'"):
	case word[0]|0x20 == 'e' && l.mode.postgres():
		return l.prefixed(String, end, true)
	case word[0]|0x20 == 'n' && !l.mode.sqlite():
		return l.prefixed(String, end, l.mode.Backslash)
	case word[0]|0x20 == 'x', word[0]|0x20 == 'b' && !l.mode.sqlite():
		return l.prefixed(String, end, false)
	}
	l.emit(Word, end)
	return nil
}

// prefixed reads a quotation whose prefix has been read.
func (l *lexer) prefixed(k Kind, quote int, backslash bool) error {
	start := l.at
	l.at = quote
	if err := l.quoted(k, l.text[quote], backslash); err != nil {
		return err
	}
	l.tokens[len(l.tokens)-1].Start = start
	// A string that goes on after a line break keeps its escapes.
	if l.mode.postgres() && (backslash || l.text[start]|0x20 == 'u') {
		rest := strings.TrimLeft(l.text[l.at:], " \t\r\n\f\v")
		if strings.HasPrefix(rest, "'") || strings.HasPrefix(rest, "--") && k == String {
			return l.fail("a string with escapes that goes on")
		}
	}
	return nil
}
