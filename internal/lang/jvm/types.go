package jvm

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var javaTypeRules = &core.TypeRules{
	Before: "class A extends B<", After: "> {}", Arguments: []string{"type_arguments"},
	Forms: map[string]code.TypeForm{
		"type_identifier": code.NamedType, "scoped_type_identifier": code.NamedType, "generic_type": code.NamedType,
		"integral_type": code.NamedType, "floating_point_type": code.NamedType, "boolean_type": code.NamedType,
	},
	Read: readJavaType,
}

// readJavaType reads arrays, wildcards and annotated types.
func readJavaType(r core.TypeReader, n syntax.Node, t *code.Type) bool {
	switch n.Kind() {
	case "array_type":
		javaArray(r, n, t)
	case "wildcard":
		if t.Args = r.ReadAll(n); len(t.Args) == 0 {
			t.Form = code.NamedType
		}
		t.Name = "?"
	case "annotated_type":
		of := r.Read(syntax.LastNamedChild(n))
		for c := range n.NamedSeq() {
			if c.Is("marker_annotation", "annotation") {
				t.Fields = append(t.Fields, code.TypeField{Tag: c.Field("name").Text()})
			}
		}
		t.Name, t.Args = "@", []code.Type{of}
	default:
		return false
	}
	return true
}

// javaArray reads T[][].
func javaArray(r core.TypeReader, n syntax.Node, t *code.Type) {
	of := r.Read(n.Field("element"))
	for c := range n.Field("dimensions").Children() {
		switch {
		case c.Named(): // an annotation of the array
			return
		case c.Kind() == "]":
			of = code.Type{Form: code.ListType, Args: []code.Type{of}, At: t.At, Text: t.Text[:c.End()-n.Start()]}
		}
	}
	*t = of
}

var kotlinTypeRules = &core.TypeRules{
	Before: "typealias A = ", Arguments: []string{"type_arguments"},
	Forms: map[string]code.TypeForm{"user_type": code.NamedType, "type_identifier": code.NamedType, "nullable_type": code.NullableType},
}

var scalaTypeRules = &core.TypeRules{
	Before: "type A = ", Arguments: []string{"type_arguments"},
	Forms: map[string]code.TypeForm{"type_identifier": code.NamedType, "stable_type_identifier": code.NamedType, "generic_type": code.NamedType},
}
