// Command quickstart lives through the whole life of a directory's files: each
// is stored as an object and a row, some are trashed, restored, refused, purged
// and reclaimed, orphans are swept, and in the end database and bucket are held
// against each other, byte for byte.
//
//	go run ./examples/quickstart                   # this module's files; no services
//	go run ./examples/quickstart -dir ~/photos
//	go run ./examples/quickstart -dsn postgres://me@localhost/test
//	go run ./examples/quickstart -s3 http://localhost:8333/bucket
//
// With -s3 the keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. It
// removes what it made, unless told to -keep it.
package main
