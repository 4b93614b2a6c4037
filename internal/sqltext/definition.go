package sqltext

// create reads a definition, with the query of a view or a table. The bodies of
// routines are not read, and may hold no query.
func (p *parser) create() {
	p.next()
	table := false
	for !p.ended() && p.symbol() != ';' {
		before := p.ahead(-1).key
		switch {
		case p.word("function", "trigger", "event", "rule", "package") || p.key() == kwProcedure:
			p.routine()
			return
		case p.word("publication"):
			p.definition()
			return
		case p.word("recursive"):
			p.fail("a recursive view")
		case p.symbol() == '(':
			p.held()
		case before == kwFor:
			// PARTITION OF … FOR VALUES, POLICY … FOR SELECT
			p.next()
		case p.key() == kwSelect, p.key() == kwValues, p.key() == kwTable && (table || before == kwAs), p.key() == kwWith && (before == kwAs || p.withQuery()):
			p.statementIn()
			for p.word("check", "option", "local", "cascaded", "data", "no") || p.key() == kwWith {
				p.next()
			}
			return
		case p.key() == kwFrom && before == kwAs, p.key() == kwJoin, p.word("execute"):
			p.fail("a word of a query in a definition")
			return
		default:
			table = table || p.key() == kwTable
			p.script.View = p.script.View || p.word("view")
			p.next()
		}
	}
}

// withQuery tells whether WITH names queries, and is no option.
func (p *parser) withQuery() bool {
	n := 1
	if p.is(p.ahead(n), "recursive") {
		n++
	}
	if t := p.ahead(n); t.Kind != Word && t.Kind != Quoted {
		return false
	}
	n++
	if p.symbolAt(p.i+n) == '(' {
		n = int(p.match[p.i+n]) + 1 - p.i
	}
	return p.ahead(n).key == kwAs && p.symbolAt(p.i+n+1) == '('
}

// held reads a parenthesis of a definition: its words are no expressions, unless
// there is a query among them.
func (p *parser) held() {
	end := int(p.match[p.i])
	for i := p.i; i < end; i++ {
		if p.query[i] || p.tokens[i].key == kwSelect {
			p.parens()
			return
		}
	}
	p.i = end + 1
}

// definition passes a statement that changes definitions. Queries can stand in
// its parentheses only.
func (p *parser) definition() {
	for !p.ended() && p.symbol() != ';' {
		if p.symbol() == '(' {
			p.held()
			continue
		}
		p.next()
	}
}

// alter reads ALTER. MySQL's views and events have their text in it.
func (p *parser) alter() {
	if p.mode.mysql() {
		for n := 1; n < 12; n++ {
			if t := p.ahead(n); p.is(t, "view") || p.is(t, "event") {
				p.create()
				return
			} else if t.Kind == 0 || t.key == kwTable {
				break
			}
		}
	}
	p.definition()
}

// routine passes a routine whose body is a string or a call, and refuses one with
// statements in it.
func (p *parser) routine() {
	events := p.word("trigger", "event", "rule")
	for !p.ended() && p.symbol() != ';' {
		switch k := p.key(); {
		case p.symbol() == '(' && p.query[p.i], p.word("begin", "truncate", "load", "handler"):
			p.fail("a routine with statements")
		case events && p.mode.postgres() && k != kwDo || k == kwReplace && p.ahead(-1).key == kwOr:
			// What a trigger or a rule waits for.
		case events && (p.is(p.ahead(-1), "before") || p.is(p.ahead(-1), "after")):
		case events && p.mode.postgres():
			p.rule()
			return
		case k == kwFrom && p.is(p.ahead(1), "current"):
		case k == kwSelect, k == kwFrom, k == kwJoin, k == kwInsert, k == kwUpdate, k == kwDelete, k == kwMerge, k == kwReplace, k == kwWith, k == kwValues:
			p.fail("a routine with statements")
		}
		p.next()
	}
}

// rule reads what PostgreSQL's rule does.
func (p *parser) rule() {
	p.next()
	p.acceptWord("also", "instead")
	switch {
	case p.acceptWord("nothing"):
	case p.symbol() == '(' && !p.query[p.i]:
		p.next()
		for !p.ended() && p.symbol() != ')' {
			if !p.acceptSymbol(';') {
				p.statementIn()
			}
		}
		p.close()
	default:
		p.statement()
	}
}
