// Package rowstate writes the states of a table's rows as SQL predicates, so
// that the store's statements, the guard, generated views and policies share
// one reading of each column:
//
//	b, some := rowstate.AppendScope(nil, table, lifecycle.Live, "d.", quote)
//	// d."deleted_at" IS NULL AND d."is_deleted" = 0
//
// The predicates are literal text without arguments, the same in every
// database. What holds an OR is in parentheses, so that a predicate can be
// joined to another one by AND as it stands.
package rowstate
