package own

import "context"

type key struct{}

// Mark returns a context for one statement of the store's.
func Mark(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, key{}) }

// Marked tells whether a statement is the store's.
func Marked(ctx context.Context) bool { return ctx.Value(key{}) != nil }
