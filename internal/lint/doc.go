// Package lint is the repository's rules as tests:
//
//	go test ./internal/lint
//
// Each rule is a function from files, or from the import graph, to the places
// that break it; each message ends with what mends it. The rules are tested in
// turn on small inputs, since a rule that cannot fail protects nothing.
//
// Code in a README's ```go blocks has to stand, line for line, in a file below
// examples or in a file named example_test.go: what a reader copies is compiled
// by every test run.
package lint
