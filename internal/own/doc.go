// Package own tells the store's own statements from those of its users.
//
// A guarded connection rewrites what it is sent. The store's statements must
// reach the database as they are: they look for rows that are not visible. The
// store marks the context of each statement it sends, and of nothing else; the
// driver's wrapper looks for the mark. The package is internal, so that nobody
// else can lift the guard in this way.
package own
