// Package guard rewrites queries so that they cannot show a deleted row. A
// guarded query returns what the plain query would return if the rows that the
// scope hides were not there: row for row, for every kind of join and nesting.
//
//	g, err := guard.New(catalog, guard.Postgres, nil)
//	text, err := g.Rewrite("SELECT d.title, f.name FROM documents d LEFT JOIN folders f ON f.id = d.folder_id")
//	// … LEFT JOIN folders f ON (f.id = d.folder_id) AND f."deleted_at" IS NULL … WHERE d."deleted_at" IS NULL …
//	rows, err := db.QueryContext(ctx, text)
//
// Only predicates are added, as literal text: arguments stay where they are, and
// everything else stays byte for byte. What the guard does not understand for
// certain it refuses.
//
// # Scopes
//
// A query sees live rows. [Guard.With] returns a guard that shows another scope,
// for all tables or for the references it names.
//
// # Writes
//
// UPDATE changes visible rows only, and is refused without a condition of its
// own. DELETE, TRUNCATE and what may overwrite a row that is there, such as ON
// CONFLICT, are refused on tables of the catalog that are not technical data:
// the store's verbs do that.
//
// # Transactions
//
// Rewriting sends nothing to the database.
//
// # Sending
//
// Package guarddriver guards a pool, and with it everything that uses the pool.
// [Guard.Runner] sends texts to a database or a transaction and fits squirrel's
// RunWith; [Guard.Rewrite] and [Guard.ToSql] leave sending to you.
//
// # Errors
//
// Every refusal is an [*Error] that wraps one of the package's sentinels.
//
// # Concurrency
//
// A Guard is immutable and safe for concurrent use.
//
// # Out of reach
//
// The guard sees the text it is given. What a view, a function, a trigger or a
// rule reads it does not see; Store.Readers lists those. Neither does it see
// texts prepared by SQL's own PREPARE from a string, nor connections that go
// around it.
//
// # Settings
//
// A few settings change how a server splits texts. guarddriver asks each session
// for them; without it the guard takes them for the default ones. Where yours are
// others, use [Guard.Session]. Texts that change one of them are refused.
package guard
