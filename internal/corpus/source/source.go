package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Product is whose SQL it is.
type Product string

// The products.
const (
	Postgres Product = "postgres"
	MySQL    Product = "mysql"
	SQLite   Product = "sqlite"
)

// Text is a file, or a part of one, whose statements belong together.
type Text struct {
	// Path tells where it is from.
	Path string
	// Product is whose SQL it is.
	Product Product
	// Statements are in their order.
	Statements []string
}

// Corpus is a collection of SQL.
type Corpus struct {
	// Name chooses it on the command line.
	Name string
	// Texts fetches it.
	Texts func(c Cache) ([]Text, error)
}

// Corpora are all that can be had by package.
var Corpora = []Corpus{
	{"postgresql", postgresql},
	{"pg_query", pgQuery},
	{"mariadb", mariadb},
	{"vitess", vitess},
	{"tidb", tidb},
	{"go-mysql-server", goMySQLServer},
	{"sqlite", sqlite},
	{"sqlc", sqlc},
}

// files returns the files below a directory that have one of the extensions.
func files(dir string, extensions ...string) (list []string, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && slices.Contains(extensions, filepath.Ext(path)) {
			list = append(list, path)
		}
		return err
	})
	return list, err
}

// each makes texts of files.
func each(dir string, read func(path, text string) []Text, extensions ...string) (texts []Text, err error) {
	list, err := files(dir, extensions...)
	if err != nil {
		return nil, err
	}
	for _, path := range list {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		short, err := filepath.Rel(dir, path)
		if err != nil {
			return nil, err
		}
		texts = append(texts, read(filepath.ToSlash(short), string(b))...)
	}
	return texts, nil
}

// script reads a file of statements.
func script(path, text string, p Product) Text {
	if p == Postgres {
		text = psql(text)
	}
	return Text{path, p, Split(text, p, ";")}
}

// product tells by a path whose SQL a file has, and says Postgres where the path
// does not tell.
func product(path string) Product {
	path = strings.ToLower(path)
	switch {
	case strings.Contains(path, "mysql"):
		return MySQL
	case strings.Contains(path, "sqlite"):
		return SQLite
	}
	return Postgres
}
