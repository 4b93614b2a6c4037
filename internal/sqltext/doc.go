// Package sqltext reads SQL text: the module's one lexer. It changes nothing and
// understands no grammar; it splits a text into tokens at known offsets, so that
// its callers can decide by tokens and never by searching text.
//
//	tokens, err := sqltext.Lex(text, mode)
//
// Between tokens there is white space only. What the servers of a mode could
// split in two ways is refused with an *Error: a splice next to a token that
// the server does not see would change another statement than the one meant.
package sqltext
