package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
)

var (
	// starts is how a string that is a statement starts.
	starts = regexp.MustCompile(`(?i)^[\s(]*(--[^\n]*\n\s*|/\*.*?\*/\s*)*(SELECT|WITH|VALUES|TABLE|INSERT|REPLACE|UPDATE|DELETE|MERGE|TRUNCATE|` +
		`EXPLAIN|DESC|DESCRIBE|CREATE|ALTER|DROP|SET|DO|CALL|COPY|SHOW|ANALYZE|LOCK|PREPARE|DECLARE|LOAD|HANDLER|GRANT|TRACE)\b\s`)
	// compound has semicolons inside.
	compound = regexp.MustCompile(`(?is)\bCREATE\b[^;]*\b(PROCEDURE|FUNCTION|TRIGGER|EVENT)\b|\bBEGIN\s+\w`)
)

// goStrings returns the string literals of a Go file that are statements.
func goStrings(path, text string, p Product) Text {
	t := Text{Path: path, Product: p}
	f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	if err != nil {
		return t
	}
	ast.Inspect(f, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		s, ok := constant(e)
		if !ok {
			return true
		}
		switch {
		case !starts.MatchString(s):
		case compound.MatchString(s):
			t.Statements = append(t.Statements, s)
		default:
			t.Statements = append(t.Statements, Split(s, p, ";")...)
		}
		return false
	})
	return t
}

// constant returns a literal, or a sum of literals.
func constant(e ast.Expr) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		if x.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(x.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		a, ok := constant(x.X)
		b, also := constant(x.Y)
		return a + b, ok && also && x.Op == token.ADD
	}
	return "", false
}
