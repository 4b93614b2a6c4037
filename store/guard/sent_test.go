package guard_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
	"testing"

	"github.com/softdelete-go/softdelete/store/guard"
	"github.com/softdelete-go/softdelete/store/guard/guarddriver"
)

// sent is a database that writes down what it is sent.
type sent struct {
	settings string
	texts    []string
}

func (s *sent) Connect(context.Context) (driver.Conn, error) { return s, nil }
func (s *sent) Driver() driver.Driver                        { return nil }
func (s *sent) Prepare(string) (driver.Stmt, error)          { return nil, driver.ErrSkip }
func (s *sent) Close() error                                 { return nil }
func (s *sent) Begin() (driver.Tx, error)                    { return nil, driver.ErrSkip }

func (s *sent) QueryContext(_ context.Context, text string, _ []driver.NamedValue) (driver.Rows, error) {
	s.texts = append(s.texts, text)
	return &setting{s.settings}, nil
}

// setting is a row with a session's settings.
type setting struct{ value string }

func (r *setting) Columns() []string { return []string{"settings"} }
func (r *setting) Close() error      { return nil }

func (r *setting) Next(row []driver.Value) error {
	if r.value == "" {
		return io.EOF
	}
	row[0], r.value = r.value, ""
	return nil
}

// TestConversationThroughDriver sends the query through guarddriver: what arrives
// is what TestConversation has in its golden file.
func TestConversationThroughDriver(t *testing.T) {
	t.Parallel()
	settings := map[*guard.Dialect]string{guard.Postgres: "UTF8,on", guard.MySQL: "utf8mb4,"}
	for _, d := range products {
		g, err := guard.New(conversationCatalog(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := g.Rewrite(conversation)
		if err != nil {
			t.Fatal(err)
		}
		s := &sent{settings: settings[d]}
		db := sql.OpenDB(guarddriver.New(s, g))
		rows, err := db.QueryContext(t.Context(), conversation, "ACTIVE", 7)
		if err != nil {
			t.Fatalf("%v: %v", d, err)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if got := s.texts[len(s.texts)-1]; got != want || got == conversation {
			t.Errorf("%v: sent %q, want %q", d, got, want)
		}
	}
}
