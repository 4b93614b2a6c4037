package source

import (
	"path/filepath"
	"strings"
)

// sqlc is the SQL of sqlc's examples and tests, as far as its module has it.
func sqlc(c Cache) ([]Text, error) {
	dir, err := c.module("github.com/sqlc-dev/sqlc", "v1.31.1")
	if err != nil {
		return nil, err
	}
	return Directory(dir)
}

// Directory reads the .sql files below a directory, whose paths tell the product.
// Those of one directory belong together, the ones of a schema first.
func Directory(dir string) ([]Text, error) {
	var order []string
	byDir := map[string]*Text{}
	texts, err := each(dir, func(path, text string) []Text { return []Text{script(path, text, product(path))} }, ".sql")
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		d := strings.TrimSuffix(strings.TrimSuffix(filepath.Dir(t.Path), "/schema"), "/query")
		all := byDir[d]
		if all == nil {
			all = &Text{Path: d, Product: t.Product}
			byDir[d], order = all, append(order, d)
		}
		if strings.Contains(t.Path, "schema") {
			all.Statements = append(t.Statements, all.Statements...)
		} else {
			all.Statements = append(all.Statements, t.Statements...)
		}
	}
	texts = texts[:0]
	for _, d := range order {
		texts = append(texts, *byDir[d])
	}
	return texts, nil
}
