package lifecycle

import (
	"bytes"
	"database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// Key is a primary key: one value for each key column, in their order. Values
// may be integers, strings, byte slices, 16-byte arrays (taken as UUIDs) and
// [driver.Valuer]s that yield one of these.
type Key []any

// Keys makes single-column keys of a slice.
func Keys[T any](ids ...T) []Key {
	keys := make([]Key, len(ids))
	for i, id := range ids {
		keys[i] = Key{id}
	}
	return keys
}

// Normal returns the key with every value as int64, uint64 (above the range of
// int64), string or []byte. It refuses an empty key, nil values, and a key
// whose values are all zero: a forgotten id must not become a query.
// The error wraps ErrInvalid.
func (k Key) Normal() (Key, error) {
	if len(k) == 0 {
		return nil, fmt.Errorf("%w: the key is empty", ErrInvalid)
	}
	if n, ok := k[0].(int64); ok && n != 0 && len(k) == 1 {
		return k, nil
	}
	normal, zeros := make(Key, len(k)), 0
	for i, v := range k {
		n, zero, err := normalPart(v)
		if err != nil {
			return nil, fmt.Errorf("%w: key value %d: %w", ErrInvalid, i+1, err)
		}
		if zero {
			zeros++
		}
		normal[i] = n
	}
	if zeros == len(k) {
		return nil, fmt.Errorf("%w: the key is zero", ErrInvalid)
	}
	return normal, nil
}

type keyError string

func (e keyError) Error() string { return string(e) }

// nested bounds a Valuer that returns Valuers.
const nested = 4

func normalPart(v any) (part any, zero bool, err error) {
	if n, ok := v.(int64); ok {
		return v, n == 0, nil
	}
	for range nested {
		valuer, ok := v.(driver.Valuer)
		if !ok {
			break
		}
		if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer && rv.IsNil() {
			return nil, false, keyError("is nil")
		}
		if v, err = valuer.Value(); err != nil {
			return nil, false, err
		}
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Invalid:
		return nil, false, keyError("is nil")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return rv.Int(), rv.IsZero(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return normalUint(rv.Uint()), rv.IsZero(), nil
	case reflect.String:
		return normalString(rv.String())
	case reflect.Slice:
		if rv.Type().Elem().Kind() == reflect.Uint8 {
			return normalBytes(rv.Bytes())
		}
	case reflect.Array:
		if id := reflect.TypeFor[[16]byte](); rv.CanConvert(id) {
			uuid := rv.Convert(id).Interface().([16]byte)
			return formatUUID(uuid), rv.IsZero(), nil
		}
	}
	return nil, false, keyError(fmt.Sprintf("has the type %T, which is no key", v))
}

func normalUint(u uint64) any {
	if i := int64(u); i >= 0 {
		return i
	}
	return u
}

const zeroUUID = "00000000-0000-0000-0000-000000000000"

func normalString(s string) (any, bool, error) {
	if bytes.IndexByte([]byte(s), 0) >= 0 {
		return nil, false, keyError("has a NUL byte")
	}
	return s, s == "" || s == zeroUUID, nil
}

func normalBytes(b []byte) (any, bool, error) {
	if b == nil {
		return nil, false, keyError("is nil")
	}
	zero := len(bytes.Trim(b, "\x00")) == 0
	return bytes.Clone(b), zero, nil
}

func formatUUID(id [16]byte) string {
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// String returns the key as a JSON array, such as [42] or ["a",7]: the form in
// which audits and ledgers store it. Different normal keys have different
// texts. Bytes, and strings that are not UTF-8, are written in hexadecimal.
func (k Key) String() string {
	if len(k) == 1 {
		if n, ok := k[0].(int64); ok {
			return "[" + strconv.FormatInt(n, 10) + "]"
		}
	}
	var b bytes.Buffer
	b.WriteByte('[')
	for i, v := range k {
		if i > 0 {
			b.WriteByte(',')
		}
		writePart(&b, v)
	}
	b.WriteByte(']')
	return b.String()
}

func writePart(b *bytes.Buffer, v any) {
	if n, _, err := normalPart(v); err == nil {
		v = n
	}
	switch v := v.(type) {
	case int64:
		b.WriteString(strconv.FormatInt(v, 10))
	case uint64:
		b.WriteString(strconv.FormatUint(v, 10))
	case string:
		if !utf8.ValidString(v) {
			fmt.Fprintf(b, `{"raw":"%x"}`, v)
			return
		}
		writeJSON(b, v)
	case []byte:
		fmt.Fprintf(b, `{"hex":"%x"}`, v)
	default:
		writeJSON(b, fmt.Sprint(v))
	}
}

func writeJSON(b *bytes.Buffer, s string) {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err == nil {
		b.Truncate(b.Len() - 1)
	}
}

// ParseKey reads a key that String wrote. The error wraps ErrInvalid.
func ParseKey(text string) (Key, error) {
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	var parts []any
	if err := dec.Decode(&parts); err != nil || len(parts) == 0 {
		return nil, fmt.Errorf("%w: key text %q", ErrInvalid, text)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("%w: key text %q", ErrInvalid, text)
	}
	key := make(Key, len(parts))
	for i, p := range parts {
		v, ok := parsePart(p)
		if !ok {
			return nil, fmt.Errorf("%w: key text %q", ErrInvalid, text)
		}
		key[i] = v
	}
	return key, nil
}

func parsePart(p any) (any, bool) {
	switch p := p.(type) {
	case string:
		return p, true
	case json.Number:
		if i, err := strconv.ParseInt(p.String(), 10, 64); err == nil {
			return i, true
		}
		u, err := strconv.ParseUint(p.String(), 10, 64)
		return u, err == nil
	case map[string]any:
		return parseHex(p)
	}
	return nil, false
}

func parseHex(m map[string]any) (any, bool) {
	if len(m) != 1 {
		return nil, false
	}
	for form, text := range m {
		s, ok := text.(string)
		if !ok {
			return nil, false
		}
		b, err := hex.DecodeString(s)
		if err != nil {
			return nil, false
		}
		switch form {
		case "hex":
			return b, true
		case "raw":
			return string(b), true
		}
	}
	return nil, false
}
