package dberr

import (
	"errors"
	"reflect"
)

// SQLState returns the five characters of an SQLSTATE, where the error has a
// method for it, as those of pgx and lib/pq do.
func SQLState(err error) string {
	var e interface{ SQLState() string }
	if errors.As(err, &e) {
		return e.SQLState()
	}
	return ""
}

// Constraint returns the name of the constraint that a statement hit, where the
// error has a field for it, as those of pgx (ConstraintName) and lib/pq
// (Constraint) do. The other databases tell it only in a sentence, beside the
// values that collided.
func Constraint(err error) string {
	name := ""
	walk(err, func(e error) bool {
		v := reflect.Indirect(reflect.ValueOf(e))
		for _, field := range []string{"ConstraintName", "Constraint"} {
			if name == "" && v.Kind() == reflect.Struct {
				if f := v.FieldByName(field); f.IsValid() && f.Kind() == reflect.String {
					name = f.String()
				}
			}
		}
		return name != ""
	})
	return name
}

// walk visits the errors of a chain, and of each of its branches, until one is
// what was looked for.
func walk(err error, found func(error) bool) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if found(err) {
			return true
		}
		if many, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range many.Unwrap() {
				if walk(e, found) {
					return true
				}
			}
		}
	}
	return false
}

// Number returns the first number that an error of the chain gives as its code:
// the result of a method without arguments, or a field, with one of the names.
// Zero where there is none.
func Number(err error, names ...string) int {
	n := 0
	walk(err, func(e error) bool {
		n = own(reflect.ValueOf(e), names)
		return n != 0
	})
	return n
}

// own returns the number of one error, without those it wraps.
func own(v reflect.Value, names []string) int {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return 0
	}
	for _, name := range names {
		if n := method(v, name); n != 0 {
			return n
		}
		if n := field(v, name); n != 0 {
			return n
		}
	}
	return 0
}

func method(v reflect.Value, name string) int {
	m := v.MethodByName(name)
	if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 1 {
		return 0
	}
	return integer(m.Call(nil)[0])
}

func field(v reflect.Value, name string) int {
	v = reflect.Indirect(v)
	if v.Kind() != reflect.Struct {
		return 0
	}
	f, ok := v.Type().FieldByName(name)
	if !ok {
		return 0
	}
	value, err := v.FieldByIndexErr(f.Index)
	if err != nil { // within an embedded struct that is not there
		return 0
	}
	return integer(value)
}

func integer(v reflect.Value) int {
	switch {
	case v.CanInt():
		return int(v.Int())
	case v.CanUint():
		return int(v.Uint())
	}
	return 0
}
