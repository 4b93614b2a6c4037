// Package source brings SQL that other projects test themselves with: the
// sources of their Go modules and of their Debian packages, fetched when they are
// asked for and kept in the user's cache, never in this repository.
//
//	texts, err := source.Corpora[0].Texts(source.Cache{Dir: dir})
//
// The splitters know just enough of psql, mysqltest and Tcl to find statements.
// What they cut wrongly, judges refuse.
package source
