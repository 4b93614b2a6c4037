// Package sqltext reads SQL text: the module's one lexer, and what a guard has to
// know of a statement's structure.
//
//	tokens, err := sqltext.Lex(text, mode)
//	script, err := sqltext.Parse(text, mode)
//
// Lex splits a text into tokens at known offsets, so that its callers can decide
// by tokens and never by searching text. Between tokens there is white space
// only. What the servers of a mode could split in two ways is refused with an
// *Error: a splice next to a token that the server does not see would change
// another statement than the one meant.
//
// Parse finds query blocks, the trees of FROM clauses, the names of WITH queries
// and every place where a table is named. It knows no other grammar: expressions
// are skipped up to the next clause. Each FROM, JOIN and SELECT has to be where
// one is known to stand; a text with any other one is refused, since it may name
// a table that was not seen. Time and memory are linear in the text.
package sqltext
