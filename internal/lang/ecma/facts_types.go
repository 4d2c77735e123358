package ecma

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// annotated returns the type of an annotation, ": T". A predicate is a boolean.
func (e factReader) annotated(n syntax.Node) code.Ref {
	switch n.Kind() {
	case "":
		return 0
	case "type_predicate_annotation", "asserts_annotation", "asserts", "type_predicate":
		e.WalkChildren(n)
		return e.Literal("boolean")
	case "type_annotation", "opting_type_annotation", "omitting_type_annotation", "adding_type_annotation":
		return e.Type(n.First())
	}
	return e.Type(n)
}

// typeOf returns the type that a node denotes.
func (e factReader) typeOf(n syntax.Node) code.Ref {
	switch n.Kind() {
	case "type_identifier", "identifier":
		return e.Name(n.Text(), n.Start())
	case "nested_type_identifier", "nested_identifier":
		return e.entity(n)
	case "predefined_type":
		return e.predefined(n.Text())
	case "literal_type":
		return e.literalType(n.First())
	case "template_literal_type":
		e.WalkChildren(n)
		return e.Literal("string")
	case "parenthesized_type", "readonly_type", "optional_type", "rest_type", "type_annotation":
		return e.Type(n.First())
	case "required_parameter", "optional_parameter": // in a tuple
		return e.annotated(n.Field("type"))
	case "this_type":
		return e.this(n)
	}
	return e.composed(n)
}

// composed returns a type that is composed of others.
func (e factReader) composed(n syntax.Node) code.Ref {
	switch n.Kind() {
	case "generic_type":
		return e.generic(n)
	case "array_type":
		return e.Group(code.OpList, e.Type(n.First()), nil)
	case "tuple_type":
		var parts []code.Ref
		for t := range n.NamedSeq() {
			parts = append(parts, e.Type(t))
		}
		return e.Group(code.OpTuple, 0, parts)
	case "union_type":
		return e.Either(e.typesIn(n)...)
	case "intersection_type":
		return e.intersection(n)
	case "function_type", "constructor_type":
		return e.functionType(n)
	case "object_type":
		return e.objectType(n)
	case "type_query":
		return e.Apply(code.OpTypeOf, e.Value(n.First()))
	case "lookup_type":
		return e.lookupType(n)
	case "index_type_query":
		e.Type(n.First())
		return 0
	case "conditional_type":
		return e.conditional(n)
	case "member_expression": // import("./x").Y
		return e.Value(n)
	}
	e.typesIn(n)
	return 0
}

// predefined returns the type of a type keyword.
func (e factReader) predefined(name string) code.Ref {
	switch name {
	case "string", "number", "boolean", "symbol", "bigint", "object":
		return e.Literal(name)
	}
	return 0
}

// literalType returns the type of a literal.
func (e factReader) literalType(n syntax.Node) code.Ref {
	switch n.Kind() {
	case "string", "template_string":
		return e.Literal("string")
	case "number", "unary_expression":
		return e.Literal("number")
	case "true", "false":
		return e.Literal("boolean")
	}
	return 0
}

// typesIn returns the types in a node; those of a union as one list.
func (e factReader) typesIn(n syntax.Node) []code.Ref {
	var out []code.Ref
	for t := range n.NamedSeq() {
		if t.Kind() == n.Kind() && t.Is("union_type", "intersection_type") {
			out = append(out, e.typesIn(t)...)
			continue
		}
		if t.Is("formal_parameters", "type_parameters", "property_identifier", "string_fragment") {
			continue
		}
		out = append(out, e.Type(t))
	}
	return out
}

// intersection returns an object without own members whose bases are the types.
func (e factReader) intersection(n syntax.Node) code.Ref {
	scope := e.OpenScope(code.TypeScope, "", n.Start(), n.End())
	parts := e.typesIn(n)
	e.CloseScope()
	for _, t := range parts {
		if t != 0 {
			e.Scopes[scope].Bases = append(e.Scopes[scope].Bases, code.Base{Type: t})
		}
	}
	return e.ScopeExpr(code.OpObject, scope)
}

// objectType returns a type with listed members. A mapped type has no known names; its value
// type is that of any member.
func (e factReader) objectType(n syntax.Node) code.Ref {
	scope := e.OpenScope(code.TypeScope, "", n.Start(), n.End())
	if clause := n.First().Child("mapped_type_clause"); clause.Ok() {
		key := clause.Field("name")
		e.Define(code.Def{Name: key.Text(), Kind: code.DefTypeParam, Type: e.Type(clause.Field("type")), Line: e.line(key)})
		value := e.annotated(n.First().Field("type"))
		e.CloseScope()
		return e.Add(code.Expr{Op: code.OpMap, X: value, Args: []code.Ref{e.Literal("string")}})
	}
	e.members(n)
	e.CloseScope()
	return e.ScopeExpr(code.OpObject, scope)
}

// libraryTypes are the library types that are read in a special form: containers, and types
// with the members of their first type argument.
var libraryTypes = core.SetOf("Partial", "Required", "Readonly", "NonNullable", "Pick", "Omit", "NoInfer", "Extract", "Exclude", "DeepReadonly", "ThisType",
	"Array", "ReadonlyArray", "Awaited", "Record")

// generic returns a type with type arguments.
func (e factReader) generic(n syntax.Node) code.Ref {
	name := n.Field("name")
	args := syntax.NamedChildren(n.Field("type_arguments"))
	if !libraryTypes[name.Text()] || len(args) == 0 || e.typeBound(name.Text()) {
		return e.applied(e.Type(name), n.Field("type_arguments"))
	}
	first := e.Type(args[0])
	for _, a := range args[1:] {
		e.Type(a)
	}
	switch name.Short() {
	case "Array", "ReadonlyArray":
		return e.Group(code.OpList, first, nil)
	case "Awaited":
		return e.Apply(code.OpTypeOf, e.Apply(code.OpAwait, e.Apply(code.OpAs, first)))
	case "Record":
		return e.Add(code.Expr{Op: code.OpMap, X: e.Type(args[len(args)-1]), Args: []code.Ref{first}})
	}
	return first // has the members of its first type argument
}

// typeBound reports whether the file declares or imports a type with a name.
func (e factReader) typeBound(name string) bool {
	for s := e.Scope; s >= 0; s = e.Scopes[s].Parent {
		for i := range e.Scopes[s].Defs {
			if e.Scopes[s].Defs[i].Name == name {
				return true
			}
		}
	}
	for i := range e.File.Imports {
		if _, ok := localNames(&e.File.Imports[i])[name]; ok {
			return true
		}
	}
	for i := range e.File.Symbols {
		if e.File.Symbols[i].Name == name {
			return true
		}
	}
	return false
}

// functionType returns a function or constructor type. Names bound in it are visible only
// inside.
func (e factReader) functionType(n syntax.Node) code.Ref {
	e.OpenScope(code.BlockScope, "", n.Start(), n.End())
	e.typeParameters(n.Field("type_parameters"))
	var args []code.Ref
	for p := range n.Field("parameters").NamedSeq() {
		if !p.Field("pattern").Is("this") {
			args = append(args, e.annotated(p.Field("type")))
		}
	}
	result := n.Field("return_type")
	if n.Is("constructor_type") {
		result = n.Field("type")
	}
	x := e.annotated(result)
	e.CloseScope()
	return e.Group(code.OpFuncType, x, args)
}

// lookupType returns the type T["x"] or T[number].
func (e factReader) lookupType(n syntax.Node) code.Ref {
	parts := syntax.NamedChildren(n)
	if len(parts) != 2 {
		e.typesIn(n)
		return 0
	}
	of := e.Apply(code.OpAs, e.Type(parts[0]))
	key := parts[1]
	switch {
	case of == 0:
	case key.Is("literal_type") && key.First().Is("string"):
		return e.Apply(code.OpTypeOf, e.Select(of, strings.Trim(key.Text(), `'"`), key.Start()))
	case key.TextIs("number"):
		return e.Apply(code.OpTypeOf, e.Apply(code.OpElem, of))
	}
	e.Type(key)
	return 0
}

// conditional returns the type of A extends B ? C : D: unknown unless both branches are the
// same.
func (e factReader) conditional(n syntax.Node) code.Ref {
	e.inBlock(n, func() {
		for t := range n.Descendants() {
			if t.Is("infer_type") {
				e.Define(code.Def{Name: t.First().Text(), Kind: code.DefTypeParam, Line: e.line(t)})
			}
		}
		e.typesIn(n)
	})
	return 0
}
