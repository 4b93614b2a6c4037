// Package dberr reads the code out of a database error without importing the
// driver that made it: by the methods and fields that the drivers in use have.
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

// Number returns the first number that an error of the chain gives as its code:
// the result of a method without arguments, or a field, with one of the names.
// Zero where there is none.
func Number(err error, names ...string) int {
	for ; err != nil; err = errors.Unwrap(err) {
		if n := own(reflect.ValueOf(err), names); n != 0 {
			return n
		}
		if many, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range many.Unwrap() {
				if n := Number(e, names...); n != 0 {
					return n
				}
			}
		}
	}
	return 0
}

func own(v reflect.Value, names []string) int {
	for _, name := range names {
		if m := v.MethodByName(name); m.IsValid() && m.Type().NumIn() == 0 && m.Type().NumOut() == 1 {
			if n := integer(m.Call(nil)[0]); n != 0 {
				return n
			}
		}
		e := v
		if e.Kind() == reflect.Pointer && !e.IsNil() {
			e = e.Elem()
		}
		if e.Kind() != reflect.Struct {
			continue
		}
		if f := e.FieldByName(name); f.IsValid() {
			if n := integer(f); n != 0 {
				return n
			}
		}
	}
	return 0
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
