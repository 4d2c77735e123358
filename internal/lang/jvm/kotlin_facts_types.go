package jvm

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// kotlinTypeIn returns the type among the children of n.
func kotlinTypeIn(b *core.FactBuilder, n syntax.Node) code.Ref {
	for c := range n.NamedSeq() {
		if slices.Contains(kotlinTypes, c.Kind()) && !c.Is("type_modifiers") {
			return b.Type(c)
		}
	}
	return 0
}

// kotlinType returns the type that n names.
func kotlinType(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "type_identifier", "simple_identifier":
		return b.Name(kotlinWord(n), n.Start())
	case "user_type":
		return kotlinPath(b, n)
	case "nullable_type", "parenthesized_type", "not_nullable_type", "type_projection":
		return kotlinTypeIn(b, n)
	case "function_type":
		return kotlinFunctionType(b, n)
	}
	return 0
}

// kotlinPath reads a qualified type with its type arguments.
func kotlinPath(b *core.FactBuilder, n syntax.Node) code.Ref {
	var ref code.Ref
	for c := range n.NamedSeq() {
		switch {
		case c.Is("type_identifier") && ref == 0:
			ref = b.Name(kotlinWord(c), c.Start())
		case c.Is("type_identifier"):
			ref = b.Select(ref, kotlinWord(c), c.Start())
		case c.Is("type_arguments"):
			ref = b.Group(code.OpApply, ref, kotlinTypeArguments(b, c))
		case c.Is("user_type"):
			ref = b.Type(c)
		}
	}
	return ref
}

// kotlinTypeArguments returns the types in a list of type arguments, 0 for *.
func kotlinTypeArguments(b *core.FactBuilder, list syntax.Node) []code.Ref {
	var out []code.Ref
	for p := range list.NamedSeq() {
		out = append(out, b.Type(p))
	}
	return out
}

// kotlinTypeName returns the last name of a type.
func kotlinTypeName(n syntax.Node) syntax.Node {
	var name syntax.Node
	for c := range n.NamedSeq() {
		if c.Is("type_identifier") {
			name = c
		}
	}
	return name
}

// kotlinFunctionType reads a function type. A receiver is the first argument and is
// marked by the expression's name.
func kotlinFunctionType(b *core.FactBuilder, n syntax.Node) code.Ref {
	var args []code.Ref
	var result, before code.Ref
	listed := false
	for c := range n.NamedSeq() {
		switch {
		case c.Is("function_type_parameters"):
			listed = true
			for p := range c.NamedSeq() {
				if p.Is("parameter") {
					args = append(args, kotlinTypeIn(b, p))
				} else {
					args = append(args, b.Type(p))
				}
			}
		case listed:
			result = b.Type(c)
		case c.Is("type_arguments"):
			before = b.Group(code.OpApply, before, kotlinTypeArguments(b, c))
		case c.Is("type_identifier") && before != 0:
			before = b.Select(before, kotlinWord(c), c.Start())
		default:
			before = b.Type(c)
		}
	}
	ref := b.Group(code.OpFuncType, result, args)
	if before != 0 {
		b.Exprs[ref].Args = slices.Insert(args, 0, before)
		b.Exprs[ref].Name = "this"
	}
	return ref
}

// kotlinAnnotationFacts records an annotation's type and its arguments.
func kotlinAnnotationFacts(b *core.FactBuilder, n syntax.Node) {
	for c := range n.NamedSeq() {
		if c.Is("constructor_invocation") {
			b.Type(c.First())
			kotlinPassed(b, c.Child("value_arguments"))
			continue
		}
		b.Type(c)
	}
}
