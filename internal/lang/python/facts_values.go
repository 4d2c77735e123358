package python

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// expression reads an expression whose value is not used.
func expression(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "identifier":
		if isNameUse(n) {
			b.Mention(n.Text(), n.Start())
		}
		return true
	case "keyword_argument":
		b.Walk(n.Field("value"))
		return true
	case "attribute", "call", "subscript", "lambda", "await", "yield", "named_expression", "conditional_expression",
		"boolean_operator", "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		b.Value(n)
		return true
	}
	return false
}

// isNameUse reports whether an identifier is a use of a name, not a label.
func isNameUse(n syntax.Node) bool {
	p := n.Parent()
	switch p.Kind() {
	case "attribute":
		return n.FieldName() == "object"
	case "dotted_name":
		return p.Parent().Is("class_pattern", "case_pattern")
	case "keyword_argument", "function_definition", "class_definition", "as_pattern_target":
		return n.FieldName() == "value"
	}
	return true
}

// valueRef returns the value of n.
func valueRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier":
		if ref, ok := flowOf(b).narrowed[n.Text()]; ok {
			return ref
		}
		return b.Name(n.Text(), n.Start())
	case "attribute":
		return attribute(b, n)
	case "call":
		return callFacts(b, n)
	case "subscript":
		return subscript(b, n)
	case "parenthesized_expression", "expression_statement", "as_pattern", "type", "list_splat", "dictionary_splat":
		return b.Value(n.First())
	case "await":
		return b.Apply(code.OpAwait, b.Value(n.First()))
	case "lambda":
		return lambda(b, n, 0)
	case "named_expression":
		value := b.Value(n.Field("value"))
		assign(b, n.Field("name"), value, 0, n.End())
		return value
	case "yield":
		return yield(b, n)
	case "conditional_expression", "boolean_operator":
		return choice(b, n)
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		return comprehension(b, n)
	case "list", "set", "tuple", "expression_list", "dictionary":
		return display(b, n)
	default:
		return plain(b, n)
	}
}

// plain reads literals and operators.
func plain(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "string", "concatenated_string":
		b.WalkChildren(n)
		if strings.ContainsAny(n.Child("string_start").Text(), "bB") {
			return b.Literal("bytes")
		}
		return b.Literal("str")
	case "integer":
		return b.Literal("int")
	case "float":
		return b.Literal("float")
	case "true", "false", "comparison_operator", "not_operator":
		b.WalkChildren(n)
		return b.Literal("bool")
	case "binary_operator":
		left := b.Value(n.Field("left"))
		b.Walk(n.Field("right"))
		if op := b.Exprs[left].Op; op == code.OpLit || op == code.OpList {
			return left
		}
		return 0
	}
	if !b.Rules.Visit(b, n) {
		b.WalkChildren(n)
	}
	return 0
}

// attribute reads x.name.
func attribute(b *core.FactBuilder, n syntax.Node) code.Ref {
	name, object := n.Field("attribute"), n.Field("object")
	if len(flowOf(b).narrowed) > 0 && chained(n) {
		if ref, ok := flowOf(b).narrowed[n.Text()]; ok {
			return ref
		}
	}
	x := b.Value(object)
	if name.TextIs("__class__") {
		return b.Apply(code.OpTypeOf, x)
	}
	return b.Select(x, name.Text(), name.Start())
}

// subscript reads x[i]. A slice of x has the type of x.
func subscript(b *core.FactBuilder, n syntax.Node) code.Ref {
	if len(flowOf(b).narrowed) > 0 {
		if ref, ok := flowOf(b).narrowed[n.Text()]; ok {
			return ref
		}
	}
	x := b.Value(n.Field("value"))
	var args []code.Ref
	sliced := false
	for c := range n.NamedSeq() {
		if c.FieldName() != "subscript" {
			continue
		}
		sliced = sliced || c.Is("slice")
		args = append(args, b.Value(c))
	}
	switch i := n.Field("subscript"); {
	case x == 0:
		return 0
	case sliced:
		return x
	case i.Is("integer") && len(args) == 1 && len(i.Text()) == 1:
		return b.Part(x, int(i.Text()[0]-'0'))
	}
	return b.Group(code.OpIndex, x, args)
}

// yield reads yield and yield from.
func yield(b *core.FactBuilder, n syntax.Node) code.Ref {
	ref := b.Value(n.First())
	if n.Has("from") {
		ref = b.Apply(code.OpElem, ref)
	}
	f := flowOf(b)
	f.yields = append(f.yields, ref)
	return f.sent
}

// choice reads x if c else y, x or y, and x and y.
func choice(b *core.FactBuilder, n syntax.Node) code.Ref {
	f := flowOf(b)
	if n.Is("boolean_operator") {
		left := b.Value(n.Field("left"))
		if n.Has("or") {
			restore := f.under(narrowing(b, n.Field("left"), false))
			defer restore()
			return b.Either(left, b.Value(n.Field("right")))
		}
		restore := f.under(narrowing(b, n.Field("left"), true))
		defer restore()
		return b.Value(n.Field("right"))
	}
	parts := syntax.NamedChildren(n)
	if len(parts) != 3 {
		b.WalkChildren(n)
		return 0
	}
	b.Walk(parts[1])
	restore := f.under(narrowing(b, parts[1], true))
	then := b.Value(parts[0])
	restore()
	restore = f.under(narrowing(b, parts[1], false))
	defer restore()
	return b.Either(then, b.Value(parts[2]))
}

// comprehension reads comprehensions and generator expressions.
func comprehension(b *core.FactBuilder, n syntax.Node) code.Ref {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	narrowed := flowOf(b).narrowed
	defer func() { flowOf(b).narrowed = narrowed }()
	for c := range n.NamedSeq() {
		switch {
		case c.Is("for_in_clause"):
			loopTarget(b, c, true)
		case c.Is("if_clause"):
			b.Walk(c.First())
			flowOf(b).under(narrowing(b, c.First(), true))
		}
	}
	body := n.Field("body")
	if body.Is("pair") {
		key, value := b.Value(body.Field("key")), b.Value(body.Field("value"))
		return b.Group(code.OpMap, value, []code.Ref{key})
	}
	return b.Group(code.OpList, 0, []code.Ref{b.Value(body)})
}

// maxParts is the maximum number of elements of a literal that determine its element
// type.
const maxParts = 32

// display reads list, set, tuple and dictionary literals.
func display(b *core.FactBuilder, n syntax.Node) code.Ref {
	var keys, values []code.Ref
	for c := range n.NamedSeq() {
		switch {
		case c.Is("pair"):
			keys, values = append(keys, b.Value(c.Field("key"))), append(values, b.Value(c.Field("value")))
		case c.Is("dictionary_splat"):
			m := b.Value(c.First())
			keys, values = append(keys, b.Apply(code.OpKey, m)), append(values, b.Apply(code.OpIndex, m))
		case c.Is("list_splat"):
			values = append(values, b.Apply(code.OpElem, b.Value(c.First())))
		default:
			values = append(values, b.Value(c))
		}
	}
	if n.Is("tuple", "expression_list") {
		return b.Group(code.OpTuple, 0, values)
	}
	keys, values = keys[:min(len(keys), maxParts)], values[:min(len(values), maxParts)]
	if n.Is("dictionary") {
		return b.Group(code.OpMap, b.Either(values...), []code.Ref{b.Either(keys...)})
	}
	return b.Group(code.OpList, 0, values)
}

// lambda reads a lambda. given is the value of its first parameter, or 0 if unknown.
func lambda(b *core.FactBuilder, n syntax.Node, given code.Ref) code.Ref {
	list := n.Field("parameters")
	defaults := defaults(b, list)
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	paramFacts(b, list, defaults, false, false, 0)
	if defs := b.Scopes[scope].Defs; given != 0 && len(defs) > 0 && defs[0].Value == 0 {
		defs[0].Value = given
	}
	f := flowOf(b)
	elsewhere := f.elsewhere
	f.elsewhere = nil
	b.Returns(b.Value(n.Field("body")))
	f.elsewhere = elsewhere
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}
