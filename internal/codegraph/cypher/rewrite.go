package cypher

import (
	"reflect"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

// replaced returns an expression in which f has put others in the place of some: where
// f returns nil, what is inside is looked at. The tree itself is not changed.
func replaced(e syntax.Expr, f func(syntax.Expr) syntax.Expr) syntax.Expr {
	if e == nil {
		return nil
	}
	return replacedIn(reflect.ValueOf(&e).Elem(), f).Interface().(syntax.Expr)
}

func replacedIn(v reflect.Value, f func(syntax.Expr) syntax.Expr) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		if e, ok := reflect.TypeAssert[syntax.Expr](v); ok {
			if other := f(e); other != nil {
				return reflect.ValueOf(other)
			}
		}
		return replacedIn(v.Elem(), f)
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		c := reflect.New(v.Type().Elem())
		c.Elem().Set(replacedIn(v.Elem(), f))
		return c
	case reflect.Struct:
		c := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			c.Field(i).Set(replacedIn(v.Field(i), f))
		}
		return c
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			c.Index(i).Set(replacedIn(v.Index(i), f))
		}
		return c
	default:
		return v
	}
}

// alias is an expression that has a name.
type alias struct {
	expr syntax.Expr
	name string
}

// aliases are expressions by their names.
type aliases []alias

// of returns the name of an expression, however it is spaced.
func (a aliases) of(e syntax.Expr) (name string, ok bool) {
	for _, known := range a {
		if syntax.Same(known.expr, e) {
			return known.name, true
		}
	}
	return "", false
}
