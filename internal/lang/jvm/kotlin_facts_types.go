package jvm

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// ktTypeIn returns the type among the children of n.
func ktTypeIn(b *core.FactBuilder, n syntax.Node) code.Ref {
	for c := range n.Inner() {
		if slices.Contains(ktTypes, c.Kind()) && !c.Is("type_modifiers") {
			return b.Type(c)
		}
	}
	return 0
}

// ktType returns the type that n names.
func ktType(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "type_identifier", "simple_identifier":
		return b.Name(ktWord(n), n.Start())
	case "user_type":
		return ktPath(b, n)
	case "nullable_type", "parenthesized_type", "not_nullable_type", "type_projection":
		return ktTypeIn(b, n)
	case "function_type":
		return ktFunctionType(b, n)
	}
	return 0
}

// ktPath reads a qualified type with its type arguments.
func ktPath(b *core.FactBuilder, n syntax.Node) code.Ref {
	var ref code.Ref
	for c := range n.Inner() {
		switch {
		case c.Is("type_identifier") && ref == 0:
			ref = b.Name(ktWord(c), c.Start())
		case c.Is("type_identifier"):
			ref = b.Select(ref, ktWord(c), c.Start())
		case c.Is("type_arguments"):
			ref = b.Group(code.OpApply, ref, ktTypeArguments(b, c))
		case c.Is("user_type"):
			ref = b.Type(c)
		}
	}
	return ref
}

// ktTypeArguments returns the types in a list of type arguments, 0 for *.
func ktTypeArguments(b *core.FactBuilder, list syntax.Node) []code.Ref {
	var out []code.Ref
	for p := range list.Inner() {
		out = append(out, b.Type(p))
	}
	return out
}

// ktTypeName returns the last name of a type.
func ktTypeName(n syntax.Node) syntax.Node {
	var name syntax.Node
	for c := range n.Inner() {
		if c.Is("type_identifier") {
			name = c
		}
	}
	return name
}

// ktFunctionType reads a function type. A receiver is the first argument and is marked
// by the expression's name.
func ktFunctionType(b *core.FactBuilder, n syntax.Node) code.Ref {
	var args []code.Ref
	var result, before code.Ref
	listed := false
	for c := range n.Inner() {
		switch {
		case c.Is("function_type_parameters"):
			listed = true
			for p := range c.Inner() {
				if p.Is("parameter") {
					args = append(args, ktTypeIn(b, p))
				} else {
					args = append(args, b.Type(p))
				}
			}
		case listed:
			result = b.Type(c)
		case c.Is("type_arguments"):
			before = b.Group(code.OpApply, before, ktTypeArguments(b, c))
		case c.Is("type_identifier") && before != 0:
			before = b.Select(before, ktWord(c), c.Start())
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

// ktAnnotationFacts records an annotation's type and its arguments.
func ktAnnotationFacts(b *core.FactBuilder, n syntax.Node) {
	for c := range n.Inner() {
		if c.Is("constructor_invocation") {
			b.Type(c.First())
			ktPassed(b, c.Child("value_arguments"))
			continue
		}
		b.Type(c)
	}
}
