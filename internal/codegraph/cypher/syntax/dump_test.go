package syntax_test

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

// dump writes a tree on one line: (Type Field=value ...), without the fields that are
// zero, the places and the text of the query.
func dump(tree any) string {
	var b strings.Builder
	write(&b, reflect.ValueOf(tree))
	return b.String()
}

func write(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		write(b, v.Elem())
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(' ')
			}
			write(b, v.Index(i))
		}
		b.WriteByte(']')
	case reflect.Struct:
		writeStruct(b, v)
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	case reflect.Float64:
		fmt.Fprintf(b, "float %v", v.Float())
	default:
		fmt.Fprint(b, v.Interface())
	}
}

func writeStruct(b *strings.Builder, v reflect.Value) {
	t := v.Type()
	switch x := v.Interface().(type) {
	case syntax.Variable:
		b.WriteString(syntax.Quote(x.Name))
		return
	case syntax.Parameter:
		b.WriteString("$" + x.Name)
		return
	case syntax.Literal:
		if x.Value == nil {
			b.WriteString("null")
			return
		}
		write(b, reflect.ValueOf(x.Value))
		return
	}
	b.WriteString("(" + t.Name())
	for i := range t.NumField() {
		field, name := v.Field(i), t.Field(i).Name
		switch {
		case name == "At" || name == "Text" || field.IsZero():
		case field.Kind() == reflect.Bool:
			b.WriteString(" " + name)
		default:
			b.WriteString(" " + name + "=")
			write(b, field)
		}
	}
	b.WriteByte(')')
}
