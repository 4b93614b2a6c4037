// Package plans compares how databases plan a guarded query with how they plan
// the one a careful person writes by hand, on tables with a million rows:
//
//	make plans
//
// On PostgreSQL and MariaDB the plans have to be the same, on SQLite the guarded
// query may take 1.2 times as long at most. The usual tests do it with fewer
// rows, and compare SQLite's plans as well.
package plans
