package rust

import (
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// valueRust returns the value of n.
func valueRust(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier":
		return rustName(b, n)
	case "self":
		return b.Add(code.Expr{Op: code.OpThis, Scope: b.Scope, Pos: int32(n.Start()), Line: int32(n.Line())})
	case "scoped_identifier":
		return rustPath(b, n)
	case "generic_function":
		return rustTurbofish(b, n)
	case "field_expression":
		return rustField(b, n)
	case "call_expression":
		return rustCalled(b, n)
	case "macro_invocation":
		return rustExpanded(b, n)
	case "closure_expression":
		return rustClosure(b, n)
	case "struct_expression":
		return rustMade(b, n)
	case "string_literal", "raw_string_literal":
		return b.Literal("str")
	case "return_expression":
		rustReturn(b, n)
		return 0
	default:
		return valueRustRest(b, n)
	}
}

// valueRustRest returns the values of expressions that wrap or select another.
func valueRustRest(b *core.FactBuilder, n syntax.Node) code.Ref {
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
		b.Walk(core.LastNamedChild(n))
		if x == 0 {
			return 0
		}
		return b.Add(code.Expr{Op: code.OpIndex, X: x, Scope: b.Scope})
	case "tuple_expression":
		return b.Group(code.OpTuple, 0, b.Values(core.NamedChildren(n)))
	case "array_expression":
		return b.Group(code.OpList, 0, b.Values(core.NamedChildren(n)))
	default:
		return valueRustBlocks(b, n)
	}
}

// valueRustBlocks returns the values of expressions that contain statements.
func valueRustBlocks(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "block":
		return rustBlock(b, n)
	case "if_expression":
		return rustIf(b, n)
	case "match_expression":
		return rustMatch(b, n)
	case "while_expression":
		b.OpenScope(code.BlockScope, "", n.Start(), n.End())
		b.Walk(n.Field("condition"))
		b.Value(n.Field("body"))
		b.CloseScope()
	case "for_expression":
		over := b.Apply(code.OpElem, b.Value(n.Field("value")))
		b.OpenScope(code.BlockScope, "", n.Start(), n.End())
		rustBind(b, n.Field("pattern"), over, 0)
		b.Value(n.Field("body"))
		b.CloseScope()
	default:
		b.WalkChildren(n)
	}
	return 0
}

// rustBlock reads a block. It opens a scope only if the block binds names.
func rustBlock(b *core.FactBuilder, n syntax.Node) code.Ref {
	binds := false
	for c := range n.Inner() {
		binds = binds || isRustStatement(c) && !c.Is("expression_statement", "empty_statement")
	}
	if !binds {
		return rustBody(b, n)
	}
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	return rustBody(b, n)
}

func rustIf(b *core.FactBuilder, n syntax.Node) code.Ref {
	if c := n.Field("condition"); c.Is("let_condition", "let_chain") {
		b.OpenScope(code.BlockScope, "", n.Start(), n.End())
		defer b.CloseScope()
	}
	b.Walk(n.Field("condition"))
	then := b.Value(n.Field("consequence"))
	return b.Either(then, b.Value(n.Field("alternative").First()))
}

func rustMatch(b *core.FactBuilder, n syntax.Node) code.Ref {
	over := b.Value(n.Field("value"))
	var out []code.Ref
	for arm := range n.Field("body").Inner() {
		if !arm.Is("match_arm") {
			continue
		}
		b.OpenScope(code.BlockScope, "", arm.Start(), arm.End())
		pattern := arm.Field("pattern")
		rustBind(b, pattern.First(), over, 0)
		b.Walk(pattern.Field("condition"))
		out = append(out, b.Value(arm.Field("value")))
		b.CloseScope()
	}
	if len(out) > 8 {
		out = out[:8]
	}
	return b.Either(out...)
}

func rustLet(b *core.FactBuilder, n syntax.Node) {
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
	rustBind(b, pattern, value, n.End())
}

// rustReturn records the result of a closure. Functions declare theirs.
func rustReturn(b *core.FactBuilder, n syntax.Node) {
	value := b.Value(n.First())
	if s := &b.Scopes[b.Function()]; s.Kind == code.FuncScope && s.Name == "" {
		b.Returns(value)
	}
}

// rustClosure reads a closure.
func rustClosure(b *core.FactBuilder, n syntax.Node) code.Ref {
	s := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[s].Body = true
	for p := range n.Field("parameters").Children() {
		switch {
		case p.Is("parameter"):
			rustPatternParam(b, p.Field("pattern"), b.Type(p.Field("type")))
		case p.Named() && !core.IsComment(p.Kind()) || p.Is("_"):
			rustPatternParam(b, p, 0)
		}
	}
	result := b.Type(n.Field("return_type"))
	b.Scopes[s].Result = result
	body := n.Field("body")
	var last code.Ref
	if body.Is("block") {
		last = rustBody(b, body)
	} else {
		last = b.Value(body)
	}
	if last != 0 {
		b.Scopes[s].Returns = append(b.Scopes[s].Returns, last)
	}
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, s)
}

// rustField reads x.f and x.0.
func rustField(b *core.FactBuilder, n syntax.Node) code.Ref {
	x, field := b.Value(n.Field("value")), n.Field("field")
	if x == 0 {
		return 0
	}
	if !field.Is("integer_literal") {
		return rustPart(b, x, field)
	}
	number := 0
	for _, c := range field.Text() {
		number = number*10 + int(c-'0')
	}
	return b.Either(rustPart(b, x, field), b.Part(x, number))
}

// rustPart returns the field of x. It is not recorded as a use of a symbol.
func rustPart(b *core.FactBuilder, x code.Ref, field syntax.Node) code.Ref {
	if x == 0 {
		return 0
	}
	part := b.Select(x, rustFieldName(field.Text()), field.Start())
	b.Exprs[part].Line = 0
	return part
}

func rustTurbofish(b *core.FactBuilder, n syntax.Node) code.Ref {
	ref := b.Value(n.Field("function"))
	if ref == 0 {
		return 0
	}
	return b.Group(code.OpApply, ref, rustTypes(b, n.Field("type_arguments")))
}

// rustWrapped are the functions that return their argument in a pointer.
var rustWrapped = core.SetOf("Box::new", "Rc::new", "Arc::new", "RefCell::new", "Cell::new", "Mutex::new", "RwLock::new", "Rc::clone", "Arc::clone",
	"Box::pin", "Pin::new", "Cow::Borrowed", "Cow::Owned", "Lazy::new", "LazyLock::new", "std::mem::take", "mem::take", "Box::leak")

// rustHolders are the constructors of Option and Result that hold a value.
var rustHolders = core.SetOf("Some", "Ok", "Option::Some", "Result::Ok", "Poll::Ready")

func rustCalled(b *core.FactBuilder, n syntax.Node) code.Ref {
	f := n.Field("function")
	for f.Is("parenthesized_expression") {
		f = f.First()
	}
	name := f
	for name.Is("generic_function") {
		name = name.Field("function")
	}
	args := core.NamedChildren(n.Field("arguments"))
	path := ""
	if name.Is("identifier", "scoped_identifier") {
		path = core.OneLine(name.Text())
	}
	if len(args) == 1 && (rustWrapped[path] || rustHolders[path]) {
		arg := b.Value(args[0])
		if rustWrapped[path] {
			return arg
		}
		return b.Group(code.OpList, 0, []code.Ref{arg})
	}
	if name.Is("scoped_identifier") {
		name = name.Field("name")
	}
	if path != "" && isRustTypeName(name.Text()) { // constructs a tuple struct or a variant
		made := b.Value(f)
		b.Values(args)
		return b.Apply(code.OpMake, made)
	}
	if name.Is("field_expression") {
		name = name.Field("field")
	}
	callee := rustCallee(b, f, path)
	list := b.Values(args)
	if callee == 0 {
		return 0
	}
	return b.Call(code.OpCall, callee, list, name.Start())
}

// rustCallee returns the called value. x.f is a method unless it is parenthesized.
func rustCallee(b *core.FactBuilder, f syntax.Node, path string) code.Ref {
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
		return b.Group(code.OpApply, callee, rustTypes(b, f.Field("type_arguments")))
	}
	return callee
}

// isRustTypeName reports whether name is written like a type or variant.
func isRustTypeName(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// rustMade reads T { a: b }.
func rustMade(b *core.FactBuilder, n syntax.Node) code.Ref {
	typ := b.Type(n.Field("name"))
	for f := range n.Field("body").Inner() {
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
