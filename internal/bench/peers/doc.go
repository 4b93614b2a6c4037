// Package peers measures what the soft deletion of gorm.io/plugin/soft_delete
// and of github.com/uptrace/bun costs, beside the same UPDATE written by hand
// with database/sql, in the same run on the same driver:
//
//	make bench BENCH=Peers
//
// Each operation is one transaction, which trashes one row, or a thousand rows
// by their keys. SQLite is always measured, PostgreSQL where
// SOFTDELETE_POSTGRES_DSN is set. The two libraries write different columns, so
// that each has a statement by hand of its own to be compared with: gorm's
// plugin a flag and a time, bun a time.
package peers
