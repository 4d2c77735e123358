package rust

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// pointers are the generic types treated as their type argument.
var pointers = core.SetOf("Box", "Rc", "Arc", "Pin", "Cow", "Ref", "RefMut", "RefCell", "Cell", "Mutex", "RwLock", "MutexGuard", "RwLockReadGuard",
	"RwLockWriteGuard", "ManuallyDrop", "UnsafeCell", "NonNull", "Lazy", "LazyLock", "OnceCell", "Wrapping", "CachePadded")

// typeRef returns the type that n names.
func typeRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "type_identifier", "identifier":
		return nameRef(b, n)
	case "scoped_type_identifier", "scoped_identifier":
		return pathRef(b, n)
	case "generic_type", "generic_type_with_turbofish":
		return generic(b, n)
	case "reference_type", "pointer_type":
		return b.Type(n.Field("type"))
	case "dynamic_type", "abstract_type":
		return b.Type(n.Field("trait"))
	case "bounded_type", "parenthesized_type", "higher_ranked_trait_bound", "trait_bounds", "bracketed_type":
		return firstType(b, n)
	case "qualified_type":
		return b.Type(n.Field("type"))
	case "function_type":
		return functionType(b, n)
	case "array_type":
		return b.Group(code.OpList, b.Type(n.Field("element")), nil)
	case "tuple_type":
		return b.Group(code.OpTuple, 0, typeRefs(b, n))
	case "primitive_type":
		if n.TextIs("str") {
			return b.Literal("str")
		}
	case "type_arguments":
		typeRefs(b, n)
	}
	return 0
}

// nameRef returns a name. Self is the enclosing type.
func nameRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	name := n.Text()
	if name != "Self" {
		return b.Name(name, n.Start())
	}
	for s := b.Scope; s >= 0; s = b.Scopes[s].Parent {
		x := &b.Scopes[s]
		if x.Kind != code.TypeScope {
			continue
		}
		if x.Owner != 0 {
			return x.Owner
		}
		return b.Add(code.Expr{Op: code.OpName, Name: x.Name, Scope: x.Parent})
	}
	return 0
}

// typeRefs returns the types in a list. Lifetimes are skipped.
func typeRefs(b *core.FactBuilder, list syntax.Node) []code.Ref {
	var out []code.Ref
	for t := range list.NamedSeq() {
		switch {
		case t.Is("lifetime", "block", "integer_literal"):
		case t.Is("type_binding"):
			out = append(out, b.Type(t.Field("type")))
		default:
			out = append(out, b.Type(t))
		}
	}
	return out
}

// firstType returns the first bound that is a type.
func firstType(b *core.FactBuilder, n syntax.Node) code.Ref {
	if n.Is("higher_ranked_trait_bound") {
		return b.Type(n.Field("type"))
	}
	for t := range n.NamedSeq() {
		if ref := b.Type(t); ref != 0 {
			return ref
		}
	}
	return 0
}

func functionType(b *core.FactBuilder, n syntax.Node) code.Ref {
	var args []code.Ref
	for p := range n.Field("parameters").NamedSeq() {
		if p.Is("parameter") {
			p = p.Field("type")
		}
		args = append(args, b.Type(p))
	}
	return b.Group(code.OpFuncType, b.Type(n.Field("return_type")), args)
}

// generic returns a type with arguments. A pointer type is replaced by its
// argument.
func generic(b *core.FactBuilder, n syntax.Node) code.Ref {
	args := typeRefs(b, n.Field("type_arguments"))
	t := n.Field("type")
	last := t
	for last.Is("scoped_type_identifier", "scoped_identifier") {
		last = last.Field("name")
	}
	if pointers[last.Text()] && len(args) > 0 {
		return args[0]
	}
	ref := b.Type(t)
	if ref == 0 || len(args) == 0 {
		return ref
	}
	return b.Group(code.OpApply, ref, args)
}

// pathRef returns the entity that a path names: a::b::C, <T as Trait>::f.
func pathRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	name := n.Field("name")
	path := n.Field("path")
	if !path.Ok() { // ::a
		return b.Name(name.Text(), name.Start())
	}
	return b.Select(segmentRef(b, path), name.Text(), name.Start())
}

func segmentRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "scoped_identifier", "scoped_type_identifier":
		return pathRef(b, n)
	case "self", "super", "crate", "identifier", "type_identifier":
		return nameRef(b, n)
	case "metavariable":
		if n.TextIs("$crate") {
			return b.Name("crate", n.Start())
		}
		return 0
	}
	return b.Type(n)
}
