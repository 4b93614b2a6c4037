package source

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// postgresql is PostgreSQL's regression and isolation tests, and those of its
// extensions and languages.
func postgresql(c Cache) ([]Text, error) {
	dir, err := c.debian([]string{"postgresql-15", "postgresql-17"}, "*/sql/*.sql", "*/specs/*.spec", "*/contrib/*.sql", "*/src/*.sql")
	if err != nil {
		return nil, err
	}
	return each(dir, func(path, text string) []Text {
		if filepath.Ext(path) == ".spec" {
			return []Text{spec(path, text)}
		}
		return []Text{script(path, text, Postgres)}
	}, ".sql", ".spec")
}

// mariadb is MariaDB's mysql-test suite, that of its engines and plugins included.
func mariadb(c Cache) ([]Text, error) {
	dir, err := c.debian([]string{"mariadb"}, "*.test", "*.inc")
	if err != nil {
		return nil, err
	}
	return each(dir, func(path, text string) []Text { return []Text{mysqltest(path, text)} }, ".test", ".inc")
}

// sqlite is SQLite's own tests.
func sqlite(c Cache) ([]Text, error) {
	dir, err := c.debian([]string{"sqlite3"}, "*.test")
	if err != nil {
		return nil, err
	}
	return each(dir, tcl, ".test")
}

// literals returns the statements in a module's Go files.
func literals(c Cache, module, version, sub string, p Product) (texts []Text, err error) {
	dir, err := c.module(module, version)
	if err != nil {
		return nil, err
	}
	return each(filepath.Join(dir, sub), func(path, text string) []Text { return []Text{goStrings(path, text, p)} }, ".go")
}

func pgQuery(c Cache) ([]Text, error) {
	return literals(c, "github.com/pganalyze/pg_query_go/v6", "", "", Postgres)
}

func tidb(c Cache) ([]Text, error) {
	return literals(c, "github.com/pingcap/tidb/pkg/parser", "", "", MySQL)
}

func goMySQLServer(c Cache) ([]Text, error) {
	return literals(c, "github.com/dolthub/go-mysql-server", "v0.20.0", "enginetest", MySQL)
}

var input = regexp.MustCompile(`(?s)INPUT\n(.*?)\nEND\n`)

// vitess is the tests of Vitess's parser and planner.
func vitess(c Cache) ([]Text, error) {
	texts, err := literals(c, "vitess.io/vitess", "", "go/vt/sqlparser", MySQL)
	if err != nil {
		return nil, err
	}
	dir, err := c.module("vitess.io/vitess", "")
	if err != nil {
		return nil, err
	}
	data, err := each(filepath.Join(dir, "go/vt/sqlparser/testdata"), func(path, text string) []Text {
		t := Text{Path: path, Product: MySQL}
		for _, m := range input.FindAllStringSubmatch(text, -1) {
			t.Statements = append(t.Statements, Split(m[1], MySQL, ";")...)
		}
		if len(t.Statements) == 0 {
			t.Statements = strings.Split(strings.TrimSpace(text), "\n")
		}
		return []Text{t}
	}, ".txt")
	if err != nil {
		return nil, err
	}
	plans, err := planner(filepath.Join(dir, "go/vt/vtgate/planbuilder/testdata"))
	if err != nil {
		return nil, err
	}
	lobsters, err := zipped(filepath.Join(dir, "go/vt/sqlparser/testdata/lobsters.sql.gz"))
	return append(append(append(texts, data...), plans...), lobsters), err
}

// zipped reads a compressed file with a statement on each line.
func zipped(path string) (t Text, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return t, err
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return t, err
	}
	if b, err = io.ReadAll(r); err != nil {
		return t, err
	}
	return Text{filepath.Base(path), MySQL, strings.Split(strings.TrimSpace(string(b)), "\n")}, nil
}
