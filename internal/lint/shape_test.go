package lint

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// The shape of functions, over all code that is not a test's.
const (
	maxMedianLines = 12
	maxP90Lines    = 40
	maxComplexity  = 15
	complexOneIn   = 40 // functions may exceed maxComplexity
)

// function is what the shape is about.
type function struct {
	at, name          string
	lines, complexity int
}

// functions returns those with a body.
func functions(files []*file) (all []function) {
	for _, f := range files {
		if !f.isCode() {
			continue
		}
		for _, decl := range f.ast.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Body != nil {
				all = append(all, function{
					at: f.at(d), name: d.Name.Name,
					lines:      f.fset.Position(d.End()).Line - f.fset.Position(d.Pos()).Line + 1,
					complexity: complexity(d.Body),
				})
			}
		}
	}
	return all
}

// complexity counts one, and one more for each place where the way forks.
func complexity(body ast.Node) int {
	n := 1
	ast.Inspect(body, func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.CommClause:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// shaped wants short functions, and few that are hard to follow.
func shaped(files []*file) (broken []string) {
	all := functions(files)
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b function) int { return b.lines - a.lines })
	longest := names(all[:min(5, len(all))], func(f function) int { return f.lines })
	if n := all[len(all)/2].lines; n > maxMedianLines {
		broken = append(broken, fmt.Sprintf("the median function has %d lines, at most %d (split functions that do more than one thing; the longest: %s)", n, maxMedianLines, longest))
	}
	if n := all[len(all)/10].lines; n > maxP90Lines {
		broken = append(broken, fmt.Sprintf("a tenth of all functions have %d lines or more, at most %d (split the longest: %s)", n, maxP90Lines, longest))
	}
	hard := slices.DeleteFunc(slices.Clone(all), func(f function) bool { return f.complexity <= maxComplexity })
	if allowed := max(1, len(all)/complexOneIn); len(hard) > allowed {
		broken = append(broken, fmt.Sprintf("%d functions have a complexity over %d, at most %d (give branches functions of their own): %s",
			len(hard), maxComplexity, allowed, names(hard, func(f function) int { return f.complexity })))
	}
	return broken
}

// names lists functions with a figure of each.
func names(list []function, figure func(function) int) string {
	var parts []string
	for _, f := range list {
		parts = append(parts, fmt.Sprintf("%s %s (%d)", f.at, f.name, figure(f)))
	}
	return strings.Join(parts, ", ")
}

func TestShaped(t *testing.T) {
	t.Parallel()
	checkRepository(t, shaped)
}

func TestShapedRule(t *testing.T) {
	t.Parallel()
	function := func(name string, lines int, statement string) string {
		return "func " + name + "() {\n" + strings.Repeat(statement+"\n", lines-2) + "}\n"
	}
	simple := strings.Repeat(function("a", 5, "f()"), 20)
	hard := function("hard", 20, "if a && b { f() }")
	checkRule(t, shaped, []ruleTest{
		{"no functions", []string{"a.go", "package a\n"}, nil},
		{"good", []string{"a.go", "package a\n" + simple}, nil},
		{"one that is hard", []string{"a.go", "package a\n" + simple + hard}, nil},
		{"two that are hard", []string{"a.go", "package a\n" + simple + hard + hard}, []string{"2 functions have a complexity over 15, at most 1"}},
		{"long ones", []string{"a.go", "package a\n" + simple + strings.Repeat(function("long", 50, "f()"), 5)}, []string{"a tenth of all functions have 50 lines"}},
		{"all of middle length", []string{"a.go", "package a\n" + strings.Repeat(function("a", 13, "f()"), 3)}, []string{"the median function has 13 lines"}},
		{"tests", []string{"a_test.go", "package a\n" + hard + hard}, nil},
		{"a switch", []string{"a.go", "package a\n" + strings.Repeat("func s() {\nswitch {\n"+strings.Repeat("case x:\n", 15)+"default:\n}\n}\n", 2) + simple},
			[]string{"2 functions have a complexity over 15"}},
	})
}
