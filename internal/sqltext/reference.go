package sqltext

// reference reads a table, or a function in its place.
func (p *parser) reference() node {
	r := Reference{Place: Place{Join: -1}}
	start := p.i
	if p.function() {
		p.called()
		return none
	}
	p.i = start
	p.table(&r, true)
	return node{ref: len(p.script.References) - 1, join: -1}.unless(p.err != nil || r.Name == "")
}

// unless drops a reference that a WITH query hides.
func (n node) unless(absent bool) node {
	if absent {
		return none
	}
	return n
}

// function reads a name with arguments. SQLite's tables may take some: those are
// references.
func (p *parser) function() bool {
	if k := p.key(); k != 0 && k != kwLeft && k != kwRight && k != kwReplace {
		return false
	}
	var r Reference
	p.named(&r)
	if p.symbol() != '(' || p.err != nil || p.mode.sqlite() && !known(r.Name) {
		return false
	}
	p.parens()
	return true
}

// known are the functions of SQLite that are no tables.
func known(name string) bool {
	return EqualFold(name, "json_each") || EqualFold(name, "json_tree") || EqualFold(name, "generate_series") ||
		len(name) > 7 && EqualFold(name[:7], "pragma_")
}

// called reads what may follow a function.
func (p *parser) called() {
	if p.key() == kwWith && p.is(p.ahead(1), "ordinality") {
		p.next()
		p.next()
	}
	if p.key() == kwAs && p.symbolAt(p.i+1) == '(' {
		p.next()
		p.parens()
		return
	}
	p.alias(nil)
}

// table reads a table's name and what may follow it, and keeps it unless it is
// the name of a WITH query.
func (p *parser) table(r *Reference, aliased bool) {
	start := p.start()
	only := p.mode.postgres() && p.key() == kwOnly
	if only {
		p.next()
	}
	inner := only && p.acceptSymbol('(')
	if !p.nameable() {
		p.fail("no table where one is expected")
		return
	}
	p.named(r)
	if inner {
		p.close()
	}
	r.Fixed = r.Fixed || inner || p.mode.postgres() && p.acceptSymbol('*')
	r.Block, r.Whole = p.block, Span{start, p.last()}
	if p.mode.sqlite() && p.symbol() == '(' {
		p.parens()
		r.Fixed = true
	}
	p.partition(r)
	if aliased {
		p.alias(r)
	}
	p.hints(r)
	if r.Whole.End < p.last() {
		r.Whole.End = p.last()
	}
	if p.err != nil {
		return
	}
	if r.Schema == "" && (r.Role == Read || r.Role == Update && p.mode.mysql()) && p.hidden(r.Name) {
		r.Name = ""
		return
	}
	p.script.References = append(p.script.References, *r)
}

// nameable tells whether a table's name may be next.
func (p *parser) nameable() bool {
	t := p.tokens[p.i]
	if t.Kind == Word {
		switch t.key {
		case 0, kwDo, kwEnd, kwExplain, kwIgnore, kwIndexed, kwMerge, kwOffset, kwOnly, kwPartition, kwProcedure, kwLock,
			kwWindow, kwOperator, kwReplace:
			return true
		}
		return false
	}
	return t.Kind == Quoted || t.Kind == String
}

func (p *parser) partition(r *Reference) {
	if p.mode.mysql() && p.key() == kwPartition && p.symbolAt(p.i+1) == '(' {
		p.next()
		p.parens()
		r.Fixed = true
	}
}

// alias reads an alias and its columns, into r where it is a table's.
func (p *parser) alias(r *Reference) bool {
	as := p.accept(kwAs)
	t := p.tokens[p.i]
	if !as && (t.Kind == Word && !p.bareAlias() || t.Kind != Word && t.Kind != Quoted && (t.Kind != String || !p.mode.sqlite())) {
		return false
	}
	_, at := p.name()
	columns := p.symbol() == '('
	if columns {
		p.parens()
	}
	if r != nil {
		r.Alias, r.Columns, r.Whole.End = at, columns, p.last()
	}
	return true
}

// bareAlias tells whether a word can be an alias without AS.
func (p *parser) bareAlias() bool {
	switch p.key() {
	case 0, kwDo, kwEnd, kwExplain, kwMerge, kwOnly, kwReplace:
		return !p.mode.mysql() || !p.word("connect")
	case kwFull:
		return p.mode.mysql()
	case kwOffset:
		return !p.mode.postgres()
	case kwWindow:
		return !p.mode.postgres() && !p.stops()
	case kwPartition, kwLateral:
		return p.key() == kwPartition && !p.mode.mysql()
	case kwIgnore, kwUse, kwForce:
		return !p.mode.mysql()
	case kwLock:
		return !p.stops() && !p.mode.mysql()
	case kwProcedure:
		return p.mode.postgres()
	}
	return false
}

// hints reads index hints and samples.
func (p *parser) hints(r *Reference) {
	for !p.ended() {
		switch {
		case p.mode.mysql() && (p.key() == kwUse || p.key() == kwForce || p.key() == kwIgnore) &&
			(p.is(p.ahead(1), "index") || p.is(p.ahead(1), "key")):
			p.next()
			p.next()
			if p.accept(kwFor) {
				for p.key() == kwJoin || p.key() == kwOrder || p.key() == kwGroup || p.key() == kwBy {
					p.next()
				}
			}
			p.parens()
		case p.mode.sqlite() && p.key() == kwIndexed && p.ahead(1).key == kwBy:
			p.next()
			p.next()
			p.name()
		case p.mode.sqlite() && p.key() == kwNot && p.ahead(1).key == kwIndexed:
			p.next()
			p.next()
		case p.mode.postgres() && p.accept(kwTablesample):
			p.name()
			p.parens()
			if p.acceptWord("repeatable") {
				p.parens()
			}
		default:
			return
		}
		r.Fixed = true
	}
}
