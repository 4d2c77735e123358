package swift

import (
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/swift/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// expressions are the kinds of nodes that are expressions.
var expressions = core.SetOf(
	"simple_identifier", "navigation_expression", "call_expression", "constructor_expression", "prefix_expression",
	"postfix_expression", "try_expression", "await_expression", "as_expression", "check_expression", "ternary_expression",
	"nil_coalescing_expression", "assignment", "tuple_expression", "lambda_literal", "array_literal", "dictionary_literal",
	"line_string_literal", "multi_line_string_literal", "self_expression", "super_expression", "key_path_expression",
	"selector_expression", "equality_expression", "comparison_expression", "conjunction_expression", "disjunction_expression",
	"additive_expression", "multiplicative_expression", "infix_expression", "range_expression", "user_type", "if_expression",
)

func valueRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "simple_identifier":
		return identifier(b, n)
	case "self_expression":
		return b.ThisAt(n)
	case "super_expression":
		return b.SuperAt(n)
	case "navigation_expression":
		return navigation(b, n)
	case "call_expression":
		return callFacts(b, n)
	case "constructor_expression":
		t := n.Field("constructed_type")
		return labelled(b, code.OpNew, b.Type(t), n.Field("constructor_suffix"), n.Child("constructor_suffix"), lastName(t).Start())
	case "prefix_expression":
		target := n.Field("target")
		if n.Field("operation").TextIs(".") {
			return b.Select(0, nameText(target), target.Start())
		}
		return b.Value(target)
	case "postfix_expression", "try_expression":
		return b.Value(operandOf(n))
	case "await_expression":
		return b.Apply(code.OpAwait, b.Value(operandOf(n)))
	case "lambda_literal":
		return closure(b, n)
	case "assignment":
		return assignFacts(b, n)
	case "user_type", "array_type", "dictionary_type", "optional_type":
		return b.Type(n)
	}
	if name := literals[n.Kind()]; name != "" {
		b.WalkChildren(n)
		return b.Literal(name)
	}
	return operation(b, n)
}

// literals maps the kinds of literals to their types.
var literals = map[string]string{
	"line_string_literal": "String", "multi_line_string_literal": "String", "raw_string_literal": "String",
	"integer_literal": "Int", "boolean_literal": "Bool", "real_literal": "Double",
}

// operandOf returns the operand of a prefix or postfix operator or keyword.
func operandOf(n syntax.Node) syntax.Node {
	for _, field := range []string{"expr", "target"} {
		if c := n.Field(field); c.Ok() {
			return c
		}
	}
	return syntax.LastNamedChild(n)
}

// operation reads the remaining expressions: operators and compound literals.
func operation(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "as_expression":
		b.Value(n.Field("expr"))
		return b.Apply(code.OpAs, b.Type(n.Field("name")))
	case "check_expression":
		b.Value(n.Field("target"))
		b.Type(n.Field("name"))
		return b.Literal("Bool")
	case "ternary_expression":
		b.Value(n.Field("condition"))
		return b.Either(b.Value(n.Field("if_true")), b.Value(n.Field("if_false")))
	case "nil_coalescing_expression":
		return b.Either(b.Value(n.Field("value")), b.Value(n.Field("if_nil")))
	case "equality_expression", "comparison_expression":
		left := b.Value(n.Field("lhs"))
		expectedValue(b, n.Field("rhs"), b.Apply(code.OpTypeOf, left))
		return b.Literal("Bool")
	case "conjunction_expression", "disjunction_expression":
		b.WalkChildren(n)
		return b.Literal("Bool")
	case "tuple_expression":
		parts := tupleRefs(b, n)
		if len(parts) == 1 {
			return parts[0]
		}
		return b.Group(code.OpTuple, 0, parts)
	case "array_literal":
		return b.Group(code.OpList, 0, b.Values(syntax.NamedChildren(n)))
	case "dictionary_literal":
		return dictionary(b, n)
	case "key_path_expression":
		for c := range n.NamedSeq() {
			if c.Is("type_identifier", "user_type") {
				b.Type(c)
			}
		}
		return 0
	}
	b.WalkChildren(n)
	return 0
}

func tupleRefs(b *core.FactBuilder, n syntax.Node) []code.Ref {
	var parts []code.Ref
	for c := range n.NamedSeq() {
		if c.FieldName() == "name" {
			continue
		}
		parts = append(parts, b.Value(c))
	}
	return parts
}

func dictionary(b *core.FactBuilder, n syntax.Node) code.Ref {
	var keys, values []code.Ref
	for c := range n.NamedSeq() {
		if ref := b.Value(c); c.FieldName() == "key" {
			keys = append(keys, ref)
		} else {
			values = append(values, ref)
		}
	}
	return b.Group(code.OpMap, b.Either(values...), []code.Ref{b.Either(keys...)})
}

func identifier(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch name := nameText(n); name {
	case "Self":
		return b.Apply(code.OpTypeOf, b.ThisAt(n))
	case "nil":
		return 0
	default:
		return b.Name(name, n.Start())
	}
}

// navigation reads a.b, a?.b and a.0.
func navigation(b *core.FactBuilder, n syntax.Node) code.Ref {
	x := b.Value(operand(b, n.Field("target")))
	name := n.Field("suffix").Field("suffix")
	switch {
	case name.Is("integer_literal"):
		i, err := strconv.Atoi(name.Text())
		if err != nil {
			return 0
		}
		return b.Part(x, i)
	case name.TextIs("self"):
		return x
	}
	return b.Select(x, nameText(name), name.Start())
}

// operand returns the operand that a chain begins with. The grammar parses a +
// b.c() as (a + b).c().
func operand(b *core.FactBuilder, n syntax.Node) syntax.Node {
	for n.Field("rhs").Ok() && !n.Is("tuple_expression") {
		b.Value(n.Field("lhs"))
		n = n.Field("rhs")
	}
	return n
}

// expectedValue returns the value of an expression in a context with a known type want:
// .a is a member of that type.
func expectedValue(b *core.FactBuilder, n syntax.Node, want code.Ref) code.Ref {
	implied := n
	if implied.Is("call_expression") {
		implied = implied.First()
	}
	target := implied.Field("target")
	if want == 0 || !implied.Is("prefix_expression") || !implied.Field("operation").TextIs(".") || !target.Is("simple_identifier") {
		ref := b.Value(n)
		if e := b.Exprs[ref]; e.Op == code.OpFunc && want != 0 {
			b.Scopes[e.N].Expect = want
		}
		return ref
	}
	if target.TextIs("init") && n.Is("call_expression") {
		suffix := n.Child("call_suffix")
		ref := labelled(b, code.OpNew, want, suffix, suffix, target.Start())
		b.Known.Set(n, ref)
		return ref
	}
	b.Known.Set(implied, b.Select(want, nameText(target), target.Start()))
	return b.Value(n)
}

// callFacts reads a call, a subscript or an initialisation.
func callFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	f, suffix := operand(b, n.First()), n.Child("call_suffix")
	args := suffix.Child("value_arguments")
	switch {
	case args.Has("["):
		return b.Group(code.OpIndex, b.Value(f), arguments(b, suffix))
	case f.Is("array_literal") && !suffix.Child("lambda_literal").Ok() && len(syntax.NamedChildren(args)) == 0: // [T]()
		return b.Apply(code.OpAs, b.Group(code.OpList, b.Type(f.First()), nil))
	case f.Is("dictionary_literal"):
		b.WalkChildren(f)
		return 0
	case f.Is("simple_identifier") && f.TextIs("type") && args.Ok():
		return b.Apply(code.OpTypeOf, b.Value(syntax.LastNamedChild(args.First())))
	case f.Is("simple_identifier") && f.TextIs("defer"):
		b.OpenScope(code.BlockScope, "", n.Start(), n.End())
		b.WalkChildren(suffix.Child("lambda_literal"))
		b.CloseScope()
		return 0
	case f.Is("navigation_expression"):
		name := f.Field("suffix").Field("suffix")
		if name.TextIs("init") {
			x := b.Value(f.Field("target"))
			if f.Field("target").Is("self_expression", "super_expression") {
				x = b.Apply(code.OpTypeOf, x)
			}
			return labelled(b, code.OpNew, x, suffix, suffix, name.Start())
		}
		return labelled(b, callOp(name), b.Value(f), suffix, suffix, name.Start())
	}
	return labelled(b, callOp(f), b.Value(f), suffix, suffix, f.Start())
}

// callOp returns OpNew if name is written like a type, else OpCall.
func callOp(name syntax.Node) code.Op {
	if repair.Upper(nameText(name)) {
		return code.OpNew
	}
	return code.OpCall
}

// labelled adds a call with its argument labels.
func labelled(b *core.FactBuilder, op code.Op, callee code.Ref, suffix, args syntax.Node, pos int) code.Ref {
	refs := arguments(b, args)
	ref := b.Call(op, callee, refs, pos)
	b.Exprs[ref].Name = labelsOf(suffix)
	return ref
}

// arguments returns the values of a call's arguments, trailing closures last.
func arguments(b *core.FactBuilder, suffix syntax.Node) []code.Ref {
	var out []code.Ref
	for c := range suffix.NamedSeq() {
		switch c.Kind() {
		case "value_arguments":
			for a := range c.NamedSeq() {
				if value := a.Field("value"); value.Ok() {
					out = append(out, b.Value(value))
				} else {
					out = append(out, b.Value(syntax.LastNamedChild(a)))
				}
			}
		case "lambda_literal":
			out = append(out, b.Value(c))
		}
	}
	return out
}

// labelsOf returns the labels of a call's arguments: "_:with:". The labels of
// trailing closures follow "|".
func labelsOf(suffix syntax.Node) string {
	var out strings.Builder
	label := "_"
	trailing := false
	for c := range suffix.NamedSeq() {
		switch c.Kind() {
		case "value_arguments":
			for a := range c.NamedSeq() {
				if name := a.Field("name"); name.Ok() {
					out.WriteString(strings.TrimSpace(strings.Trim(name.Text(), "`")) + ":")
					continue
				}
				out.WriteString("_:")
			}
		case "simple_identifier":
			label = nameText(c)
		case "lambda_literal":
			if !trailing {
				out.WriteString("|")
			}
			trailing = true
			out.WriteString(label + ":")
		}
	}
	return out.String()
}

func assignFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	target := n.Field("target")
	if target.Is("directly_assignable_expression") {
		target = target.First()
	}
	ref := b.Value(target)
	return expectedValue(b, n.Field("result"), b.Apply(code.OpTypeOf, ref))
}

// closure reads a closure. $0 is its first parameter if it declares none.
func closure(b *core.FactBuilder, n syntax.Node) code.Ref {
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	kind := n.Field("type")
	named := false
	for c := range kind.Child("lambda_function_type_parameters").NamedSeq() {
		named = true
		closureParam(b, c)
	}
	if !named {
		text := n.Text()
		for i := range 3 {
			name := "$" + strconv.Itoa(i)
			if strings.Contains(text, name) || i == 0 && strings.Contains(text, "$1") {
				b.Define(code.Def{Name: name, Kind: code.DefParam, Line: int32(n.Line())})
			}
		}
	}
	for _, c := range syntax.NamedChildren(kind) {
		if c.FieldName() == "name" {
			result := b.Type(c)
			b.Scopes[scope].Result = result
		}
	}
	bodyFacts(b, n.Child("statements"))
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}

func closureParam(b *core.FactBuilder, n syntax.Node) {
	d := code.Def{Kind: code.DefParam, Line: int32(n.Line())}
	for c := range n.NamedSeq() {
		if c.Is("simple_identifier") {
			d.Name = nameText(c)
		} else if !c.Is("parameter_modifiers") {
			d.Type = b.Type(c)
		}
	}
	b.Define(d)
}
