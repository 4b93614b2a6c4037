package lifecycle

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind says what deleting a row of a table means.
type Kind uint8

const (
	// Asset rows belong to users: trash first, undo, purge later. The zero value.
	Asset Kind = iota
	// Status rows are never deleted: an end, such as an employee's leaving, is a
	// business status. Every deletion is refused with the table's Why.
	Status
	// Technical rows nobody misses: login failures, spent tickets. They are
	// hard-deleted in batches and have no trash.
	Technical
)

// String returns the kind's name.
func (k Kind) String() string {
	names := [...]string{"asset", "status", "technical"}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown kind"
}

// MaxIdentifier is the longest table or column name in bytes: PostgreSQL's
// limit, which is the lowest of the three databases.
const MaxIdentifier = 63

// Table declares a table: what a deletion means there, and which columns hold
// the life. Declare it once, as a package variable, and put it in a Catalog,
// which checks it and fills in the defaults; later changes to it have no effect.
type Table struct {
	// Schema qualifies the name where set.
	Schema string
	// Name is the table's name, exactly as the database has it. Required.
	Name string
	// Kind says what a deletion means. Defaults to Asset.
	Kind Kind
	// Why says, for a Status table, what to do instead of deleting. Required
	// there, since it is the text of the refusal.
	Why string
	// Key lists the primary key's columns. Defaults to id.
	Key []string
	// Columns maps the life. Defaults to CanonicalColumns for an Asset. A
	// Technical table may map Hold only, a Status table nothing.
	Columns Columns
	// Policy is the undo window of an Asset. Defaults to 30 days.
	Policy Policy
	// Parents lists the tables whose rows this table's rows belong to.
	Parents []Parent
	// Objects lists the columns that hold keys of objects in a store.
	Objects []ObjectRef
}

// Parent says that rows of a table belong to rows of another one: a row cannot
// be restored while a parent is not active, and by default a parent cannot be
// trashed while such a row is.
type Parent struct {
	// Table is the parent, which has to be in the same catalog.
	Table *Table
	// Columns lists the referring columns, in the order of the parent's key. A
	// row with NULL in one of them has no parent.
	Columns []string
	// Independent lets the parent be trashed while this row is active.
	// Defaults to false: the trash of the parent is refused with ErrRestricted.
	Independent bool
}

// ObjectRef names the columns of one object reference. While a row is not
// reclaimed its keys are protected, every version of them.
type ObjectRef struct {
	// Bucket is the bucket's name. Required.
	Bucket string
	// Key is the column with the object's key; NULL and the empty string mean
	// that the row has no such object. Required.
	Key string
	// Version is the column with the version the row relies on, if there is
	// one. Reclaiming a row removes every version of the key whatever it says.
	Version string
	// Size is the column with the object's size in bytes, if there is one. It
	// feeds the reports' logical bytes.
	Size string
}

// FullName returns the name with its schema, for messages.
func (t *Table) FullName() string {
	if t.Schema == "" {
		return t.Name
	}
	return t.Schema + "." + t.Name
}

// normal returns a deep copy with every default filled in.
func (t *Table) normal() *Table {
	n := *t
	if len(n.Key) == 0 {
		n.Key = []string{"id"}
	}
	if n.Kind == Asset && n.Columns == (Columns{}) {
		n.Columns = CanonicalColumns()
	}
	n.Policy = n.Policy.normal()
	n.Key = slices.Clone(n.Key)
	n.Objects = slices.Clone(n.Objects)
	n.Parents = slices.Clone(n.Parents)
	for i := range n.Parents {
		n.Parents[i].Columns = slices.Clone(n.Parents[i].Columns)
	}
	return &n
}

func checkIdentifier(what, name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%s: is empty", what)
	case len(name) > MaxIdentifier:
		return fmt.Errorf("%s: %q has more than %d bytes", what, name, MaxIdentifier)
	case !utf8.ValidString(name) || strings.IndexByte(name, 0) >= 0:
		return fmt.Errorf("%s: %q is not UTF-8 or has a NUL byte", what, name)
	}
	return nil
}

// check looks at one normalised table by itself.
func (t *Table) check() error {
	faults := []error{checkIdentifier("Name", t.Name)}
	if t.Schema != "" {
		faults = append(faults, checkIdentifier("Schema", t.Schema))
	}
	for _, k := range t.Key {
		faults = append(faults, checkIdentifier("Key", k))
	}
	for _, o := range t.Objects {
		faults = append(faults, o.check())
	}
	faults = append(faults, t.checkKind(), t.checkColumns())
	return errors.Join(faults...)
}

func (o ObjectRef) check() error {
	faults := []error{checkIdentifier("Objects.Key", o.Key)}
	if o.Bucket == "" {
		faults = append(faults, errors.New("Objects.Bucket: is empty"))
	}
	for _, c := range []string{o.Version, o.Size} {
		if c != "" {
			faults = append(faults, checkIdentifier("Objects", c))
		}
	}
	return errors.Join(faults...)
}

func (t *Table) checkKind() error {
	switch t.Kind {
	case Asset:
		if t.Columns.DeletedAt.Name == "" {
			return errors.New("Columns.DeletedAt: an asset table needs one (for a table without a trash: Technical)")
		}
		return t.Policy.check()
	case Status:
		if t.Columns != (Columns{}) {
			return errors.New("Columns: a status table maps none, since its rows are not deleted")
		}
		if strings.TrimSpace(t.Why) == "" {
			return errors.New("Why: a status table has to say what to do instead of deleting")
		}
	case Technical:
		if t.Columns != (Columns{Hold: t.Columns.Hold}) {
			return errors.New("Columns: a technical table has no trash and maps Hold only")
		}
	default:
		return fmt.Errorf("Kind: %d is unknown", t.Kind)
	}
	return nil
}

// mapped lists the mapped columns with their roles.
func (t *Table) mapped() (roles []string, columns []Column) {
	c := t.Columns
	add := func(role string, col Column) {
		if col.Name != "" {
			roles, columns = append(roles, role), append(columns, col)
		}
	}
	add("DeletedAt", c.DeletedAt)
	add("DeletedBy", Column{Name: c.DeletedBy})
	add("PurgeAfter", c.PurgeAfter)
	add("IsDeleted", c.IsDeleted)
	add("ReclaimedAt", c.ReclaimedAt)
	add("UpdatedAt", c.UpdatedAt)
	add("UpdatedBy", Column{Name: c.UpdatedBy})
	add("Operation", Column{Name: c.Operation})
	add("Hold", c.Hold)
	add("Version", Column{Name: c.Version})
	return roles, columns
}

func (t *Table) checkColumns() error {
	var faults []error
	owner := map[string]string{}
	for _, k := range t.Key {
		if owner[k] != "" {
			faults = append(faults, fmt.Errorf("Key: column %q is listed twice", k))
		}
		owner[k] = "Key"
	}
	roles, columns := t.mapped()
	for i, col := range columns {
		faults = append(faults, checkIdentifier("Columns."+roles[i], col.Name))
		if other := owner[col.Name]; other != "" {
			faults = append(faults, fmt.Errorf("Columns.%s: column %q is already %s", roles[i], col.Name, other))
		}
		owner[col.Name] = roles[i]
		if int(col.As) >= len(encodings) {
			faults = append(faults, fmt.Errorf("Columns.%s: encoding %d is unknown", roles[i], col.As))
		}
		if col.Nullable && col.As.Dated() {
			faults = append(faults, fmt.Errorf("Columns.%s: Nullable is for flags, a date is NULL where it is unset", roles[i]))
		}
	}
	return errors.Join(append(faults, t.checkEncodings())...)
}

func (t *Table) checkEncodings() error {
	var faults []error
	c := t.Columns
	if c.PurgeAfter.Name != "" && !c.PurgeAfter.As.Dated() {
		faults = append(faults, fmt.Errorf("Columns.PurgeAfter: a %s holds no date", c.PurgeAfter.As))
	}
	if c.UpdatedAt.Name != "" && !c.UpdatedAt.As.Dated() {
		faults = append(faults, fmt.Errorf("Columns.UpdatedAt: a %s holds no date", c.UpdatedAt.As))
	}
	if c.Hold.Name != "" && c.Hold.As.Dated() {
		faults = append(faults, fmt.Errorf("Columns.Hold: is a Flag or a Boolean, not a %s", c.Hold.As))
	}
	if c.PurgeAfter.Name != "" && c.DeletedAt.As.Dated() && c.PurgeAfter.As != c.DeletedAt.As {
		faults = append(faults, errors.New("Columns.PurgeAfter: has another encoding than DeletedAt, so that the two cannot be compared"))
	}
	if c.ReclaimedAt.Name != "" && c.IsDeleted.Name == "" {
		faults = append(faults, errors.New("Columns.ReclaimedAt: needs IsDeleted, since without it the purge deletes the row"))
	}
	return errors.Join(faults...)
}
