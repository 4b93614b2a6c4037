package source

import (
	"regexp"
	"strings"
)

var (
	quotedVariable = regexp.MustCompile(`:(['"])(\w+)['"]`)
	copies         = regexp.MustCompile(`(?is)^\s*COPY\s[^;]*\sFROM\s+stdin\b`)
	// sends are psql's commands that end a statement as a semicolon does.
	sends = regexp.MustCompile(`^\\(;|g\w*|crosstabview|bind|parse|watch)`)
)

// psql takes psql's commands and the data of COPY out of a script.
func psql(text string) string {
	var b strings.Builder
	start := 0 // of the statement, in b
	for i := 0; i < len(text); {
		switch {
		case text[i] == '\\':
			command := text[i : i+strings.IndexByte(text[i:]+"\n", '\n')]
			if strings.HasPrefix(command, `\;`) {
				b.WriteByte(';')
				i += 2
				continue
			}
			if sends.MatchString(command) {
				b.WriteByte(';')
				start = b.Len()
			}
			i += len(command)
		case text[i] == ';':
			b.WriteByte(';')
			i++
			if copies.MatchString(withoutComments(b.String()[start:])) {
				i += through(text[i:], "\n\\.", 0)
			}
			start = b.Len()
		default:
			n := lexeme(text[i:], Postgres)
			b.WriteString(text[i : i+n])
			i += n
		}
	}
	return quotedVariable.ReplaceAllString(b.String(), "$1$2$1")
}

var lineComment = regexp.MustCompile(`(?m)^\s*--.*$`)

func withoutComments(text string) string { return lineComment.ReplaceAllString(text, "") }

var step = regexp.MustCompile(`(?m)^\s*(?:step\s+"?\w+"?|setup|teardown)\s*\{`)

// spec reads a test of PostgreSQL's isolation tester.
func spec(path, text string) Text {
	t := Text{Path: path, Product: Postgres}
	for _, at := range step.FindAllStringIndex(text, -1) {
		body := text[at[1]:]
		for i := 0; i < len(body); i += lexeme(body[i:], Postgres) {
			if body[i] == '}' {
				t.Statements = append(t.Statements, Split(body[:i], Postgres, ";")...)
				break
			}
		}
	}
	return t
}
