package guard

import (
	"strings"

	"github.com/softdelete-go/softdelete/internal/sqltext"
	"github.com/softdelete-go/softdelete/lifecycle"
)

// markerScopes are the scopes by their words in a comment.
var markerScopes = map[string]lifecycle.Scope{
	"live": lifecycle.Live, "trashed": lifecycle.OnlyTrashed, "with_trashed": lifecycle.WithTrashed, "everything": lifecycle.Everything,
}

// marked returns the guard that a text's comments ask for. One that begins as a
// marker and is none is an error: a scope that is written and not taken would show
// something else than its writer sees in the text.
func (g *Guard) marked(s *sqltext.Script) (*Guard, error) {
	for _, c := range s.Comments {
		text := s.Text[c.Start:c.End]
		rest, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(text, "/*"), " \t"), "softdelete:")
		if !ok || !strings.HasPrefix(text, "/*") {
			continue
		}
		fail := func(reason string) (*Guard, error) {
			return nil, &Error{Offset: c.Start, Reason: reason, Err: ErrScope}
		}
		rest = strings.TrimSpace(strings.TrimSuffix(rest, "*/"))
		if rest == "" {
			return fail("a marker without a scope")
		}
		for rest != "" {
			end := strings.IndexAny(rest, " \t\r\n(")
			if end < 0 {
				end = len(rest)
			}
			scope, ok := markerScopes[rest[:end]]
			if !ok {
				return fail("a marker with a scope that is not known")
			}
			rest = strings.TrimSpace(rest[end:])
			var refs []string
			if inside, ok := strings.CutPrefix(rest, "("); ok {
				list, after, ok := strings.Cut(inside, ")")
				if !ok {
					return fail("a marker without its end")
				}
				for name := range strings.SplitSeq(list, ",") {
					refs = append(refs, strings.TrimSpace(name))
				}
				if refs[0] == "" {
					return fail("a marker without its references")
				}
				rest = strings.TrimSpace(after)
			}
			g = g.With(scope, refs...)
		}
	}
	return g, nil
}
