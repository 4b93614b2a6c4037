// Package dberr reads the code out of a database error without importing the
// driver that made it: by the methods and fields that the drivers in use have.
//
//	dberr.SQLState(err)                   // PostgreSQL: "23505"
//	dberr.Number(err, "Number")           // MySQL: 1062
//	dberr.Number(err, "Code", "ExtendedCode")
//
// Wrapped and joined errors are searched; an error of another origin yields
// nothing.
package dberr
