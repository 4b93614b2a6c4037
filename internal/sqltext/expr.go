package sqltext

import "strings"

// expr reads an expression up to what cannot be a part of it: a comma, the end of
// a parenthesis, or a word that starts another clause.
func (p *parser) expr() {
	cases := 0
	for !p.ended() {
		t := p.tokens[p.i]
		switch {
		case t.Kind == Symbol:
			switch p.symbol() {
			case '(':
				p.parens()
				continue
			case ',', ')', ';':
				return
			case '[':
				p.brackets()
				continue
			case ']':
				return
			case '{', '}':
				p.fail("a brace")
				return
			case '.':
				// What follows a dot is a name.
				p.next()
				if p.ended() || strings.IndexByte("(),;]", p.symbol()) >= 0 && p.symbol() != 0 {
					p.fail("a dot without a name")
				}
			}
		case t.key == kwAs:
			p.next()
		case t.key == kwFor && p.mode.postgres() && p.is(p.ahead(-1), "collation"):
		case t.key == kwCase:
			cases++
		case t.key == kwEnd && cases > 0:
			cases--
		case cases > 0 && (t.key == kwWhen || t.key == kwThen || t.key == kwElse):
		case t.key == kwOperator && p.mode.sqlite() && p.is(t, "in") && p.symbolAt(p.i+1) != '(':
			p.fail("IN with a table for its list")
			return
		case p.stops():
			if cases > 0 {
				p.fail("CASE without its END")
			}
			return
		}
		if p.symbol() == '(' {
			continue
		}
		p.next()
	}
}

// stops tells whether the word starts another clause.
func (p *parser) stops() bool {
	switch p.key() {
	case kwFrom:
		return !p.distinctFrom()
	case kwSelect, kwTable, kwWhere, kwGroup, kwHaving, kwOrder, kwLimit, kwUnion, kwExcept, kwIntersect, kwInto, kwJoin,
		kwStraight, kwOn, kwUsing, kwReturning, kwWhen, kwThen, kwProcedure:
		return p.key() != kwGroup || !p.is(p.ahead(-1), "within")
	case kwSet, kwFor, kwOffset, kwFetch:
		return p.mode.postgres() || p.mode.mysql() && p.key() != kwOffset || p.key() == kwSet
	case kwWindow:
		return p.mode.postgres() || p.ahead(2).key == kwAs && p.symbolAt(p.i+3) == '('
	case kwLock:
		return p.mode.mysql() && p.is(p.ahead(2), "share")
	case kwWith:
		// Elsewhere in an expression it is a word of a type or a function.
		t := p.ahead(1)
		return p.is(t, "check") || p.is(t, "local") || p.is(t, "cascaded") || p.is(t, "data") || p.is(t, "no")
	default:
		return p.joins()
	}
}

// distinctFrom tells whether FROM belongs to IS [NOT] DISTINCT FROM.
func (p *parser) distinctFrom() bool {
	if p.i < 2 || p.tokens[p.i-1].key != kwDistinct {
		return false
	}
	before := p.tokens[p.i-2].key
	return before == kwIs || before == kwNot && p.i > 2 && p.tokens[p.i-3].key == kwIs
}

func (p *parser) brackets() {
	if !p.enter() {
		return
	}
	defer p.leave()
	p.next()
	for !p.ended() && p.symbol() != ']' {
		before := p.i
		p.expr()
		if !p.acceptSymbol(',') && p.i == before {
			break
		}
	}
	if !p.acceptSymbol(']') {
		p.fail("a bracket without its end")
	}
}

// takesFrom are the functions with FROM among their arguments.
var takesFrom = map[string]bool{"extract": true, "substring": true, "substr": true, "mid": true, "trim": true, "overlay": true}

// parens reads what is in parentheses: a query, or expressions.
func (p *parser) parens() {
	if !p.enter() {
		return
	}
	defer p.leave()
	if p.query[p.i] {
		p.next()
		p.statementIn()
		p.close()
		return
	}
	if p.i > 0 && p.mode.postgres() {
		p.configures()
	}
	from := false
	if t := p.ahead(-1); p.i > 0 && t.Kind == Word && t.key == 0 && len(t.text(p.text)) < 16 {
		from = takesFrom[lowered(t.text(p.text))]
	}
	p.next()
	p.inside(from)
	p.close()
}

func (t Token) text(text string) string { return text[t.Start:t.End] }

func lowered(word string) string {
	b := []byte(word)
	for i := range b {
		b[i] = lower(b[i])
	}
	return string(b)
}

// inside reads expressions up to the end of a parenthesis. Words that start a
// clause elsewhere are words of functions and windows here.
func (p *parser) inside(from bool) {
	for !p.ended() && p.symbol() != ')' {
		p.expr()
		switch p.key() {
		case kwSelect, kwTable, kwUnion, kwExcept, kwIntersect, kwInto, kwJoin, kwStraight, kwFrom:
			if !from || p.key() != kwFrom {
				p.fail("a word that starts a clause inside of an expression")
				return
			}
			from = false
			p.next()
		case 0:
			if p.symbol() != ')' && !p.acceptSymbol(',') {
				p.fail("a sign inside of an expression")
				return
			}
		default:
			if p.joins() {
				p.fail("a join inside of an expression")
				return
			}
			p.next()
		}
	}
}

func (p *parser) close() {
	if !p.acceptSymbol(')') {
		p.fail("something before the end of a parenthesis")
	}
}

// list reads expressions with commas between them.
func (p *parser) list() {
	for {
		p.expr()
		if p.mode.postgres() && p.accept(kwUsing) {
			p.operator()
		}
		if !p.acceptSymbol(',') {
			return
		}
	}
}

// operator reads the operator of ORDER BY … USING, and what follows it.
func (p *parser) operator() {
	if p.acceptWord("operator") {
		p.next()
		for !p.ended() && p.symbol() != ')' {
			p.next()
		}
		p.close()
	}
	for !p.ended() && p.tokens[p.i].Kind == Symbol && p.symbol() != ',' && p.symbol() != ')' && p.symbol() != ';' {
		p.next()
	}
	p.expr()
}

// items reads select items, and keeps those without a name.
func (p *parser) items() {
	for {
		first := p.i
		p.expr()
		if p.i > first && !p.mode.postgres() && !p.hasName(first, p.i) {
			b := p.now()
			b.Items = append(b.Items, Item{Span{p.tokens[first].Start, p.last()}, p.naming(first)})
		}
		if !p.acceptSymbol(',') {
			return
		}
	}
}

// naming returns the text that names the item that starts at a token and has just
// been read.
func (p *parser) naming(first int) Span {
	const space = " \t\r\n\f\v"
	at := Span{p.tokens[first].Start, p.last()}
	if p.mode.sqlite() {
		at.End = len(strings.TrimRight(p.text[:p.start()], space))
	} else if p.symbolAt(first-1) == ',' {
		before := p.tokens[first-1].End
		at.Start -= len(strings.TrimLeft(p.text[before:at.Start], space))
	}
	return at
}

// hasName tells whether the item of the tokens from first to end has a name.
func (p *parser) hasName(first, end int) bool {
	if end-first < 2 {
		return false
	}
	last, before := p.tokens[end-1], p.tokens[end-2]
	if before.key == kwAs {
		return true
	}
	if last.key != 0 || last.Kind != Word && last.Kind != Quoted && last.Kind != String {
		return false
	}
	if last.Kind == Word && (p.is(last, "null") || p.is(last, "true") || p.is(last, "false") || p.is(last, "unknown") ||
		p.is(last, "isnull") || p.is(last, "notnull")) {
		return false
	}
	switch before.Kind {
	case Word:
		return before.key == 0 || before.key == kwEnd
	case Symbol:
		return p.text[before.Start] == ')'
	case String:
		return last.Kind != String
	}
	return true
}
