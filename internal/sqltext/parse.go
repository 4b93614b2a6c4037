package sqltext

import "strings"

// maxDepth is how deep parentheses and queries may nest.
const maxDepth = 300

// Parse finds the tables that a text names, and where conditions on them belong.
// What it does not understand for certain it refuses. The error is an *Error.
func Parse(text string, m Mode) (*Script, error) {
	m.Whole = true
	l := lexer{text: text, mode: m, tokens: make([]Token, 0, len(text)/4+8)}
	all, err := l.lex()
	if err != nil {
		return nil, err
	}
	p := parser{text: text, mode: &l.mode, script: &Script{Text: text}}
	p.prepare(all)
	p.statements()
	if p.err != nil {
		return nil, p.err
	}
	return p.script, nil
}

type parser struct {
	text   string
	mode   *Mode
	script *Script
	tokens []Token
	// query tells of each ( whether a query is in it; match where it closes.
	query []bool
	match []int32
	i     int
	depth int
	block int
	scope *scope
	err   *Error
}

// prepare takes the comments out, and looks into each parenthesis once.
func (p *parser) prepare(all []Token) {
	p.tokens = all[:0]
	for _, t := range all {
		if t.Kind == Comment {
			p.script.Comments = append(p.script.Comments, t)
			continue
		}
		if t.Kind == Word {
			t.key = keywordOf(p.text[t.Start:t.End])
		}
		p.tokens = append(p.tokens, t)
	}
	p.tokens = append(p.tokens, Token{Start: len(p.text), End: len(p.text)})
	p.pair()
}

func (p *parser) pair() {
	p.match, p.query = make([]int32, len(p.tokens)), make([]bool, len(p.tokens))
	var open []int32
	for i := range p.tokens {
		switch p.symbolAt(i) {
		case '(':
			open = append(open, int32(i))
		case ')':
			if len(open) == 0 {
				p.i = i
				p.fail("a parenthesis that nothing opens")
				return
			}
			p.match[open[len(open)-1]] = int32(i)
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		p.i = int(open[len(open)-1])
		p.fail("a parenthesis without its end")
		return
	}
	for i := len(p.tokens) - 2; i >= 0; i-- {
		if p.symbolAt(i) == '(' {
			p.query[i] = p.opens(i)
		}
	}
}

// opens tells whether a parenthesis holds a query, and not an expression or a
// join that begins with one in parentheses.
func (p *parser) opens(i int) bool {
	switch p.tokens[i+1].key {
	case kwSelect, kwWith:
		return true
	case kwValues:
		// MySQL has a function of that name.
		// A column can have that name.
		return p.symbolAt(i+2) == '(' && !p.mode.mysql() || p.mode.mysql() && (i == 0 || p.tokens[i-1].key == kwFrom)
	case kwTable:
		return !p.mode.sqlite()
	}
	if p.symbolAt(i+1) != '(' || !p.query[i+1] {
		return false
	}
	after := int(p.match[i+1]) + 1
	switch p.tokens[after].key {
	case kwUnion, kwExcept, kwIntersect, kwOrder, kwLimit, kwOffset, kwFetch:
		return true
	}
	return p.symbolAt(after) == ')'
}

func (p *parser) fail(reason string) {
	if p.err == nil {
		p.err = &Error{p.tokens[p.i].Start, reason}
	}
	p.i = len(p.tokens) - 1
}

func (p *parser) symbolAt(i int) byte {
	if i >= 0 && i < len(p.tokens) && p.tokens[i].Kind == Symbol {
		return p.text[p.tokens[i].Start]
	}
	return 0
}

func (p *parser) symbol() byte { return p.symbolAt(p.i) }
func (p *parser) key() keyword { return p.tokens[p.i].key }
func (p *parser) ended() bool  { return p.tokens[p.i].Kind == 0 }
func (p *parser) start() int   { return p.tokens[p.i].Start }
func (p *parser) last() int    { return p.tokens[p.i-1].End }
func (p *parser) ahead(n int) Token {
	if i := p.i + n; i >= 0 && i < len(p.tokens) {
		return p.tokens[p.i+n]
	}
	return p.tokens[len(p.tokens)-1]
}

func (p *parser) next() {
	if !p.ended() {
		p.i++
	}
}

func (p *parser) accept(k keyword) bool {
	if p.key() != k {
		return false
	}
	p.next()
	return true
}

func (p *parser) acceptSymbol(c byte) bool {
	if p.symbol() != c {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(k keyword, what string) {
	if !p.accept(k) {
		p.fail("no " + what + " where one is expected")
	}
}

func (p *parser) is(t Token, word string) bool {
	return t.Kind == Word && EqualFold(p.text[t.Start:t.End], word)
}

// word tells whether one of the words is next.
func (p *parser) word(words ...string) bool {
	for _, w := range words {
		if p.is(p.tokens[p.i], w) {
			return true
		}
	}
	return false
}

func (p *parser) acceptWord(words ...string) bool {
	if !p.word(words...) {
		return false
	}
	p.next()
	return true
}

func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.fail("more nesting than is read")
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// begin opens a block; the function it returns goes back to the one around it.
func (p *parser) begin() (end func()) {
	outer := p.block
	p.block = len(p.script.Blocks)
	p.script.Blocks = append(p.script.Blocks, Block{})
	return func() { p.block = outer }
}

func (p *parser) now() *Block { return &p.script.Blocks[p.block] }

// name reads an identifier: as the server folds it, and as it is written.
func (p *parser) name() (name string, at Span) {
	t := p.tokens[p.i]
	at = Span{t.Start, t.End}
	text := p.text[t.Start:t.End]
	switch {
	case t.Kind == Word && p.mode.postgres():
		name = strings.ToLower(text)
	case t.Kind == Word:
		name = text
	case t.Kind == Quoted, t.Kind == String && p.mode.sqlite() && text[0] == '\'':
		if text[0]|0x20 == 'u' {
			p.fail("a name with escapes")
			return "", at
		}
		quote := text[len(text)-1:]
		name = strings.ReplaceAll(text[1:len(text)-1], quote+quote, quote)
	default:
		p.fail("no name where one is expected")
		return "", at
	}
	if p.mode.postgres() && len(name) > 63 {
		p.fail("a name longer than the server keeps")
	}
	p.next()
	return name, at
}

// named reads the name of a table with its schema.
func (p *parser) named(r *Reference) {
	r.Name, r.Text = p.name()
	for n := 0; p.symbol() == '.' && p.symbolAt(p.i+1) != '*'; n++ {
		p.next()
		if n > 0 && !p.mode.postgres() || n > 1 {
			p.fail("a name of too many parts")
			return
		}
		var at Span
		r.Schema = r.Name
		r.Name, at = p.name()
		r.Text.End = at.End
	}
	r.Whole = r.Text
}
