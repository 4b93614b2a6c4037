package oracle

import (
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// typ is the type of a column or an expression.
type typ uint8

const (
	number typ = iota
	text
	truth // a condition's value
	life  // a column of the life, which expressions leave alone
)

// column is a column of a table or of a query.
type column struct {
	name string
	typ  typ
}

// table is a table of the test, registered or not.
type table struct {
	name string
	key  []string
	cols []column
	mark string // the column that writes set and conditions never read
	life *lifecycle.Table
	// lifeCols are the life's columns with their types in the DDL.
	lifeCols [][2]string
}

// registered tells whether the guard filters the table.
func (t *table) registered() bool { return t.life != nil && t.life.Kind == lifecycle.Asset }

// columns makes columns of a list such as "id:n name:t".
func columns(list string) (cols []column) {
	for _, word := range strings.Fields(list) {
		name, kind, _ := strings.Cut(word, ":")
		c := column{name: name}
		if kind == "t" {
			c.typ = text
		}
		cols = append(cols, c)
	}
	return cols
}

// asset declares a registered table with its mapping.
func asset(t *table, mapping lifecycle.Columns, lifeCols ...[2]string) *table {
	t.life = &lifecycle.Table{Name: t.name, Key: t.key, Columns: mapping}
	t.lifeCols = lifeCols
	return t
}

// The tables share columns in pairs, for USING and NATURAL, and differ in how
// they say that a row is deleted.
var (
	docs = asset(&table{name: "doc", key: []string{"id"}, cols: columns("id:n grp:n num:n name:t doc_mark:n"), mark: "doc_mark"},
		lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}, IsDeleted: lifecycle.Column{Name: "is_deleted", As: lifecycle.Flag}},
		[2]string{"deleted_at", "instant"}, [2]string{"is_deleted", "flag"})
	posts = asset(&table{name: "post", key: []string{"post_id"}, cols: columns("post_id:n id:n grp:n title:t post_mark:n"), mark: "post_mark"},
		lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}},
		[2]string{"deleted_at", "instant"})
	orders = asset(&table{name: "Order", key: []string{"order_id"}, cols: columns("order_id:n grp:n num:n note:t order_mark:n"), mark: "order_mark"},
		lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "gone", As: lifecycle.Flag}},
		[2]string{"gone", "flag"})
	items = asset(&table{name: "item", key: []string{"item_id"}, cols: columns("item_id:n order_id:n num:n label:t item_mark:n"), mark: "item_mark"},
		lifecycle.Columns{
			DeletedAt: lifecycle.Column{Name: "removed_at", As: lifecycle.UnixSeconds},
			IsDeleted: lifecycle.Column{Name: "wiped", As: lifecycle.Boolean},
		},
		[2]string{"removed_at", "epoch"}, [2]string{"wiped", "bool"})
	links = asset(&table{name: "link", key: []string{"id", "item_id"}, cols: columns("id:n item_id:n weight:n link_mark:n"), mark: "link_mark"},
		lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "dropped", As: lifecycle.Boolean, Nullable: true}},
		[2]string{"dropped", "nullbool"})
	tags = asset(&table{name: "tag", key: []string{"tag_id"}, cols: columns("tag_id:n id:n label:t tag_mark:n"), mark: "tag_mark"},
		lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "hidden", As: lifecycle.Flag, Nullable: true}},
		[2]string{"hidden", "nullflag"})
	jobs = &table{
		name: "job", key: []string{"job_id"}, cols: columns("job_id:n id:n grp:n payload:t job_mark:n"), mark: "job_mark",
		life: &lifecycle.Table{Name: "job", Key: []string{"job_id"}, Kind: lifecycle.Technical},
	}
	places = &table{name: "place", key: []string{"place_id"}, cols: columns("place_id:n grp:n name:t place_mark:n"), mark: "place_mark"}

	tables = []*table{docs, posts, orders, items, links, tags, jobs, places}
)

// Catalog declares the registered tables.
func Catalog() *lifecycle.Catalog {
	var all []*lifecycle.Table
	for _, t := range tables {
		if t.life != nil {
			all = append(all, t.life)
		}
	}
	return lifecycle.MustCatalog(all...)
}

// ddlTypes are the types of the life's columns, by dialect.
var ddlTypes = map[string]map[string]string{
	"postgres": {
		"instant": "timestamptz", "flag": "smallint NOT NULL DEFAULT 0", "epoch": "bigint DEFAULT 0",
		"bool": "boolean NOT NULL DEFAULT false", "nullbool": "boolean", "nullflag": "smallint",
	},
	"mysql": {
		"instant": "DATETIME(6)", "flag": "TINYINT NOT NULL DEFAULT 0", "epoch": "BIGINT DEFAULT 0",
		"bool": "BOOLEAN NOT NULL DEFAULT FALSE", "nullbool": "BOOLEAN", "nullflag": "SMALLINT",
	},
	"sqlite": {
		"instant": "TEXT", "flag": "INTEGER NOT NULL DEFAULT 0", "epoch": "INTEGER DEFAULT 0",
		"bool": "BOOLEAN NOT NULL DEFAULT FALSE", "nullbool": "BOOLEAN", "nullflag": "INTEGER",
	},
}

// create returns the table's DDL.
func (d *dialect) create(t *table) string {
	var b strings.Builder
	b.WriteString("CREATE TABLE " + d.quote(t.name) + " (")
	for _, c := range t.cols {
		b.WriteString(c.name)
		if c.typ == text {
			b.WriteString(" " + d.text + ", ")
		} else {
			b.WriteString(" int, ")
		}
	}
	for _, c := range t.lifeCols {
		b.WriteString(c[0] + " " + ddlTypes[d.name][c[1]] + ", ")
	}
	b.WriteString("PRIMARY KEY (" + strings.Join(t.key, ", ") + "))")
	return b.String()
}

// live returns the condition that a row of a source is active, empty for what
// has no life.
func (d *dialect) live(s *source) string {
	if s.t == nil || !s.t.registered() {
		return ""
	}
	var all []string
	for _, c := range s.t.lifeCols {
		name := s.name + "." + c[0]
		all = append(all, map[string]string{
			"instant": name + " IS NULL", "flag": name + " = 0", "epoch": "(" + name + " IS NULL OR " + name + " = 0)",
			"bool": name + " = FALSE", "nullbool": "(" + name + " IS NULL OR " + name + " = FALSE)",
			"nullflag": "(" + name + " IS NULL OR " + name + " = 0)",
		}[c[1]])
	}
	return strings.Join(all, " AND ")
}
