package lint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// module is the path of the module the rules are about.
const module = "github.com/softdelete-go/softdelete"

// pkg is what go list knows of a package, tests left out.
type pkg struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string // transitive
	Error      *struct{ Err string }
}

// graph is the packages of the module and all they are made of, by their paths;
// ours are without the module's ("." is the root).
type graph map[string]*pkg

// imports runs go list once.
var imports = sync.OnceValues(func() (graph, error) {
	cmd := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Standard,Imports,Deps,Error", "./...")
	cmd.Dir = root
	output, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	g := graph{}
	for decoder := json.NewDecoder(strings.NewReader(string(output))); ; {
		p := new(pkg)
		if err := decoder.Decode(p); errors.Is(err, io.EOF) {
			return g, nil
		} else if err != nil {
			return nil, err
		}
		g.add(p)
	}
})

// add adds a package under its short name.
func (g graph) add(p *pkg) {
	for _, list := range [][]string{p.Imports, p.Deps} {
		for i := range list {
			list[i] = shorten(list[i])
		}
	}
	g[shorten(p.ImportPath)] = p
}

// shorten removes the module's path, and keeps Go's own internal packages apart
// from the module's.
func shorten(path string) string {
	switch {
	case path == module:
		return "."
	case strings.HasPrefix(path, "internal/"):
		return "std/" + path
	}
	return strings.TrimPrefix(path, module+"/")
}

// ours returns the module's packages in their order.
func (g graph) ours() []string {
	return slices.DeleteFunc(keys(g), func(path string) bool { return !ours(g[path]) })
}

func ours(p *pkg) bool {
	return p.ImportPath == module || strings.HasPrefix(p.ImportPath, module+"/")
}

// through names the direct import by which a package reaches another.
func (g graph) through(from, to string) string {
	for _, direct := range g[from].Imports {
		if direct == to {
			return ""
		}
		if p := g[direct]; p != nil && slices.Contains(p.Deps, to) {
			return " through " + direct
		}
	}
	return ""
}

// below tells whether path is one of the patterns; "a/..." is a and all below
// it, "..." everything.
func below(path string, patterns ...string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		dir, all := strings.CutSuffix(pattern, "...")
		dir = strings.TrimSuffix(dir, "/")
		return path == dir || all && (dir == "" || strings.HasPrefix(path, dir+"/"))
	})
}

// arrow is an import that must not be, not even through others.
type arrow struct {
	from, to []string
	except   []string // of from
	why      string
}

// adapters connect to a product; the packages that define what they adapt must
// not know them.
var (
	objectAdapters = []string{"objstore/s3obj/...", "objstore/memobj/...", "objstore/fileobj/...", "objstore/objstoretest/..."}
	rowAdapters    = []string{"store/postgres/...", "store/mysql/...", "store/sqlite/...", "store/memstore/...", "store/storetest/..."}
	drivers        = []string{
		"github.com/jackc/pgx/v5/...", "github.com/lib/pq/...", "github.com/go-sql-driver/mysql/...",
		"modernc.org/sqlite/...", "github.com/mattn/go-sqlite3/...", "github.com/ncruces/go-sqlite3/...", "github.com/glebarez/...",
	}
	products = []string{
		"github.com/redis/...", "github.com/prometheus/...", "go.opentelemetry.io/...",
		"github.com/riverqueue/...", "github.com/robfig/...",
	}
)

// forbidden are the arrows of the architecture that must not be.
var forbidden = []arrow{
	{
		from: []string{"lifecycle/..."}, to: []string{"store/...", "objstore/...", "retention/...", "internal/..."},
		why: "every package stands on lifecycle, which stands on the standard library alone",
	}, {
		from: []string{"objstore/..."}, to: []string{"store/...", "retention/..."},
		why: "objects are reclaimed by what the rows' side wrote down, never by asking it",
	}, {
		from: []string{"store/..."}, to: slices.Concat(objectAdapters, []string{"retention/..."}),
		except: []string{"store/storetest/..."},
		why:    "rows know that objects exist, not where",
	}, {
		from: []string{"store", "store/guard/..."}, to: rowAdapters,
		why: "a database is added as an adapter that imports store, not as an import of store",
	}, {
		from: []string{"store/guard/..."}, to: []string{"store", "objstore/...", "retention/..."},
		why: "a service that only reads compiles lifecycle and the guard and nothing else",
	}, {
		from: []string{"objstore", "objstore/s3obj/...", "objstore/memobj/...", "objstore/fileobj/..."},
		to:   []string{"objstore/objstoretest/..."},
		why:  "adapters are checked by the suite and do not ship it",
	}, {
		from: []string{"objstore"}, to: objectAdapters,
		why: "an object store is added as an adapter that imports objstore",
	}, {
		from: []string{"retention"}, to: slices.Concat(objectAdapters, rowAdapters),
		why: "passes are given their store and their bucket",
	}, {
		from: []string{"internal/clock", "internal/sqltext", "internal/dberr", "internal/own"},
		to:   []string{"lifecycle/...", "store/...", "objstore/...", "retention/...", "internal/..."},
		why:  "the ground of the module stands on the standard library alone",
	}, {
		from: []string{"internal/rowstate"}, to: []string{"store/...", "objstore/...", "retention/...", "internal/..."},
		why: "the store and the guard share it, and the guard does not import the store",
	}, {
		from: []string{"..."}, to: []string{"examples/...", "internal/testbed/...", "internal/lint/..."},
		why: "programs and rules are nobody's library",
	}, {
		from: []string{"..."}, to: drivers,
		except: []string{"internal/testbed", "internal/testdb", "internal/bench/...", "examples/..."},
		why:    "the service chooses its driver; tests import it in _test.go",
	}, {
		from: []string{"..."}, to: []string{"github.com/aws/..."},
		except: []string{"objstore/s3obj", "internal/testbed", "internal/testdb", "internal/bench/...", "examples/..."},
		why:    "only objstore/s3obj, and what connects to S3 itself, compiles the SDK",
	}, {
		from: []string{"..."}, to: products,
		except: []string{"examples/..."},
		why:    "it would burden every user: give it a nested module, as store/redis has",
	}, {
		from: []string{"..."}, to: []string{"testing", "internal/testdb"},
		except: []string{
			"store/storetest/...", "store/guard/leaktest/...", "objstore/objstoretest/...",
			"lifecycle/lifecycletest/...", "internal/testdb", "internal/bench/...",
		},
		why: "test code ships to every user otherwise; suites and kits for go test are packages named …test",
	},
}

// straight refuses imports against the arrows.
func straight(g graph, arrows []arrow) (broken []string) {
	for _, from := range g.ours() {
		for _, to := range g[from].Deps {
			for _, a := range arrows {
				if from != to && below(from, a.from...) && !below(from, a.except...) && below(to, a.to...) && !inside(from, to) {
					broken = append(broken, fmt.Sprintf("%s imports %s%s: remove the import (%s)", from, to, g.through(from, to), a.why))
				}
			}
		}
	}
	return broken
}

// inside tells whether both are of the same example: programs may have packages.
func inside(from, to string) bool { return below(from, "examples/...") && below(to, "examples/...") }

// pure wants lifecycle to be made of the standard library alone.
func pure(g graph) (broken []string) {
	if g["lifecycle"] == nil {
		return []string{"lifecycle: no such package"}
	}
	for _, to := range g["lifecycle"].Deps {
		if p := g[to]; p == nil || !p.Standard {
			broken = append(broken, fmt.Sprintf("lifecycle imports %s%s: the standard library only (define the few lines it needs in lifecycle)",
				to, g.through("lifecycle", to)))
		}
	}
	return broken
}

func TestImports(t *testing.T) {
	t.Parallel()
	g, err := imports()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range g.ours() {
		if e := g[path].Error; e != nil {
			t.Errorf("%s: %s (its imports can't be checked)", path, strings.TrimSpace(e.Err))
		}
	}
	expect(t, straight(g, forbidden), nil)
	expect(t, pure(g), nil)
}

// drawn makes a small graph: each line is a package and what it imports; what is
// imported has its line before.
func drawn(lines ...string) graph {
	g := graph{}
	for _, line := range lines {
		words := strings.Fields(line)
		p := &pkg{ImportPath: words[0], Imports: words[1:], Standard: !strings.Contains(words[0], ".")}
		for _, direct := range p.Imports {
			p.Deps = append(p.Deps, direct)
			if through := g[shorten(direct)]; through != nil {
				p.Deps = append(p.Deps, through.Deps...)
			}
		}
		slices.Sort(p.Deps)
		p.Deps = slices.Compact(p.Deps)
		g.add(p)
	}
	return g
}

func TestImportsRule(t *testing.T) {
	t.Parallel()
	const m = module + "/"
	tests := []struct {
		name  string
		graph graph
		want  []string
	}{
		{"good", drawn("fmt", m+"lifecycle fmt", m+"store fmt "+m+"lifecycle", m+"store/mysql "+m+"store "+m+"lifecycle"), nil},
		{"against the arrow", drawn(m+"store", m+"lifecycle "+m+"store"), []string{"lifecycle imports store: remove"}},
		{"objects ask rows", drawn(m+"store", m+"objstore "+m+"store"), []string{"objstore imports store: remove"}},
		{"rows know the adapter", drawn(m+"objstore", m+"objstore/s3obj "+m+"objstore", m+"store "+m+"objstore "+m+"objstore/s3obj"),
			[]string{"store imports objstore/s3obj: remove"}},
		{"a driver", drawn("github.com/lib/pq", m+"store/postgres github.com/lib/pq"), []string{"store/postgres imports github.com/lib/pq: remove"}},
		{"a driver through another package", drawn("github.com/lib/pq", "example.com/kit github.com/lib/pq", m+"store example.com/kit"),
			[]string{"store imports github.com/lib/pq through example.com/kit: remove"}},
		{"a program's driver", drawn("github.com/lib/pq", m+"examples/quickstart github.com/lib/pq"), nil},
		{"the SDK", drawn("github.com/aws/sdk", m+"objstore/s3obj github.com/aws/sdk", m+"retention github.com/aws/sdk"),
			[]string{"retention imports github.com/aws/sdk: remove"}},
		{"testing", drawn("testing", m+"store/storetest testing", m+"store testing"), []string{"store imports testing: remove"}},
		{"the root", drawn("testing", module+" testing"), []string{". imports testing: remove"}},
		{"programs", drawn(m+"examples/a/part", m+"examples/a "+m+"examples/a/part", m+"store "+m+"examples/a/part"),
			[]string{"store imports examples/a/part: remove"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			expect(t, straight(tt.graph, forbidden), tt.want)
		})
	}
}

func TestPureRule(t *testing.T) {
	t.Parallel()
	const m = module + "/"
	expect(t, pure(drawn("fmt", m+"lifecycle fmt")), nil)
	expect(t, pure(drawn("fmt")), []string{"lifecycle: no such package"})
	expect(t, pure(drawn("example.com/a", m+"internal/clock example.com/a", m+"lifecycle "+m+"internal/clock")), []string{
		"lifecycle imports example.com/a through internal/clock", "lifecycle imports internal/clock",
	})
}
