package guard_test

import (
	"os"
	"strings"
	"testing"

	sq "github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"
	"github.com/softdelete-go/softdelete/lifecycle"
	"github.com/softdelete-go/softdelete/store/guard"
)

// conversation is a query of four tables, of which the members have no life.
const conversation = `SELECT c.id, private_avatar_file.object_key
FROM im_conversation c
JOIN im_conversation_member m ON m.conversation_id = c.id
LEFT JOIN attachment_ref private_avatar_ref ON private_avatar_ref.owner_id = m.user_id
LEFT JOIN file_object private_avatar_file ON private_avatar_file.id = private_avatar_ref.file_id
WHERE m.status = ? OR m.user_id = ?`

func conversationCatalog() *lifecycle.Catalog {
	flag := lifecycle.Columns{IsDeleted: lifecycle.CanonicalColumns().IsDeleted, DeletedAt: lifecycle.CanonicalColumns().DeletedAt}
	return lifecycle.MustCatalog(
		&lifecycle.Table{Name: "im_conversation", Columns: flag}, &lifecycle.Table{Name: "attachment_ref", Columns: flag},
		&lifecycle.Table{Name: "file_object", Columns: flag},
	)
}

// The query that people get wrong by hand: raw, and as squirrel builds it.
func TestConversation(t *testing.T) {
	t.Parallel()
	built := sq.Select("c.id", "private_avatar_file.object_key").From("im_conversation c").
		Join("im_conversation_member m ON m.conversation_id = c.id").
		LeftJoin("attachment_ref private_avatar_ref ON private_avatar_ref.owner_id = m.user_id").
		LeftJoin("file_object private_avatar_file ON private_avatar_file.id = private_avatar_ref.file_id").
		Where("m.status = ? OR m.user_id = ?", "ACTIVE", 7)
	var got strings.Builder
	for _, d := range products {
		g, err := guard.New(conversationCatalog(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := g.Rewrite(conversation)
		if err != nil {
			t.Fatal(err)
		}
		q := built
		if d == guard.Postgres {
			q = built.PlaceholderFormat(sq.Dollar)
		}
		text, args, err := g.ToSql(q)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]any{"ACTIVE", 7}, args); diff != "" {
			t.Errorf("arguments (-want +got)\n%s", diff)
		}
		got.WriteString("-- " + d.String() + "\n" + raw + ";\n\n-- " + d.String() + ", built by squirrel\n" + text + ";\n\n")
	}
	want, err := os.ReadFile("testdata/conversation.sql")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func BenchmarkRewrite(b *testing.B) {
	for name, size := range map[string]int{"cached": 0, "uncached": -1} {
		b.Run(name, func(b *testing.B) {
			g, err := guard.New(conversationCatalog(), guard.MySQL, &guard.Options{Cache: size})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := g.Rewrite(conversation); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
