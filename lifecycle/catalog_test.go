package lifecycle_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// belongs declares a parent with one referring column.
func belongs(parent *lifecycle.Table) lifecycle.Parent {
	return lifecycle.Parent{Table: parent, Columns: []string{"parent_id"}}
}

func named(name string, parents ...lifecycle.Parent) *lifecycle.Table {
	return &lifecycle.Table{Name: name, Parents: parents}
}

func TestCatalogGraph(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		tables func() []*lifecycle.Table
		want   []string
	}{
		{"empty", func() []*lifecycle.Table { return nil }, nil},
		{"strangers", func() []*lifecycle.Table { return []*lifecycle.Table{named("a"), named("b")} }, nil},
		{"a chain in any order", func() []*lifecycle.Table {
			a := named("a")
			b := named("b", belongs(a))
			return []*lifecycle.Table{named("c", belongs(b)), a, b}
		}, nil},
		{"a diamond", func() []*lifecycle.Table {
			a := named("a")
			b, c := named("b", belongs(a)), named("c", belongs(a))
			return []*lifecycle.Table{named("d", belongs(b), lifecycle.Parent{Table: c, Columns: []string{"c_id"}}), a, b, c}
		}, nil},
		{"two bonds to one parent", func() []*lifecycle.Table {
			a := named("a")
			return []*lifecycle.Table{a, named("b", belongs(a), lifecycle.Parent{Table: a, Columns: []string{"other_id"}})}
		}, nil},
		{"a tree", func() []*lifecycle.Table {
			a := named("a")
			a.Parents = []lifecycle.Parent{belongs(a)}
			return []*lifecycle.Table{a}
		}, nil},
		{"one name in two schemas", func() []*lifecycle.Table {
			return []*lifecycle.Table{{Schema: "x", Name: "a"}, {Schema: "y", Name: "a"}, {Name: "a"}}
		}, nil},
		{"nil", func() []*lifecycle.Table { return []*lifecycle.Table{named("a"), nil} }, []string{"table 2 is nil"}},
		{"one table twice", func() []*lifecycle.Table { a := named("a"); return []*lifecycle.Table{a, a} }, []string{"table a is declared twice"}},
		{"two tables of one name", func() []*lifecycle.Table { return []*lifecycle.Table{named("a"), named("a")} }, []string{"table a is declared twice"}},
		{"names that audits could not tell apart", func() []*lifecycle.Table {
			return []*lifecycle.Table{{Schema: "x", Name: "a"}, {Name: "x.a"}}
		}, []string{"table x.a is declared twice"}},
		{"an unknown parent", func() []*lifecycle.Table { return []*lifecycle.Table{named("b", belongs(named("a")))} }, []string{"table b: parent 1 is not in the catalog"}},
		{"no parent", func() []*lifecycle.Table { return []*lifecycle.Table{named("b", belongs(nil))} }, []string{"table b: parent 1 is not in the catalog"}},
		{"a namesake of the parent", func() []*lifecycle.Table {
			return []*lifecycle.Table{named("a"), named("b", belongs(named("a")))}
		}, []string{"table b: parent 1 is not in the catalog"}},
		{"too few columns", func() []*lifecycle.Table {
			a := &lifecycle.Table{Name: "a", Key: []string{"x", "y"}}
			return []*lifecycle.Table{a, named("b", belongs(a))}
		}, []string{"table b: 1 columns refer to the key of a, which has 2"}},
		{"no columns", func() []*lifecycle.Table {
			a := named("a")
			return []*lifecycle.Table{a, named("b", lifecycle.Parent{Table: a})}
		}, []string{"table b: 0 columns refer to the key of a, which has 1"}},
		{"an empty column", func() []*lifecycle.Table {
			a := named("a")
			return []*lifecycle.Table{a, named("b", lifecycle.Parent{Table: a, Columns: []string{""}})}
		}, []string{"table b: Parents.Columns: is empty"}},
		{"a cycle of two", func() []*lifecycle.Table {
			a := named("a")
			b := named("b", belongs(a))
			a.Parents = []lifecycle.Parent{belongs(b)}
			return []*lifecycle.Table{a, b}
		}, []string{"is its own ancestor through"}},
		{"a cycle of three behind a tail", func() []*lifecycle.Table {
			a := named("a")
			b := named("b", belongs(a))
			c := named("c", belongs(b))
			a.Parents = []lifecycle.Parent{belongs(c)}
			return []*lifecycle.Table{named("tail", belongs(a)), a, b, c}
		}, []string{"is its own ancestor through"}},
		{"every fault is named", func() []*lifecycle.Table { return []*lifecycle.Table{nil, named(""), named("b", belongs(nil))} }, []string{"table 1 is nil", "Name: is empty", "parent 1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, err := lifecycle.NewCatalog(tt.tables()...)
			if len(tt.want) > 0 {
				wantInvalid(t, err, tt.want...)
				if c != nil {
					t.Error("a catalog beside an error")
				}
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCatalogChildren(t *testing.T) {
	t.Parallel()
	folder := named("folder")
	file := named("file", belongs(folder))
	comment := named("comment", lifecycle.Parent{Table: folder, Columns: []string{"folder_id"}, Independent: true})
	folder.Parents = []lifecycle.Parent{belongs(folder)}
	c := lifecycle.MustCatalog(folder, file, comment)
	var got []string
	for _, child := range c.Children(folder) {
		got = append(got, child.Table.Name+" by "+child.Parent.Columns[0])
		if child.Parent.Independent != (child.Table.Name == "comment") {
			t.Errorf("%s: independent %t", child.Table.Name, child.Parent.Independent)
		}
		if child.Parent.Table != c.Tables()[0] {
			t.Errorf("%s: the parent is not the catalog's", child.Table.Name)
		}
	}
	if diff := cmp.Diff([]string{"folder by parent_id", "file by parent_id", "comment by folder_id"}, got); diff != "" {
		t.Errorf("children (-want +got):\n%s", diff)
	}
	for name, none := range map[string]*lifecycle.Table{"a leaf": file, "a stranger": named("folder"), "nil": nil} {
		if children := c.Children(none); len(children) > 0 {
			t.Errorf("children of %s: %v", name, children)
		}
	}
}

func TestCatalogResolve(t *testing.T) {
	t.Parallel()
	doc := named("doc")
	c := lifecycle.MustCatalog(doc)
	own := c.Tables()[0]
	for _, tt := range []struct {
		name  string
		table *lifecycle.Table
		want  *lifecycle.Table
		err   string
	}{
		{"the declaration", doc, own, ""},
		{"the catalog's own", own, own, ""},
		{"a namesake", named("doc"), nil, "table doc is not in the catalog"},
		{"nil", nil, nil, "no table"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := c.Resolve(tt.table)
			if tt.err != "" {
				wantInvalid(t, err, tt.err)
			} else if err != nil {
				t.Error(err)
			}
			if got != tt.want {
				t.Errorf("Resolve = %p, want %p", got, tt.want)
			}
		})
	}
}

// TestCatalogIsACopy changes declarations after the catalog was made.
func TestCatalogIsACopy(t *testing.T) {
	t.Parallel()
	folder := named("folder")
	doc := &lifecycle.Table{
		Name: "doc", Key: []string{"nr"}, Parents: []lifecycle.Parent{belongs(folder)},
		Objects: []lifecycle.ObjectRef{{Bucket: "files", Key: "k"}},
	}
	c := lifecycle.MustCatalog(folder, doc)
	doc.Name, doc.Key[0], doc.Objects[0].Key, doc.Parents[0].Columns[0] = "x", "x", "x", "x"
	c.Tables()[0], c.Children(folder)[0] = nil, lifecycle.Child{}
	got, err := c.Resolve(doc)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{got.Name, got.Key[0], got.Objects[0].Key, got.Parents[0].Columns[0], c.Tables()[0].Name, c.Children(folder)[0].Table.Name}
	if diff := cmp.Diff([]string{"doc", "nr", "k", "parent_id", "folder", "doc"}, texts); diff != "" {
		t.Errorf("the catalog (-before +after):\n%s", diff)
	}
}

func TestMustCatalogPanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("recovered %v, want ErrInvalid", err)
		}
	}()
	lifecycle.MustCatalog(&lifecycle.Table{})
}
