package lint

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// mentions calls fn for each mention of a selector such as time.Now, whose left
// side is a plain name.
func (f *file) mentions(fn func(node ast.Node, left, right string)) {
	ast.Inspect(f.ast, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			left, _ := selector.X.(*ast.Ident)
			if left == nil {
				left = ast.NewIdent("")
			}
			fn(node, left.Name, selector.Sel.Name)
		}
		return true
	})
}

// clocked refuses code that reads the machine's clock by itself.
func clocked(files []*file) (broken []string) {
	for _, f := range files {
		if !f.isCode() || f.within("internal/clock") {
			continue
		}
		f.mentions(func(node ast.Node, left, right string) {
			if left == "time" && slices.Contains([]string{"Now", "Since", "Until"}, right) {
				broken = append(broken, fmt.Sprintf("%s: time.%s (take a lifecycle.Clock or an instant; clock.System is the default)", f.at(node), right))
			}
		})
	}
	return broken
}

func TestClocked(t *testing.T) {
	t.Parallel()
	checkRepository(t, clocked)
}

func TestClockedRule(t *testing.T) {
	t.Parallel()
	const source = "package a\n\nimport \"time\"\n\nvar now = time.Now\n"
	checkRule(t, clocked, []ruleTest{
		{"code", []string{"store/a.go", source}, []string{"store/a.go:5: time.Now"}},
		{"since", []string{"store/a.go", "package a\n\nvar d = time.Since(t)\n"}, []string{"store/a.go:3: time.Since"}},
		{"test", []string{"store/a_test.go", source}, nil},
		{"clock", []string{"internal/clock/clock.go", source}, nil},
		{"a similar folder", []string{"internal/clocks/clock.go", source}, []string{"time.Now"}},
		{"another Now", []string{"store/a.go", "package a\n\nvar now = clock.Now()\n"}, nil},
	})
}

// complete refuses tests that may leave something out: what a server's absence
// leaves out is decided in internal/testdb, in one place and not silently in CI.
func complete(files []*file) (broken []string) {
	skips := []string{"Skip", "Skipf", "SkipNow"}
	for _, f := range files {
		if !f.isGo() {
			continue
		}
		testing := f.isTest() || slices.ContainsFunc(f.ast.Imports, func(i *ast.ImportSpec) bool {
			return i.Path.Value == `"testing"`
		})
		f.mentions(func(node ast.Node, left, right string) {
			switch {
			case left == "testing" && right == "Short":
				broken = append(broken, f.at(node)+": testing.Short (run the test always; make it fast)")
			case testing && slices.Contains(skips, right):
				broken = append(broken, fmt.Sprintf("%s: %s.%s (return early where testdb has no server; use a build tag for a platform)", f.at(node), left, right))
			}
		})
	}
	return broken
}

func TestComplete(t *testing.T) {
	t.Parallel()
	checkRepository(t, complete)
}

func TestCompleteRule(t *testing.T) {
	t.Parallel()
	on := func(receiver, call string) string {
		return "package a\n\nimport \"testing\"\n\nfunc f(t *testing.T) { " + receiver + "." + call + " }\n"
	}
	checkRule(t, complete, []ruleTest{
		{"good", []string{"a_test.go", on("t", "Fatal()")}, nil},
		{"skip", []string{"a_test.go", on("t", "Skip()")}, []string{"a_test.go:5: t" + ".Skip"}},
		{"skip now", []string{"a_test.go", on("t", "SkipNow()")}, []string{"SkipNow"}},
		{"formatted", []string{"a_test.go", on("t", `Skipf("no %s", "server")`)}, []string{"Skipf"}},
		{"short", []string{"a_test.go", on("_ = testing", "Short()")}, []string{"Short"}},
		{"in a suite", []string{"storetest/a.go", on("t", "Skip()")}, []string{"storetest/a.go:5"}},
		{"nested", []string{"a_test.go", on("h.t", "Skip()")}, []string{".Skip"}},
		{"code without tests", []string{"a.go", "package a\n\nfunc f() { rows.Skip(3) }\n"}, nil},
	})
}

// silent refuses library code that writes to the program's output or ends it.
func silent(files []*file) (broken []string) {
	forbidden := map[string]string{"fmt": "Print", "log": "", "os.Exit": ""}
	for _, f := range files {
		if !f.isCode() || f.ast.Name.Name == "main" {
			continue
		}
		f.mentions(func(node ast.Node, left, right string) {
			prefix, ok := forbidden[left]
			_, whole := forbidden[left+"."+right]
			if ok && strings.HasPrefix(right, prefix) || whole {
				broken = append(broken, fmt.Sprintf("%s: %s.%s (return an error or a result; runners take a *slog.Logger)", f.at(node), left, right))
			}
		})
	}
	return broken
}

func TestSilent(t *testing.T) {
	t.Parallel()
	checkRepository(t, silent)
}

func TestSilentRule(t *testing.T) {
	t.Parallel()
	checkRule(t, silent, []ruleTest{
		{"good", []string{"a.go", "package a\n\nvar s = fmt.Sprintf(\"\")\n"}, nil},
		{"to a writer", []string{"a.go", "package a\n\nfunc f() { fmt.Fprintln(w) }\n"}, nil},
		{"print", []string{"a.go", "package a\n\nfunc f() { fmt.Println() }\n"}, []string{"a.go:3: fmt.Println"}},
		{"log", []string{"a.go", "package a\n\nfunc f() { log.Fatal() }\n"}, []string{"log.Fatal"}},
		{"exit", []string{"a.go", "package a\n\nfunc f() { os.Exit(1) }\n"}, []string{"os.Exit"}},
		{"program", []string{"a.go", "package main\n\nfunc f() { fmt.Println() }\n"}, nil},
		{"test", []string{"a_test.go", "package a\n\nfunc f() { fmt.Println() }\n"}, nil},
	})
}

// keys returns the keys of a map in their order.
func keys[V any](m map[string]V) []string {
	var all []string
	for key := range m {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}
