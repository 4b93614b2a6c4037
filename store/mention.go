package store

import (
	"slices"
	"strings"
	"unicode"

	"github.com/softdelete-go/softdelete/internal/sqltext"
)

// mention is a name in the text of code, with what stands before it and a dot.
type mention struct{ schema, name string }

// mentions lists the names in the text of code. It does not know which of them
// are tables; and what it cannot split into tokens, since code may be of any
// language, it splits into words.
func (d *Dialect) mentions(t *thing) []mention {
	mode := d.Text
	mode.DoubleName = !mode.DoubleString
	tokens, err := sqltext.Lex(t.text, mode)
	if err != nil {
		return inWords(t.text)
	}
	var all []mention
	for i := bodyOf(t, tokens); i < len(tokens); i++ {
		token := tokens[i]
		switch token.Kind {
		case sqltext.Word, sqltext.Quoted:
			m := mention{name: d.nameOf(t.text, token)}
			if i >= 2 && t.text[tokens[i-1].Start:tokens[i-1].End] == "." {
				m.schema = d.nameOf(t.text, tokens[i-2])
			}
			all = append(all, m)
		case sqltext.String:
			all = append(all, inStatement(t.text[token.Start:token.End])...)
		}
	}
	return all
}

// bodyOf skips the names that a definition gives itself: those before the AS of
// a view and before the table of a trigger.
func bodyOf(t *thing, tokens []sqltext.Token) int {
	until := map[string]string{"view": "AS", "trigger": "ON"}[t.kind]
	word := func(i int) string { return t.text[tokens[i].Start:tokens[i].End] }
	if until == "" || len(tokens) == 0 || !strings.EqualFold(word(0), "CREATE") {
		return 0
	}
	for i := range tokens {
		if tokens[i].Kind == sqltext.Word && strings.EqualFold(word(i), until) {
			if t.kind == "trigger" {
				i++ // the table; a temporary trigger may have its schema before it
				if i+2 < len(tokens) && word(i+1) == "." {
					i += 2
				}
			}
			return i + 1
		}
	}
	return 0
}

// nameOf is an identifier as the database has it.
func (d *Dialect) nameOf(text string, t sqltext.Token) string {
	word := text[t.Start:t.End]
	if t.Kind == sqltext.Quoted {
		q := word[:1]
		if q == "[" {
			return word[1 : len(word)-1]
		}
		return strings.ReplaceAll(word[1:len(word)-1], q+q, q)
	}
	if d.FoldsColumns {
		return word
	}
	return strings.ToLower(word)
}

// inStatement lists the words of a string that looks like a statement: code runs
// such strings. Any other string is only a value.
func inStatement(text string) []mention {
	all := inWords(text)
	if slices.ContainsFunc(all, func(m mention) bool {
		switch strings.ToUpper(m.name) {
		case "FROM", "JOIN", "UPDATE", "INTO", "TABLE":
			return true
		}
		return false
	}) {
		return all
	}
	return nil
}

// inWords lists the words of a text, as they are and in lower case.
func inWords(text string) []mention {
	var all []mention
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		all = append(all, mention{name: word})
		if low := strings.ToLower(word); low != word {
			all = append(all, mention{name: low})
		}
	}
	return all
}
