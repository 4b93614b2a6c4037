// Command undo is the smallest service: a table with a trash, and one row that
// goes there and comes back.
package main
