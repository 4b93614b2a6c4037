package lifecycle_test

import (
	"errors"
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// A handler answers with the status of the error, however it was wrapped.
func ExampleHTTPStatus() {
	err := fmt.Errorf("restore request: %w", &lifecycle.Error{
		Op: lifecycle.Restore, Table: "document", Key: lifecycle.Key{42},
		Err: lifecycle.ErrExpired, Detail: "2026-11-29T10:00:00Z",
	})
	fmt.Println(lifecycle.HTTPStatus(err), err)

	var refusal *lifecycle.Error
	if errors.As(err, &refusal) {
		fmt.Println(refusal.Table, refusal.Key)
	}
	fmt.Println(lifecycle.HTTPStatus(nil))
	// Output:
	// 410 restore request: lifecycle: restore document[42]: window closed 2026-11-29T10:00:00Z
	// document [42]
	// 200
}
