package guard

import "github.com/softdelete-go/softdelete/internal/sqltext"

// Dialect is how a database product reads text. Use one of the package's.
type Dialect struct {
	name  string
	mode  sqltext.Mode
	quote byte
}

var (
	// Postgres is PostgreSQL with standard_conforming_strings, its default.
	Postgres = &Dialect{"postgres", sqltext.Mode{Quote: '"', Dollar: true, NestedComment: true}, '"'}
	// MySQL is MySQL and MariaDB without ANSI_QUOTES and NO_BACKSLASH_ESCAPES.
	MySQL = &Dialect{"mysql", sqltext.Mode{Quote: '`', Backslash: true, HashComment: true, DoubleString: true}, '`'}
	// SQLite is SQLite.
	SQLite = &Dialect{"sqlite", sqltext.Mode{Quote: '"'}, '"'}
)

// String returns the product's name.
func (d *Dialect) String() string { return d.name }

// AppendName appends an identifier in the quotes of the product.
func (d *Dialect) AppendName(b []byte, name string) []byte {
	b = append(b, d.quote)
	for i := range len(name) {
		if name[i] == d.quote {
			b = append(b, d.quote)
		}
		b = append(b, name[i])
	}
	return append(b, d.quote)
}
