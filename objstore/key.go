package objstore

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxKey is the longest key in bytes, as in S3.
const MaxKey = 1024

// CheckKey tells whether a key can be stored and, above all, deleted safely
// everywhere: 1 to MaxKey bytes of valid UTF-8, no leading or doubled slash, no
// "." or ".." segment (proxies normalise them, and the request meets another
// object or the bucket itself), no control character, U+FFFE, U+FFFF or
// U+FFFD (a batch delete carries keys in XML, where a character XML cannot
// hold becomes U+FFFD: another, possibly live, object dies). The error wraps
// ErrInvalid.
func CheckKey(key string) error {
	if err := checkPath(key); err != nil {
		return fmt.Errorf("objstore: key %q: %s: %w", key, err, ErrInvalid)
	}
	return nil
}

type keyFault string

func (f keyFault) Error() string { return string(f) }

func checkPath(key string) error {
	switch {
	case key == "":
		return keyFault("is empty")
	case len(key) > MaxKey:
		return keyFault(fmt.Sprintf("has %d bytes, more than %d", len(key), MaxKey))
	case !utf8.ValidString(key):
		return keyFault("is not UTF-8")
	}
	for _, r := range key {
		if !xmlSafe(r) {
			return keyFault(fmt.Sprintf("has the character %U, which a batch delete cannot carry", r))
		}
	}
	segments := strings.Split(key, "/")
	for i, s := range segments {
		if s == "." || s == ".." {
			return keyFault("has the segment " + s)
		}
		if s == "" && i < len(segments)-1 {
			return keyFault("has an empty segment")
		}
	}
	return nil
}

// XMLSafe tells whether a batch delete can carry the key unchanged. A key for
// which it is false must be deleted by itself, with the key in the URL.
func XMLSafe(key string) bool {
	if !utf8.ValidString(key) {
		return false
	}
	for _, r := range key {
		if !xmlSafe(r) {
			return false
		}
	}
	return true
}

func xmlSafe(r rune) bool {
	return r >= 0x20 && r != 0x7f && r != 0xFFFD && r != 0xFFFE && r != 0xFFFF
}

// Prefix is a managed part of a bucket: not empty, ends in a slash, and is made
// of what CheckKey permits. Only keys under a managed prefix are ever listed,
// claimed or deleted by a sweep.
type Prefix string

// Check returns an error that wraps ErrInvalid where the prefix is not one.
// "in" is refused, since it would take "incoming/" too.
func (p Prefix) Check() error {
	if !strings.HasSuffix(string(p), "/") {
		return fmt.Errorf("objstore: prefix %q: does not end in a slash: %w", string(p), ErrInvalid)
	}
	if err := checkPath(string(p)); err != nil {
		return fmt.Errorf("objstore: prefix %q: %s: %w", string(p), err, ErrInvalid)
	}
	return nil
}

// Holds tells whether the key lies under the prefix.
func (p Prefix) Holds(key string) bool {
	return len(key) > len(p) && strings.HasPrefix(key, string(p))
}

// CheckPrefixes checks a set of managed prefixes: at least one, each valid,
// none inside another.
func CheckPrefixes(prefixes []Prefix) error {
	if len(prefixes) == 0 {
		return fmt.Errorf("objstore: no managed prefix: %w", ErrInvalid)
	}
	for i, p := range prefixes {
		if err := p.Check(); err != nil {
			return err
		}
		for _, q := range prefixes[:i] {
			if strings.HasPrefix(string(p), string(q)) || strings.HasPrefix(string(q), string(p)) {
				return fmt.Errorf("objstore: prefixes %q and %q overlap: %w", string(q), string(p), ErrInvalid)
			}
		}
	}
	return nil
}
