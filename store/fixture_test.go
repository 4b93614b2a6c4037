package store_test

import (
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	who  = lifecycle.Cause{By: "user:42", Why: "clean-up"}
)

// docTable is a canonical table with two object columns.
func docTable() *lifecycle.Table {
	return &lifecycle.Table{
		Name:    "doc",
		Objects: []lifecycle.ObjectRef{{Bucket: "files", Key: "object_key"}, {Bucket: "files", Key: "thumb_key"}},
	}
}
