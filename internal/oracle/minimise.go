package oracle

import (
	"context"
	"slices"
	"strings"
)

// maxTrials bounds the minimising of one case.
const maxTrials = 1500

// minimiser drops parts for as long as the fault stays.
type minimiser struct {
	b      *Bed
	c      Config
	tc     *testCase
	last   outcome
	trials int
}

// minimise makes a case and the rows in the tables smaller. What is left of
// them is in the case and in the tables.
func (b *Bed) minimise(ctx context.Context, c Config, tc *testCase, out outcome) (outcome, error) {
	m := &minimiser{b: b, c: c, tc: tc, last: out}
	style := tc.style
	tc.style = 0
	if !m.still(ctx) {
		tc.style = style
	}
	for again := true; again && m.trials < maxTrials; {
		again = m.shrink(ctx, &node{parts: []any{tc.tree}})
	}
	return m.last, m.dropRows(ctx)
}

// still tells whether the case has the same kind of fault.
func (m *minimiser) still(ctx context.Context) bool {
	m.trials++
	out := m.b.try(ctx, m.c, m.tc)
	if out.verdict != m.last.verdict || out.verdict == fails && shortCause(out.reason) != shortCause(m.last.reason) {
		return false
	}
	m.last = out
	return true
}

// shrink tries to make the parts of a node smaller, and reports whether one is.
func (m *minimiser) shrink(ctx context.Context, n *node) (smaller bool) {
	for _, x := range n.parts {
		kid, ok := x.(*node)
		if !ok || kid.gone || m.trials >= maxTrials {
			continue
		}
		switch instead := kid.instead.(type) {
		case nil:
		case *node:
			smaller = m.shrink(ctx, &node{parts: []any{instead}}) || smaller
			continue
		default:
			continue
		}
		if m.replace(ctx, n, kid) {
			smaller = true
			continue
		}
		smaller = m.shrink(ctx, kid) || smaller
	}
	return smaller
}

// replace tries to drop a node, or to put something smaller in its place.
func (m *minimiser) replace(ctx context.Context, up, kid *node) bool {
	if kid.optional && !empty(kid) || up.sep != "" && left(up) > 1 {
		kid.gone = true
		if m.still(ctx) {
			return true
		}
		kid.gone = false
	}
	if kid.simple != "" && !plain(kid, kid.simple) {
		kid.instead = kid.simple
		if m.still(ctx) {
			return true
		}
		kid.instead = nil
	}
	for _, inner := range within(kid, kid.kind, nil) {
		kid.instead = inner
		if m.still(ctx) {
			return true
		}
		kid.instead = nil
	}
	return false
}

func empty(n *node) bool {
	return !slices.ContainsFunc(n.parts, func(x any) bool {
		kid, ok := x.(*node)
		return !ok || !kid.gone
	})
}

// plain tells whether a node is that text already.
func plain(n *node, text string) bool {
	var words []string
	for _, x := range n.parts {
		s, ok := x.(string)
		if !ok {
			return false
		}
		words = append(words, s)
	}
	return strings.Join(words, " ") == text
}

// left counts the parts of a list that are there.
func left(n *node) (count int) {
	for _, x := range n.parts {
		if kid, ok := x.(*node); !ok || !kid.gone {
			count++
		}
	}
	return count
}

// within lists the nearest nodes of a kind inside a node.
func within(n *node, k kind, found []*node) []*node {
	if k == other {
		return nil
	}
	for _, x := range n.parts {
		kid, ok := x.(*node)
		if !ok || kid.gone {
			continue
		}
		if inner, ok := kid.instead.(*node); ok {
			kid = inner
		}
		if kid.kind == k {
			found = append(found, kid)
		} else if kid.instead == nil {
			found = within(kid, k, found)
		}
	}
	return found
}

// dropRows deletes the rows without which the fault stays.
func (m *minimiser) dropRows(ctx context.Context) error {
	for _, t := range tables {
		for i := 0; i < len(m.b.data[t]); {
			r := m.b.data[t][i]
			if err := m.b.drop(ctx, t, r); err != nil {
				return err
			}
			if m.still(ctx) {
				m.b.data[t] = slices.Delete(m.b.data[t], i, i+1)
				continue
			}
			for _, s := range copies {
				if t.shows(s, r) {
					if err := m.b.insert(ctx, s, t, []row{r}); err != nil {
						return err
					}
				}
			}
			i++
		}
	}
	return nil
}

// drop deletes a row from every copy.
func (b *Bed) drop(ctx context.Context, t *table, r row) error {
	var conditions []string
	for i, c := range t.cols {
		if slices.Contains(t.key, c.name) {
			conditions = append(conditions, c.name+" = "+r.values[i])
		}
	}
	for _, s := range copies {
		if err := b.exec(ctx, s, "DELETE FROM "+b.d.quote(t.name)+" WHERE "+strings.Join(conditions, " AND ")); err != nil {
			return err
		}
	}
	return nil
}
