package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// file is a file of the repository.
type file struct {
	path string // from the root, with slashes
	text string

	fset *token.FileSet
	ast  *ast.File // nil where it is no Go
}

// newFile reads the file's Go where it is some.
func newFile(path, text string) (*file, error) {
	f := &file{path: path, text: text, fset: token.NewFileSet()}
	if !strings.HasSuffix(path, ".go") {
		return f, nil
	}
	var err error
	f.ast, err = parser.ParseFile(f.fset, path, text, parser.ParseComments)
	return f, err
}

// dir returns the folder of the file, "." for the root.
func (f *file) dir() string { return path.Dir(f.path) }

// isGo tells whether it is Go, of a test or not.
func (f *file) isGo() bool { return f.ast != nil }

// isTest tells whether only tests compile the file.
func (f *file) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// isCode tells whether programs that import its package compile the file.
func (f *file) isCode() bool { return f.isGo() && !f.isTest() }

// at returns the place of a node.
func (f *file) at(node ast.Node) string {
	return f.atLine(f.fset.Position(node.Pos()).Line)
}

// within tells whether the file is in one of the folders or below it.
func (f *file) within(dirs ...string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		return f.path == dir || strings.HasPrefix(f.path, dir+"/")
	})
}

const root = "../.."

// repository returns every Go, Markdown and SQL file, read once.
var repository = sync.OnceValues(func() ([]*file, error) {
	var files []*file
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if entry.IsDir() || !slices.Contains([]string{".go", ".md", ".sql"}, filepath.Ext(name)) {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		f, err := newFile(filepath.ToSlash(relative), string(text))
		files = append(files, f)
		return err
	})
	return files, err
})

// checkRepository fails the test for each place that breaks the rule.
func checkRepository(t *testing.T, rule func([]*file) []string) {
	t.Helper()
	files, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range rule(files) {
		t.Error(message)
	}
}

// memory makes files from pairs of a path and a text.
func memory(t *testing.T, pairs ...string) []*file {
	t.Helper()
	var files []*file
	for pair := range slices.Chunk(pairs, 2) {
		f, err := newFile(pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// ruleTest is an input for a rule and what has to be in its messages, one by
// one in their order.
type ruleTest struct {
	name  string
	files []string // pairs of a path and a text
	want  []string // parts of the messages
}

// checkRule runs the tests of a rule.
func checkRule(t *testing.T, rule func([]*file) []string, tests []ruleTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			expect(t, rule(memory(t, tt.files...)), tt.want)
		})
	}
}

// expect compares messages with the parts they have to contain.
func expect(t *testing.T, got, want []string) {
	t.Helper()
	same := slices.EqualFunc(got, want, strings.Contains)
	if !same {
		t.Errorf("the rule says\n\t%s\nwant messages with\n\t%s",
			strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}
