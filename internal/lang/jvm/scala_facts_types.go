package jvm

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// scalaType returns the type that n names.
func scalaType(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "type_identifier", "identifier", "operator_identifier":
		return b.Name(scalaName(n), n.Start())
	case "stable_type_identifier", "stable_identifier", "projected_type":
		return scalaPath(b, n)
	case "generic_type":
		base := b.Type(n.Field("type"))
		return b.Group(code.OpApply, base, scalaTypes(b, n.Field("type_arguments")))
	case "tuple_type":
		return b.Group(code.OpTuple, 0, scalaTypes(b, n))
	case "function_type":
		return b.Group(code.OpFuncType, b.Type(n.Field("return_type")), scalaTypes(b, n.Field("parameter_types")))
	case "compound_type":
		var all []code.Ref
		for _, t := range scalaParts(n) {
			all = append(all, b.Type(t))
		}
		return b.Either(all...)
	case "infix_type":
		b.Type(n.Field("left"))
		b.Type(n.Field("right"))
		return 0
	case "singleton_type":
		if n.First().Text() == scalaThis {
			return jvmSelf(b, code.OpThis, n)
		}
		return b.Apply(code.OpTypeOf, scalaPath(b, n))
	case "annotated_type", "lazy_parameter_type", "repeated_parameter_type":
		return b.Type(n.First())
	case "field_expression":
		return b.Value(n)
	}
	return 0
}

// scalaPath reads a qualified name.
func scalaPath(b *core.FactBuilder, n syntax.Node) code.Ref {
	var ref code.Ref
	for c := range n.NamedSeq() {
		switch {
		case c.Is("stable_identifier", "stable_type_identifier"):
			ref = scalaPath(b, c)
		case ref == 0 && c.Text() == scalaThis:
			ref = jvmSelf(b, code.OpThis, c)
		case ref == 0 && c.Is("identifier", "type_identifier"):
			ref = b.Name(scalaName(c), c.Start())
		case c.TextIs("type") || c.Text() == scalaThis:
		default:
			ref = b.Select(ref, scalaName(c), c.Start())
		}
	}
	return ref
}

// scalaTypes returns the types in a list.
func scalaTypes(b *core.FactBuilder, list syntax.Node) []code.Ref {
	var out []code.Ref
	for t := range list.NamedSeq() {
		out = append(out, b.Type(t))
	}
	return out
}

// scalaNamed returns the last name of a type.
func scalaNamed(t syntax.Node) syntax.Node {
	for t.Is("generic_type", "compound_type", "annotated_type", "stable_type_identifier", "projected_type") {
		if t.Is("stable_type_identifier", "projected_type") {
			parts := syntax.NamedChildren(t)
			return parts[len(parts)-1]
		}
		t = t.First()
	}
	return t
}
