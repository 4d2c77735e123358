package cypher

import (
	"reflect"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

// replaced returns a copy of an expression in which f replaces subexpressions. If f returns nil, it is applied to
// the operands. The tree itself is not modified.
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

// replacedWithin is replaced for the expressions in a subquery.
func replacedWithin(e *syntax.Subquery, f func(syntax.Expr) syntax.Expr) syntax.Expr {
	return replacedIn(reflect.ValueOf(e), f).Interface().(*syntax.Subquery)
}

// alias is a named expression.
type alias struct {
	expr syntax.Expr
	name string
}

// aliases is a list of named expressions.
type aliases []alias

// of returns the name of an expression, ignoring spacing.
func (a aliases) of(e syntax.Expr) (name string, ok bool) {
	for _, known := range a {
		if syntax.Same(known.expr, e) {
			return known.name, true
		}
	}
	return "", false
}
