package lint

import (
	"fmt"
	"go/format"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxLines is how long a Go file may be.
const maxLines = 400

// atLine returns the place of a line.
func (f *file) atLine(line int) string { return fmt.Sprintf("%s:%d", f.path, line) }

func formatted(files []*file) (broken []string) {
	for _, f := range files {
		if !f.isGo() {
			continue
		}
		if text, err := format.Source([]byte(f.text)); err != nil || string(text) != f.text {
			broken = append(broken, fmt.Sprintf("%s: not formatted (run: gofmt -w %s)", f.path, f.path))
		}
	}
	return broken
}

func TestFormatted(t *testing.T) {
	t.Parallel()
	checkRepository(t, formatted)
}

func TestFormattedRule(t *testing.T) {
	t.Parallel()
	checkRule(t, formatted, []ruleTest{
		{"good", []string{"a.go", "package a\n"}, nil},
		{"spaces", []string{"a.go", "package  a\n"}, []string{"a.go: not formatted"}},
		{"order of imports", []string{"a.go", "package a\n\nimport (\n\t\"os\"\n\t\"fmt\"\n)\n"}, []string{"not formatted"}},
		{"not Go", []string{"a.md", "package  a"}, nil},
	})
}

// unfinished are words of work that was left; they are written in two parts
// here, since this file is checked too.
var unfinished = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b|(?i:not ` + `implemented)`)

// finished refuses words that announce work instead of doing it.
func finished(files []*file) (broken []string) {
	for _, f := range files {
		if !f.isGo() && path.Ext(f.path) != ".md" {
			continue
		}
		for i, line := range strings.Split(f.text, "\n") {
			if word := unfinished.FindString(line); word != "" {
				broken = append(broken, fmt.Sprintf("%s: %q (do it, or say in prose what does not hold)", f.atLine(i+1), word))
			}
		}
	}
	return broken
}

func TestFinished(t *testing.T) {
	t.Parallel()
	checkRepository(t, finished)
}

func TestFinishedRule(t *testing.T) {
	t.Parallel()
	checkRule(t, finished, []ruleTest{
		{"good", []string{"a.go", "package a\n"}, nil},
		{"comment", []string{"a.go", "package a\n\n// TO" + "DO: more\n"}, []string{`a.go:3: "TO` + `DO"`}},
		{"call", []string{"a.go", "package a\n\nvar c = context.TO" + "DO()\n"}, []string{"a.go:3"}},
		{"within a word", []string{"a.go", "package a\n\nvar maxXX" + "X1 int\n"}, nil},
		{"prose", []string{"a.md", "FIX" + "ME\n\nNot " + "Implemented\n"}, []string{"a.md:1", "a.md:3"}},
		{"another file", []string{"a.sql", "-- FIX" + "ME\n"}, nil},
	})
}

func short(files []*file) (broken []string) {
	for _, f := range files {
		if n := strings.Count(f.text, "\n"); f.isGo() && n > maxLines {
			broken = append(broken, fmt.Sprintf("%s: %d lines, at most %d (give a part of it a file of its own)", f.path, n, maxLines))
		}
	}
	return broken
}

func TestShort(t *testing.T) {
	t.Parallel()
	checkRepository(t, short)
}

func TestShortRule(t *testing.T) {
	t.Parallel()
	checkRule(t, short, []ruleTest{
		{"longest", []string{"a.go", "package a" + strings.Repeat("\n", 400)}, nil},
		{"too long", []string{"a.go", "package a" + strings.Repeat("\n", 401)}, []string{"a.go: 401 lines"}},
		{"prose", []string{"a.md", strings.Repeat("\n", 401)}, nil},
	})
}

// fence is a block of Go in Markdown.
var fence = regexp.MustCompile("(?ms)^```go\n(.*?)^```")

// compiled refuses Go in a README that no compiler sees.
func compiled(files []*file) (broken []string) {
	at := slices.IndexFunc(files, func(f *file) bool { return f.path == "README.md" })
	if at < 0 {
		return []string{"README.md: missing (write it: promise, a program of 25 lines, guarantees, packages, versions, tests)"}
	}
	var sources [][]string
	for _, f := range files {
		if f.isGo() && (f.within("examples") || path.Base(f.path) == "example_test.go") {
			sources = append(sources, strings.Split(f.text, "\n"))
		}
	}
	readme := files[at]
	for _, block := range fence.FindAllStringSubmatchIndex(readme.text, -1) {
		code := strings.Split(strings.TrimRight(readme.text[block[2]:block[3]], "\n"), "\n")
		if !slices.ContainsFunc(sources, func(source []string) bool { return hasLines(source, code) }) {
			line := 1 + strings.Count(readme.text[:block[0]], "\n")
			broken = append(broken, readme.atLine(line)+": this code is not compiled (copy it from a file below examples, or from an example_test.go)")
		}
	}
	return broken
}

// hasLines tells whether the lines of code follow each other in the source, all
// of them indented by the same further tabs.
func hasLines(source, code []string) bool {
	for _, indent := range []string{"", "\t", "\t\t"} {
		for from := 0; from+len(code) <= len(source); from++ {
			if slices.EqualFunc(source[from:from+len(code)], code, func(s, c string) bool {
				return s == c && c == "" || s == indent+c
			}) {
				return true
			}
		}
	}
	return false
}

func TestReadmeCompiled(t *testing.T) {
	t.Parallel()
	checkRepository(t, compiled)
}

func TestReadmeCompiledRule(t *testing.T) {
	t.Parallel()
	const source = "package a\n\nfunc f() {\n\tg()\n\n\th()\n}\n"
	const readme = "# A\n\n```go\n%s```\n\n```sh\nmake\n```\n"
	block := func(code string) string { return fmt.Sprintf(readme, code) }
	uncompiled := []string{"README.md:3: this code is not compiled"}
	checkRule(t, compiled, []ruleTest{
		{"no README", []string{"a.md", "A"}, []string{"README.md: missing"}},
		{"no code", []string{"README.md", "# A\n"}, nil},
		{"whole", []string{"README.md", block(source), "examples/a/main.go", source}, nil},
		{"part", []string{"README.md", block("g()\n\nh()\n"), "examples/a/main.go", source}, nil},
		{"example test", []string{"README.md", block("g()\n"), "store/example_test.go", source}, nil},
		{"nowhere", []string{"README.md", block("g()\n")}, uncompiled},
		{"elsewhere", []string{"README.md", block("g()\n"), "store/store.go", source}, uncompiled},
		{"changed", []string{"README.md", block("g()\nh()\n"), "examples/a/main.go", source}, uncompiled},
		{"part of a line", []string{"README.md", block("g(\n"), "examples/a/main.go", source}, uncompiled},
	})
}

// rootEntries are what the root may hold.
var rootEntries = []string{
	"lifecycle", "store", "objstore", "retention", "examples", "internal",
	"go.mod", "go.sum", "doc.go", "LICENSE", "README.md", "CHANGELOG.md", "BENCHMARKS.md",
	"Makefile", ".ci", ".github", ".git", ".gitignore",
	"coverage.out", // by make cover, and ignored
}

func tidyRoot(entries []string) (broken []string) {
	for _, name := range entries {
		if !slices.Contains(rootEntries, name) {
			broken = append(broken, name+": not an entry of the root (the root is the architecture: move it into a package, internal or examples)")
		}
	}
	return broken
}

func TestTidyRoot(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	expect(t, tidyRoot(names), nil)
}

func TestTidyRootRule(t *testing.T) {
	t.Parallel()
	expect(t, tidyRoot([]string{"store", "go.mod"}), nil)
	expect(t, tidyRoot([]string{"store", "pkg", "notes.txt"}), []string{"pkg: not an entry", "notes.txt: not"})
}
