package rust

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// literal reads T { a: b }.
func literal(n syntax.Node) ([]code.Literal, []code.Fallback) {
	if !n.Is("struct_expression") {
		return nil, nil
	}
	l := code.Literal{Of: n.Field("name").Short(), Line: n.Line()}
	for f := range n.Field("body").NamedSeq() {
		switch f.Kind() {
		case "field_initializer":
			name := f.Field("field")
			if !name.Ok() {
				name = f.First()
			}
			value := f.Field("value")
			plain := value.Is("string_literal", "integer_literal", "float_literal", "boolean_literal", "char_literal")
			l.Fields = append(l.Fields, code.Argument{Name: name.Text(), Text: core.ShortDefault(value), Plain: plain, Line: f.Line()})
		case "shorthand_field_initializer":
			l.Fields = append(l.Fields, code.Argument{Name: f.Text(), Line: f.Line()})
		}
	}
	return []code.Literal{l}, nil
}
