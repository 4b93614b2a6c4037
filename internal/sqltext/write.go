package sqltext

// modifiers reads the words between a write's verb and its table.
func (p *parser) modifiers() (or string) {
	for {
		switch {
		case p.mode.mysql() && p.acceptWord("low_priority", "delayed", "high_priority"):
		case p.mode.mysql() && p.key() == kwIgnore:
			p.next()
			or = "ignore"
		case p.mode.sqlite() && p.accept(kwOr):
			or = lowered(p.tokens[p.i].text(p.text))
			p.next()
		default:
			return or
		}
	}
}

// insert reads INSERT and REPLACE.
func (p *parser) insert() {
	defer p.begin()()
	r := Reference{Place: Place{Join: -1}, Role: Insert, Fixed: true}
	if p.key() == kwReplace {
		r.Role = Replace
	}
	p.next()
	switch p.modifiers() {
	case "replace":
		r.Role = Replace
	case "ignore":
		r.Role = Upsert
	}
	if !p.accept(kwInto) && !p.mode.mysql() {
		p.fail("INSERT without INTO")
		return
	}
	at := len(p.script.References)
	p.table(&r, false)
	if p.err != nil {
		return
	}
	if p.key() == kwAs && !p.mode.mysql() {
		p.alias(&p.script.References[at])
	}
	if p.symbol() == '(' && !p.query[p.i] {
		p.parens()
	}
	if p.acceptWord("overriding") {
		p.next()
		p.next()
	}
	p.source()
	if p.mode.mysql() && p.accept(kwAs) {
		p.name()
		if p.symbol() == '(' {
			p.parens()
		}
	}
	for p.accept(kwOn) {
		p.conflict()
		if p.script.References[at].Role == Insert {
			p.script.References[at].Role = Upsert
		}
	}
	p.returning()
}

// source reads the rows of an INSERT.
func (p *parser) source() {
	switch {
	case p.word("default") && p.ahead(1).key == kwValues:
		p.next()
		p.next()
	case p.mode.mysql() && (p.key() == kwValues || p.word("value")):
		p.next()
		p.rows()
	case p.mode.mysql() && p.accept(kwSet):
		p.list()
	default:
		p.statementIn()
	}
}

// conflict reads what an INSERT does with a row that is there.
func (p *parser) conflict() {
	if p.acceptWord("duplicate") {
		p.next()
		p.expect(kwUpdate, "UPDATE")
		p.list()
		return
	}
	if !p.acceptWord("conflict") {
		p.fail("ON without CONFLICT")
		return
	}
	if p.accept(kwOn) {
		p.next()
		p.name()
	} else if p.symbol() == '(' {
		p.parens()
		if p.accept(kwWhere) {
			p.exprTo(kwDo)
		}
	}
	p.expect(kwDo, "DO")
	if p.acceptWord("nothing") {
		return
	}
	p.expect(kwUpdate, "UPDATE")
	p.expect(kwSet, "SET")
	p.list()
	if p.accept(kwWhere) {
		p.expr()
	}
}

// exprTo reads an expression that a word ends which no expression ends at.
func (p *parser) exprTo(k keyword) {
	for !p.ended() && p.key() != k {
		if p.symbol() == '(' {
			p.parens()
			continue
		}
		if p.symbol() == ')' || p.symbol() == ';' || p.stops() {
			return
		}
		p.next()
	}
}

func (p *parser) returning() {
	if p.accept(kwReturning) {
		if p.key() == kwWith && p.symbolAt(p.i+1) == '(' {
			p.next()
			p.parens()
		}
		p.items()
	}
}

// limits reads ORDER BY and LIMIT of a write, and RETURNING on either side.
func (p *parser) limits() {
	p.returning()
	for p.key() == kwOrder || p.key() == kwLimit || p.key() == kwOffset {
		p.next()
		p.accept(kwBy)
		p.list()
	}
	p.returning()
}

func (p *parser) update() {
	defer p.begin()()
	p.next()
	role := Update
	switch p.modifiers() {
	case "replace":
		role = Replace
	case "ignore":
		role = Upsert
	}
	first := len(p.script.References)
	if p.mode.mysql() {
		p.targets(first, role)
	} else {
		r := Reference{Place: Place{Join: -1}, Role: role, Fixed: true}
		p.table(&r, true)
	}
	p.expect(kwSet, "SET")
	p.list()
	if !p.mode.mysql() && p.accept(kwFrom) {
		p.from()
	}
	p.now().Tail = p.last()
	p.where()
	p.limits()
}

// targets reads a list of joined tables, each of which a write may change.
func (p *parser) targets(first int, role Role) {
	block := p.block
	p.from()
	for i := first; i < len(p.script.References); i++ {
		if r := &p.script.References[i]; r.Block == block {
			r.Role = role
		}
	}
}

func (p *parser) delete() {
	defer p.begin()()
	p.next()
	p.modifiers()
	// A table can have this name in UPDATE.
	if p.mode.mysql() && p.acceptWord("quick") {
		p.modifiers()
	}
	if p.mode.mysql() && (p.key() != kwFrom || p.multiple()) {
		p.deleteJoined()
		return
	}
	p.expect(kwFrom, "FROM")
	r := Reference{Place: Place{Join: -1}, Role: Delete, Fixed: true}
	p.table(&r, true)
	if p.accept(kwUsing) {
		p.from()
	}
	p.now().Tail = p.last()
	p.where()
	p.limits()
}

// multiple tells whether MySQL's DELETE FROM lists tables for a USING clause.
func (p *parser) multiple() bool {
	for n := 1; ; n++ {
		t := p.ahead(n)
		if t.key == kwUsing {
			return true
		}
		if t.Kind != Word && t.Kind != Quoted && t.Kind != Symbol || t.key == kwWhere || t.key == kwSelect {
			return false
		}
		if c := p.symbolAt(p.i + n); c != 0 && c != '.' && c != ',' && c != '*' {
			return false
		}
	}
}

// deleteJoined reads MySQL's DELETE a, b FROM … and DELETE FROM a, b USING ….
func (p *parser) deleteJoined() {
	ends := kwFrom
	if p.accept(kwFrom) {
		ends = kwUsing
	}
	var targets []Reference
	for {
		var r Reference
		p.named(&r)
		if p.symbol() == '.' {
			p.next()
			p.acceptSymbol('*')
		}
		targets = append(targets, r)
		if !p.acceptSymbol(',') {
			break
		}
	}
	p.expect(ends, "FROM")
	first, block := len(p.script.References), p.block
	p.from()
	found := 0
	for i := first; i < len(p.script.References); i++ {
		r := &p.script.References[i]
		if r.Block != block {
			continue
		}
		for _, t := range targets {
			if EqualFold(t.Name, p.nameOf(r)) && (t.Schema == "" || r.Schema == "" || t.Schema == r.Schema) {
				r.Role, found = Delete, found+1
			}
		}
	}
	if found < len(targets) {
		p.fail("a DELETE whose target is not among its tables")
		return
	}
	p.now().Tail = p.last()
	p.where()
	p.limits()
}

// nameOf returns what the rest of a statement calls a reference.
func (p *parser) nameOf(r *Reference) string {
	if r.Alias.End == 0 {
		return r.Name
	}
	text := p.text[r.Alias.Start:r.Alias.End]
	if text[0] == '`' {
		return text[1 : len(text)-1]
	}
	return text
}

// merge reads MERGE of PostgreSQL.
func (p *parser) merge() {
	if !p.mode.postgres() {
		p.fail("a MERGE, which this server does not have")
		return
	}
	defer p.begin()()
	p.next()
	p.accept(kwInto)
	at := len(p.script.References)
	r := Reference{Place: Place{Join: -1}, Role: Merge, Fixed: true}
	p.table(&r, true)
	p.expect(kwUsing, "USING")
	right := p.joined()
	if p.err != nil {
		return
	}
	p.joint(node{ref: at, join: -1}, right, Join{Kind: Merging}, p.atCondition())
	for p.err == nil && p.accept(kwWhen) {
		p.whenClause(&p.script.References[at])
	}
	p.returning()
}

func (p *parser) whenClause(r *Reference) {
	unmatched := p.accept(kwNot)
	if !p.acceptWord("matched") {
		p.fail("WHEN without MATCHED")
		return
	}
	if p.accept(kwBy) {
		r.Unmatched = r.Unmatched || unmatched && p.word("source")
		p.next()
	}
	if p.accept(kwAnd) {
		p.expr()
	}
	p.expect(kwThen, "THEN")
	switch {
	case p.accept(kwDo):
		p.next()
	case p.accept(kwDelete):
		r.Deletes = true
	case p.accept(kwUpdate):
		p.expect(kwSet, "SET")
		p.list()
	case p.accept(kwInsert):
		if p.symbol() == '(' {
			p.parens()
		}
		if p.acceptWord("overriding") {
			p.next()
			p.next()
		}
		p.acceptWord("default")
		p.expect(kwValues, "VALUES")
		if p.symbol() == '(' {
			p.parens()
		}
	default:
		p.fail("WHEN without what to do")
	}
}
