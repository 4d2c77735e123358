package csharp

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// expressions are the kinds of nodes that are values.
var expressions = core.SetOf(
	"identifier", "generic_name", "qualified_name", "alias_qualified_name", "this", "base",
	"member_access_expression", "conditional_access_expression", "invocation_expression",
	"object_creation_expression", "implicit_object_creation_expression", "array_creation_expression",
	"implicit_array_creation_expression", "initializer_expression", "anonymous_object_creation_expression",
	"cast_expression", "as_expression", "is_pattern_expression", "binary_expression", "conditional_expression",
	"assignment_expression", "lambda_expression", "anonymous_method_expression", "typeof_expression",
	"default_expression", "tuple_expression", "switch_expression", "throw_expression", "with_expression",
	"query_expression", "element_access_expression", "declaration_expression", "await_expression",
	"postfix_unary_expression", "prefix_unary_expression", "is_expression", "sizeof_expression",
)

func expression(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier":
		return b.Name(n.Text(), n.Start())
	case "generic_name":
		return genericName(b, n, false)
	case "predefined_type", "qualified_name", "alias_qualified_name", "nullable_type", "array_type":
		return b.Type(n)
	case "this":
		return b.ThisAt(n)
	case "base":
		return b.SuperAt(n)
	case "member_access_expression":
		return memberOf(b, b.Value(n.Field("expression")), n.Field("name"))
	case "conditional_access_expression":
		return conditional(b, n)
	case "element_access_expression":
		return elementAccess(b, n)
	case "invocation_expression":
		return invoke(b, n)
	case "assignment_expression":
		return assign(b, n)
	case "lambda_expression", "anonymous_method_expression":
		return lambda(b, n)
	case "query_expression":
		return query(b, n)
	}
	if name := literals[n.Kind()]; name != "" {
		b.WalkChildren(n)
		return b.Literal(name)
	}
	if creationKinds[n.Kind()] {
		return creation(b, n)
	}
	return operation(b, n)
}

// literals maps the kinds of literals to their types.
var literals = map[string]string{
	"interpolated_string_expression": "string", "string_literal": "string", "verbatim_string_literal": "string",
	"raw_string_literal": "string", "integer_literal": "int", "boolean_literal": "bool", "character_literal": "char",
}

// creationKinds are the kinds of expressions that create a value.
var creationKinds = core.SetOf(
	"object_creation_expression", "implicit_object_creation_expression", "array_creation_expression",
	"implicit_array_creation_expression", "initializer_expression", "anonymous_object_creation_expression",
	"tuple_expression", "with_expression",
)

// creation reads an expression that creates a value.
func creation(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "object_creation_expression", "implicit_object_creation_expression":
		return newFacts(b, n)
	case "array_creation_expression":
		typ := b.Type(n.Field("type"))
		b.Value(n.Child("initializer_expression"))
		return b.Apply(code.OpAs, typ)
	case "implicit_array_creation_expression":
		return b.Value(n.Child("initializer_expression"))
	case "initializer_expression":
		return b.Group(code.OpList, 0, b.Values(syntax.NamedChildren(n)))
	case "anonymous_object_creation_expression":
		return anonymous(b, n)
	case "tuple_expression":
		return b.Group(code.OpTuple, 0, arguments(b, n))
	}
	source := b.Value(n.First()) // a with expression
	setMembers(b, n.Child("with_initializer"), source)
	return source
}

// operation reads the remaining expressions: operators and casts.
func operation(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "parenthesized_expression", "checked_expression", "ref_expression", "postfix_unary_expression":
		return b.Value(n.First())
	case "prefix_unary_expression":
		ref := b.Value(n.First())
		if n.Has("!") {
			return b.Literal("bool")
		}
		return ref
	case "await_expression":
		return b.Apply(code.OpAwait, b.Value(n.First()))
	case "cast_expression":
		b.Value(n.Field("value"))
		return b.Apply(code.OpAs, b.Type(n.Field("type")))
	case "as_expression":
		b.Value(n.Field("left"))
		return b.Apply(code.OpAs, b.Type(n.Field("right")))
	case "is_expression":
		b.Value(n.Field("left"))
		b.Type(n.Field("right"))
		return b.Literal("bool")
	case "is_pattern_expression":
		pattern(b, n.Field("pattern"), b.Value(n.Field("expression")))
		return b.Literal("bool")
	case "default_expression":
		return b.Apply(code.OpAs, b.Type(n.Field("type")))
	case "typeof_expression":
		b.Type(n.Field("type"))
		return b.Literal("Type")
	case "conditional_expression":
		b.Value(n.Field("condition"))
		return b.Either(b.Value(n.Field("consequence")), b.Value(n.Field("alternative")))
	case "binary_expression":
		return binary(b, n)
	case "switch_expression":
		return switchExpression(b, n)
	case "declaration_expression": // out T x
		deconstruct(b, n, 0)
		return b.Apply(code.OpAs, b.Type(n.Field("type")))
	}
	b.WalkChildren(n)
	return 0
}

func binary(b *core.FactBuilder, n syntax.Node) code.Ref {
	left, right := b.Value(n.Field("left")), b.Value(n.Field("right"))
	switch n.Field("operator").Kind() {
	case "??":
		return b.Either(left, right)
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		return b.Literal("bool")
	case "+":
		if e := b.Exprs[left]; e.Op == code.OpLit && e.Name == "string" {
			return left
		}
	}
	return 0
}

// memberOf returns the member of a value, with its type arguments if it has any.
func memberOf(b *core.FactBuilder, x code.Ref, name syntax.Node) code.Ref {
	if !name.Is("generic_name") {
		return b.Select(x, name.Text(), name.Start())
	}
	first := name.First()
	return b.Group(code.OpApply, b.Select(x, first.Text(), first.Start()), typeArgs(b, name))
}

// conditional returns the value of a?.B and a?[i].
func conditional(b *core.FactBuilder, n syntax.Node) code.Ref {
	x := b.Value(n.Field("condition"))
	for c := range n.NamedSeq() {
		switch c.Kind() {
		case "member_binding_expression":
			return memberOf(b, x, c.Field("name"))
		case "element_binding_expression":
			return b.Group(code.OpIndex, x, arguments(b, c))
		}
	}
	return x
}

// elementAccess returns the value of a[i], or of a call in an assignment target, which was
// rewritten as an element access.
func elementAccess(b *core.FactBuilder, n syntax.Node) code.Ref {
	x := n.Field("expression")
	subscript := n.Field("subscript")
	ref := b.Value(x)
	args := arguments(b, subscript)
	if subscript.Begins("(") {
		return b.Call(code.OpCall, ref, args, calledName(x).Start())
	}
	return b.Group(code.OpIndex, ref, args)
}

// calledName returns the name in a called expression.
func calledName(n syntax.Node) syntax.Node {
	switch n.Kind() {
	case "member_access_expression", "alias_qualified_name":
		return n.Field("name")
	case "conditional_access_expression":
		if name := n.Child("member_binding_expression").Field("name"); name.Ok() {
			return name
		}
	}
	return n
}

func invoke(b *core.FactBuilder, n syntax.Node) code.Ref {
	function := n.Field("function")
	if function.TextIs("nameof") {
		b.WalkChildren(n.Field("arguments"))
		return b.Literal("string")
	}
	ref := b.Value(function)
	return b.Call(code.OpCall, ref, arguments(b, n.Field("arguments")), calledName(function).Start())
}

// arguments returns the values of an argument list, in order.
func arguments(b *core.FactBuilder, list syntax.Node) []code.Ref {
	var out []code.Ref
	for a := range list.NamedSeq() {
		if a.Is("argument", "attribute_argument") {
			a = syntax.LastNamedChild(a)
		}
		out = append(out, b.Value(a))
	}
	return out
}

// newFacts returns the value of new T(...) { ... }, or of new(...) with its target type.
func newFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	node := n.Field("type")
	typ := b.Type(node)
	if !node.Ok() {
		typ, node = targetType(b, n), n
	}
	args := n.Field("arguments")
	if !args.Ok() {
		args = n.Child("argument_list")
	}
	ref := b.Call(code.OpNew, typ, arguments(b, args), node.Start())
	setMembers(b, n.Child("initializer_expression"), ref)
	return ref
}

// targetType returns the target type of a new().
func targetType(b *core.FactBuilder, n syntax.Node) code.Ref {
	if t := newType(n); t.Ok() {
		return b.Type(t)
	}
	switch around := n.Parent(); around.Kind() {
	case "assignment_expression":
		return b.Apply(code.OpTypeOf, b.Value(around.Field("left")))
	case "return_statement", "arrow_expression_clause":
		if s := b.Scopes[b.Function()]; s.Kind == code.FuncScope {
			return s.Result
		}
	}
	return 0
}

// setMembers reads an object initialiser.
func setMembers(b *core.FactBuilder, list syntax.Node, made code.Ref) {
	for c := range list.NamedSeq() {
		left := c.Field("left")
		if !c.Is("assignment_expression") || !left.Is("identifier") || made == 0 {
			b.Walk(c)
			continue
		}
		b.Known.Set(left, b.Select(made, left.Text(), left.Start()))
		b.Value(c)
	}
}

// anonymous returns the value of new { A = x, y }.
func anonymous(b *core.FactBuilder, n syntax.Node) code.Ref {
	var fields []code.Def
	for c := range n.NamedSeq() {
		value := b.Value(c)
		switch before := c.Previous(); {
		case before.Is("=") && len(fields) > 0:
			fields[len(fields)-1].Value = value
		case c.Is("identifier"):
			fields = append(fields, code.Def{Name: c.Text(), Kind: code.DefField, Value: value, Line: int32(c.Line())})
		case c.Is("member_access_expression"):
			fields = append(fields, code.Def{Name: c.Field("name").Text(), Kind: code.DefField, Value: value, Line: int32(c.Line())})
		}
	}
	scope := b.OpenScope(code.SpaceScope, "", n.Start(), n.End())
	b.CloseScope()
	b.Scopes[scope].Defs = fields
	return b.ScopeExpr(code.OpObject, scope)
}

// assign reads left = right; left may bind names.
func assign(b *core.FactBuilder, n syntax.Node) code.Ref {
	left := n.Field("left")
	right := b.Value(n.Field("right"))
	if left.Is("tuple_expression", "declaration_expression", "tuple_pattern") {
		deconstruct(b, left, right)
		return right
	}
	ref := b.Value(left)
	if n.Field("operator").Is("??=") {
		return b.Either(ref, right)
	}
	if e := b.Exprs[right]; e.Op == code.OpFunc && ref != 0 {
		b.Scopes[e.N].Expect = b.Apply(code.OpTypeOf, ref)
	}
	return right
}

// deconstruct binds the variables that an assignment target declares.
func deconstruct(b *core.FactBuilder, n syntax.Node, value code.Ref) {
	switch n.Kind() {
	case "declaration_expression":
		typ := b.Type(n.Field("type"))
		name := n.Field("name")
		if name.Is("identifier") {
			b.Define(code.Def{Name: name.Text(), Kind: code.DefVar, Type: typ, Value: value, Pos: int32(n.End()), Line: int32(name.Line())})
			return
		}
		tupleParts(b, name, value, n.End())
	case "tuple_pattern":
		tupleParts(b, n, value, n.End())
	case "tuple_expression":
		for i, a := range syntax.ChildrenOf(n, "argument") {
			deconstruct(b, syntax.LastNamedChild(a), b.Part(value, i))
		}
	default:
		b.Value(n)
	}
}
