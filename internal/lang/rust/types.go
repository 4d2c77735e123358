package rust

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var typeRules = &core.TypeRules{
	Before: "type A = ", After: ";", Arguments: []string{"type_arguments"},
	Forms: map[string]code.TypeForm{
		"type_identifier": code.NamedType, "scoped_type_identifier": code.NamedType, "primitive_type": code.NamedType,
		"generic_type": code.NamedType, "unit_type": code.NamedType, "never_type": code.NamedType,
		"lifetime": code.LiteralType, "integer_literal": code.LiteralType, "boolean_literal": code.LiteralType,
		"array_type": code.ListType,
	},
	Read: readType,
}

// readType reads references and tuples.
func readType(r core.TypeReader, n syntax.Node, t *code.Type) bool {
	switch n.Kind() {
	case "reference_type":
		of := r.Read(n.Field("type"))
		t.Form, t.Args = code.PointerType, []code.Type{of}
		t.Name = strings.TrimSpace(t.Text[:of.At-t.At])
	case "tuple_type":
		t.Form = code.TupleType
		for c := range n.NamedSeq() {
			t.Fields = append(t.Fields, code.TypeField{Type: r.Read(c)})
		}
	default:
		return false
	}
	return true
}
