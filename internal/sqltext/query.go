package sqltext

// statementIn reads a query, or after WITH in PostgreSQL a write.
func (p *parser) statementIn() {
	outer := p.scope
	if p.key() == kwWith {
		p.with()
	}
	switch p.key() {
	case kwInsert, kwReplace:
		p.insert()
	case kwUpdate:
		p.update()
	case kwDelete:
		p.delete()
	case kwMerge:
		p.merge()
	default:
		p.operations()
	}
	p.scope = outer
}

// operations reads queries with UNION, EXCEPT and INTERSECT between them, and
// what follows the last.
func (p *parser) operations() {
	first := len(p.script.Blocks)
	end := p.operand()
	for p.accept(kwUnion) || p.accept(kwExcept) || p.accept(kwIntersect) {
		if !p.accept(kwAll) {
			p.accept(kwDistinct)
		}
		end = p.operand()
	}
	p.tail(first, end)
}

// operand returns the last of the blocks it reads that a lock would reach.
func (p *parser) operand() (last int) {
	if !p.enter() {
		return
	}
	defer p.leave()
	switch {
	case p.symbol() == '(':
		p.next()
		p.statementIn()
		p.close()
	case p.key() == kwSelect:
		return p.selectBlock()
	case p.accept(kwValues):
		defer p.begin()()
		p.rows()
	case p.key() == kwTable && !p.mode.sqlite():
		defer p.begin()()
		at := p.start()
		p.next()
		r := Reference{Place: Place{Join: -1}}
		p.table(&r, false)
		p.now().Table = Span{at, p.last()}
	default:
		p.fail("no query where one is expected")
	}
	return len(p.script.Blocks) - 1
}

func (p *parser) rows() {
	for !p.ended() {
		p.acceptWord("row")
		if p.symbol() != '(' {
			p.fail("no row where one is expected")
			return
		}
		p.parens()
		if !p.acceptSymbol(',') {
			return
		}
	}
}

// tail reads what follows a query; first and last are its blocks.
func (p *parser) tail(first, last int) {
	for !p.ended() {
		switch {
		case p.key() == kwOrder, p.key() == kwLimit, p.key() == kwOffset && p.ahead(-1).key != kwAs:
			p.next()
			p.accept(kwBy)
			p.list()
		case p.accept(kwFetch):
			p.expr()
		case p.key() == kwFor && !p.mode.sqlite(), p.key() == kwLock && p.mode.mysql():
			p.locks(first, last)
		case p.key() == kwInto && p.mode.mysql():
			p.into()
		default:
			return
		}
	}
}

// locks reads a locking clause; first and last are the blocks it may reach.
func (p *parser) locks(first, last int) {
	known := p.accept(kwLock) && p.acceptWord("in") && p.acceptWord("share") && p.acceptWord("mode")
	if !known && p.accept(kwFor) {
		p.acceptWord("no")
		p.acceptWord("key")
		known = p.accept(kwUpdate) || p.acceptWord("share")
	}
	if !known {
		p.fail("a clause that is no lock")
		return
	}
	for i := first; i <= last && i < len(p.script.Blocks); i++ {
		p.script.Blocks[i].Locks = true
	}
	if p.acceptWord("of") {
		for p.named(&Reference{}); p.acceptSymbol(','); {
			p.named(&Reference{})
		}
	}
	if p.acceptWord("skip") || p.acceptWord("wait") {
		p.next()
	}
	p.acceptWord("nowait")
}

// into reads the target of SELECT … INTO: a new table, variables or a file.
func (p *parser) into() {
	p.next()
	for !p.ended() && p.symbol() != ')' && p.symbol() != ';' && (p.key() == 0 || p.key() == kwTable || p.key() == kwBy) {
		if p.symbol() == '(' {
			p.fail("a parenthesis after INTO")
			return
		}
		p.next()
	}
}

func (p *parser) selectBlock() int {
	end := p.begin()
	defer end()
	self := p.block
	p.next()
	for p.key() == kwAll || p.key() == kwStraight && p.mode.mysql() || p.key() == kwDistinct || p.mode.mysql() && p.word("distinctrow",
		"high_priority", "sql_small_result", "sql_big_result", "sql_buffer_result", "sql_cache", "sql_no_cache", "sql_calc_found_rows") {
		p.next()
	}
	if p.key() == kwOn {
		p.next()
		if p.symbol() != '(' {
			p.fail("DISTINCT ON without a parenthesis")
			return self
		}
		p.parens()
	}
	p.items()
	if p.key() == kwInto {
		p.into()
	}
	p.now().Tail = p.last()
	if p.accept(kwFrom) {
		p.from()
		p.now().Tail = p.last()
	}
	p.where()
	if p.key() == kwGroup {
		p.next()
		p.accept(kwBy)
		p.accept(kwAll)
		p.list()
		if p.acceptWord("with") {
			p.next()
		}
	}
	if p.accept(kwHaving) {
		p.expr()
	}
	if p.key() == kwWindow {
		p.next()
		p.list()
	}
	return self
}

// where reads a condition.
func (p *parser) where() {
	if !p.accept(kwWhere) {
		return
	}
	if p.word("current") && p.is(p.ahead(1), "of") {
		p.now().Cursor = true
	}
	at, first := p.start(), p.i
	p.expr()
	if p.last() <= at {
		p.fail("WHERE without a condition")
		return
	}
	p.now().Where = Span{at, p.last()}
	p.now().Constant = p.constant(first)
}

// constant tells whether what was read names nothing, such as 1 = 1.
func (p *parser) constant(first int) bool {
	for _, t := range p.tokens[first:p.i] {
		switch {
		case t.Kind == Quoted, t.Kind == String && p.mode.sqlite() && p.text[t.Start] == '"':
			return false
		case t.Kind == Word && t.key != kwAnd && t.key != kwOr && t.key != kwNot && t.key != kwIs &&
			!p.is(t, "true") && !p.is(t, "false") && !p.is(t, "null"):
			return false
		}
	}
	return true
}

// scope is what WITH names for the queries in it.
type scope struct {
	up        *scope
	recursive bool
	names     []string
	// at is the query being read, and len(names) after WITH.
	at int
}

func (p *parser) with() {
	p.next()
	s := &scope{up: p.scope, recursive: p.acceptWord("recursive")}
	first := p.i
	// The names of later ones matter to the earlier.
	for {
		name, _ := p.name()
		s.names = append(s.names, name)
		p.toBody()
		if p.err != nil {
			return
		}
		p.i = int(p.match[p.i]) + 1
		p.after()
		if !p.acceptSymbol(',') {
			break
		}
	}
	end := p.i
	p.i, p.scope = first, s
	for s.at = range s.names {
		p.name()
		p.toBody()
		if !p.enter() {
			return
		}
		p.next()
		p.statementIn()
		p.close()
		p.leave()
		p.after()
		p.acceptSymbol(',')
	}
	s.at = len(s.names)
	if p.err == nil && p.i != end {
		p.fail("a WITH clause read in two ways")
	}
}

// toBody reads from the name of a WITH query to its parenthesis.
func (p *parser) toBody() {
	if p.symbol() == '(' {
		p.i = int(p.match[p.i]) + 1
	}
	p.expect(kwAs, "AS")
	p.accept(kwNot)
	p.acceptWord("materialized")
	if p.symbol() != '(' {
		p.fail("WITH without a query")
	}
}

// after reads SEARCH and CYCLE clauses.
func (p *parser) after() {
	for p.word("search", "cycle") {
		for p.next(); !p.ended() && p.key() != kwSelect && p.key() != kwInsert && p.key() != kwUpdate && p.key() != kwDelete && p.key() != kwMerge && p.key() != kwWith && !p.word("cycle") &&
			(p.key() != kwSet && p.key() != kwUsing || p.ahead(1).Kind == Word) && p.symbol() != '(' && p.key() != kwValues && p.key() != kwTable; p.next() {
			if p.symbol() == ',' && p.ahead(1).Kind != 0 && (p.ahead(2).key == kwAs || p.symbolAt(p.i+2) == '(') {
				break
			}
		}
	}
}

// hidden tells whether a name without a schema is a WITH query's, and refuses
// what servers may read in two ways.
func (p *parser) hidden(name string) bool {
	inBody := false
	for s := p.scope; s != nil; s = s.up {
		for i, other := range s.names {
			if other != name && !(EqualFold(other, name) && !p.mode.postgres()) {
				continue
			}
			if other != name && p.mode.mysql() {
				p.fail("a name that differs from a WITH query's by case only")
				return true
			}
			if inBody && p.mode.mysql() {
				// MariaDB reads the table there, MySQL the query.
				p.fail("a name of an outer WITH clause inside of another one")
				return true
			}
			switch {
			case i < s.at, p.mode.sqlite(), p.mode.postgres() && s.recursive, i == s.at && s.recursive:
				return true
			case i > s.at && s.recursive:
				p.fail("a query before its definition")
				return true
			}
		}
		inBody = inBody || s.at < len(s.names)
	}
	return false
}
