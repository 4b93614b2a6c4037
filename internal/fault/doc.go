// Package fault makes a database fail at a chosen call, for tests that ask what
// is left then. It wraps a database/sql driver, so that the code under test is
// the real code on a real server:
//
//	db, plan := fault.Open(driver, dsn)
//	for i := range 1000 {
//		plan.Arm(i, fault.Before)
//		… run the scenario, then look at the database through another handle …
//		if !plan.Fired() {
//			break // the scenario has no i-th call
//		}
//	}
package fault
