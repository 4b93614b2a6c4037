// Package fileobj is a bucket in a directory, for machines without an object
// store: a workstation, an appliance, a test that must survive its process.
//
// It keeps what S3 keeps: versions and delete markers, the null version of a
// bucket without versioning, conditional writes, listings in byte order. What
// it says of them is what S3 says, so that code written against it runs there.
//
//	bucket, err := fileobj.New("/var/lib/documents", &fileobj.Options{
//		Create:     true,
//		Versioning: objstore.Versioned,
//	})
//	if err != nil {
//		return err
//	}
//	defer bucket.Close()
//	object, err := bucket.Put(ctx, "in/a", body, size, nil)
//
// # Layout
//
//	bucket.json            the bucket's name and versioning status
//	lock                   held by whoever changes anything
//	freeing                the key whose files are being changed
//	tmp/ID                 the bytes of a Put under way
//	keys/HEX.key/          one key, its name in hexadecimal
//	    index.json         its versions, the newest first, with their metadata
//	    ID.data            the bytes of one version
//	keys/HEX.sub/HEX.key/  a key in pieces: of 64 bytes, or up to a slash
//
// Names are hexadecimal so that every key has its own whatever the file system
// makes of case, slashes, dots and accents. Nothing outside the directory is
// ever opened, through a symbolic link neither.
//
// # What holds after a crash
//
// One rename, of a key's index, is the instant of each change: before it
// everybody sees the old object, after it the new one. Files and directories
// are synced before the call returns. Bytes that a crash left without an owner
// belong to nobody and are never read; those of a key are freed by the next
// change of any key or the next New, those of a Put by the next New.
//
// # Errors
//
// Errors name the operation, the bucket and the key, and wrap
// [io/fs.ErrNotExist], [io/fs.ErrPermission], [objstore.ErrInvalid] and
// [objstore.ErrExists]. A bucket that is gone, an index that cannot be read and
// bytes that are lost are none of these: damage is never a missing object. A
// failed Put, and an entry of Delete with an error, may have happened; both are
// safe to repeat.
//
// # Concurrency
//
// A Bucket is safe for use by many goroutines, and many processes of one machine
// may use one directory, each with a Bucket of its own: changes exclude each
// other with flock(2). Reads and listings take no lock. A read sees a key as it
// was at one instant; a listing sees each key as it was when the listing came
// to it. Network file systems, whose locks and renames promise less, are not
// supported, and where there is no flock New says [errors.ErrUnsupported].
//
// # Weaknesses
//
// Each change costs about seven syncs, happens alone in its bucket, and writes
// the index of its key anew, with every version that the key has. A listing
// holds at most a few ten thousand file names of each directory on its way; it
// reads all names of a directory once for each 16,384 keys in it, which makes
// listings slow where millions of keys have no slash to tell them apart.
// Lifecycle rules and object lock do not exist here.
package fileobj
