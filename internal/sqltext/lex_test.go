package sqltext

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden file anew")

// modes are those of the module's dialects, and one with everything reversed.
var modes = []struct {
	name string
	mode Mode
}{
	{"postgres", Mode{Quote: '"', Dollar: true, NestedComment: true}},
	{"mysql", Mode{Quote: '`', Backslash: true, HashComment: true, DoubleString: true}},
	{"sqlite", Mode{Quote: '"'}},
	{"sqlite's own", Mode{Quote: '`', DoubleName: true}},
	{"ansi mysql", Mode{Quote: '"', HashComment: true}},
}

// String names a kind in the golden file.
func (k Kind) String() string {
	return []string{"", "word", "quoted", "string", "number", "placeholder", "question", "comment", "symbol"}[k]
}

// render writes the tokens of a text, or why it was refused.
func render(text string, m Mode) string {
	tokens, err := Lex(text, m)
	if err != nil {
		return "refused " + err.Error()
	}
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%v:%q", t.Kind, text[t.Start:t.End])
	}
	return b.String()
}

// texts are split in every mode; the golden file shows the differences.
var texts = []string{
	``,
	" \t\r\n\f\v",
	`SELECT a.b, "c d" FROM t`,
	"SELECT `a``b` FROM `t`",
	`"a""b"`,
	`[a b]`,
	`a[1]`,
	`'it''s' ''`,
	`'a\' OR ''b'`,
	`'a\\'`,
	`"a\"`,
	`E'a\'b'`,
	`_utf8'a'`,
	`_utf8 'a'`,
	`x'00'`,
	`N'a'`,
	`U&"\0061"`,
	`u&'\0061'`,
	`u & a`,
	`DATE '2026-01-01'`,
	`a = ? AND b = ?`,
	`a ?? 'b' AND c = ?`,
	`a ??| b`,
	`???`,
	`a = ?1`,
	`a = $1`,
	`a = $x`,
	`a$1`,
	`$$it's$$`,
	`$f$ $$ $g$ $f$`,
	`$1$a$1$`,
	`$a b$`,
	`1 1.5 .5 1. 1e5 1.5E-3 1e+2`,
	`0x1F 0b101`,
	`0X1F`,
	`0o17`,
	`1_000`,
	`1FROM t`,
	`1e`,
	`1.5.2`,
	`1'a'`,
	`0x`,
	`0xg`,
	`1$$a$$`,
	"a -- b\nc",
	"a --b\nc",
	"a --",
	"a -- b\r\nc",
	"a -- b\rc",
	"a -- b\r",
	"a # b\nc",
	"a #> b",
	"a /* b */ c",
	"a /* /* b */ */ c",
	"a /*/ b */ c",
	"a /***/ c",
	"a */ b",
	"/*! a */",
	"/*!50000 a */",
	"/*M! a */",
	"/*+ hint */",
	"a--b",
	"a ->> 'b' @> c::int",
	"é = ü",
	"名 = ?",
	"a\u00a0b",
	"a \ufeffb",
	"a\ufeffb",
	"a \ufffd",
	"'\ufffd'",
	"a\x01",
	"a \x7f",
	"a\x00b",
	"-- a\x00b",
	"/* a\x00b */",
	"$$a\x00b$$",
	"a \xff",
	"'\xbf\\'",
	"-- \xff",
	`'a`,
	`"a`,
	"`a",
	`/* a`,
	`/* /* a */`,
	`$$a$`,
	`$a`,
	`@a := :b; {d 'x'} \N %`,
}

// TestGolden compares with testdata/lex.golden, which -update writes.
func TestGolden(t *testing.T) {
	t.Parallel()
	const name = "testdata/lex.golden"
	var b strings.Builder
	for _, text := range texts {
		fmt.Fprintf(&b, "%q\n", text)
		for _, m := range modes {
			fmt.Fprintf(&b, "\t%-10s %s\n", m.name, render(text, m.mode))
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestLex(t *testing.T) {
	t.Parallel()
	postgres, mysql, sqlite := modes[0].mode, modes[1].mode, modes[2].mode
	tests := []struct {
		name string
		text string
		mode Mode
		want string
	}{
		{"a statement", `SELECT * FROM "t" WHERE a = ?`, postgres,
			`word:"SELECT" symbol:"*" word:"FROM" quoted:"\"t\"" word:"WHERE" word:"a" symbol:"=" placeholder:"?"`},
		{"nothing", "", postgres, ""},
		{"a quote that ends in one server only", `'a\' OR 1=1 -- '`, postgres,
			`string:"'a\\'" word:"OR" number:"1" symbol:"=" number:"1" comment:"-- '"`},
		{"the same in MySQL", `'a\' OR 1=1 -- '`, mysql, `string:"'a\\' OR 1=1 -- '"`},
		{"an identifier or a string", `"t"`, mysql, `string:"\"t\""`},
		{"two quotes of one identifier", `"a""b"`, sqlite, `quoted:"\"a\"\"b\""`},
		{"a comment hides a keyword", "a /* FROM t */ b", sqlite, `word:"a" comment:"/* FROM t */" word:"b"`},
		{"nested comments", "/* /* */ FROM */ a", postgres, `comment:"/* /* */ FROM */" word:"a"`},
		{"an escaped operator", "a ??| ?", postgres, `word:"a" question:"??" symbol:"|" placeholder:"?"`},
		{"a quoted body", "$f$ $$ ' $f$", postgres, `string:"$f$ $$ ' $f$"`},
		{"a minus and a number", "a-1", mysql, `word:"a" symbol:"-" number:"1"`},
		{"a range of numbers", "a[1:2]", postgres, `word:"a" symbol:"[" number:"1" symbol:":" number:"2" symbol:"]"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, render(tt.text, tt.mode)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRefusedAt(t *testing.T) {
	t.Parallel()
	postgres, mysql, sqlite := modes[0].mode, modes[1].mode, modes[2].mode
	tests := []struct {
		name   string
		text   string
		mode   Mode
		offset int
	}{
		{"a NUL in a comment", "a -- \x00", postgres, 5},
		{"no UTF-8 in a string", "a '\xbf\\'", mysql, 3},
		{"an executed comment", "a /*! b */", sqlite, 2},
		{"an open string", "a 'b", postgres, 2},
		{"an open comment", "a /* b", postgres, 2},
		{"two minus signs in MySQL", "a --b", mysql, 2},
		{"an argument by name", "a = $b", sqlite, 4},
		{"a keyword at a number", "SELECT 1FROM t", postgres, 7},
		{"a byte order mark", "FROM \ufefft", sqlite, 5},
		{"a byte order mark in a name", "FROM\ufefft", sqlite, 4},
		{"another server's identifier", "a `b`", postgres, 2},
		{"an array or an identifier", "a[1]", sqlite, 1},
		{"escapes in an identifier", `FROM U&"\0074"`, postgres, 5},
		{"a prefixed string", `a = E'\''`, postgres, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tokens, err := Lex(tt.text, tt.mode)
			var refused *Error
			if !errors.As(err, &refused) {
				t.Fatalf("split into %v, %v", tokens, err)
			}
			if refused.Offset != tt.offset || tokens != nil {
				t.Errorf("refused at %d with tokens %v, want %d without", refused.Offset, tokens, tt.offset)
			}
			if prefix := fmt.Sprintf("at byte %d: ", tt.offset); !strings.HasPrefix(err.Error(), prefix) {
				t.Errorf("the error reads %q", err)
			}
		})
	}
}

// checkTokens reports what callers could not rely on: tokens in order, not
// empty, with nothing but white space around them, each of them a token by
// itself.
func checkTokens(t *testing.T, text string, m Mode) {
	t.Helper()
	tokens, err := Lex(text, m)
	if err != nil {
		var refused *Error
		if !errors.As(err, &refused) || refused.Offset < 0 || refused.Offset > len(text) || refused.Reason == "" {
			t.Fatalf("%q: refused with %#v", text, err)
		}
		return
	}
	var b strings.Builder
	at := 0
	for _, token := range tokens {
		if token.Start < at || token.End <= token.Start || token.Kind < Word || token.Kind > Symbol {
			t.Fatalf("%q: token %+v after byte %d", text, token, at)
		}
		checkSpace(t, text, text[at:token.Start])
		b.WriteString(text[at:token.Start] + text[token.Start:token.End])
		at = token.End
	}
	checkSpace(t, text, text[at:])
	b.WriteString(text[at:])
	if b.String() != text {
		t.Fatalf("%q: the tokens make %q", text, b.String())
	}
	if strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text) {
		t.Fatalf("%q: taken for text", text)
	}
}

// checkSpace wants ASCII white space.
func checkSpace(t *testing.T, text, space string) {
	t.Helper()
	for _, r := range space {
		if r >= utf8.RuneSelf || !unicode.IsSpace(r) {
			t.Fatalf("%q: %q is in no token", text, space)
		}
	}
}

func TestEveryTextTwice(t *testing.T) {
	t.Parallel()
	for _, m := range modes {
		for _, first := range texts {
			for _, second := range texts {
				checkTokens(t, first+second, m.mode)
			}
		}
	}
}

func FuzzLex(f *testing.F) {
	for _, text := range texts {
		f.Add(text, uint8(0))
		f.Add(text, uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, bits uint8) {
		for _, m := range modes {
			checkTokens(t, text, m.mode)
		}
		checkTokens(t, text, Mode{
			Quote:         []byte{0, '"', '`', '\''}[bits&3],
			Backslash:     bits&4 != 0,
			HashComment:   bits&8 != 0,
			Dollar:        bits&16 != 0,
			DoubleString:  bits&32 != 0,
			NestedComment: bits&64 != 0,
			DoubleName:    bits&128 != 0,
		})
	})
}

// hostile are texts that grow; each could take a careless lexer quadratic time.
var hostile = map[string]func(n int) string{
	"words":             func(n int) string { return strings.Repeat("a ", n) },
	"open quotes":       func(n int) string { return strings.Repeat("''", n) + "'" },
	"backslashes":       func(n int) string { return "'" + strings.Repeat(`\`, n) },
	"nested comments":   func(n int) string { return strings.Repeat("/*", n) + strings.Repeat("*/", n) },
	"open comments":     func(n int) string { return strings.Repeat("/*", n) },
	"short comments":    func(n int) string { return strings.Repeat("/**/", n) },
	"minus signs":       func(n int) string { return strings.Repeat("-", n) },
	"comment lines":     func(n int) string { return strings.Repeat("-- \n", n) },
	"almost the tag":    func(n int) string { return "$" + strings.Repeat("a", n) + "$" + strings.Repeat("$aaaa", n) },
	"a long tag":        func(n int) string { return "$" + strings.Repeat("a", n) + "$" + strings.Repeat("a", n) },
	"dollars":           func(n int) string { return strings.Repeat("$$$$", n) },
	"question marks":    func(n int) string { return strings.Repeat("?", n) },
	"a long number":     func(n int) string { return strings.Repeat("1", n) },
	"numbers":           func(n int) string { return strings.Repeat("1e ", n) },
	"a long identifier": func(n int) string { return strings.Repeat("名", n) },
	"parentheses":       func(n int) string { return strings.Repeat("(", n) },
}

// TestLinear splits a hundred thousand of each. A quadratic lexer's ten
// billion steps do not fit into the limit; ours do a hundred times.
func TestLinear(t *testing.T) {
	t.Parallel()
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, m := range modes {
				begin := time.Now()
				checkTokens(t, text(1<<17), m.mode)
				if passed := time.Since(begin); passed > 10*time.Second {
					t.Errorf("%s: took %v", m.name, passed)
				}
			}
		})
	}
}

func BenchmarkLex(b *testing.B) {
	const text = `SELECT c.id, f.path FROM im_conversation c
JOIN im_conversation_member m ON m.conversation_id = c.id
LEFT JOIN attachment_ref r ON r.id = c.avatar_ref_id
LEFT JOIN file_object f ON f.id = r.file_id WHERE c.owner = ? OR m.user_id = ?`
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Lex(text, modes[0].mode); err != nil {
			b.Fatal(err)
		}
	}
}
