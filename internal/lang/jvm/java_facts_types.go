package jvm

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// javaType returns the type that n names, or 0 for "var" and "void".
func javaType(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "type_identifier", "identifier":
		if n.TextIs("var") {
			return 0
		}
		return b.Name(n.Text(), n.Start())
	case "integral_type", "floating_point_type", "boolean_type":
		return b.Apply(code.OpTypeOf, b.Literal(n.Text()))
	case "scoped_type_identifier":
		parts := syntax.NamedChildren(n)
		last := parts[len(parts)-1]
		return b.Select(b.Type(parts[0]), last.Text(), last.Start())
	case "scoped_identifier":
		return javaPath(b, n)
	case "generic_type":
		list := n.Child("type_arguments")
		base := b.Type(lastType(n))
		if args := javaTypes(b, list); len(args) > 0 {
			return b.Group(code.OpApply, base, args)
		}
		return base
	case "annotated_type":
		for c := range n.NamedSeq() {
			if isAnnotation(c) {
				b.Walk(c)
			}
		}
		return b.Type(lastType(n))
	case "array_type":
		return javaDimensions(b, b.Type(n.Field("element")), n.Field("dimensions"))
	case "wildcard":
		bound := lastType(n)
		if bound.Is("super") {
			return 0
		}
		return b.Type(bound)
	}
	return 0
}

// javaTypes returns the types in a list of type arguments.
func javaTypes(b *core.FactBuilder, list syntax.Node) []code.Ref {
	var out []code.Ref
	for t := range list.NamedSeq() {
		out = append(out, b.Type(t))
	}
	return out
}

// javaDimensions returns a type with the array brackets that follow it.
func javaDimensions(b *core.FactBuilder, typ code.Ref, brackets syntax.Node) code.Ref {
	for range strings.Count(brackets.Text(), "[") {
		typ = b.Group(code.OpList, typ, nil)
	}
	return typ
}

// javaNamed returns the last name of a type.
func javaNamed(t syntax.Node) syntax.Node {
	for t.Is("generic_type", "annotated_type", "scoped_type_identifier") {
		if !t.Is("scoped_type_identifier") {
			t = lastType(t)
			continue
		}
		parts := syntax.NamedChildren(t)
		t = parts[len(parts)-1]
	}
	return t
}
