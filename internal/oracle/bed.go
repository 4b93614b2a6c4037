package oracle

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// copies are the scopes with a copy of the tables. Everything's is the full one;
// the others have only the rows that their scope shows.
var copies = []lifecycle.Scope{lifecycle.Live, lifecycle.WithTrashed, lifecycle.OnlyTrashed, lifecycle.Everything}

// Databases is how many empty databases a Bed needs.
const Databases = 4

// SQLite's queries are ended by the context; the servers have a shorter time of
// their own, so that theirs is only passed where a server hangs.
const (
	sqliteTimeout = 4 * time.Second
	serverTimeout = 20 * time.Second
)

// Bed is the tables in all their copies, on one database product. It is not
// safe for concurrent use.
type Bed struct {
	d       *dialect
	guarded *sql.Conn // on the full copy
	plain   [Databases]*sql.Conn
	schemas [Databases]string
	data    data
	// hidden are the rows of the full copy as the database writes them.
	hidden map[*table]map[string]string
}

// Open makes the tables in empty databases of one product, each a schema of its
// own. The name is the product's: "postgres", "mariadb" or "sqlite".
func Open(ctx context.Context, name string, databases [Databases]*sql.DB) (*Bed, error) {
	b := &Bed{d: dialectOf(name)}
	files := [Databases]string{}
	for i, db := range databases {
		var err error
		if b.plain[i], err = db.Conn(ctx); err != nil {
			return nil, err
		}
		if err := b.name(ctx, i, &files[i]); err != nil {
			return nil, err
		}
		for _, t := range tables {
			if err := b.exec(ctx, copies[i], b.d.create(t)); err != nil {
				return nil, err
			}
		}
	}
	var err error
	if b.guarded, err = databases[lifecycle.Everything].Conn(ctx); err != nil {
		return nil, err
	}
	for i, conn := range b.plain {
		if err := b.prepare(ctx, conn, i, files); err != nil {
			return nil, err
		}
	}
	return b, b.prepare(ctx, b.guarded, int(lifecycle.Everything), files)
}

// Close gives the connections back.
func (b *Bed) Close() {
	for _, conn := range append(b.plain[:], b.guarded) {
		_ = conn.Close() // the databases are thrown away next
	}
}

// name finds out what a copy's schema is called, and on SQLite where its file is.
func (b *Bed) name(ctx context.Context, i int, file *string) error {
	switch b.d {
	case postgres:
		return b.plain[i].QueryRowContext(ctx, "SELECT current_schema()").Scan(&b.schemas[i])
	case mysql:
		return b.plain[i].QueryRowContext(ctx, "SELECT database()").Scan(&b.schemas[i])
	default:
		b.schemas[i] = fmt.Sprintf("copy%d", i)
		return b.plain[i].QueryRowContext(ctx, "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(file)
	}
}

// prepare makes a session fit for the cases. SQLite sees the other copies
// attached.
func (b *Bed) prepare(ctx context.Context, conn *sql.Conn, own int, files [Databases]string) error {
	statements := b.d.setup
	if b.d == sqlite {
		for i, file := range files {
			if i != own {
				statements = append(statements, fmt.Sprintf("ATTACH '%s' AS %s", file, b.schemas[i]))
			}
		}
	}
	for _, s := range statements {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

func (b *Bed) exec(ctx context.Context, s lifecycle.Scope, statement string) error {
	if _, err := b.plain[s].ExecContext(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

// schemaOf names a copy as the session of another one sees it.
func (b *Bed) schemaOf(s, session lifecycle.Scope) string {
	if b.d == sqlite && s == session {
		return "main"
	}
	return b.schemas[s]
}

// textOnFull returns the text that is guarded and runs on the full copy.
func (b *Bed) textOnFull(c *testCase) string {
	return c.print(func(*ref) (string, bool) {
		return b.schemaOf(lifecycle.Everything, lifecycle.Everything), false
	})
}

// textOnTwin returns the text that runs as it is on the twin.
func (b *Bed) textOnTwin(c *testCase) string {
	return c.print(func(r *ref) (string, bool) {
		if r.scope == nil {
			return b.schemaOf(c.scope, c.scope), false
		}
		return b.schemaOf(*r.scope, c.scope), true
	})
}
