package source

import (
	"fmt"
	"regexp"
)

var (
	// evaluated stands before SQL in braces, in which Tcl replaces nothing.
	evaluated = regexp.MustCompile(`(?:\bdo_(?:execsql|catchsql|eqp|vmstep)_test\s+(?:-\w+\s+)?\S+\s+|\b(?:execsql|execsql2|catchsql|execsql_pp|explain_i)\s+|` +
		`\bdb[23]?\s+(?:eval|one|exists|onecolumn)\s+)\{|(\breset_db\b|\bsqlite3\s+db\s+:memory:|\b(?:forcedelete|delete_file|file\s+delete)\s[^;\n]*\btest\.db\b)`)
)

// tcl reads a test of SQLite. A new database starts a new text.
func tcl(path, text string) (texts []Text) {
	part := Text{Path: path, Product: SQLite}
	for _, at := range evaluated.FindAllStringSubmatchIndex(text, -1) {
		if at[2] >= 0 {
			if len(part.Statements) > 0 {
				texts = append(texts, part)
				part = Text{Path: fmt.Sprintf("%s:%d", path, at[0]), Product: SQLite}
			}
			continue
		}
		if n := braced(text[at[1]:]); n >= 0 {
			part.Statements = append(part.Statements, Split(text[at[1]:at[1]+n], SQLite, ";")...)
		}
	}
	return append(texts, part)
}

// braced returns the length of what ends at the brace that is open.
func braced(text string) int {
	depth := 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
