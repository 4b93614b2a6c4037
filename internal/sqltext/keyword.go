package sqltext

// keyword is a word the parser asks for; 0 is any other.
type keyword uint8

const (
	kwAll keyword = iota + 1
	kwAnd
	kwAs
	kwBy
	kwCase
	kwCross
	kwDelete
	kwDistinct
	kwDo
	kwElse
	kwEnd
	kwExcept
	kwExplain
	kwFetch
	kwFor
	kwForce
	kwFrom
	kwFull
	kwGroup
	kwHaving
	kwIgnore
	kwIndexed
	kwInner
	kwInsert
	kwIntersect
	kwInto
	kwIs
	kwJoin
	kwLateral
	kwLeft
	kwLimit
	kwLock
	kwMerge
	kwNatural
	kwNot
	kwOffset
	kwOn
	kwOnly
	kwOr
	kwOrder
	kwOuter
	kwPartition
	kwProcedure
	kwReplace
	kwReturning
	kwRight
	kwSelect
	kwSet
	kwStraight
	kwTable
	kwTablesample
	kwThen
	kwUnion
	kwUpdate
	kwUse
	kwUsing
	kwValues
	kwWhen
	kwWhere
	kwWindow
	kwWith
	// kwOperator is any word after which an expression goes on.
	kwOperator
)

var keywords = map[string]keyword{
	"all": kwAll, "and": kwAnd, "as": kwAs, "by": kwBy, "case": kwCase, "cross": kwCross, "delete": kwDelete,
	"distinct": kwDistinct, "do": kwDo, "else": kwElse, "end": kwEnd, "except": kwExcept, "explain": kwExplain,
	"fetch": kwFetch, "for": kwFor, "force": kwForce, "from": kwFrom, "full": kwFull, "group": kwGroup,
	"having": kwHaving, "ignore": kwIgnore, "indexed": kwIndexed, "inner": kwInner, "insert": kwInsert,
	"intersect": kwIntersect, "into": kwInto, "is": kwIs, "join": kwJoin, "lateral": kwLateral, "left": kwLeft,
	"limit": kwLimit, "lock": kwLock, "merge": kwMerge, "natural": kwNatural, "not": kwNot, "offset": kwOffset,
	"on": kwOn, "only": kwOnly, "or": kwOr, "order": kwOrder, "outer": kwOuter, "partition": kwPartition,
	"procedure": kwProcedure, "replace": kwReplace, "returning": kwReturning, "right": kwRight, "select": kwSelect,
	"set": kwSet, "straight_join": kwStraight, "table": kwTable, "tablesample": kwTablesample, "then": kwThen,
	"union": kwUnion, "update": kwUpdate, "use": kwUse, "using": kwUsing, "values": kwValues, "when": kwWhen,
	"where": kwWhere, "window": kwWindow, "with": kwWith,

	"in": kwOperator, "like": kwOperator, "ilike": kwOperator, "glob": kwOperator, "regexp": kwOperator,
	"rlike": kwOperator, "match": kwOperator, "escape": kwOperator, "between": kwOperator, "div": kwOperator,
	"mod": kwOperator, "xor": kwOperator, "collate": kwOperator, "over": kwOperator, "binary": kwOperator,
	"interval": kwOperator, "sounds": kwOperator, "similar": kwOperator,
}

// longest is the length of the longest keyword.
const longest = len("straight_join")

// keywordOf returns the keyword a word is in any case of its letters.
func keywordOf(word string) keyword {
	if len(word) > longest || len(word) < 2 {
		return 0
	}
	var lower [longest]byte
	for i := range len(word) {
		c := word[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		lower[i] = c
	}
	return keywords[string(lower[:len(word)])]
}

// EqualFold tells whether two names are the same but for the case of ASCII
// letters, as servers compare keywords and SQLite names.
func EqualFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if c, d := lower(a[i]), lower(b[i]); c != d {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}
