package lifecycle_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
)

func TestTableAlone(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", lifecycle.MaxIdentifier+1)
	hold := lifecycle.Column{Name: "hold", As: lifecycle.Flag}
	object := lifecycle.ObjectRef{Bucket: "files", Key: "storage_key", Version: "storage_version", Size: "bytes"}
	for _, tt := range []struct {
		name  string
		table lifecycle.Table
		want  []string
	}{
		{"a name is enough", lifecycle.Table{Name: "doc"}, nil},
		{"a schema", lifecycle.Table{Schema: "app", Name: "doc"}, nil},
		{"odd but legal names", lifecycle.Table{Schema: "My Schema", Name: `order "x"`, Key: []string{"select"}}, nil},
		{"a composite key", lifecycle.Table{Name: "doc", Key: []string{"tenant", "id"}}, nil},
		{"objects", lifecycle.Table{Name: "doc", Objects: []lifecycle.ObjectRef{object, {Bucket: "thumbs", Key: "thumb_key"}}}, nil},
		{"a status", lifecycle.Table{Name: "employee", Kind: lifecycle.Status, Why: "set left_on instead"}, nil},
		{"a technical one", lifecycle.Table{Name: "ticket", Kind: lifecycle.Technical}, nil},
		{"a technical one with a hold", lifecycle.Table{Name: "ticket", Kind: lifecycle.Technical, Columns: lifecycle.Columns{Hold: hold}}, nil},
		{"nothing", lifecycle.Table{}, []string{"Name: is empty"}},
		{"a long name", lifecycle.Table{Name: long}, []string{"Name:", "has more than 63 bytes"}},
		{"a long schema", lifecycle.Table{Schema: long, Name: "doc"}, []string{"Schema:", "has more than 63 bytes"}},
		{"a name that is not UTF-8", lifecycle.Table{Name: "\xff"}, []string{"Name:", "UTF-8"}},
		{"a NUL in a name", lifecycle.Table{Name: "a\x00"}, []string{"Name:", "NUL"}},
		{"an empty key column", lifecycle.Table{Name: "doc", Key: []string{""}}, []string{"Key: is empty"}},
		{"a key column twice", lifecycle.Table{Name: "doc", Key: []string{"id", "id"}}, []string{`Key: column "id" is listed twice`}},
		{"an object without a bucket", lifecycle.Table{Name: "doc", Objects: []lifecycle.ObjectRef{{Key: "k"}}}, []string{"Objects.Bucket: is empty"}},
		{"an object without a key", lifecycle.Table{Name: "doc", Objects: []lifecycle.ObjectRef{{Bucket: "b"}}}, []string{"Objects.Key: is empty"}},
		{"an object with a long version column", lifecycle.Table{Name: "doc", Objects: []lifecycle.ObjectRef{{Bucket: "b", Key: "k", Version: long}}}, []string{"Objects:"}},
		{"a status without a reason", lifecycle.Table{Name: "employee", Kind: lifecycle.Status, Why: " "}, []string{"Why: a status table has to say what to do instead"}},
		{"a status with a trash", lifecycle.Table{Name: "employee", Kind: lifecycle.Status, Why: "x", Columns: lifecycle.CanonicalColumns()}, []string{"Columns: a status table maps none"}},
		{"a technical one with a trash", lifecycle.Table{Name: "ticket", Kind: lifecycle.Technical, Columns: lifecycle.CanonicalColumns()}, []string{"Columns: a technical table has no trash"}},
		{"a technical one with a dated hold", lifecycle.Table{Name: "ticket", Kind: lifecycle.Technical, Columns: lifecycle.Columns{Hold: lifecycle.Column{Name: "hold"}}}, []string{"Columns.Hold:"}},
		{"an unknown kind", lifecycle.Table{Name: "doc", Kind: 200}, []string{"Kind: 200 is unknown"}},
		{"every fault is named", lifecycle.Table{Key: []string{""}, Objects: []lifecycle.ObjectRef{{}}}, []string{"Name:", "Key:", "Objects.Key:", "Objects.Bucket:"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := lifecycle.NewCatalog(&tt.table)
			if len(tt.want) > 0 {
				wantInvalid(t, err, tt.want...)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTableDefaults(t *testing.T) {
	t.Parallel()
	hold := lifecycle.Columns{Hold: lifecycle.Column{Name: "hold", As: lifecycle.Boolean}}
	for _, tt := range []struct {
		name        string
		given, want lifecycle.Table
	}{
		{
			"an asset", lifecycle.Table{Name: "doc"},
			lifecycle.Table{
				Name: "doc", Key: []string{"id"}, Columns: lifecycle.CanonicalColumns(),
				Policy: lifecycle.Policy{Window: 30 * lifecycle.Day},
			},
		},
		{
			"a technical table has no trash", lifecycle.Table{Name: "ticket", Kind: lifecycle.Technical, Columns: hold, Key: []string{"nr"}},
			lifecycle.Table{
				Name: "ticket", Kind: lifecycle.Technical, Key: []string{"nr"}, Columns: hold,
				Policy: lifecycle.Policy{Window: 30 * lifecycle.Day},
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, err := lifecycle.NewCatalog(&tt.given)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, c.Tables()[0]); diff != "" {
				t.Errorf("the table in the catalog (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAdmit is requirement A7: three kinds of deletion are told apart.
func TestAdmit(t *testing.T) {
	t.Parallel()
	asset := &lifecycle.Table{Name: "doc"}
	status := &lifecycle.Table{Schema: "hr", Name: "employee", Kind: lifecycle.Status, Why: "set left_on instead"}
	ticket := &lifecycle.Table{Name: "ticket", Kind: lifecycle.Technical}
	const (
		left = "(set left_on instead)"
		hard = "(technical rows have no trash: use HardDelete)"
		soft = "(asset rows go through the trash: use Trash, then Purge)"
	)
	for _, tt := range []struct {
		name  string
		table *lifecycle.Table
		edge  lifecycle.EdgeName
		want  string // the refusal's text; empty for none
	}{
		{"trash an asset", asset, lifecycle.Trash, ""},
		{"restore an asset", asset, lifecycle.Restore, ""},
		{"purge an asset", asset, lifecycle.Purge, ""},
		{"expire an asset", asset, lifecycle.Expire, ""},
		{"reclaim an asset", asset, lifecycle.Reclaim, ""},
		{"hard-delete an asset", asset, lifecycle.HardDelete, "lifecycle: hard_delete doc: this kind of table is not deleted so " + soft},
		{"trash a status", status, lifecycle.Trash, "lifecycle: trash hr.employee: this kind of table is not deleted so " + left},
		{"restore a status", status, lifecycle.Restore, "lifecycle: restore hr.employee: this kind of table is not deleted so " + left},
		{"purge a status", status, lifecycle.Purge, "lifecycle: purge hr.employee: this kind of table is not deleted so " + left},
		{"expire a status", status, lifecycle.Expire, "lifecycle: expire hr.employee: this kind of table is not deleted so " + left},
		{"reclaim a status", status, lifecycle.Reclaim, "lifecycle: reclaim hr.employee: this kind of table is not deleted so " + left},
		{"hard-delete a status", status, lifecycle.HardDelete, "lifecycle: hard_delete hr.employee: this kind of table is not deleted so " + left},
		{"trash a ticket", ticket, lifecycle.Trash, "lifecycle: trash ticket: this kind of table is not deleted so " + hard},
		{"restore a ticket", ticket, lifecycle.Restore, "lifecycle: restore ticket: this kind of table is not deleted so " + hard},
		{"purge a ticket", ticket, lifecycle.Purge, "lifecycle: purge ticket: this kind of table is not deleted so " + hard},
		{"expire a ticket", ticket, lifecycle.Expire, "lifecycle: expire ticket: this kind of table is not deleted so " + hard},
		{"reclaim a ticket", ticket, lifecycle.Reclaim, "lifecycle: reclaim ticket: this kind of table is not deleted so " + hard},
		{"hard-delete a ticket", ticket, lifecycle.HardDelete, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := tt.table.Admit(tt.edge)
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, lifecycle.ErrNotDeletable) {
				t.Fatalf("error %v, want ErrNotDeletable", err)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if got := lifecycle.HTTPStatus(err); got != 405 {
				t.Errorf("HTTPStatus = %d, want 405", got)
			}
		})
	}
}

func TestKindNames(t *testing.T) {
	t.Parallel()
	for kind, want := range map[lifecycle.Kind]string{
		lifecycle.Asset: "asset", lifecycle.Status: "status", lifecycle.Technical: "technical", 200: "unknown kind",
	} {
		if kind.String() != want {
			t.Errorf("kind %d is %q, want %q", kind, kind, want)
		}
	}
}
