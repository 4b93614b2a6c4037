// Package oracle finds out whether guarded queries are right. It writes random
// queries over random data and compares two answers: the guarded query's on the
// full tables, and the plain query's on a twin, a copy from which the rows that
// the scope hides are physically deleted. Row for row, duplicates and column
// names included; for writes the tables afterwards too.
//
// Its own tests show that it finds the faults of filters put where people put
// them. They print their seed, and take it again:
//
//	go test ./internal/oracle -oracle.seed=42
//
// A case is made of a seed and its number alone, so that each can be replayed.
// What differs is minimised first: parts of the query and rows of the tables
// are dropped for as long as the answers differ.
//
// # What the generator avoids
//
// Only what has one right answer is generated: no order where it is not total,
// no volatile function, no column outside GROUP BY, no sub-select that may
// return two rows where one is needed. The last would fail, and whether a server
// reaches a hidden row before it drops it is not the guard's to say.
package oracle
