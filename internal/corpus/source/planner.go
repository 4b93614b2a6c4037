package source

import "encoding/json"

// planner reads the queries of Vitess's planner tests.
func planner(dir string) ([]Text, error) {
	return each(dir, func(path, text string) []Text {
		t := Text{Path: path, Product: MySQL}
		var cases []struct{ Query string }
		if json.Unmarshal([]byte(text), &cases) == nil {
			for _, c := range cases {
				t.Statements = append(t.Statements, c.Query)
			}
		}
		return []Text{t}
	}, ".json")
}
