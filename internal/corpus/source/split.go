package source

import "strings"

// Split cuts a text at a delimiter outside of quotes, comments and, in
// PostgreSQL, parentheses. SQLite's triggers end at END.
func Split(text string, p Product, delimiter string) (statements []string) {
	start, depth := 0, 0
	cut := func(end int) {
		if s := strings.TrimSpace(text[start:end]); s != "" {
			statements = append(statements, s)
		}
		depth = 0
	}
	for i := 0; i < len(text); {
		switch {
		case depth <= 0 && strings.HasPrefix(text[i:], delimiter) && !(p == SQLite && within(text[start:i])):
			cut(i)
			i += len(delimiter)
			start = i
		case text[i] == '(' && p == Postgres:
			depth++
			i++
		case text[i] == ')' && p == Postgres:
			depth--
			i++
		default:
			i += lexeme(text[i:], p)
		}
	}
	cut(len(text))
	return statements
}

// within tells whether a statement is a trigger that has not ended.
func within(statement string) bool {
	words := strings.Fields(strings.ToUpper(statement))
	if len(words) < 3 || words[0] != "CREATE" || words[1] != "TRIGGER" && words[2] != "TRIGGER" {
		return false
	}
	last := words[len(words)-1]
	return !strings.HasSuffix(last, ";END") && last != "END"
}

// lexeme returns the length of a quotation or a comment, and 1 for all else.
func lexeme(text string, p Product) int {
	c := text[0]
	switch {
	case c == '\'' || c == '"' || c == '`':
		return quotation(text, c, p == MySQL && c != '`')
	case (c == 'E' || c == 'e') && p == Postgres && strings.HasPrefix(text[1:], "'"):
		return 1 + quotation(text[1:], '\'', true)
	case strings.HasPrefix(text, "--") && (p != MySQL || len(text) < 3 || text[2] <= ' '), c == '#' && p == MySQL:
		return through(text, "\n", 1)
	case strings.HasPrefix(text, "/*"):
		return comment(text, p == Postgres)
	case c == '$' && p == Postgres:
		return dollar(text)
	case p == Postgres && word(c):
		n := 1
		for n < len(text) && (word(text[n]) || text[n] == '$') {
			n++
		}
		return n
	}
	return 1
}

// word tells whether a character can be in a word, digits included.
func word(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

func quotation(text string, quote byte, backslash bool) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && backslash:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return len(text)
}

// through returns the length up to the end of a word, searched from an offset.
func through(text, end string, from int) int {
	if i := strings.Index(text[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(text)
}

func comment(text string, nested bool) int {
	depth := 0
	for i := 0; i+1 < len(text); i++ {
		switch {
		case text[i:i+2] == "/*" && (nested || depth == 0):
			depth++
			i++
		case text[i:i+2] == "*/":
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// dollar returns the length of $tag$…$tag$.
func dollar(text string) int {
	end := 1
	for end < len(text) && word(text[end]) {
		end++
	}
	if end == len(text) || text[end] != '$' || end > 1 && text[1] <= '9' {
		return 1
	}
	return through(text, text[:end+1], end+1)
}
