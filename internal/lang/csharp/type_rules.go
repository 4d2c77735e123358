package csharp

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var typeRules = &core.TypeRules{
	Before: "class A { ", After: " f; }", Arguments: []string{"type_argument_list"},
	Modifiers: []string{"in", "out", "params", "this", "scoped"},
	Forms: map[string]code.TypeForm{
		"identifier": code.NamedType, "predefined_type": code.NamedType, "qualified_name": code.NamedType,
		"generic_name": code.NamedType, "alias_qualified_name": code.NamedType,
		"nullable_type": code.NullableType, "pointer_type": code.PointerType,
	},
	Read: readType,
}

// readType reads arrays, references and tuples.
func readType(r core.TypeReader, n syntax.Node, t *code.Type) bool {
	switch n.Kind() {
	case "array_type":
		t.Args = []code.Type{r.Read(n.Field("type"))}
		if n.Field("rank").TextIs("[]") {
			t.Form = code.ListType
		}
	case "ref_type":
		of := r.Read(n.Field("type"))
		t.Name, t.Args = strings.TrimSpace(t.Text[:of.At-t.At]), []code.Type{of}
	case "tuple_type":
		t.Form = code.TupleType
		for c := range n.NamedSeq() {
			t.Fields = append(t.Fields, code.TypeField{Name: c.Field("name").Text(), Type: r.Read(c.Field("type"))})
		}
	default:
		return false
	}
	return true
}
