package storetest

import (
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// The tables of the suite: every mapping, every encoding, every kind of key.
// Column names tell the types: a name that ends in "id" or "seq" is a 64-bit
// integer, "row_version" too, and any other key or reference is text.
type fixture struct {
	catalog *lifecycle.Catalog

	doc      *lifecycle.Table // everything mapped, two objects
	note     *lifecycle.Table // deleted_at alone, a text key
	flagged  *lifecycle.Table // a flag for the trash, a stored deadline
	bare     *lifecycle.Table // a flag and nothing else
	pair     *lifecycle.Table // a composite key
	keeper   *lifecycle.Table // a trash without an end
	encoded  []*lifecycle.Table
	folder   *lifecycle.Table
	file     *lifecycle.Table // its parent is restricted by it
	comment  *lifecycle.Table // its parent is not
	tree     *lifecycle.Table // its own parent
	ticket   *lifecycle.Table // technical
	employee *lifecycle.Table // status
}

const window = 30 * lifecycle.Day

func newFixture() *fixture {
	f := &fixture{}
	canonical := lifecycle.CanonicalColumns()
	canonical.Version = "row_version"
	f.doc = &lifecycle.Table{
		Name: "doc", Columns: canonical,
		Objects: []lifecycle.ObjectRef{{Bucket: "files", Key: "object_key"}, {Bucket: "files", Key: "thumb_key"}},
	}
	f.note = &lifecycle.Table{
		Name: "Note", Key: []string{"order"},
		Columns: lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted_at"}},
	}
	f.flagged = &lifecycle.Table{
		Name: "flagged",
		Columns: lifecycle.Columns{
			DeletedAt:  lifecycle.Column{Name: "trashed", As: lifecycle.Boolean, Nullable: true},
			PurgeAfter: lifecycle.Column{Name: "purge_after", As: lifecycle.TimestampMillis},
			IsDeleted:  lifecycle.Column{Name: "is_deleted", As: lifecycle.Boolean},
			Hold:       lifecycle.Column{Name: "hold", As: lifecycle.Boolean, Nullable: true},
		},
	}
	f.bare = &lifecycle.Table{
		Name:    "bare",
		Columns: lifecycle.Columns{DeletedAt: lifecycle.Column{Name: "deleted", As: lifecycle.Flag, Nullable: true}},
	}
	f.pair = &lifecycle.Table{
		Name: "pair", Key: []string{"tenant", "seq"}, Columns: canonical,
		Policy: lifecycle.Policy{Window: 36 * time.Hour},
	}
	f.keeper = &lifecycle.Table{Name: "keeper", Policy: lifecycle.Policy{Window: lifecycle.Never}}
	for _, e := range encodings {
		f.encoded = append(f.encoded, encodedTable(e.name, e.as, true), encodedTable(e.name+"_computed", e.as, false))
	}
	f.folder = &lifecycle.Table{Name: "folder"}
	f.file = &lifecycle.Table{Name: "file", Parents: []lifecycle.Parent{{Table: f.folder, Columns: []string{"folder_id"}}}}
	f.comment = &lifecycle.Table{
		Name:    "comment",
		Parents: []lifecycle.Parent{{Table: f.folder, Columns: []string{"folder_id"}, Independent: true}},
	}
	f.tree = &lifecycle.Table{Name: "tree"}
	f.tree.Parents = []lifecycle.Parent{{Table: f.tree, Columns: []string{"parent_id"}}}
	f.ticket = &lifecycle.Table{
		Name: "ticket", Kind: lifecycle.Technical,
		Columns: lifecycle.Columns{Hold: lifecycle.Column{Name: "hold", As: lifecycle.Flag}},
		Objects: []lifecycle.ObjectRef{{Bucket: "files", Key: "object_key"}},
	}
	f.employee = &lifecycle.Table{Name: "employee", Kind: lifecycle.Status, Why: "set left_on instead"}
	f.catalog = lifecycle.MustCatalog(append(f.assets(), f.folder, f.file, f.comment, f.tree, f.ticket, f.employee)...)
	f.resolve()
	return f
}

// resolve replaces each declaration by the catalog's copy, which says what the
// defaults are.
func (f *fixture) resolve() {
	all := []**lifecycle.Table{
		&f.doc, &f.note, &f.flagged, &f.bare, &f.pair, &f.keeper, &f.folder, &f.file, &f.comment, &f.tree, &f.ticket, &f.employee,
	}
	for i := range f.encoded {
		all = append(all, &f.encoded[i])
	}
	for _, t := range all {
		resolved, err := f.catalog.Resolve(*t)
		if err != nil {
			panic(err)
		}
		*t = resolved
	}
}

var encodings = []struct {
	name string
	as   lifecycle.Encoding
}{
	{"micros", lifecycle.Timestamp},
	{"millis", lifecycle.TimestampMillis},
	{"seconds", lifecycle.TimestampSeconds},
	{"unix_s", lifecycle.UnixSeconds},
	{"unix_ms", lifecycle.UnixMillis},
	{"unix_us", lifecycle.UnixMicros},
	{"rfc", lifecycle.RFC3339},
}

func encodedTable(name string, as lifecycle.Encoding, stored bool) *lifecycle.Table {
	c := lifecycle.Columns{
		DeletedAt:   lifecycle.Column{Name: "deleted_at", As: as},
		IsDeleted:   lifecycle.Column{Name: "gone_at", As: as},
		ReclaimedAt: lifecycle.Column{Name: "reclaimed_at", As: as},
		UpdatedAt:   lifecycle.Column{Name: "updated_at", As: as},
		Hold:        lifecycle.Column{Name: "hold", As: lifecycle.Flag, Nullable: true},
	}
	if stored {
		c.PurgeAfter = lifecycle.Column{Name: "purge_after", As: as}
	}
	return &lifecycle.Table{Name: name, Columns: c, Policy: lifecycle.Policy{Window: 90 * time.Second}}
}

// assets are the tables with a trash and without relations.
func (f *fixture) assets() []*lifecycle.Table {
	return append([]*lifecycle.Table{f.doc, f.note, f.flagged, f.bare, f.pair, f.keeper}, f.encoded...)
}

// key makes the n-th key of a table.
func key(t *lifecycle.Table, n int64) lifecycle.Key {
	switch t.Name {
	case "Note":
		return lifecycle.Key{"note " + string(rune('a'+n%26)) + "/" + time.Duration(n).String()}
	case "pair":
		return lifecycle.Key{"tenant " + string(rune('a'+n%3)), n}
	}
	return lifecycle.Key{n}
}

func row(t *lifecycle.Table, n int64) lifecycle.Row { return t.Row(key(t, n)...) }
