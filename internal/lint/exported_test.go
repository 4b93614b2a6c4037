package lint

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// introduced wants each package to have a doc.go that says what it is for.
func introduced(files []*file) (broken []string) {
	packages := map[string]*file{} // folder → its doc.go, nil while not seen
	for _, f := range files {
		if !f.isGo() {
			continue
		}
		if packages[f.dir()] == nil {
			packages[f.dir()] = nil
		}
		if path.Base(f.path) == "doc.go" {
			packages[f.dir()] = f
		}
	}
	for _, dir := range keys(packages) {
		doc := packages[dir]
		switch {
		case doc == nil:
			broken = append(broken, dir+": no doc.go (write one: one sentence, why the package exists, a short use)")
		case doc.ast.Doc == nil || !strings.HasPrefix(doc.ast.Doc.Text(), introduction(doc)):
			broken = append(broken, fmt.Sprintf("%s: no package comment that starts with %q", doc.path, introduction(doc)))
		}
	}
	return broken
}

// introduction returns how the package's comment has to start.
func introduction(doc *file) string {
	if doc.ast.Name.Name == "main" {
		return "Command " + path.Base(doc.dir()) + " "
	}
	return "Package " + doc.ast.Name.Name + " "
}

func TestIntroduced(t *testing.T) {
	t.Parallel()
	checkRepository(t, introduced)
}

func TestIntroducedRule(t *testing.T) {
	t.Parallel()
	checkRule(t, introduced, []ruleTest{
		{"good", []string{"a/doc.go", "// Package a is.\npackage a\n", "a/a.go", "package a\n"}, nil},
		{"program", []string{"x/a/doc.go", "// Command a runs.\npackage main\n"}, nil},
		{"missing", []string{"a/a.go", "// Package a is.\npackage a\n"}, []string{"a: no doc.go"}},
		{"no comment", []string{"a/doc.go", "package a\n"}, []string{`a/doc.go: no package comment that starts with "Package a "`}},
		{"detached", []string{"a/doc.go", "// Package a is.\n\npackage a\n"}, []string{"no package comment"}},
		{"another name", []string{"a/doc.go", "// Package b is.\npackage a\n"}, []string{"no package comment"}},
		{"tests only", []string{"a/a_test.go", "package a\n"}, []string{"a: no doc.go"}},
	})
}

// documented wants a comment at each exported name, and at each field of options.
func documented(files []*file) (broken []string) {
	for _, f := range files {
		if !f.isCode() || f.ast.Name.Name == "main" {
			continue
		}
		for _, decl := range f.ast.Decls {
			for _, name := range undocumented(decl) {
				broken = append(broken, fmt.Sprintf("%s: %s has no comment (say what it promises)", f.at(name), name.Name))
			}
		}
	}
	return broken
}

// undocumented returns the exported names of a declaration without a comment.
func undocumented(decl ast.Decl) (names []*ast.Ident) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					names = append(names, undocumentedType(s, s.Doc != nil || d.Doc != nil && !d.Lparen.IsValid())...)
				}
			case *ast.ValueSpec: // one comment may introduce a group
				if s.Doc == nil && s.Comment == nil && d.Doc == nil {
					names = append(names, exported(s.Names)...)
				}
			}
		}
	}
	return names
}

// undocumentedType returns the name of the type if it has no comment, and those
// of the fields of options without one: each says its default. Other fields, and
// the methods of interfaces, may be explained by their type's comment.
func undocumentedType(s *ast.TypeSpec, hasDoc bool) (names []*ast.Ident) {
	if !hasDoc {
		names = append(names, s.Name)
	}
	t, ok := s.Type.(*ast.StructType)
	if !ok || !strings.HasSuffix(s.Name.Name, "Options") {
		return names
	}
	for _, field := range t.Fields.List {
		if field.Doc == nil && field.Comment == nil {
			names = append(names, exported(field.Names)...)
		}
	}
	return names
}

// exportedReceiver tells whether callers of the package can reach the function.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	expr := d.Recv.List[0].Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.IsExported()
		default:
			return true
		}
	}
}

func exported(names []*ast.Ident) []*ast.Ident {
	return slices.DeleteFunc(slices.Clone(names), func(name *ast.Ident) bool { return !name.IsExported() })
}

func TestDocumented(t *testing.T) {
	t.Parallel()
	checkRepository(t, documented)
}

func TestDocumentedRule(t *testing.T) {
	t.Parallel()
	code := func(text string) []string { return []string{"a.go", "package a\n\n" + text + "\n"} }
	checkRule(t, documented, []ruleTest{
		{"function", code("func F() {}"), []string{"a.go:3: F has no comment"}},
		{"documented function", code("// F does.\nfunc F() {}"), nil},
		{"unexported", code("func f() {}\n\ntype t struct{ A int }"), nil},
		{"method", code("func (t *T) M() {}"), []string{"M has no comment"}},
		{"generic method", code("func (t *T[K, V]) M() {}"), []string{"M has no comment"}},
		{"method of an unexported type", code("func (t *t) M() {}"), nil},
		{"type", code("type T int"), []string{"T has no comment"}},
		{"types under one comment", code("// Both.\ntype (\n\tT int\n\tU int\n)"), []string{"T has", "U has"}},
		{"option", code("// Options are.\ntype Options struct {\n\tA int\n\tB int // is\n\tc int\n}"), []string{"a.go:5: A has no comment"}},
		{"field", code("// T is a and B.\ntype T struct {\n\tA, B int\n}"), nil},
		{"constant", code("const C = 1"), []string{"C has no comment"}},
		{"constants under one comment", code("// All.\nconst (\n\tC = 1\n\tD = 2\n)"), nil},
		{"test", []string{"a_test.go", "package a\n\nfunc F() {}\n"}, nil},
	})
}

// maxExported is how many names a package may export; methods and fields are
// not counted.
const maxExported = 40

// exportsMore lists the packages with a bound of their own, and why.
var exportsMore = map[string]struct {
	bound int
	why   string
}{
	"lifecycle": {125, "is the vocabulary: more than half are values of its enumerations and errors, which callers switch on"},
	"objstore":  {80, "holds Bucket, one small interface for each capability that a store may lack, and the passes over them"},
}

// small wants packages that a reader can hold in mind.
func small(files []*file) (broken []string) {
	names := map[string][]string{}
	for _, f := range files {
		if f.isCode() {
			names[f.dir()] = append(names[f.dir()], topLevel(f)...)
		}
	}
	for _, dir := range keys(names) {
		bound := maxExported
		if exception, ok := exportsMore[dir]; ok {
			bound = exception.bound
		}
		if n := len(names[dir]); n > bound {
			slices.Sort(names[dir])
			broken = append(broken, fmt.Sprintf("%s: exports %d names, at most %d (unexport or move some, or give the reason in exportsMore): %s",
				dir, n, bound, strings.Join(names[dir], " ")))
		}
	}
	return broken
}

// topLevel returns the names a file exports from its package.
func topLevel(f *file) (names []string) {
	add := func(idents ...*ast.Ident) {
		for _, ident := range exported(idents) {
			names = append(names, ident.Name)
		}
	}
	for _, decl := range f.ast.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					add(s.Name)
				case *ast.ValueSpec:
					add(s.Names...)
				}
			}
		}
	}
	return names
}

func TestSmall(t *testing.T) {
	t.Parallel()
	checkRepository(t, small)
}

func TestSmallRule(t *testing.T) {
	t.Parallel()
	consts := func(n int) string {
		var b strings.Builder
		b.WriteString("package a\n\n")
		for i := range n {
			fmt.Fprintf(&b, "const C%d = %d\n", i, i)
		}
		return b.String()
	}
	const more = "package a\n\n// F is.\nfunc F() {}\n\nfunc (F) M() {}\n\ntype t int\n"
	checkRule(t, small, []ruleTest{
		{"as many as allowed", []string{"a/a.go", consts(40)}, nil},
		{"one more in another file", []string{"a/a.go", consts(40), "a/b.go", more}, []string{"a: exports 41 names, at most 40"}},
		{"another package", []string{"a/a.go", consts(40), "b/b.go", more}, nil},
		{"in tests", []string{"a/a.go", consts(40), "a/b_test.go", more}, nil},
	})
}
