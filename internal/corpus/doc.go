// Command corpus judges internal/sqltext and store/guard by SQL that nobody here
// wrote:
//
//	go run . [-corpus name] [-dir directory] [-show n] [-list refused|missed|extra|unparsable|guard]
//
// For each statement of a corpus (package source) the tables that sqltext.Parse
// finds must be the ones that a full parser of the product finds (package judge
// says what is compared), unless one of the two refuses the statement. What a
// judge cannot parse, or a server cannot prepare, is counted and left out. MySQL's
// SQL has two judges, neither of which is MariaDB, and a MariaDB server as a third
// where SOFTDELETE_MYSQL_DSN names one. PostgreSQL's has its own parser, and
// SQLite's has SQLite.
//
// The text alone decides, without what settings the statements before it have
// changed: on both sides, so that nothing is compared that is read in two modes.
//
// Then the statement is guarded, with a catalog in which every table that was
// found is an asset, or technical data where the statement does what the guard
// does not let through. The judge must be able to parse the guarded text too, and
// find the same tables in it.
//
// The table that is printed has, for each corpus and judge, how many statements
// were compared and agreed; refused, by sqltext; missed, extra, with a table too
// few or too many; then how many were rewritten, and how many of the texts were
// unparsable, or had other tables. Reasons of refusals follow, the most frequent
// first, with the shortest statement of each. The exit status is 1 if something
// was missed, extra or unparsable.
//
// Corpora are fetched into the user's cache: Go modules by the go command, and
// Debian's source packages by apt-get, which that needs root for. -dir judges the
// .sql files of a directory instead; their paths tell the product, by the words
// mysql, sqlite and postgresql.
package main
