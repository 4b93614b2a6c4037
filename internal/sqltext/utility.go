package sqltext

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
	case p.word("describe", "desc") && p.mode.mysql(), p.word("analyze") && p.mode.mysql() && p.ahead(1).key != kwTable:
		p.explain()
	case p.acceptWord("truncate"):
		p.truncate()
	case p.word("create"):
		p.create()
	case p.word("declare") && p.mode.postgres():
		p.skipTo(kwFor)
		p.statementIn()
	case p.word("prepare") && p.mode.postgres():
		p.skipTo(kwAs)
		p.statement()
	case p.word("grant", "revoke"):
		p.rights()
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
	return p.key() == kwEnd || p.key() == kwLock || p.key() == kwUse || p.word("begin", "start", "commit", "rollback", "savepoint", "release", "abort",
		"show", "unlock", "alter", "drop", "comment", "analyze", "vacuum", "reindex", "cluster", "pragma", "attach", "detach", "kill",
		"flush", "optimize", "check", "repair", "listen", "notify", "unlisten", "discard", "reset", "deallocate", "checkpoint",
		"refresh", "security", "reassign", "rename", "xa")
}

// utility passes a statement that reads no rows.
func (p *parser) utility() {
	for !p.ended() && p.symbol() != ';' {
		switch p.key() {
		case kwSelect, kwFrom, kwJoin, kwInsert, kwUpdate, kwDelete, kwMerge:
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
			if p.word("execute") {
				p.fail("a statement prepared elsewhere")
				return
			}
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
	if p.symbol() == '(' && p.query[p.i] {
		p.parens()
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

// create reads a definition, with the query of a view or a table. The bodies of
// routines are not read, and may hold no query.
func (p *parser) create() {
	p.next()
	table := false
	for !p.ended() && p.symbol() != ';' {
		switch {
		case p.word("function", "trigger", "event", "rule", "package") || p.key() == kwProcedure:
			p.utility()
			return
		case p.symbol() == '(':
			p.parens()
		case p.key() == kwSelect, p.key() == kwValues, p.key() == kwTable && (table || p.ahead(-1).key == kwAs),
			p.key() == kwWith && p.ahead(-1).key == kwAs:
			p.statementIn()
			for p.word("check", "option", "local", "cascaded", "data", "no") || p.key() == kwWith {
				p.next()
			}
			return
		case p.key() == kwFrom || p.key() == kwJoin || p.word("execute"):
			p.fail("a word of a query in a definition")
			return
		default:
			table = table || p.key() == kwTable
			p.next()
		}
	}
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
		name := t.text(p.text)
		for len(name) > 0 && name[0] == '@' {
			name = name[1:]
		}
		if len(name) < 40 && splitting[lowered(name)] {
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
