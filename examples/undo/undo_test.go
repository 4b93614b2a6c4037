package main

// The example's output is a test of the program.
func Example() {
	main()
	// Output:
	// transitioned transitioned
	// 409 lifecycle: purge document[1]: edge does not start here (the row is active, the edge starts in trashed)
}
