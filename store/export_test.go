package store

import "github.com/softdelete-go/softdelete/lifecycle"

// Statements returns the texts with which an edge is taken: for one row in one
// statement, where the dialect and the table allow it, and for rows that were
// locked and read.
func Statements(s *Store, t *lifecycle.Table, edge lifecycle.EdgeName, keys ...lifecycle.Key) (one, read, write string) {
	p, err := s.plan(t)
	if err != nil {
		panic(err)
	}
	ep := p.edges[edge]
	r := &writer{d: s.d}
	p.writeRead(r, ep.related)
	r.put(" WHERE ")
	p.writeKeys(r, "", keys)
	p.writeLockedOrder(r, 0)
	w := &writer{d: s.d}
	p.writeEdge(w, ep, func() { p.writeKeys(w, "", keys) })
	if ep.blind {
		return ep.plain.text, r.String(), w.String()
	}
	return ep.one.text, r.String(), w.String()
}
