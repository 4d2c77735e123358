package lang

import (
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// valueRust returns the expression that a node is.
func valueRust(b *facts, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier":
		return b.rustName(n)
	case "self":
		return b.add(code.Expr{Op: code.OpThis, Scope: b.scope, Pos: int32(n.Start()), Line: int32(n.Line())})
	case "scoped_identifier":
		return b.rustPath(n)
	case "generic_function":
		return b.rustTurbofish(n)
	case "field_expression":
		return b.rustField(n)
	case "call_expression":
		return b.rustCalled(n)
	case "macro_invocation":
		return b.rustExpanded(n)
	case "closure_expression":
		return b.rustClosure(n)
	case "struct_expression":
		return b.rustMade(n)
	case "string_literal", "raw_string_literal":
		return b.literal("str")
	case "return_expression":
		b.rustReturn(n)
		return 0
	default:
		return valueRustRest(b, n)
	}
}

// valueRustRest returns the expressions that lead to others.
func valueRustRest(b *facts, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "reference_expression":
		return b.value(n.Field("value"))
	case "parenthesized_expression", "unary_expression", "expression_statement":
		return b.value(n.First())
	case "try_expression":
		return b.of(code.OpElem, b.value(n.First()))
	case "await_expression":
		return b.of(code.OpAwait, b.value(n.First()))
	case "unsafe_block", "async_block", "try_block", "loop_expression", "gen_block":
		return b.value(n.Child("block"))
	case "type_cast_expression":
		b.value(n.Field("value"))
		return b.of(code.OpAs, b.typ(n.Field("type")))
	case "index_expression":
		x := b.value(n.First())
		b.walk(lastInner(n))
		if x == 0 {
			return 0
		}
		return b.add(code.Expr{Op: code.OpIndex, X: x, Scope: b.scope})
	case "tuple_expression":
		return b.group(code.OpTuple, 0, b.values(inner(n)))
	case "array_expression":
		return b.group(code.OpList, 0, b.values(inner(n)))
	default:
		return valueRustBlocks(b, n)
	}
}

// valueRustBlocks returns the values of what holds statements.
func valueRustBlocks(b *facts, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "block":
		return b.rustBlock(n)
	case "if_expression":
		return b.rustIf(n)
	case "match_expression":
		return b.rustMatch(n)
	case "while_expression":
		b.open(code.BlockScope, "", n.Start(), n.End())
		b.walk(n.Field("condition"))
		b.value(n.Field("body"))
		b.shut()
	case "for_expression":
		over := b.of(code.OpElem, b.value(n.Field("value")))
		b.open(code.BlockScope, "", n.Start(), n.End())
		b.rustBind(n.Field("pattern"), over, 0)
		b.value(n.Field("body"))
		b.shut()
	default:
		b.below(n)
	}
	return 0
}

// rustBlock reads a block; one that binds something is a scope.
func (b *facts) rustBlock(n syntax.Node) code.Ref {
	binds := false
	for c := range n.Inner() {
		binds = binds || isRustStatement(c) && !c.Is("expression_statement", "empty_statement")
	}
	if !binds {
		return b.rustBody(n)
	}
	b.open(code.BlockScope, "", n.Start(), n.End())
	defer b.shut()
	return b.rustBody(n)
}

func (b *facts) rustIf(n syntax.Node) code.Ref {
	if c := n.Field("condition"); c.Is("let_condition", "let_chain") {
		b.open(code.BlockScope, "", n.Start(), n.End())
		defer b.shut()
	}
	b.walk(n.Field("condition"))
	then := b.value(n.Field("consequence"))
	return b.either(then, b.value(n.Field("alternative").First()))
}

func (b *facts) rustMatch(n syntax.Node) code.Ref {
	over := b.value(n.Field("value"))
	var out []code.Ref
	for arm := range n.Field("body").Inner() {
		if !arm.Is("match_arm") {
			continue
		}
		b.open(code.BlockScope, "", arm.Start(), arm.End())
		pattern := arm.Field("pattern")
		b.rustBind(pattern.First(), over, 0)
		b.walk(pattern.Field("condition"))
		out = append(out, b.value(arm.Field("value")))
		b.shut()
	}
	if len(out) > 8 {
		out = out[:8]
	}
	return b.either(out...)
}

func (b *facts) rustLet(n syntax.Node) {
	typ := b.typ(n.Field("type"))
	value := b.value(n.Field("value"))
	b.walk(n.Field("alternative"))
	pattern := n.Field("pattern")
	if typ != 0 && pattern.Is("identifier") {
		b.def(code.Def{Name: pattern.Text(), Kind: code.DefVar, Type: typ, Value: value, Line: int32(pattern.Line()), Pos: int32(n.End())})
		return
	}
	if typ != 0 {
		value = b.of(code.OpAs, typ)
	}
	b.rustBind(pattern, value, n.End())
}

// rustReturn notes what a closure returns; functions say it.
func (b *facts) rustReturn(n syntax.Node) {
	value := b.value(n.First())
	if s := &b.Scopes[b.function()]; s.Kind == code.FuncScope && s.Name == "" {
		b.returns(value)
	}
}

// rustClosure reads a closure.
func (b *facts) rustClosure(n syntax.Node) code.Ref {
	s := b.open(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[s].Body = true
	for p := range n.Field("parameters").Children() {
		switch {
		case p.Is("parameter"):
			b.rustPatternParam(p.Field("pattern"), b.typ(p.Field("type")))
		case p.Named() && !isComment(p.Kind()) || p.Is("_"):
			b.rustPatternParam(p, 0)
		}
	}
	result := b.typ(n.Field("return_type"))
	b.Scopes[s].Result = result
	body := n.Field("body")
	var last code.Ref
	if body.Is("block") {
		last = b.rustBody(body)
	} else {
		last = b.value(body)
	}
	if last != 0 {
		b.Scopes[s].Returns = append(b.Scopes[s].Returns, last)
	}
	b.shut()
	return b.scoped(code.OpFunc, s)
}

// rustField reads x.f and x.0.
func (b *facts) rustField(n syntax.Node) code.Ref {
	x, field := b.value(n.Field("value")), n.Field("field")
	if x == 0 {
		return 0
	}
	if !field.Is("integer_literal") {
		return b.rustPart(x, field)
	}
	number := 0
	for _, c := range field.Text() {
		number = number*10 + int(c-'0')
	}
	return b.either(b.rustPart(x, field), b.nth(x, number))
}

// rustPart is the field of x that a node names; that is no use of a symbol.
func (b *facts) rustPart(x code.Ref, field syntax.Node) code.Ref {
	if x == 0 {
		return 0
	}
	part := b.selected(x, rustFieldName(field.Text()), field.Start())
	b.Exprs[part].Line = 0
	return part
}

func (b *facts) rustTurbofish(n syntax.Node) code.Ref {
	ref := b.value(n.Field("function"))
	if ref == 0 {
		return 0
	}
	return b.group(code.OpApply, ref, b.rustTypes(n.Field("type_arguments")))
}

// rustWrapped are the functions that give back what they take, in a pointer.
var rustWrapped = setOf("Box::new", "Rc::new", "Arc::new", "RefCell::new", "Cell::new", "Mutex::new", "RwLock::new", "Rc::clone", "Arc::clone",
	"Box::pin", "Pin::new", "Cow::Borrowed", "Cow::Owned", "Lazy::new", "LazyLock::new", "std::mem::take", "mem::take", "Box::leak")

// rustHolders are the constructors of Option and Result that hold a value.
var rustHolders = setOf("Some", "Ok", "Option::Some", "Result::Ok", "Poll::Ready")

func (b *facts) rustCalled(n syntax.Node) code.Ref {
	f := n.Field("function")
	for f.Is("parenthesized_expression") {
		f = f.First()
	}
	name := f
	for name.Is("generic_function") {
		name = name.Field("function")
	}
	args := inner(n.Field("arguments"))
	path := ""
	if name.Is("identifier", "scoped_identifier") {
		path = words(name.Text())
	}
	if len(args) == 1 && (rustWrapped[path] || rustHolders[path]) {
		arg := b.value(args[0])
		if rustWrapped[path] {
			return arg
		}
		return b.group(code.OpList, 0, []code.Ref{arg})
	}
	if name.Is("scoped_identifier") {
		name = name.Field("name")
	}
	if path != "" && isRustTypeName(name.Text()) { // a tuple struct or a variant is made
		made := b.value(f)
		b.values(args)
		return b.of(code.OpMake, made)
	}
	if name.Is("field_expression") {
		name = name.Field("field")
	}
	callee := b.rustCallee(f, path)
	list := b.values(args)
	if callee == 0 {
		return 0
	}
	return b.call(code.OpCall, callee, list, name.Start())
}

// rustCallee returns what is called: x.f without brackets around is a method.
func (b *facts) rustCallee(f syntax.Node, path string) code.Ref {
	method := f
	for method.Is("generic_function") {
		method = method.Field("function")
	}
	if path != "" || !method.Is("field_expression") || f.Parent().Is("parenthesized_expression") {
		return b.value(f)
	}
	field := method.Field("field")
	callee := b.selected(b.value(method.Field("value")), field.Text(), field.Start())
	if method != f && callee != 0 {
		return b.group(code.OpApply, callee, b.rustTypes(f.Field("type_arguments")))
	}
	return callee
}

// isRustTypeName tells a name that types and variants have.
func isRustTypeName(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// rustMade reads T { a: b }.
func (b *facts) rustMade(n syntax.Node) code.Ref {
	typ := b.typ(n.Field("name"))
	for f := range n.Field("body").Inner() {
		switch f.Kind() {
		case "shorthand_field_initializer":
			b.walk(f.First())
		case "field_initializer":
			b.value(f.Field("value"))
		default:
			b.value(f.First())
		}
	}
	return b.of(code.OpMake, typ)
}
