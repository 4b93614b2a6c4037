package sqltext

// node is a side of a join while it is read: a reference, a join, or neither.
type node struct {
	ref, join int
	// outer says that a RIGHT or FULL JOIN is in it, outside of parentheses.
	outer bool
}

var none = node{ref: -1, join: -1}

// put makes a node a side of a join.
func (p *parser) put(n node, at Place) {
	if n.ref >= 0 {
		p.script.References[n.ref].Place = at
	}
	if n.join >= 0 {
		p.script.Joins[n.join].Place = at
	}
}

// from reads the list of a FROM clause.
func (p *parser) from() {
	if p.mode.sqlite() {
		p.joined()
		return
	}
	for {
		p.joined()
		if !p.acceptSymbol(',') {
			return
		}
	}
}

// joins tells whether a join is next. MySQL has no FULL JOIN: the word is an
// alias there.
func (p *parser) joins() bool {
	for n := range 4 {
		switch p.ahead(n).key {
		case kwJoin:
			return true
		case kwStraight:
			return n == 0 && p.mode.mysql()
		case kwFull:
			if p.mode.mysql() {
				return false
			}
		case kwLeft, kwRight, kwInner, kwCross, kwNatural, kwOuter:
		default:
			return false
		}
	}
	return false
}

// kind reads the words of a join.
func (p *parser) kind() (k JoinKind, natural, cross bool) {
	var left, right bool
	for {
		switch p.key() {
		case kwLeft:
			left = true
		case kwRight:
			right = true
		case kwFull:
			left, right = true, true
		case kwNatural:
			natural = true
		case kwCross:
			cross = true
		}
		if k := p.key(); k == kwJoin || k == kwStraight {
			p.next()
			break
		}
		p.next()
	}
	switch {
	case left && right:
		k = Full
	case left:
		k = Left
	case right:
		k = Right
	}
	return k, natural, cross
}

// joined reads tables and the joins between them.
func (p *parser) joined() node {
	if !p.enter() {
		return none
	}
	defer p.leave()
	left := p.factor()
	for !p.ended() {
		switch {
		case p.joins():
			left = p.join(left)
		case p.mode.sqlite() && p.acceptSymbol(','):
			right := p.factor()
			left = p.joint(left, right, Join{}, p.atCondition())
		default:
			return left
		}
	}
	return left
}

// join reads a join and its right side. Where the condition of a join follows
// the next one, the next belongs to its right side.
func (p *parser) join(left node) node {
	if !p.enter() {
		return none
	}
	defer p.leave()
	k, natural, cross := p.kind()
	right := p.factor()
	j := Join{Kind: k, Shared: natural}
	if natural || cross && p.mode.postgres() {
		return p.joint(left, right, j, false)
	}
	if p.mode.sqlite() {
		return p.joint(left, right, j, p.atCondition())
	}
	for !p.ended() && !p.atCondition() && p.joins() {
		right = p.join(right)
	}
	conditional := p.atCondition()
	if !conditional && (k != Inner || p.mode.postgres() || right.outer) {
		p.fail("a join without its condition")
		return none
	}
	return p.joint(left, right, j, conditional)
}

// atCondition tells whether a join's condition is next, and not ON CONFLICT or
// ON DUPLICATE KEY.
func (p *parser) atCondition() bool {
	if p.key() == kwUsing {
		return p.symbolAt(p.i+1) == '('
	}
	return p.key() == kwOn && !p.is(p.ahead(1), "duplicate") && !p.is(p.ahead(1), "conflict")
}

func (p *parser) joint(left, right node, j Join, conditional bool) node {
	j.End = p.last()
	j.Place = Place{Join: -1}
	switch {
	case !conditional:
	case p.accept(kwUsing):
		j.Shared = true
		p.parens()
		if p.accept(kwAs) {
			p.name()
		}
	default:
		p.next()
		at := p.start()
		p.expr()
		if p.last() <= at {
			p.fail("ON without a condition")
			return none
		}
		j.On = Span{at, p.last()}
	}
	i := len(p.script.Joins)
	p.script.Joins = append(p.script.Joins, j)
	p.put(left, Place{i, false})
	p.put(right, Place{i, true})
	return node{ref: -1, join: i, outer: left.outer || right.outer || j.Kind == Right || j.Kind == Full}
}

// factor reads what a join joins.
func (p *parser) factor() node {
	if !p.enter() {
		return none
	}
	defer p.leave()
	p.accept(kwLateral)
	switch {
	case p.symbol() == '(' && (p.query[p.i] || p.ahead(1).key == kwValues):
		p.derived()
		p.alias(nil)
		return none
	case p.symbol() == '(':
		return p.group()
	case p.mode.postgres() && p.word("rows") && p.ahead(1).key == kwFrom && p.symbolAt(p.i+2) == '(':
		p.next()
		p.next()
		p.parens()
		p.called()
		return none
	case p.mode.mysql() && p.word("dual") && p.tokens[p.i].Kind == Word:
		p.next()
		return none
	case p.mode.postgres() && p.niladic():
		p.next()
		if p.symbol() == '(' {
			p.parens()
		}
		p.called()
		return none
	}
	return p.reference()
}

func (p *parser) derived() {
	p.next()
	p.statementIn()
	p.close()
}

func (p *parser) niladic() bool {
	return p.word("current_date", "current_time", "current_timestamp", "localtime", "localtimestamp", "current_role",
		"current_user", "user", "session_user", "current_catalog", "current_schema")
}

// group reads joins in parentheses.
func (p *parser) group() node {
	p.next()
	n := p.joined()
	for p.mode.mysql() && p.acceptSymbol(',') {
		right := p.joined()
		n = p.joint(n, right, Join{}, false)
	}
	p.close()
	n.outer = false
	if p.mode.sqlite() && n.ref >= 0 && p.script.References[n.ref].Alias.End > 0 {
		// SQLite loses the alias of a table that is alone in parentheses.
		p.script.References[n.ref].Columns = true
	}
	if p.alias(nil) {
		i := len(p.script.Joins)
		p.script.Joins = append(p.script.Joins, Join{Place: Place{Join: -1}, Kind: Hidden, End: p.last()})
		p.put(n, Place{i, false})
		return node{ref: -1, join: i}
	}
	return n
}
