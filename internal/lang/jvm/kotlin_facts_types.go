package jvm

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// ktTypeIn is the type among the children of n.
func ktTypeIn(b *core.FactBuilder, n syntax.Node) code.Ref {
	for c := range n.Inner() {
		if slices.Contains(ktTypes, c.Kind()) && !c.Is("type_modifiers") {
			return b.Type(c)
		}
	}
	return 0
}

// ktType is the type that a node is.
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

// ktPath is a type of one name or several, with type arguments.
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

// ktTypeArguments returns the types of a list of type arguments; that of * is
// none.
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

// ktFunctionType is a type of functions. One with a receiver has that as its
// first argument and says so by its name.
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

// ktAnnotationFacts notes an annotation's type and its arguments.
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
