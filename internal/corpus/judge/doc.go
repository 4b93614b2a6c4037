// Package judge has full parsers, and servers, tell which tables a statement
// names, for what internal/sqltext found to be compared with.
//
//	difference, err := judge.NewPostgres().Compare(text, script.References)
//
// Compared are the places where a query reads rows of a table, or a write
// changes, adds or removes some: FROM and what is joined to it, and the targets
// of INSERT, UPDATE, DELETE, MERGE, TRUNCATE and COPY, as deep as they nest and in
// whatever statement they stand: CREATE VIEW, CREATE TABLE AS, EXPLAIN, a
// condition of CREATE POLICY. The same table twice counts twice.
//
// Parsers find tables by themselves. The servers, SQLite and MariaDB, are asked
// about those that were found: see SQLite and MariaDB.
//
// Not compared are names of WITH queries in their scope, functions in a FROM
// clause, MySQL's DUAL, tables that MySQL's DELETE names before its FROM or after
// the one before USING and the tables of a locking clause, which all name again
// what is in FROM, INTO of SELECT, and tables that a statement defines, changes
// the definition of, grants rights on, or otherwise names outside of a query.
// Where two products or their parsers are known to differ from MySQL or MariaDB,
// the judge refuses; each such place says why.
package judge
