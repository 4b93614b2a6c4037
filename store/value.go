package store

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// zeroDate stands for a stored date that is none: a zero date where NULL was
// meant, or text in a form that does not sort by time. It is not the zero time,
// which means unset: it is set, and implausible.
var zeroDate = time.Time{}.Add(1)

// serverLayout is how MySQL writes an instant as text.
const serverLayout = "2006-01-02 15:04:05.999999"

// decode reads an instant as a driver returned it. NULL and zero counts are the
// zero time.
func (d *Dialect) decode(e lifecycle.Encoding, v any) (time.Time, error) {
	t, err := d.decodeSet(e, v)
	if err == nil && t.IsZero() && v != nil && !e.Epoch() {
		return zeroDate, nil
	}
	return t, err
}

func (d *Dialect) decodeSet(e lifecycle.Encoding, v any) (time.Time, error) {
	switch v := v.(type) {
	case nil:
		return time.Time{}, nil
	case time.Time:
		if d.WallClock {
			v = time.Date(v.Year(), v.Month(), v.Day(), v.Hour(), v.Minute(), v.Second(), v.Nanosecond(), time.UTC)
		}
		return v.UTC(), nil
	case int64:
		return decodeEpoch(e, v)
	case []byte:
		return d.decodeText(e, string(v))
	case string:
		return d.decodeText(e, v)
	}
	return time.Time{}, fmt.Errorf("a %s cannot be read from a %T", e, v)
}

func decodeEpoch(e lifecycle.Encoding, n int64) (time.Time, error) {
	if n == 0 {
		return time.Time{}, nil
	}
	switch e {
	case lifecycle.UnixSeconds:
		return time.Unix(n, 0).UTC(), nil
	case lifecycle.UnixMillis:
		return time.UnixMilli(n).UTC(), nil
	case lifecycle.UnixMicros:
		return time.UnixMicro(n).UTC(), nil
	}
	return time.Time{}, fmt.Errorf("a %s cannot be read from the number %d", e, n)
}

func (d *Dialect) decodeText(e lifecycle.Encoding, s string) (time.Time, error) {
	if e.Epoch() {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return time.Time{}, fmt.Errorf("a %s cannot be read from text", e)
		}
		return decodeEpoch(e, n)
	}
	layout := serverLayout
	if d.textual(e) {
		layout = lifecycle.RFC3339Layout
	}
	t, err := time.Parse(layout, s)
	if err != nil {
		return zeroDate, nil
	}
	return t.UTC(), nil
}

// keyPart normalises one key value as a driver returned it. Drivers return text
// as bytes too: the column's type tells which it is.
func keyPart(v any, columnType string) (any, error) {
	switch v := v.(type) {
	case int64, uint64, string:
		return v, nil
	case []byte:
		if binaryType(columnType) {
			return append([]byte(nil), v...), nil
		}
		return string(v), nil
	case [16]byte:
		key, err := lifecycle.Key{v}.Normal()
		if err != nil {
			return nil, err
		}
		return key[0], nil
	}
	key, err := lifecycle.Key{v}.Normal()
	if err != nil {
		return nil, fmt.Errorf("%w (a key column of type %s)", err, columnType)
	}
	return key[0], nil
}

func binaryType(name string) bool {
	switch strings.ToUpper(name) {
	case "BINARY", "VARBINARY", "BLOB", "TINYBLOB", "MEDIUMBLOB", "LONGBLOB", "BYTEA":
		return true
	}
	return false
}

// text reads a text column that some drivers return as bytes.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

// number reads an integer column that some drivers return as text.
func number(v any) (int64, error) {
	switch v := v.(type) {
	case nil:
		return 0, nil
	case int64:
		return v, nil
	case []byte:
		return strconv.ParseInt(string(v), 10, 64)
	case string:
		return strconv.ParseInt(v, 10, 64)
	}
	return 0, fmt.Errorf("an integer cannot be read from a %T", v)
}
