package sqltext

// Span is text[Start:End].
type Span struct{ Start, End int }

// Role is what a statement does with a table.
type Role uint8

const (
	// Read is a table in a FROM clause.
	Read Role = iota
	// Update is a table whose rows UPDATE may change.
	Update
	// Delete is a table whose rows DELETE removes.
	Delete
	// Insert is a table that takes new rows, and changes none.
	Insert
	// Upsert is a table whose rows an INSERT may change, or leave as they are
	// instead of adding one.
	Upsert
	// Replace is a table whose rows an INSERT may remove.
	Replace
	// Merge is the target of a MERGE.
	Merge
	// Empty is a table that loses all its rows.
	Empty
)

// JoinKind is how a join treats the rows of its sides.
type JoinKind uint8

const (
	// Inner keeps matching rows only.
	Inner JoinKind = iota
	// Left fills the right side with NULL.
	Left
	// Right fills the left side with NULL.
	Right
	// Full fills both sides.
	Full
	// Hidden is a join in parentheses whose alias hides the names in it.
	Hidden
	// Merging is the join of a MERGE's target, on the left, and its source.
	Merging
)

// Place is a side of a join, or with the join -1 the root of a FROM clause.
type Place struct {
	// Join is an index in Script.Joins.
	Join int
	// OnRight is the side.
	OnRight bool
}

// Join is an inner node of a FROM clause.
type Join struct {
	Place
	// Kind is how it treats its sides.
	Kind JoinKind
	// Shared says that it joins by the columns of the same names.
	Shared bool
	// On is its condition, and empty where it has none.
	On Span
	// End is where its right side ends.
	End int
}

// Reference is a place where a statement names a table.
type Reference struct {
	Place
	// Role is what is done with it.
	Role Role
	// Schema and Name are its name without quotes; unquoted ones are folded as the
	// server does.
	Schema, Name string
	// Text is the name as written, Whole with ONLY and alias.
	Text, Whole Span
	// Alias is the alias as written, and empty where there is none.
	Alias Span
	// Columns says that the alias renames columns, or that nothing can be written
	// with it.
	Columns bool
	// Fixed says that a derived table cannot stand in its place.
	Fixed bool
	// Block is an index in Script.Blocks.
	Block int
	// Unmatched says that a MERGE acts on the target's rows without a match, and
	// Deletes that it deletes some.
	Unmatched, Deletes bool
}

// Block is a part of a statement with FROM and WHERE clauses of its own.
type Block struct {
	// Where is its condition, and empty where it has none.
	Where Span
	// Tail is where a WHERE clause would go.
	Tail int
	// Table is TABLE name, whole; empty for all others.
	Table Span
	// Locks says that it locks the rows it reads.
	Locks bool
	// Cursor says that its condition is a cursor's place.
	Cursor bool
	// Constant says that its condition names nothing.
	Constant bool
	// Items are the select items without a name of their own.
	Items []Item
}

// Item is a select item. Name is the text a server names it by: comments after a
// comma count in MySQL, and those behind the item in SQLite.
type Item struct {
	Span
	Name Span
}

// Script is a text as the parser reads it.
type Script struct {
	// Text is what was read.
	Text string
	// View says that it defines a view.
	View bool
	// Comments are its comments.
	Comments []Token
	// Blocks, Joins and References point to each other by index.
	Blocks     []Block
	Joins      []Join
	References []Reference
}
