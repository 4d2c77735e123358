package cypher

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/reverse-spec/reverse-spec/cypher/syntax"
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
		if e, ok := v.Interface().(syntax.Expr); ok {
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

// shapeOf returns a text that is the same for expressions that say the same, wherever
// they stand.
func shapeOf(e syntax.Expr) string {
	var b strings.Builder
	writeShape(&b, reflect.ValueOf(e))
	return b.String()
}

func writeShape(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		writeShape(b, v.Elem())
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[syntax.Pos]() {
			return
		}
		b.WriteString(v.Type().Name() + "{")
		for i := range v.NumField() {
			writeShape(b, v.Field(i))
			b.WriteByte(' ')
		}
		b.WriteByte('}')
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			writeShape(b, v.Index(i))
			b.WriteByte(' ')
		}
		b.WriteByte(']')
	default:
		fmt.Fprintf(b, "%s %#v", v.Kind(), v.Interface())
	}
}
