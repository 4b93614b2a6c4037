package sqltext

import (
	"strings"
	"unicode/utf8"
)

// number reads a number. What follows it without a space is read in many ways:
// an old PostgreSQL takes 1FROM for a number and a keyword, MySQL for a name.
func (l *lexer) number() error {
	end := l.numberEnd()
	if end < len(l.text) {
		if r, _ := utf8.DecodeRuneInString(l.text[end:]); r == '.' || r == '\'' || wordPart(r) {
			return l.fail("a number with something at its end")
		}
	}
	l.emit(Number, end)
	return nil
}

// numberEnd returns where the longest number at this place ends.
func (l *lexer) numberEnd() int {
	if end := l.basedEnd(); end > 0 {
		return end
	}
	const decimal = "0123456789"
	end := l.digits(l.at, decimal)
	if end < len(l.text) && l.text[end] == '.' {
		end = l.digits(end+1, decimal)
	}
	if end < len(l.text) && l.text[end]|0x20 == 'e' {
		exponent := end + 1
		if exponent < len(l.text) && (l.text[exponent] == '+' || l.text[exponent] == '-') {
			exponent++
		}
		if after := l.digits(exponent, decimal); after > exponent {
			end = after
		}
	}
	return end
}

// basedEnd returns where a number in another base ends, and 0 where there is
// none. MySQL knows 0x and 0b; 0X1 and 0o7 are names there.
func (l *lexer) basedEnd() int {
	if l.text[l.at] != '0' {
		return 0
	}
	base := l.peek(1)
	if !l.mode.HashComment {
		base |= 0x20
	}
	digits := map[byte]string{'x': "0123456789abcdefABCDEF", 'b': "01", 'o': "01234567"}[base]
	if digits == "" || base == 'o' && l.mode.HashComment {
		return 0
	}
	if end := l.digits(l.at+2, digits); end > l.at+2 {
		return end
	}
	return 0
}

// digits returns where the digits from there on end. MySQL takes 1_000 for a
// name.
func (l *lexer) digits(from int, digits string) int {
	for from < len(l.text) {
		if c := l.text[from]; strings.IndexByte(digits, c) < 0 && (c != '_' || l.mode.HashComment) {
			break
		}
		from++
	}
	return from
}
