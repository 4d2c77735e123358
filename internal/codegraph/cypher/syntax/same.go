package syntax

import (
	"reflect"
	"strings"
)

// Same reports whether two expressions have the same tree, ignoring positions, spacing, redundant parentheses and
// the case of function names. ORDER BY may thus refer to a column by its expression.
func Same(a, b Expr) bool {
	return same(reflect.ValueOf(a), reflect.ValueOf(b))
}

// same compares structs, pointers, interfaces, slices, and plain values.
func same(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		return same(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		return sameFields(a, b)
	default:
		return a.Equal(b)
	}
}

// sameFields compares two structs of one type.
func sameFields(a, b reflect.Value) bool {
	_, call := reflect.TypeAssert[Call](a)
	for i := range a.NumField() {
		switch name := a.Type().Field(i).Name; {
		case name == "At", name == "Text":
			continue
		case call && name == "Name":
			if !strings.EqualFold(a.Field(i).String(), b.Field(i).String()) {
				return false
			}
		case !same(a.Field(i), b.Field(i)):
			return false
		}
	}
	return true
}
