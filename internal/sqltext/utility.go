package sqltext

import "strings"

// statements reads a text's statements.
func (p *parser) statements() {
	for !p.ended() {
		if p.acceptSymbol(';') {
			continue
		}
		p.scope = nil
		p.statement()
		if !p.ended() && p.symbol() != ';' {
			p.fail("something where a statement should end")
		}
	}
}

// statement reads one statement.
func (p *parser) statement() {
	switch p.key() {
	case kwSelect, kwWith, kwValues, kwInsert, kwUpdate, kwDelete, kwMerge, kwReplace:
		p.statementIn()
		return
	case kwTable:
		p.statementIn()
		return
	case kwExplain:
		p.explain()
		return
	case kwSet:
		p.setting()
		return
	case kwDo:
		p.code()
		return
	}
	switch {
	case p.symbol() == '(' && p.query[p.i]:
		p.statementIn()
	case p.word("describe", "desc") && p.mode.mysql(), p.word("analyze") && p.mode.mysql() && !p.analyzesTable():
		p.explain()
	case p.acceptWord("truncate"):
		p.truncate()
	case p.word("create"):
		p.create()
	case p.word("declare") && p.mode.postgres():
		p.skipTo(kwFor)
		p.statementIn()
	case p.word("prepare") && p.mode.postgres() && !p.is(p.ahead(1), "transaction"):
		p.skipTo(kwAs)
		p.statement()
	case p.acceptWord("call"), p.mode.postgres() && p.acceptWord("execute"):
		// What a routine reads is out of reach, as in SELECT f(). A prepared statement
		// has been read when it was prepared.
		p.expr()
	case p.word("alter"):
		p.alter()
	case p.word("drop", "comment", "security", "refresh", "reassign", "grant", "revoke") || p.key() == kwLock,
		p.mode.postgres() && p.word("load"), p.mode.sqlite() && p.word("pragma"):
		p.definition()
	case p.word("copy") && p.mode.postgres():
		p.copied()
	case p.word("show") && p.mode.mysql():
		p.rights()
	case p.word("close", "move") || p.key() == kwFetch:
		p.rights()
	case p.utilities():
		p.utility()
	default:
		p.fail("a statement that is not known")
	}
}

func (p *parser) utilities() bool {
	return p.key() == kwEnd || p.key() == kwUse || p.word("begin", "start", "commit", "rollback", "savepoint", "release", "abort",
		"show", "unlock", "analyze", "vacuum", "reindex", "cluster", "pragma", "attach", "detach", "kill", "prepare",
		"flush", "optimize", "check", "repair", "listen", "notify", "unlisten", "discard", "reset", "deallocate", "checkpoint",
		"rename", "xa") && !(p.word("prepare") && !p.mode.postgres())
}

// analyzesTable tells MySQL's ANALYZE TABLE from its ANALYZE of a statement.
func (p *parser) analyzesTable() bool {
	t := p.ahead(1)
	return t.key == kwTable || (p.is(t, "local") || p.is(t, "no_write_to_binlog")) && p.ahead(2).key == kwTable
}

// utility passes a statement that reads no rows.
func (p *parser) utility() {
	for !p.ended() && p.symbol() != ';' {
		switch p.key() {
		case kwSelect, kwFrom, kwJoin, kwInsert, kwUpdate, kwDelete, kwMerge, kwReplace:
			p.fail("a query in a statement that has none")
			return
		}
		p.next()
	}
}

// rights passes statements in which the words of queries are something else.
func (p *parser) rights() {
	for !p.ended() && p.symbol() != ';' {
		if p.symbol() == '(' && p.query[p.i] {
			p.fail("a query in a statement that has none")
			return
		}
		p.next()
	}
}

func (p *parser) skipTo(k keyword) {
	for !p.ended() && p.symbol() != ';' {
		if p.accept(k) {
			return
		}
		p.next()
	}
	p.fail("a statement without its query")
}

// explain reads the options of EXPLAIN, and what it explains.
func (p *parser) explain() {
	p.next()
	for !p.ended() && p.symbol() != ';' {
		switch p.key() {
		case kwSelect, kwWith, kwValues, kwInsert, kwUpdate, kwDelete, kwMerge, kwReplace, kwTable:
			p.statementIn()
			return
		}
		if p.symbol() == '(' {
			if p.query[p.i] {
				p.statementIn()
				return
			}
			p.parens()
			continue
		}
		if p.word("create", "declare", "execute", "prepare") {
			p.statement()
			return
		}
		p.next()
	}
}

func (p *parser) truncate() {
	defer p.begin()()
	p.accept(kwTable)
	for {
		r := Reference{Place: Place{Join: -1}, Role: Empty, Fixed: true}
		p.table(&r, false)
		if !p.acceptSymbol(',') {
			break
		}
	}
	p.utility()
}

// copied reads PostgreSQL's COPY: of a query, out of a table, or into one.
func (p *parser) copied() {
	p.next()
	if k := p.ahead(1).key; p.symbol() == '(' && (p.query[p.i] || k == kwInsert || k == kwUpdate || k == kwDelete || k == kwMerge) {
		p.derived()
		p.expectWord("to")
		p.utility()
		return
	}
	defer p.begin()()
	p.acceptWord("binary")
	// No filter can be added to a table that is copied out.
	r := Reference{Place: Place{Join: -1}, Fixed: true, Columns: true}
	at := len(p.script.References)
	p.table(&r, false)
	if p.symbol() == '(' {
		p.parens()
	}
	switch {
	case p.err != nil:
		return
	case p.accept(kwFrom):
		p.script.References[at].Role = Insert
	default:
		p.expectWord("to")
	}
	p.utility()
}

func (p *parser) expectWord(word string) {
	if !p.acceptWord(word) {
		p.fail("no " + word + " where one is expected")
	}
}

// code refuses PostgreSQL's DO, whose text is code; MySQL's evaluates expressions.
func (p *parser) code() {
	p.next()
	if !p.mode.mysql() {
		p.fail("code in a string")
		return
	}
	p.list()
}

// splitting are the settings that change how a text is split.
var splitting = map[string]bool{
	"sql_mode": true, "standard_conforming_strings": true, "client_encoding": true, "names": true, "charset": true,
	"character": true, "character_set_client": true, "backslash_quote": true, "transform_null_equals": true,
}

// setting reads SET.
func (p *parser) setting() {
	p.next()
	for !p.ended() && p.symbol() != ';' {
		t := p.tokens[p.i]
		name := strings.Trim(t.text(p.text), "@`\"'")
		if len(name) < 40 && splitting[lowered(name)] && !p.utf8() {
			p.fail("a setting that changes how a text is read")
			return
		}
		switch {
		case p.symbol() == '(':
			p.parens()
		case p.key() == kwFor, p.key() == kwSelect, p.key() == kwJoin, p.key() == kwFrom && !p.is(p.ahead(1), "current"):
			p.fail("a query in a setting")
		default:
			p.next()
		}
	}
}

// utf8 tells whether the setting that is next is a character set, and is set to
// the one that texts are read in.
func (p *parser) utf8() bool {
	if !p.word("names", "client_encoding", "charset") {
		return false
	}
	value := p.ahead(1)
	if p.is(value, "to") || p.symbolAt(p.i+1) == '=' {
		value = p.ahead(2)
	}
	switch lowered(strings.Trim(value.text(p.text), "'")) {
	case "utf8", "utf8mb3", "utf8mb4":
		return true
	}
	return false
}

// configures refuses set_config of such a setting, or of one that is not known:
// the next text would be read in another way.
func (p *parser) configures() {
	t := p.ahead(-1)
	name := t.text(p.text)
	if t.Kind == Quoted {
		name = name[1 : len(name)-1]
	}
	if t.Kind != Word && t.Kind != Quoted || !EqualFold(name, "set_config") {
		return
	}
	is := p.ahead(1)
	value := is.text(p.text)
	if is.Kind != String || value[0] != '\'' || len(value) > 60 || splitting[lowered(value[1:len(value)-1])] || p.symbolAt(p.i+2) != ',' {
		p.fail("a setting that may change how a text is read")
	}
}
