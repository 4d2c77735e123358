package lang

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// pythonExpression reads an expression that nobody needs the value of.
func pythonExpression(b *facts, n syntax.Node) bool {
	switch n.Kind() {
	case "identifier":
		if pythonName(n) {
			b.mention(n.Text(), n.Start())
		}
		return true
	case "keyword_argument":
		b.walk(n.Field("value"))
		return true
	case "attribute", "call", "subscript", "lambda", "await", "yield", "named_expression", "conditional_expression",
		"boolean_operator", "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		b.value(n)
		return true
	}
	return false
}

// pythonName tells an identifier that is used, not one that only labels.
func pythonName(n syntax.Node) bool {
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

// pythonValue returns the expression that a node is.
func pythonValue(b *facts, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier":
		if ref, ok := flowOf(b).narrowed[n.Text()]; ok {
			return ref
		}
		return b.name(n.Text(), n.Start())
	case "attribute":
		return b.attribute(n)
	case "call":
		return b.pythonCall(n)
	case "subscript":
		return b.subscript(n)
	case "parenthesized_expression", "expression_statement", "as_pattern", "type", "list_splat", "dictionary_splat":
		return b.value(n.First())
	case "await":
		return b.of(code.OpAwait, b.value(n.First()))
	case "lambda":
		return b.lambda(n, 0)
	case "named_expression":
		value := b.value(n.Field("value"))
		b.assign(n.Field("name"), value, 0, n.End())
		return value
	case "yield":
		return b.yield(n)
	case "conditional_expression", "boolean_operator":
		return b.choice(n)
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		return b.comprehension(n)
	case "list", "set", "tuple", "expression_list", "dictionary":
		return b.display(n)
	default:
		return b.plain(n)
	}
}

// plain reads literals and operators.
func (b *facts) plain(n syntax.Node) code.Ref {
	switch n.Kind() {
	case "string", "concatenated_string":
		b.below(n)
		if strings.ContainsAny(n.Child("string_start").Text(), "bB") {
			return b.literal("bytes")
		}
		return b.literal("str")
	case "integer":
		return b.literal("int")
	case "float":
		return b.literal("float")
	case "true", "false", "comparison_operator", "not_operator":
		b.below(n)
		return b.literal("bool")
	case "binary_operator":
		left := b.value(n.Field("left"))
		b.walk(n.Field("right"))
		if op := b.Exprs[left].Op; op == code.OpLit || op == code.OpList {
			return left
		}
		return 0
	}
	if !b.rules.visit(b, n) {
		b.below(n)
	}
	return 0
}

// attribute reads x.name.
func (b *facts) attribute(n syntax.Node) code.Ref {
	name, object := n.Field("attribute"), n.Field("object")
	if len(flowOf(b).narrowed) > 0 && chained(n) {
		if ref, ok := flowOf(b).narrowed[n.Text()]; ok {
			return ref
		}
	}
	x := b.value(object)
	if name.Says("__class__") {
		return b.of(code.OpTypeOf, x)
	}
	return b.selected(x, name.Text(), name.Start())
}

// subscript reads x[i]; a slice of x is what x is.
func (b *facts) subscript(n syntax.Node) code.Ref {
	if len(flowOf(b).narrowed) > 0 {
		if ref, ok := flowOf(b).narrowed[n.Text()]; ok {
			return ref
		}
	}
	x := b.value(n.Field("value"))
	var args []code.Ref
	sliced := false
	for c := range n.Inner() {
		if c.FieldName() != "subscript" {
			continue
		}
		sliced = sliced || c.Is("slice")
		args = append(args, b.value(c))
	}
	switch i := n.Field("subscript"); {
	case x == 0:
		return 0
	case sliced:
		return x
	case i.Is("integer") && len(args) == 1 && len(i.Text()) == 1:
		return b.nth(x, int(i.Text()[0]-'0'))
	}
	return b.group(code.OpIndex, x, args)
}

// yield reads yield and yield from.
func (b *facts) yield(n syntax.Node) code.Ref {
	ref := b.value(n.First())
	if n.Has("from") {
		ref = b.of(code.OpElem, ref)
	}
	f := flowOf(b)
	f.yields = append(f.yields, ref)
	return f.sent
}

// choice reads x if c else y, x or y, and x and y.
func (b *facts) choice(n syntax.Node) code.Ref {
	f := flowOf(b)
	if n.Is("boolean_operator") {
		left := b.value(n.Field("left"))
		if n.Has("or") {
			restore := f.under(b.narrowing(n.Field("left"), false))
			defer restore()
			return b.either(left, b.value(n.Field("right")))
		}
		restore := f.under(b.narrowing(n.Field("left"), true))
		defer restore()
		return b.value(n.Field("right"))
	}
	parts := inner(n)
	if len(parts) != 3 {
		b.below(n)
		return 0
	}
	b.walk(parts[1])
	restore := f.under(b.narrowing(parts[1], true))
	then := b.value(parts[0])
	restore()
	restore = f.under(b.narrowing(parts[1], false))
	defer restore()
	return b.either(then, b.value(parts[2]))
}

// comprehension reads comprehensions and generator expressions.
func (b *facts) comprehension(n syntax.Node) code.Ref {
	b.open(code.BlockScope, "", n.Start(), n.End())
	defer b.shut()
	narrowed := flowOf(b).narrowed
	defer func() { flowOf(b).narrowed = narrowed }()
	for c := range n.Inner() {
		switch {
		case c.Is("for_in_clause"):
			b.loopTarget(c, true)
		case c.Is("if_clause"):
			b.walk(c.First())
			flowOf(b).under(b.narrowing(c.First(), true))
		}
	}
	body := n.Field("body")
	if body.Is("pair") {
		key, value := b.value(body.Field("key")), b.value(body.Field("value"))
		return b.group(code.OpMap, value, []code.Ref{key})
	}
	return b.group(code.OpList, 0, []code.Ref{b.value(body)})
}

// maxParts is how many parts of a literal are looked at for what they are.
const maxParts = 32

// display reads literals of lists, sets, tuples and dictionaries.
func (b *facts) display(n syntax.Node) code.Ref {
	var keys, values []code.Ref
	for c := range n.Inner() {
		switch {
		case c.Is("pair"):
			keys, values = append(keys, b.value(c.Field("key"))), append(values, b.value(c.Field("value")))
		case c.Is("dictionary_splat"):
			m := b.value(c.First())
			keys, values = append(keys, b.of(code.OpKey, m)), append(values, b.of(code.OpIndex, m))
		case c.Is("list_splat"):
			values = append(values, b.of(code.OpElem, b.value(c.First())))
		default:
			values = append(values, b.value(c))
		}
	}
	if n.Is("tuple", "expression_list") {
		return b.group(code.OpTuple, 0, values)
	}
	keys, values = keys[:min(len(keys), maxParts)], values[:min(len(values), maxParts)]
	if n.Is("dictionary") {
		return b.group(code.OpMap, b.either(values...), []code.Ref{b.either(keys...)})
	}
	return b.group(code.OpList, 0, values)
}

// lambda reads a function without a name. What its parameters get is told where
// the text shows it.
func (b *facts) lambda(n syntax.Node, given code.Ref) code.Ref {
	list := n.Field("parameters")
	defaults := b.defaults(list)
	scope := b.open(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	b.pythonParams(list, defaults, false, false, 0)
	if defs := b.Scopes[scope].Defs; given != 0 && len(defs) > 0 && defs[0].Value == 0 {
		defs[0].Value = given
	}
	f := flowOf(b)
	elsewhere := f.elsewhere
	f.elsewhere = nil
	b.returns(b.value(n.Field("body")))
	f.elsewhere = elsewhere
	b.shut()
	return b.scoped(code.OpFunc, scope)
}
