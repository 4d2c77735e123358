package lang

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// typeCPP returns the types that C has not.
func typeCPP(b *facts, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "qualified_identifier", "template_type", "nested_namespace_specifier", "template_function":
		return b.cppQualified(n)
	case "dependent_type":
		return b.typ(n.First())
	case "decltype":
		return b.of(code.OpTypeOf, b.value(n.First()))
	}
	return 0
}

// valueCPP returns the expressions that C has not.
func valueCPP(b *facts, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "this":
		return b.add(code.Expr{Op: code.OpThis, Scope: b.scope, Pos: int32(n.Start()), Line: int32(n.Line())})
	case "qualified_identifier", "template_function":
		return b.cppQualified(n)
	case "lambda_expression":
		return b.cppLambda(n)
	case "new_expression":
		b.walk(n.Field("placement"))
		return b.cppMade(n.Field("type"), n.Field("arguments"))
	case "co_await_expression":
		return b.of(code.OpAwait, b.value(n.Field("argument")))
	case "parameter_pack_expansion":
		return b.value(n.Field("pattern"))
	case "type_identifier", "template_type":
		return b.typ(n)
	case "dependent_name":
		return b.value(n.First())
	}
	b.below(n)
	return 0
}

// cppMade is a new object of a type.
func (b *facts) cppMade(t, list syntax.Node) code.Ref {
	typ, args := b.typ(t), b.cArguments(list)
	if typ == 0 {
		return 0
	}
	return b.call(code.OpNew, typ, args, b.cTypePos(t))
}

// cppQualified returns what a name means that may be qualified and have template
// arguments: a::b<T>::c.
func (b *facts) cppQualified(n syntax.Node) code.Ref {
	ref, global := code.Ref(0), false
	if n.Is("nested_namespace_specifier") {
		for part := range n.Inner() {
			ref = b.cppPart(ref, part, false)
		}
		return ref
	}
	for n.Is("qualified_identifier") {
		scope := n.Field("scope")
		if scope.Ok() {
			ref = b.cppPart(ref, scope, global)
		} else {
			global = true
		}
		n = n.Field("name")
	}
	return b.cppPart(ref, n, global)
}

// cppPart returns the part n of a qualified name, in x if that is not none.
func (b *facts) cppPart(x code.Ref, n syntax.Node, global bool) code.Ref {
	switch n.Kind() {
	case "dependent_name", "dependent_type":
		return b.cppPart(x, n.First(), global)
	case "template_type", "template_function", "template_method":
		if ref := b.cppPart(x, n.Field("name"), global); ref != 0 {
			return b.group(code.OpApply, ref, b.cppTypeArguments(n.Field("arguments")))
		}
		return 0
	case "qualified_identifier":
		return b.cppQualified(n)
	case "decltype":
		return b.typ(n)
	}
	name := words(n.Text())
	if n.Is("operator_name") {
		name = operatorName(name)
	}
	if x != 0 {
		return b.selected(x, name, n.Start())
	}
	if name == "" {
		return 0
	}
	ref := b.name(name, n.Start())
	if global {
		b.Exprs[ref].Scope = 0
	}
	return ref
}

// cppTypeArguments returns template arguments; none for those that are no types.
func (b *facts) cppTypeArguments(list syntax.Node) []code.Ref {
	var out []code.Ref
	for a := range list.Inner() {
		if a.Is("type_descriptor") {
			out = append(out, b.typ(a))
			continue
		}
		b.walk(a)
		out = append(out, 0)
	}
	return out
}

// cppCasts are the casts that read like calls.
var cppCasts = setOf("static_cast", "dynamic_cast", "const_cast", "reinterpret_cast", "any_cast", "down_cast", "static_pointer_cast", "dynamic_pointer_cast")

// cppHandedOn are the functions that give what they take.
var cppHandedOn = setOf("move", "forward", "ref", "cref", "as_const")

// cppCalled reads the calls that C has not.
func (b *facts) cppCalled(f, args syntax.Node) (code.Ref, bool) {
	last := f
	for last.Is("qualified_identifier", "dependent_name") {
		if last.Is("dependent_name") {
			last = last.First()
		} else {
			last = last.Field("name")
		}
	}
	name := last.Text()
	if last.Is("template_function") {
		name = last.Field("name").Text()
	}
	switch {
	case last.Is("template_function") && cppCasts[name]:
		types := b.cppTypeArguments(last.Field("arguments"))
		b.cArguments(args)
		return b.of(code.OpAs, first(types)), true
	case f.Is("qualified_identifier") && cppHandedOn[name] && f.Begins("std::"):
		return first(b.cArguments(args)), true
	case f.Is("qualified_identifier", "template_function"):
		callee := b.cppQualified(f)
		list := b.cArguments(args)
		if callee == 0 {
			return 0, true
		}
		return b.call(code.OpCall, callee, list, b.cTypePos(last)), true
	}
	return 0, false
}

// first returns the first of several expressions; none where there is none.
func first(refs []code.Ref) code.Ref {
	if len(refs) == 0 {
		return 0
	}
	return refs[0]
}

// cppSelected reads x.f and x->f.
func (b *facts) cppSelected(n syntax.Node, x code.Ref, field syntax.Node) code.Ref {
	for field.Is("dependent_name", "dependent_field_identifier") {
		field = field.First()
	}
	if x == 0 {
		return 0
	}
	if field.Is("template_method") {
		return b.group(code.OpApply, b.selected(x, field.Field("name").Text(), field.Start()), b.cppTypeArguments(field.Field("arguments")))
	}
	if field.Is("qualified_identifier") { // x.Base::f
		return b.cppQualified(field)
	}
	if n.Field("operator").Kind() == "->" && b.Exprs[x].Op != code.OpThis {
		x = b.cppPointed(x, "->", n)
	}
	return b.selected(x, calledName(words(field.Text())), field.Start())
}

// cppPointed is what a pointer leads to by an operator.
func (b *facts) cppPointed(x code.Ref, operator string, n syntax.Node) code.Ref {
	if x == 0 {
		return 0
	}
	ref := b.selected(x, operator, n.Start())
	b.Exprs[ref].Line = 0 // no use of a symbol
	return ref
}

// cppLambda reads a lambda and what it captures.
func (b *facts) cppLambda(n syntax.Node) code.Ref {
	s := b.open(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[s].Body = true
	for c := range n.Field("captures").Inner() {
		if !c.Is("assignment_expression") {
			continue
		}
		name := c.Field("left")
		b.def(code.Def{Name: name.Text(), Kind: code.DefVar, Value: b.value(c.Field("right")), Line: int32(name.Line())})
	}
	head := n.Field("declarator")
	if t := head.Child("trailing_return_type"); t.Ok() {
		b.Scopes[s].Result = b.typ(t.First())
	}
	b.cParameters(head.Field("parameters"))
	b.below(n.Field("body"))
	b.shut()
	return b.scoped(code.OpFunc, s)
}
