package rust

import (
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// valueRef returns the value of n.
func valueRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier":
		return nameRef(b, n)
	case "self":
		return b.Add(code.Expr{Op: code.OpThis, Scope: b.Scope, Pos: int32(n.Start()), Line: int32(n.Line())})
	case "scoped_identifier":
		return pathRef(b, n)
	case "generic_function":
		return turbofish(b, n)
	case "field_expression":
		return fieldRef(b, n)
	case "call_expression":
		return callFacts(b, n)
	case "macro_invocation":
		return macroCallFacts(b, n)
	case "closure_expression":
		return closure(b, n)
	case "struct_expression":
		return structLiteral(b, n)
	case "string_literal", "raw_string_literal":
		return b.Literal("str")
	case "return_expression":
		returnFacts(b, n)
		return 0
	default:
		return wrappedValue(b, n)
	}
}

// wrappedValue returns the values of expressions that wrap or select another.
func wrappedValue(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "reference_expression":
		return b.Value(n.Field("value"))
	case "parenthesized_expression", "unary_expression", "expression_statement":
		return b.Value(n.First())
	case "try_expression":
		return b.Apply(code.OpElem, b.Value(n.First()))
	case "await_expression":
		return b.Apply(code.OpAwait, b.Value(n.First()))
	case "unsafe_block", "async_block", "try_block", "loop_expression", "gen_block":
		return b.Value(n.Child("block"))
	case "type_cast_expression":
		b.Value(n.Field("value"))
		return b.Apply(code.OpAs, b.Type(n.Field("type")))
	case "index_expression":
		x := b.Value(n.First())
		b.Walk(syntax.LastNamedChild(n))
		if x == 0 {
			return 0
		}
		return b.Add(code.Expr{Op: code.OpIndex, X: x, Scope: b.Scope})
	case "tuple_expression":
		return b.Group(code.OpTuple, 0, b.Values(syntax.NamedChildren(n)))
	case "array_expression":
		return b.Group(code.OpList, 0, b.Values(syntax.NamedChildren(n)))
	default:
		return blockValue(b, n)
	}
}

// blockValue returns the values of expressions that contain statements.
func blockValue(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "block":
		return block(b, n)
	case "if_expression":
		return ifFacts(b, n)
	case "match_expression":
		return match(b, n)
	case "while_expression":
		b.OpenScope(code.BlockScope, "", n.Start(), n.End())
		b.Walk(n.Field("condition"))
		b.Value(n.Field("body"))
		b.CloseScope()
	case "for_expression":
		over := b.Apply(code.OpElem, b.Value(n.Field("value")))
		b.OpenScope(code.BlockScope, "", n.Start(), n.End())
		bind(b, n.Field("pattern"), over, 0)
		b.Value(n.Field("body"))
		b.CloseScope()
	default:
		b.WalkChildren(n)
	}
	return 0
}

// block reads a block. It opens a scope only if the block binds names.
func block(b *core.FactBuilder, n syntax.Node) code.Ref {
	binds := false
	for c := range n.NamedSeq() {
		binds = binds || isStatement(c) && !c.Is("expression_statement", "empty_statement")
	}
	if !binds {
		return bodyValue(b, n)
	}
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	return bodyValue(b, n)
}

func ifFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	if c := n.Field("condition"); c.Is("let_condition", "let_chain") {
		b.OpenScope(code.BlockScope, "", n.Start(), n.End())
		defer b.CloseScope()
	}
	b.Walk(n.Field("condition"))
	then := b.Value(n.Field("consequence"))
	return b.Either(then, b.Value(n.Field("alternative").First()))
}

func match(b *core.FactBuilder, n syntax.Node) code.Ref {
	over := b.Value(n.Field("value"))
	var out []code.Ref
	for arm := range n.Field("body").NamedSeq() {
		if !arm.Is("match_arm") {
			continue
		}
		b.OpenScope(code.BlockScope, "", arm.Start(), arm.End())
		pattern := arm.Field("pattern")
		bind(b, pattern.First(), over, 0)
		b.Walk(pattern.Field("condition"))
		out = append(out, b.Value(arm.Field("value")))
		b.CloseScope()
	}
	if len(out) > 8 {
		out = out[:8]
	}
	return b.Either(out...)
}

func letFacts(b *core.FactBuilder, n syntax.Node) {
	typ := b.Type(n.Field("type"))
	value := b.Value(n.Field("value"))
	b.Walk(n.Field("alternative"))
	pattern := n.Field("pattern")
	if typ != 0 && pattern.Is("identifier") {
		b.Define(code.Def{Name: pattern.Text(), Kind: code.DefVar, Type: typ, Value: value, Line: int32(pattern.Line()), Pos: int32(n.End())})
		return
	}
	if typ != 0 {
		value = b.Apply(code.OpAs, typ)
	}
	bind(b, pattern, value, n.End())
}

// returnFacts records the result of a closure. Functions declare theirs.
func returnFacts(b *core.FactBuilder, n syntax.Node) {
	value := b.Value(n.First())
	if s := &b.Scopes[b.Function()]; s.Kind == code.FuncScope && s.Name == "" {
		b.Returns(value)
	}
}

// closure reads a closure.
func closure(b *core.FactBuilder, n syntax.Node) code.Ref {
	s := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[s].Body = true
	for p := range n.Field("parameters").Children() {
		switch {
		case p.Is("parameter"):
			patternParam(b, p.Field("pattern"), b.Type(p.Field("type")))
		case p.Named() && !syntax.IsComment(p.Kind()) || p.Is("_"):
			patternParam(b, p, 0)
		}
	}
	result := b.Type(n.Field("return_type"))
	b.Scopes[s].Result = result
	body := n.Field("body")
	var last code.Ref
	if body.Is("block") {
		last = bodyValue(b, body)
	} else {
		last = b.Value(body)
	}
	if last != 0 {
		b.Scopes[s].Returns = append(b.Scopes[s].Returns, last)
	}
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, s)
}

// fieldRef reads x.f and x.0.
func fieldRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	x, field := b.Value(n.Field("value")), n.Field("field")
	if x == 0 {
		return 0
	}
	if !field.Is("integer_literal") {
		return memberRef(b, x, field)
	}
	number := 0
	for _, c := range field.Text() {
		number = number*10 + int(c-'0')
	}
	return b.Either(memberRef(b, x, field), b.Part(x, number))
}

// memberRef returns the field of x. It is not recorded as a use of a symbol.
func memberRef(b *core.FactBuilder, x code.Ref, field syntax.Node) code.Ref {
	if x == 0 {
		return 0
	}
	part := b.Select(x, fieldName(field.Text()), field.Start())
	b.Exprs[part].Line = 0
	return part
}

func turbofish(b *core.FactBuilder, n syntax.Node) code.Ref {
	ref := b.Value(n.Field("function"))
	if ref == 0 {
		return 0
	}
	return b.Group(code.OpApply, ref, typeRefs(b, n.Field("type_arguments")))
}

// pointerFunctions are the functions that return their argument in a pointer.
var pointerFunctions = core.SetOf("Box::new", "Rc::new", "Arc::new", "RefCell::new", "Cell::new", "Mutex::new", "RwLock::new", "Rc::clone", "Arc::clone",
	"Box::pin", "Pin::new", "Cow::Borrowed", "Cow::Owned", "Lazy::new", "LazyLock::new", "std::mem::take", "mem::take", "Box::leak")

// wrappingConstructors are the constructors of Option and Result that hold a value.
var wrappingConstructors = core.SetOf("Some", "Ok", "Option::Some", "Result::Ok", "Poll::Ready")

func callFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	f := n.Field("function")
	for f.Is("parenthesized_expression") {
		f = f.First()
	}
	name := f
	for name.Is("generic_function") {
		name = name.Field("function")
	}
	args := syntax.NamedChildren(n.Field("arguments"))
	path := ""
	if name.Is("identifier", "scoped_identifier") {
		path = srctext.OneLine(name.Text())
	}
	if len(args) == 1 && (pointerFunctions[path] || wrappingConstructors[path]) {
		arg := b.Value(args[0])
		if pointerFunctions[path] {
			return arg
		}
		return b.Group(code.OpList, 0, []code.Ref{arg})
	}
	if name.Is("scoped_identifier") {
		name = name.Field("name")
	}
	if path != "" && isTypeName(name.Text()) { // constructs a tuple struct or a variant
		made := b.Value(f)
		b.Values(args)
		return b.Apply(code.OpMake, made)
	}
	if name.Is("field_expression") {
		name = name.Field("field")
	}
	callee := calleeRef(b, f, path)
	list := b.Values(args)
	if callee == 0 {
		return 0
	}
	return b.Call(code.OpCall, callee, list, name.Start())
}

// calleeRef returns the called value. x.f is a method unless it is parenthesized.
func calleeRef(b *core.FactBuilder, f syntax.Node, path string) code.Ref {
	method := f
	for method.Is("generic_function") {
		method = method.Field("function")
	}
	if path != "" || !method.Is("field_expression") || f.Parent().Is("parenthesized_expression") {
		return b.Value(f)
	}
	field := method.Field("field")
	callee := b.Select(b.Value(method.Field("value")), field.Text(), field.Start())
	if method != f && callee != 0 {
		return b.Group(code.OpApply, callee, typeRefs(b, f.Field("type_arguments")))
	}
	return callee
}

// isTypeName reports whether name is written like a type or variant.
func isTypeName(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// structLiteral reads T { a: b }.
func structLiteral(b *core.FactBuilder, n syntax.Node) code.Ref {
	typ := b.Type(n.Field("name"))
	for f := range n.Field("body").NamedSeq() {
		switch f.Kind() {
		case "shorthand_field_initializer":
			b.Walk(f.First())
		case "field_initializer":
			b.Value(f.Field("value"))
		default:
			b.Value(f.First())
		}
	}
	return b.Apply(code.OpMake, typ)
}
