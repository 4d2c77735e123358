package cfamily

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// typeCPP reads the types that only C++ has.
func typeCPP(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "qualified_identifier", "template_type", "nested_namespace_specifier", "template_function":
		return cppQualified(b, n)
	case "dependent_type":
		return b.Type(n.First())
	case "decltype":
		return b.Apply(code.OpTypeOf, b.Value(n.First()))
	}
	return 0
}

// valueCPP reads the expressions that only C++ has.
func valueCPP(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "this":
		return b.Add(code.Expr{Op: code.OpThis, Scope: b.Scope, Pos: int32(n.Start()), Line: int32(n.Line())})
	case "qualified_identifier", "template_function":
		return cppQualified(b, n)
	case "lambda_expression":
		return cppLambda(b, n)
	case "new_expression":
		b.Walk(n.Field("placement"))
		return cppNewObject(b, n.Field("type"), n.Field("arguments"))
	case "co_await_expression":
		return b.Apply(code.OpAwait, b.Value(n.Field("argument")))
	case "parameter_pack_expansion":
		return b.Value(n.Field("pattern"))
	case "type_identifier", "template_type":
		return b.Type(n)
	case "dependent_name":
		return b.Value(n.First())
	}
	b.WalkChildren(n)
	if name := cppLiteral(n); name != "" {
		return b.Literal(name)
	}
	return 0
}

// cppLiteral returns the type of a literal or comparison; "" for other nodes.
func cppLiteral(n syntax.Node) string {
	switch n.Kind() {
	case "string_literal", "raw_string_literal", "concatenated_string":
		if n.Begins("L") {
			return "wchar_t*"
		}
		return "char*"
	case "char_literal":
		return "char"
	case "true", "false":
		return "bool"
	case "sizeof_expression":
		return "unsigned long"
	case "number_literal":
		return cppNumber(strings.ToLower(n.Text()))
	case "unary_expression":
		if n.Has("!") {
			return "bool"
		}
		return cppLiteral(n.Field("argument"))
	case "binary_expression":
		switch n.Field("operator").Kind() {
		case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
			return "bool"
		}
	}
	return ""
}

// cppNumber returns the type of a number, as written in small letters.
func cppNumber(text string) string {
	hex := strings.HasPrefix(text, "0x")
	switch {
	case !hex && strings.ContainsAny(text, ".e") && strings.HasSuffix(text, "f"):
		return "float"
	case !hex && strings.ContainsAny(text, ".e"):
		return "double"
	}
	name := "int"
	switch {
	case strings.HasSuffix(strings.Trim(text, "u"), "ll"):
		name = "long long"
	case strings.HasSuffix(strings.Trim(text, "u"), "l"):
		name = "long"
	}
	if strings.Contains(text[max(0, len(text)-3):], "u") {
		return "unsigned " + name
	}
	return name
}

// cppNewObject returns a new object of a type.
func cppNewObject(b *core.FactBuilder, t, list syntax.Node) code.Ref {
	typ, args := b.Type(t), arguments(b, list)
	if typ == 0 {
		return 0
	}
	return b.Call(code.OpNew, typ, args, typePos(t))
}

// cppQualified returns the expression of a name that may be qualified and have template
// arguments: a::b<T>::c.
func cppQualified(b *core.FactBuilder, n syntax.Node) code.Ref {
	ref, global := code.Ref(0), false
	if n.Is("nested_namespace_specifier") {
		for part := range n.NamedSeq() {
			ref = cppPart(b, ref, part, false)
		}
		return ref
	}
	for n.Is("qualified_identifier") {
		scope := n.Field("scope")
		if scope.Ok() {
			ref = cppPart(b, ref, scope, global)
		} else {
			global = true
		}
		n = n.Field("name")
	}
	return cppPart(b, ref, n, global)
}

// cppPart returns the part n of a qualified name, as a member of x if x is not 0.
func cppPart(b *core.FactBuilder, x code.Ref, n syntax.Node, global bool) code.Ref {
	switch n.Kind() {
	case "dependent_name", "dependent_type":
		return cppPart(b, x, n.First(), global)
	case "template_type", "template_function", "template_method":
		if ref := cppPart(b, x, n.Field("name"), global); ref != 0 {
			return b.Group(code.OpApply, ref, cppTypeArguments(b, n.Field("arguments")))
		}
		return 0
	case "qualified_identifier":
		return cppQualified(b, n)
	case "decltype":
		return b.Type(n)
	}
	name := srctext.OneLine(n.Text())
	if n.Is("operator_name") {
		name = operatorName(name)
	}
	if x != 0 {
		return b.Select(x, name, n.Start())
	}
	if name == "" {
		return 0
	}
	ref := b.Name(name, n.Start())
	if global {
		b.Exprs[ref].Scope = 0
	}
	return ref
}

// cppTypeArguments returns template arguments; 0 for those that are not types.
func cppTypeArguments(b *core.FactBuilder, list syntax.Node) []code.Ref {
	var out []code.Ref
	for a := range list.NamedSeq() {
		if a.Is("type_descriptor") {
			out = append(out, b.Type(a))
			continue
		}
		b.Walk(a)
		out = append(out, 0)
	}
	return out
}

// cppCasts are the casts written like calls.
var cppCasts = core.SetOf("static_cast", "dynamic_cast", "const_cast", "reinterpret_cast", "any_cast", "down_cast", "static_pointer_cast", "dynamic_pointer_cast")

// cppIdentityCalls are the functions that return their argument.
var cppIdentityCalls = core.SetOf("move", "forward", "ref", "cref", "as_const")

// cppCalled reads the calls that only C++ has.
func cppCalled(b *core.FactBuilder, f, args syntax.Node) (code.Ref, bool) {
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
		types := cppTypeArguments(b, last.Field("arguments"))
		arguments(b, args)
		return b.Apply(code.OpAs, first(types)), true
	case f.Is("qualified_identifier") && cppIdentityCalls[name] && f.Begins("std::"):
		return first(arguments(b, args)), true
	case f.Is("qualified_identifier", "template_function"):
		callee := cppQualified(b, f)
		list := arguments(b, args)
		if callee == 0 {
			return 0, true
		}
		return b.Call(code.OpCall, callee, list, typePos(last)), true
	}
	return 0, false
}

// first returns the first of several expressions; 0 if there are none.
func first(refs []code.Ref) code.Ref {
	if len(refs) == 0 {
		return 0
	}
	return refs[0]
}

// cppSelected reads x.f and x->f.
func cppSelected(b *core.FactBuilder, n syntax.Node, x code.Ref, field syntax.Node) code.Ref {
	for field.Is("dependent_name", "dependent_field_identifier") {
		field = field.First()
	}
	if x == 0 {
		return 0
	}
	if field.Is("template_method") {
		return b.Group(code.OpApply, b.Select(x, field.Field("name").Text(), field.Start()), cppTypeArguments(b, field.Field("arguments")))
	}
	if field.Is("qualified_identifier") { // x.Base::f
		return cppQualified(b, field)
	}
	if n.Field("operator").Kind() == "->" && b.Exprs[x].Op != code.OpThis {
		x = cppDereference(b, x, "->", n)
	}
	return b.Select(x, calledName(srctext.OneLine(field.Text())), field.Start())
}

// cppDereference returns the result of a pointer operator.
func cppDereference(b *core.FactBuilder, x code.Ref, operator string, n syntax.Node) code.Ref {
	if x == 0 {
		return 0
	}
	ref := b.Select(x, operator, n.Start())
	b.Exprs[ref].Line = 0 // not a use of the symbol in the source
	return ref
}

// cppLambda reads a lambda and its captures.
func cppLambda(b *core.FactBuilder, n syntax.Node) code.Ref {
	s := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[s].Body = true
	for c := range n.Field("captures").NamedSeq() {
		if !c.Is("assignment_expression") {
			continue
		}
		name := c.Field("left")
		b.Define(code.Def{Name: name.Text(), Kind: code.DefVar, Value: b.Value(c.Field("right")), Line: int32(name.Line())})
	}
	head := n.Field("declarator")
	if t := head.Child("trailing_return_type"); t.Ok() {
		b.Scopes[s].Result = b.Type(t.First())
	}
	parameters(b, head.Field("parameters"))
	b.WalkChildren(n.Field("body"))
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, s)
}
