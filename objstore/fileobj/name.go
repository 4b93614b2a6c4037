package fileobj

import (
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/softdelete-go/softdelete/objstore"
)

// A key is cut into pieces: behind the first slash that makes a piece of at
// least minPiece bytes, so that folders stay small where keys have shards, and
// at the latest after maxPiece, because file names end at 255. Each piece is a
// directory, "HEX.key" the last and "HEX.sub" those before it.
//
// Sorted as text these names are in the byte order of the keys. No ".sub" piece
// is the beginning of another piece of its directory, which would have been cut
// there too; the dot is less than any digit, so that a key stands before those
// it is the beginning of; and ".key" is less than ".sub".
const (
	minPiece   = 3
	maxPiece   = 64
	keySuffix  = ".key"
	subSuffix  = ".sub"
	indexFile  = "index.json"
	dataSuffix = ".data"
)

func checkKey(key string) error {
	switch {
	case key == "":
		return fmt.Errorf("the key is empty: %w", objstore.ErrInvalid)
	case len(key) > objstore.MaxKey:
		return fmt.Errorf("the key has %d bytes, more than %d: %w", len(key), objstore.MaxKey, objstore.ErrInvalid)
	case !utf8.ValidString(key):
		return fmt.Errorf("the key is not UTF-8: %w", objstore.ErrInvalid)
	}
	return nil
}

// dirOf returns the directory of a key.
func dirOf(key string) string {
	dir := keysDir
	for {
		n := pieceLen(key)
		if n == len(key) {
			return path.Join(dir, hex.EncodeToString([]byte(key))+keySuffix)
		}
		dir = path.Join(dir, hex.EncodeToString([]byte(key[:n]))+subSuffix)
		key = key[n:]
	}
}

// pieceLen returns the length of the first piece of a key.
func pieceLen(key string) int {
	if len(key) < minPiece {
		return len(key)
	}
	n := len(key)
	if i := strings.IndexByte(key[minPiece-1:], '/'); i >= 0 {
		n = minPiece + i
	}
	return min(n, maxPiece)
}

// pieceOf decodes a name that dirOf made; false for any other name.
func pieceOf(name string) (piece string, whole, ok bool) {
	text, whole := strings.CutSuffix(name, keySuffix)
	if !whole {
		text, ok = strings.CutSuffix(name, subSuffix)
		if !ok {
			return "", false, false
		}
	}
	raw, err := hex.DecodeString(text)
	piece = string(raw)
	// What follows a piece does not change where it was cut, unless the piece is
	// short and has no slash.
	ok = err == nil && text == hex.EncodeToString(raw) && piece != "" && pieceLen(piece) == len(piece) &&
		(whole || len(piece) == maxPiece || len(piece) >= minPiece && strings.HasSuffix(piece, "/"))
	return piece, whole, ok
}
