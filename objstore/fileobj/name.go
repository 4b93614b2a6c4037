package fileobj

import (
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/softdelete-go/softdelete/objstore"
)

// A key is cut into pieces of 64 bytes, because file names end at 255. Each
// piece is a directory, "HEX.key" the last and "HEX.sub" those before it. Sorted
// as text these names are in the byte order of the keys: the dot is less than
// any digit, so that a key stands before those it is the beginning of, and
// ".key" is less than ".sub".
const (
	pieceSize  = 64
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
	for len(key) > pieceSize {
		dir = path.Join(dir, hex.EncodeToString([]byte(key[:pieceSize]))+subSuffix)
		key = key[pieceSize:]
	}
	return path.Join(dir, hex.EncodeToString([]byte(key))+keySuffix)
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
	ok = err == nil && text == hex.EncodeToString(raw) && piece != "" &&
		(whole && len(piece) <= pieceSize || !whole && len(piece) == pieceSize)
	return piece, whole, ok
}
