package sqltext

import (
	"strings"
	"testing"
)

// TestHostile reads texts that a reader with more than linear time, or with a
// stack as deep as its text, does not come to the end of.
func TestHostile(t *testing.T) {
	t.Parallel()
	const many, megabytes = 100_000, 10 << 20
	again := strings.Repeat
	tests := []struct {
		name, text string
		refused    bool
	}{
		{"a long literal", "SELECT '" + again("x", megabytes) + "' FROM p", false},
		{"a long literal without its end", "SELECT '" + again("''", megabytes/2) + "x FROM p", true},
		{"a long comment", "SELECT 1 /*" + again("*", megabytes) + "*/ FROM p", false},
		{"a long name", "SELECT " + again("a", megabytes) + " FROM p", false},
		{"many items", "SELECT a" + again(", a", many) + " FROM p", false},
		{"many conditions", "SELECT a FROM p WHERE a" + again(" OR a", many), false},
		{"many tables", "SELECT a FROM p" + again(", p", many), false},
		{"many joins", "SELECT a FROM p" + again(" JOIN c ON a = b", 2_000), false},
		{"many statements", again("SELECT a FROM p;", many), false},
		{"many unions", "SELECT a FROM p" + again(" UNION SELECT a FROM c", many), false},
		{"many sub-selects", "SELECT a" + again(", (SELECT a FROM c)", many) + " FROM p", false},
		{"many arguments", "SELECT a FROM p WHERE a IN (?" + again(", ?", many) + ")", false},
		{"parentheses", "SELECT " + again("(", many) + "1" + again(")", many) + " FROM p", true},
		{"parentheses without their ends", "SELECT " + again("(", many), true},
		{"parenthesised queries", again("(", many) + "SELECT 1" + again(")", many), true},
		{"derived tables", again("SELECT * FROM (", many) + "SELECT 1" + again(") a", many), true},
		{"groups", "SELECT * FROM " + again("(", many) + "p" + again(")", many), true},
		{"trailing conditions", "SELECT * FROM p" + again(" LEFT JOIN p", many) + again(" ON a", many), true},
		{"nested conditions", again("SELECT a FROM p WHERE EXISTS (", many) + "SELECT 1" + again(")", many), true},
		{"WITH in WITH", again("WITH a AS (", many) + "SELECT 1" + again(") SELECT 1", many), true},
		{"CASE", "SELECT " + again("CASE WHEN ", many) + "1" + again(" THEN 1 END", many) + " FROM p", false},
		{"EXPLAIN", again("EXPLAIN ", many) + "SELECT 1 FROM p", false},
		{"minus signs", "SELECT " + again("- ", many) + "1 FROM p", false},
		{"dots", "SELECT a" + again(".a", many) + " FROM p", false},
		{"brackets", "SELECT a" + again("[1", many) + again("]", many) + " FROM p", true},
		{"names of WITH", "WITH a AS (SELECT 1)" + again(", a AS (SELECT 1)", 2_000) + " SELECT 1", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, err := Parse(test.text, Mode{Quote: '"', Dollar: true, NestedComment: true})
			if (err != nil) != test.refused {
				t.Errorf("Parse = %v, want refused %t", err, test.refused)
			}
			if err == nil && len(s.References) == 0 && !strings.HasPrefix(test.text, "WITH") {
				t.Error("no table was found")
			}
		})
	}
}
