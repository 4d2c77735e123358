package ruby

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// lastValue walks statements and returns the value of the last one.
func lastValue(b *core.FactBuilder, n syntax.Node) code.Ref {
	if !n.Is("body_statement", "block_body", "then", "else", "do", "parenthesized_statements", "begin", "program", "ensure") {
		return b.Value(n)
	}
	var last code.Ref
	var rescued []code.Ref
	for c := range n.NamedSeq() {
		switch c.Kind() {
		case "rescue":
			rescued = append(rescued, b.Value(c))
		case "ensure":
			b.WalkChildren(c)
		case "else":
			last = lastValue(b, c)
		case "method", "singleton_method", "class", "module", "singleton_class", "alias":
			b.Walk(c)
			last = 0
		case "heredoc_body":
			b.WalkChildren(c)
		default:
			last = b.Value(c)
		}
	}
	return b.Either(append([]code.Ref{last}, rescued...)...)
}

func valueRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier":
		return identifier(b, n)
	case "constant", "global_variable":
		return b.Name(n.Text(), n.Start())
	case "scope_resolution":
		return pathRef(b, n)
	case "instance_variable", "class_variable":
		return b.Select(selfOrMain(b, n), n.Text(), n.Start())
	case "self":
		return selfRef(b, n)
	case "call":
		return callFacts(b, n)
	case "super":
		return superCall(b, n, nil)
	case "assignment":
		value := b.Value(n.Field("right"))
		bindTarget(b, n.Field("left"), n.Field("right"), value, n.End())
		return value
	case "operator_assignment":
		return operatorAssign(b, n)
	case "lambda":
		return closureFacts(b, n.Field("parameters"), n.Field("body"), n)
	case "string", "subshell", "chained_string", "heredoc_beginning", "bare_string":
		b.WalkChildren(n)
		return b.Literal("String")
	case "simple_symbol", "delimited_symbol", "hash_key_symbol":
		b.WalkChildren(n)
		return b.Literal("Symbol")
	case "integer":
		return b.Literal("Integer")
	case "method", "singleton_method", "class", "module", "singleton_class", "alias":
		b.Walk(n)
		return 0
	}
	return compound(b, n)
}

// compound reads expressions made of statements or other expressions.
func compound(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "body_statement", "block_body", "then", "else", "do", "parenthesized_statements", "begin", "ensure":
		return lastValue(b, n)
	case "if", "unless", "elsif", "if_modifier", "unless_modifier", "conditional":
		return ifFacts(b, n)
	case "case":
		return caseFacts(b, n)
	case "case_match":
		return match(b, n)
	case "rescue":
		return rescue(b, n)
	case "rescue_modifier":
		return b.Either(b.Value(n.Field("body")), b.Value(n.Field("handler")))
	case "for":
		source := b.Value(n.Field("value").First())
		bindTarget(b, n.Field("pattern"), syntax.Node{}, b.Apply(code.OpElem, source), n.Field("pattern").End())
		b.Value(n.Field("body"))
		return 0
	case "return", "next", "break":
		return jumpFacts(b, n)
	case "array", "string_array", "symbol_array", "right_assignment_list":
		return b.Group(code.OpList, 0, b.Values(syntax.NamedChildren(n)))
	case "element_reference":
		parts := syntax.NamedChildren(n)
		return b.Group(code.OpIndex, b.Value(parts[0]), b.Values(parts[1:]))
	case "binary":
		return binary(b, n)
	case "hash":
		return hashFacts(b, n)
	case "pair":
		b.Value(n.Field("key"))
		return b.Value(n.Field("value"))
	}
	b.WalkChildren(n)
	return 0
}

// jumpFacts reads return, next and break. They have no value themselves.
func jumpFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	ref := jumpValue(b, n)
	switch n.Kind() {
	case "return":
		returns(b, ref)
	case "next":
		b.Returns(ref)
	}
	return 0
}

// jumpValue returns the value passed to return, next or break.
func jumpValue(b *core.FactBuilder, n syntax.Node) code.Ref {
	list := syntax.NamedChildren(n.Child("argument_list"))
	if len(list) == 1 {
		return b.Value(list[0])
	}
	refs := b.Values(list)
	if len(refs) == 0 {
		return 0
	}
	return b.Group(code.OpList, 0, refs)
}

// returns adds ref to the results of the enclosing method, also from within blocks.
func returns(b *core.FactBuilder, ref code.Ref) {
	at := b.Scope
	for b.Scopes[b.Scope].Kind == code.BlockScope || b.Scopes[b.Scope].Kind == code.FuncScope && b.Scopes[b.Scope].Name == "" {
		b.Scope = b.Scopes[b.Scope].Parent
	}
	b.Returns(ref)
	b.Scope = at
}

// hashFacts reads a hash. Its value type is known if all values agree.
func hashFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	var values []code.Ref
	for p := range n.NamedSeq() {
		values = append(values, b.Value(p))
	}
	return b.Group(code.OpMap, b.Either(values...), []code.Ref{b.Literal("Symbol")})
}

func binary(b *core.FactBuilder, n syntax.Node) code.Ref {
	left, right := n.Field("left"), n.Field("right")
	switch n.Field("operator").Kind() {
	case "||", "or":
		return b.Either(b.Value(left), b.Value(right))
	case "&&", "and":
		b.Value(left)
		around := narrow(b, testsOf(left, true, nil), n)
		ref := b.Value(right)
		b.Scope = around
		return ref
	case "==", "!=", "<", ">", "<=", ">=", "===", "=~", "!~":
		b.Value(left)
		b.Value(right)
		return 0
	}
	b.Value(left)
	b.Value(right)
	return 0
}

// selfOrMain returns self, or the file's main object at the top level.
func selfOrMain(b *core.FactBuilder, n syntax.Node) code.Ref {
	if self := selfRef(b, n); self != 0 {
		return self
	}
	return b.ThisAt(n)
}

// pathRef reads A::B. ::B is looked up from the top level.
func pathRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	name, scope := n.Field("name"), n.Field("scope")
	if !scope.Ok() {
		at := b.Scope
		b.Scope = 0
		defer func() { b.Scope = at }()
		return b.Name(name.Text(), name.Start())
	}
	ref := b.Select(b.Value(scope), name.Text(), name.Start())
	if name.Is("identifier") {
		return b.Call(code.OpCall, ref, nil, name.Start())
	}
	return ref
}

// identifier reads a variable, or a call on self.
func identifier(b *core.FactBuilder, n syntax.Node) code.Ref {
	name := n.Text()
	if _, ok := localScope(b, name); ok {
		return b.Name(name, n.Start())
	}
	switch name {
	case "private", "public", "protected", "module_function", "private_class_method", "__method__", "block_given?", "binding":
		if name == "module_function" {
			ownModule(b, n)
		}
		return 0
	case "new":
		if self := selfRef(b, n); b.Exprs[self].Op == code.OpTypeOf {
			return b.Call(code.OpNew, self, nil, n.Start())
		}
	}
	return b.Call(code.OpCall, bare(b, name, n), nil, n.Start())
}

// bare returns the method that a call without a receiver calls.
func bare(b *core.FactBuilder, name string, n syntax.Node) code.Ref {
	if self := selfRef(b, n); self != 0 && !boundHere(b, name) {
		return b.Select(self, name, n.Start())
	}
	return b.Name(name, n.Start())
}

// boundHere reports whether a method of this name is defined before, in an
// enclosing block or at the top level.
func boundHere(b *core.FactBuilder, name string) bool {
	for s := b.Scope; s >= 0; s = b.Scopes[s].Parent {
		if b.Scopes[s].Kind == code.TypeScope {
			continue
		}
		for i := range b.Scopes[s].Defs {
			if d := &b.Scopes[s].Defs[i]; d.Kind == code.DefFunc && d.Name == name {
				return true
			}
		}
	}
	return false
}

// superCall reads super: a call of the method with the same name in the bases.
func superCall(b *core.FactBuilder, n syntax.Node, args []code.Ref) code.Ref {
	for s := b.Scope; s > 0; s = b.Scopes[s].Parent {
		sc := &b.Scopes[s]
		if sc.Kind != code.FuncScope || sc.Name == "" {
			continue
		}
		super := b.SuperAt(n)
		if isStatic(b, sc.Parent, s) {
			super = b.Apply(code.OpTypeOf, super)
		}
		return b.Call(code.OpCall, b.Select(super, b.Scopes[s].Name, n.Start()), args, n.Start())
	}
	return 0
}

// bindTarget binds the left side of an assignment.
func bindTarget(b *core.FactBuilder, n, right syntax.Node, value code.Ref, pos int) {
	d := code.Def{Value: value, Pos: int32(pos), Line: int32(n.Line())}
	switch n.Kind() {
	case "identifier":
		setVariable(b, n.Text(), d)
	case "instance_variable", "class_variable":
		field(b, n, value)
	case "global_variable":
		b.DefineIn(0, code.Def{Name: n.Text(), Kind: code.DefVar, Value: value, Line: int32(n.Line()), Exported: true})
	case "constant", "scope_resolution":
		constantFacts(b, n, right, value)
	case "call":
		if name := n.Field("method"); name.Ok() {
			x := b.Value(n.Field("receiver"))
			b.Call(code.OpCall, b.Select(x, name.Text()+"=", name.Start()), []code.Ref{value}, name.Start())
		}
	case "left_assignment_list", "destructured_left_assignment", "destructured_parameter":
		bindParts(b, n, value, pos)
	case "rest_assignment", "splat_parameter":
		if c := n.First(); c.Is("identifier") {
			setVariable(b, c.Text(), code.Def{Value: value, Pos: int32(pos), Line: int32(c.Line())})
		}
	default:
		b.Value(n)
	}
}

// bindParts binds the names in a list on the left side, by position.
func bindParts(b *core.FactBuilder, n syntax.Node, value code.Ref, pos int) {
	i := 0
	for c := range n.NamedSeq() {
		part := b.Part(value, i)
		if c.Is("rest_assignment", "splat_parameter") {
			part = value
		}
		bindTarget(b, c, syntax.Node{}, part, pos)
		i++
	}
}

// field binds a variable of an object or a class.
func field(b *core.FactBuilder, n syntax.Node, value code.Ref) {
	self := selfRef(b, n)
	static := n.Is("instance_variable") && b.Exprs[self].Op == code.OpTypeOf
	for s := b.Scope; s >= 0; s = b.Scopes[s].Parent {
		if b.Scopes[s].Kind == code.TypeScope || b.Scopes[s].Parent < 0 {
			b.DefineIn(s, code.Def{Name: n.Text(), Kind: code.DefField, Value: value, Line: int32(n.Line()), Static: static})
			return
		}
	}
}

func operatorAssign(b *core.FactBuilder, n syntax.Node) code.Ref {
	left, right := n.Field("left"), n.Field("right")
	value := b.Value(right)
	operator := n.Field("operator").Text()
	if operator != "||=" && operator != "&&=" {
		value = 0
	}
	switch {
	case left.Is("call") && left.Field("method").Ok() && left.Field("receiver").Ok():
		return attributeAssign(b, left, value)
	case left.Is("identifier"):
		if _, ok := localScope(b, left.Text()); ok && value != 0 {
			value = b.Either(b.Name(left.Text(), left.Start()), value)
		}
	case !left.Is("constant", "instance_variable", "class_variable", "global_variable"):
		b.Value(left)
		return value
	}
	if value != 0 || left.Is("identifier") {
		bindTarget(b, left, right, value, n.End())
	}
	if left.Is("instance_variable") {
		return b.Value(left)
	}
	return value
}

// attributeAssign reads x.name += 1, which calls name and then name=.
func attributeAssign(b *core.FactBuilder, n syntax.Node, value code.Ref) code.Ref {
	x, name := b.Value(n.Field("receiver")), n.Field("method")
	read := b.Call(code.OpCall, b.Select(x, name.Text(), name.Start()), nil, name.Start())
	b.Call(code.OpCall, b.Select(x, name.Text()+"=", name.Start()), []code.Ref{value}, name.Start())
	return b.Either(read, value)
}

// constantFacts binds a constant. A constant set to a class made by a call is that
// class.
func constantFacts(b *core.FactBuilder, n, right syntax.Node, value code.Ref) {
	if typeMaker(right) != "" && value != 0 {
		e := b.Exprs[value]
		if e.Op == code.OpObject {
			nameType(b, e.N, n)
			return
		}
	}
	name := srctext.OneLine(n.Text())
	at := b.Scope
	for b.Scopes[at].Kind == code.BlockScope || b.Scopes[at].Kind == code.FuncScope {
		at = b.Scopes[at].Parent
	}
	if strings.HasPrefix(name, "::") {
		at, name = 0, name[2:]
	}
	b.DefineIn(at, code.Def{Name: name, Kind: code.DefField, Value: value, Line: int32(n.Line()), Static: true, Exported: true})
}
