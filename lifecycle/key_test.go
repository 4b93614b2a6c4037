package lifecycle_test

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
)

type (
	userID   int32
	slug     string
	uuid     [16]byte
	rawBytes []byte
)

// valuer yields what it holds.
type valuer struct{ v any }

func (v valuer) Value() (driver.Value, error) { return v.v, nil }

var errValue = errors.New("no value today")

type failing struct{}

func (failing) Value() (driver.Value, error) { return nil, errValue }

// pointerValuer has its method on the pointer, which may be nil.
type pointerValuer struct{ id int64 }

func (p *pointerValuer) Value() (driver.Value, error) { return p.id, nil }

var someUUID = [16]byte{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10}

const someUUIDText = "01234567-89ab-cdef-fedc-ba9876543210"

func TestKeyNormal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		key  lifecycle.Key
		want lifecycle.Key
	}{
		{"int", lifecycle.Key{42}, lifecycle.Key{int64(42)}},
		{"int8", lifecycle.Key{int8(-1)}, lifecycle.Key{int64(-1)}},
		{"int16", lifecycle.Key{int16(7)}, lifecycle.Key{int64(7)}},
		{"int64", lifecycle.Key{int64(math.MinInt64)}, lifecycle.Key{int64(math.MinInt64)}},
		{"uint8", lifecycle.Key{uint8(7)}, lifecycle.Key{int64(7)}},
		{"uint64 that fits", lifecycle.Key{uint64(math.MaxInt64)}, lifecycle.Key{int64(math.MaxInt64)}},
		{"uint64 above", lifecycle.Key{uint64(math.MaxInt64) + 1}, lifecycle.Key{uint64(math.MaxInt64) + 1}},
		{"named integer", lifecycle.Key{userID(7)}, lifecycle.Key{int64(7)}},
		{"string", lifecycle.Key{"a"}, lifecycle.Key{"a"}},
		{"named string", lifecycle.Key{slug("a")}, lifecycle.Key{"a"}},
		{"blank", lifecycle.Key{" "}, lifecycle.Key{" "}},
		{"not UTF-8", lifecycle.Key{"\xff"}, lifecycle.Key{"\xff"}},
		{"bytes", lifecycle.Key{[]byte{1, 0}}, lifecycle.Key{[]byte{1, 0}}},
		{"named bytes", lifecycle.Key{rawBytes{1}}, lifecycle.Key{[]byte{1}}},
		{"UUID", lifecycle.Key{someUUID}, lifecycle.Key{someUUIDText}},
		{"named UUID", lifecycle.Key{uuid(someUUID)}, lifecycle.Key{someUUIDText}},
		{"valuer", lifecycle.Key{valuer{int64(7)}}, lifecycle.Key{int64(7)}},
		{"valuer of a valuer", lifecycle.Key{valuer{valuer{"a"}}}, lifecycle.Key{"a"}},
		{"valuer by pointer", lifecycle.Key{&pointerValuer{7}}, lifecycle.Key{int64(7)}},
		{"nullable that is set", lifecycle.Key{sql.NullInt64{Int64: 7, Valid: true}}, lifecycle.Key{int64(7)}},
		{"several", lifecycle.Key{"a", 7, []byte{1}}, lifecycle.Key{"a", int64(7), []byte{1}}},
		{"one zero of two", lifecycle.Key{"a", 0}, lifecycle.Key{"a", int64(0)}},
		{"one empty of two", lifecycle.Key{"", 7}, lifecycle.Key{"", int64(7)}},
		{"empty bytes of two", lifecycle.Key{[]byte{}, 7}, lifecycle.Key{[]byte{}, int64(7)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := tt.key.Normal()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Normal (-want +got):\n%s", diff)
			}
			again, err := got.Normal()
			if diff := cmp.Diff(got, again); diff != "" || err != nil {
				t.Errorf("Normal of a normal key: %v (-once +twice):\n%s", err, diff)
			}
			if tt.key.String() != got.String() {
				t.Errorf("String = %s, of the normal key %s", tt.key, got)
			}
		})
	}
}

// TestKeyRefused are the ids that someone forgot to set: none may become a
// query.
func TestKeyRefused(t *testing.T) {
	t.Parallel()
	var noPointer *pointerValuer
	var noInt *int
	deep := any("a")
	for range 10 {
		deep = valuer{deep}
	}
	for _, tt := range []struct {
		name string
		key  lifecycle.Key
		want string
	}{
		{"nil", nil, "the key is empty"},
		{"empty", lifecycle.Key{}, "the key is empty"},
		{"nil value", lifecycle.Key{nil}, "key value 1: is nil"},
		{"nil second value", lifecycle.Key{1, nil}, "key value 2: is nil"},
		{"nil bytes", lifecycle.Key{[]byte(nil)}, "key value 1: is nil"},
		{"nil pointer", lifecycle.Key{noInt}, "*int"},
		{"nil valuer", lifecycle.Key{noPointer}, "is nil"},
		{"nullable that is not set", lifecycle.Key{sql.NullString{}}, "is nil"},
		{"zero", lifecycle.Key{0}, "the key is zero"},
		{"unsigned zero", lifecycle.Key{uint(0)}, "the key is zero"},
		{"named zero", lifecycle.Key{userID(0)}, "the key is zero"},
		{"empty string", lifecycle.Key{""}, "the key is zero"},
		{"empty bytes", lifecycle.Key{[]byte{}}, "the key is zero"},
		{"zero bytes", lifecycle.Key{make([]byte, 16)}, "the key is zero"},
		{"zero UUID", lifecycle.Key{[16]byte{}}, "the key is zero"},
		{"named zero UUID", lifecycle.Key{uuid{}}, "the key is zero"},
		{"zero UUID as text", lifecycle.Key{"00000000-0000-0000-0000-000000000000"}, "the key is zero"},
		{"nullable zero", lifecycle.Key{sql.NullInt64{Valid: true}}, "the key is zero"},
		{"all of them zero", lifecycle.Key{"", 0}, "the key is zero"},
		{"NUL", lifecycle.Key{"a\x00b"}, "NUL"},
		{"pointer to a value", lifecycle.Key{new(int)}, "*int"},
		{"float", lifecycle.Key{1.0}, "float64"},
		{"bool", lifecycle.Key{true}, "bool"},
		{"struct", lifecycle.Key{struct{}{}}, "struct {}"},
		{"slice of integers", lifecycle.Key{[]int{1}}, "[]int"},
		{"slice of keys", lifecycle.Key{[]any{1}}, "[]interface {}"},
		{"short array", lifecycle.Key{[4]byte{1}}, "[4]uint8"},
		{"key in a key", lifecycle.Key{lifecycle.Key{1}}, "lifecycle.Key"},
		{"valuer that fails", lifecycle.Key{failing{}}, "no value today"},
		{"valuers without end", lifecycle.Key{deep}, "lifecycle_test.valuer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := tt.key.Normal()
			wantInvalid(t, err, tt.want)
			if got != nil {
				t.Errorf("Normal = %v beside an error", got)
			}
		})
	}
}

func TestKeyKeepsTheValuersError(t *testing.T) {
	t.Parallel()
	if _, err := (lifecycle.Key{failing{}}).Normal(); !errors.Is(err, errValue) {
		t.Errorf("error %v, want %v in it", err, errValue)
	}
}

func TestKeyNormalIsACopy(t *testing.T) {
	t.Parallel()
	given := []byte{1, 2}
	normal, err := lifecycle.Key{given}.Normal()
	if err != nil {
		t.Fatal(err)
	}
	given[0] = 9
	if diff := cmp.Diff(lifecycle.Key{[]byte{1, 2}}, normal); diff != "" {
		t.Errorf("the key changed with what it was made of (-want +got):\n%s", diff)
	}
}

func TestKeyText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		key  lifecycle.Key
		want string
	}{
		{"number", lifecycle.Key{42}, `[42]`},
		{"negative", lifecycle.Key{-42}, `[-42]`},
		{"the largest", lifecycle.Key{uint64(math.MaxUint64)}, `[18446744073709551615]`},
		{"text", lifecycle.Key{"a"}, `["a"]`},
		{"number as text", lifecycle.Key{"42"}, `["42"]`},
		{"quotes", lifecycle.Key{`a"b\c`}, `["a\"b\\c"]`},
		{"markup stays readable", lifecycle.Key{"<a&b>"}, `["<a&b>"]`},
		{"letters", lifecycle.Key{"naïve ключ"}, `["naïve ключ"]`},
		{"not UTF-8", lifecycle.Key{"a\xff"}, `[{"raw":"61ff"}]`},
		{"bytes", lifecycle.Key{[]byte("a\xff")}, `[{"hex":"61ff"}]`},
		{"UUID", lifecycle.Key{someUUID}, `["` + someUUIDText + `"]`},
		{"several", lifecycle.Key{"a", 7, []byte{0}}, `["a",7,{"hex":"00"}]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tt.key.String()); diff != "" {
				t.Errorf("String (-want +got):\n%s", diff)
			}
			normal, err := tt.key.Normal()
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := lifecycle.ParseKey(tt.want)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(normal, parsed); diff != "" {
				t.Errorf("ParseKey (-want +got):\n%s", diff)
			}
		})
	}
}

// TestBadKeyHasAText wants errors to show what they are about.
func TestBadKeyHasAText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		key  lifecycle.Key
		want string
	}{
		{"none", nil, `[]`},
		{"nil", lifecycle.Key{nil}, `["<nil>"]`},
		{"float", lifecycle.Key{1.5}, `["1.5"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tt.key.String()); diff != "" {
				t.Errorf("String (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseKeyRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text string }{
		{"nothing", ``},
		{"no key", `[]`},
		{"null", `null`},
		{"a null value", `[null]`},
		{"a number alone", `42`},
		{"an object", `{"hex":"00"}`},
		{"a fraction", `[1.5]`},
		{"an exponent", `[1e3]`},
		{"a number too large", `[18446744073709551616]`},
		{"a number too small", `[-9223372036854775809]`},
		{"a bool", `[true]`},
		{"a key in a key", `[[1]]`},
		{"an unknown form", `[{"b64":"00"}]`},
		{"two forms", `[{"hex":"00","raw":"00"}]`},
		{"no form", `[{}]`},
		{"a form of a number", `[{"hex":0}]`},
		{"half a byte", `[{"hex":"0"}]`},
		{"no hexadecimal", `[{"hex":"zz"}]`},
		{"an open key", `[1`},
		{"an open text", `["a`},
		{"another key behind it", `[1][2]`},
		{"text behind it", `[1]x`},
		{"one bracket too many", `[1]]`},
		{"a brace too many", `[1]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			key, err := lifecycle.ParseKey(tt.text)
			wantInvalid(t, err)
			if key != nil {
				t.Errorf("ParseKey = %v beside an error", key)
			}
		})
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]lifecycle.Key{{int64(1)}, {int64(2)}}, lifecycle.Keys[int64](1, 2)); diff != "" {
		t.Errorf("Keys (-want +got):\n%s", diff)
	}
	if keys := lifecycle.Keys[string](); len(keys) != 0 {
		t.Errorf("Keys of nothing: %v", keys)
	}
}

// FuzzKey wants every key that can be normalised to come back from its text, and
// different keys to have different texts.
func FuzzKey(f *testing.F) {
	f.Add("a", []byte{1}, int64(1), uint64(math.MaxUint64))
	f.Add("", []byte{}, int64(-1), uint64(0))
	f.Add("\xff\"", []byte(nil), int64(0), uint64(1)<<63)
	f.Add("naïve\u2028<&>\ufffd", []byte("a"), int64(math.MinInt64), uint64(7))
	f.Fuzz(func(t *testing.T, s string, b []byte, i int64, u uint64) {
		for _, key := range []lifecycle.Key{{s, i}, {s, b, i}, {b, i}, {i, s}, {"x", u}, {u, "x"}, {1, s, s}} {
			normal, err := key.Normal()
			if err != nil {
				if !errors.Is(err, lifecycle.ErrInvalid) {
					t.Errorf("Normal(%#v): %v", key, err)
				}
				continue
			}
			parsed, err := lifecycle.ParseKey(normal.String())
			if err != nil {
				t.Fatalf("ParseKey(%s): %v", normal, err)
			}
			if diff := cmp.Diff(normal, parsed); diff != "" {
				t.Errorf("ParseKey(%s) (-want +got):\n%s", normal, diff)
			}
			if strings.ContainsAny(normal.String(), "\x00\n") {
				t.Errorf("the text %q has a control character", normal)
			}
		}
		asText, asBytes := lifecycle.Key{s, 1}, lifecycle.Key{[]byte(s), 1}
		if asText.String() == asBytes.String() {
			t.Errorf("text and bytes have the text %s", asText)
		}
	})
}

// FuzzParseKey wants any text to be refused, or to be read as a key that has a
// text of its own.
func FuzzParseKey(f *testing.F) {
	for _, text := range []string{`[1]`, `["a",{"hex":"00"}]`, `[{"raw":"ff"}]`, `[1]]`, `null`, `[-0]`, `["\ud800"]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key, err := lifecycle.ParseKey(text)
		if err != nil {
			if !errors.Is(err, lifecycle.ErrInvalid) {
				t.Errorf("ParseKey(%q): %v", text, err)
			}
			return
		}
		again, err := lifecycle.ParseKey(key.String())
		if err != nil {
			t.Fatalf("ParseKey(%q) has the text %s, which is refused: %v", text, key, err)
		}
		if key.String() != again.String() {
			t.Errorf("ParseKey(%q) has the text %s, then %s", text, key, again)
		}
	})
}
