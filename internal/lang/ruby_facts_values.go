package lang

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// rubyLast walks statements and returns the value of the last one.
func rubyLast(b *facts, n syntax.Node) code.Ref {
	if !n.Is("body_statement", "block_body", "then", "else", "do", "parenthesized_statements", "begin", "program", "ensure") {
		return b.value(n)
	}
	var last code.Ref
	var rescued []code.Ref
	for c := range n.Inner() {
		switch c.Kind() {
		case "rescue":
			rescued = append(rescued, b.value(c))
		case "ensure":
			b.below(c)
		case "else":
			last = rubyLast(b, c)
		case "method", "singleton_method", "class", "module", "singleton_class", "alias":
			b.walk(c)
			last = 0
		case "heredoc_body":
			b.below(c)
		default:
			last = b.value(c)
		}
	}
	return b.either(append([]code.Ref{last}, rescued...)...)
}

func rubyValueRef(b *facts, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier":
		return rubyIdentifier(b, n)
	case "constant", "global_variable":
		return b.name(n.Text(), n.Start())
	case "scope_resolution":
		return rubyPath(b, n)
	case "instance_variable", "class_variable":
		return b.selected(rubySelfOrMain(b, n), n.Text(), n.Start())
	case "self":
		return rubySelf(b, n)
	case "call":
		return rubyCallFacts(b, n)
	case "super":
		return rubySuper(b, n, nil)
	case "assignment":
		value := b.value(n.Field("right"))
		rubyTarget(b, n.Field("left"), n.Field("right"), value, n.End())
		return value
	case "operator_assignment":
		return rubyOperatorAssign(b, n)
	case "lambda":
		return rubyClosure(b, n.Field("parameters"), n.Field("body"), n)
	case "string", "subshell", "chained_string", "heredoc_beginning", "bare_string":
		b.below(n)
		return b.literal("String")
	case "simple_symbol", "delimited_symbol", "hash_key_symbol":
		b.below(n)
		return b.literal("Symbol")
	case "integer":
		return b.literal("Integer")
	case "method", "singleton_method", "class", "module", "singleton_class", "alias":
		b.walk(n)
		return 0
	}
	return rubyCompound(b, n)
}

// rubyCompound reads what is made of other expressions.
func rubyCompound(b *facts, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "body_statement", "block_body", "then", "else", "do", "parenthesized_statements", "begin", "ensure":
		return rubyLast(b, n)
	case "if", "unless", "elsif", "if_modifier", "unless_modifier", "conditional":
		return rubyIf(b, n)
	case "case":
		return rubyCase(b, n)
	case "case_match":
		return rubyMatch(b, n)
	case "rescue":
		return rubyRescue(b, n)
	case "rescue_modifier":
		return b.either(b.value(n.Field("body")), b.value(n.Field("handler")))
	case "for":
		source := b.value(n.Field("value").First())
		rubyTarget(b, n.Field("pattern"), syntax.Node{}, b.of(code.OpElem, source), n.Field("pattern").End())
		b.value(n.Field("body"))
		return 0
	case "return", "next", "break":
		return rubyLeave(b, n)
	case "array", "string_array", "symbol_array", "right_assignment_list":
		return b.group(code.OpList, 0, b.values(inner(n)))
	case "element_reference":
		parts := inner(n)
		return b.group(code.OpIndex, b.value(parts[0]), b.values(parts[1:]))
	case "binary":
		return rubyBinary(b, n)
	case "hash":
		return rubyHash(b, n)
	case "pair":
		b.value(n.Field("key"))
		return b.value(n.Field("value"))
	}
	b.below(n)
	return 0
}

// rubyLeave reads return, next and break, which give nothing where they stand.
func rubyLeave(b *facts, n syntax.Node) code.Ref {
	ref := rubyReturned(b, n)
	switch n.Kind() {
	case "return":
		b.rubyReturns(ref)
	case "next":
		b.returns(ref)
	}
	return 0
}

// rubyReturned is the value that return, next or break gives.
func rubyReturned(b *facts, n syntax.Node) code.Ref {
	list := inner(n.Child("argument_list"))
	if len(list) == 1 {
		return b.value(list[0])
	}
	refs := b.values(list)
	if len(refs) == 0 {
		return 0
	}
	return b.group(code.OpList, 0, refs)
}

// rubyReturns notes what the method around returns, from within blocks, too.
func (b *facts) rubyReturns(ref code.Ref) {
	at := b.scope
	for b.Scopes[b.scope].Kind == code.BlockScope || b.Scopes[b.scope].Kind == code.FuncScope && b.Scopes[b.scope].Name == "" {
		b.scope = b.Scopes[b.scope].Parent
	}
	b.returns(ref)
	b.scope = at
}

// rubyHash is a hash: what its values are is known where they are alike.
func rubyHash(b *facts, n syntax.Node) code.Ref {
	var values []code.Ref
	for p := range n.Inner() {
		values = append(values, b.value(p))
	}
	return b.group(code.OpMap, b.either(values...), []code.Ref{b.literal("Symbol")})
}

func rubyBinary(b *facts, n syntax.Node) code.Ref {
	left, right := n.Field("left"), n.Field("right")
	switch n.Field("operator").Kind() {
	case "||", "or":
		return b.either(b.value(left), b.value(right))
	case "&&", "and":
		b.value(left)
		around := rubyNarrow(b, rubyTestsOf(left, true, nil), n)
		ref := b.value(right)
		b.scope = around
		return ref
	case "==", "!=", "<", ">", "<=", ">=", "===", "=~", "!~":
		b.value(left)
		b.value(right)
		return 0
	}
	b.value(left)
	b.value(right)
	return 0
}

// rubySelfOrMain is self; at the top level, the file's.
func rubySelfOrMain(b *facts, n syntax.Node) code.Ref {
	if self := rubySelf(b, n); self != 0 {
		return self
	}
	return b.thisAt(n)
}

// rubyPath is A::B; ::B is looked up from the top.
func rubyPath(b *facts, n syntax.Node) code.Ref {
	name, scope := n.Field("name"), n.Field("scope")
	if !scope.Ok() {
		at := b.scope
		b.scope = 0
		defer func() { b.scope = at }()
		return b.name(name.Text(), name.Start())
	}
	ref := b.selected(b.value(scope), name.Text(), name.Start())
	if name.Is("identifier") {
		return b.call(code.OpCall, ref, nil, name.Start())
	}
	return ref
}

// rubyIdentifier is a variable, or a call of a method of self.
func rubyIdentifier(b *facts, n syntax.Node) code.Ref {
	name := n.Text()
	if _, ok := rubyLocal(b, name); ok {
		return b.name(name, n.Start())
	}
	switch name {
	case "private", "public", "protected", "module_function", "private_class_method", "__method__", "block_given?", "binding":
		if name == "module_function" {
			rubyOwnModule(b, n)
		}
		return 0
	}
	return b.call(code.OpCall, rubyBare(b, name, n), nil, n.Start())
}

// rubyBare is a method that is called without a receiver.
func rubyBare(b *facts, name string, n syntax.Node) code.Ref {
	if self := rubySelf(b, n); self != 0 && !rubyBoundHere(b, name) {
		return b.selected(self, name, n.Start())
	}
	return b.name(name, n.Start())
}

// rubyBoundHere tells whether a method of the name is defined before, in a block
// around or at the top of the file.
func rubyBoundHere(b *facts, name string) bool {
	for s := b.scope; s >= 0; s = b.Scopes[s].Parent {
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

// rubySuper is a call of the method of this name in the bases.
func rubySuper(b *facts, n syntax.Node, args []code.Ref) code.Ref {
	for s := b.scope; s > 0; s = b.Scopes[s].Parent {
		sc := &b.Scopes[s]
		if sc.Kind != code.FuncScope || sc.Name == "" {
			continue
		}
		super := b.superAt(n)
		if rubyStatic(b, sc.Parent, s) {
			super = b.of(code.OpTypeOf, super)
		}
		return b.call(code.OpCall, b.selected(super, b.Scopes[s].Name, n.Start()), args, n.Start())
	}
	return 0
}

// rubyTarget binds what stands on the left of an assignment.
func rubyTarget(b *facts, n, right syntax.Node, value code.Ref, pos int) {
	d := code.Def{Value: value, Pos: int32(pos), Line: int32(n.Line())}
	switch n.Kind() {
	case "identifier":
		rubySet(b, n.Text(), d)
	case "instance_variable", "class_variable":
		rubyField(b, n, value)
	case "global_variable":
		b.defIn(0, code.Def{Name: n.Text(), Kind: code.DefVar, Value: value, Line: int32(n.Line()), Exported: true})
	case "constant", "scope_resolution":
		rubyConstantFacts(b, n, right, value)
	case "call":
		if name := n.Field("method"); name.Ok() {
			x := b.value(n.Field("receiver"))
			b.call(code.OpCall, b.selected(x, name.Text()+"=", name.Start()), []code.Ref{value}, name.Start())
		}
	case "left_assignment_list", "destructured_left_assignment", "destructured_parameter":
		rubyParts(b, n, value, pos)
	case "rest_assignment", "splat_parameter":
		if c := n.First(); c.Is("identifier") {
			rubySet(b, c.Text(), code.Def{Value: value, Pos: int32(pos), Line: int32(c.Line())})
		}
	default:
		b.value(n)
	}
}

// rubyParts binds the names on the left of a list, by place.
func rubyParts(b *facts, n syntax.Node, value code.Ref, pos int) {
	i := 0
	for c := range n.Inner() {
		part := b.nth(value, i)
		if c.Is("rest_assignment", "splat_parameter") {
			part = value
		}
		rubyTarget(b, c, syntax.Node{}, part, pos)
		i++
	}
}

// rubyField binds a variable of an object or a class.
func rubyField(b *facts, n syntax.Node, value code.Ref) {
	self := rubySelf(b, n)
	static := n.Is("instance_variable") && b.Exprs[self].Op == code.OpTypeOf
	for s := b.scope; s >= 0; s = b.Scopes[s].Parent {
		if b.Scopes[s].Kind == code.TypeScope || b.Scopes[s].Parent < 0 {
			b.defIn(s, code.Def{Name: n.Text(), Kind: code.DefField, Value: value, Line: int32(n.Line()), Static: static})
			return
		}
	}
}

func rubyOperatorAssign(b *facts, n syntax.Node) code.Ref {
	left, right := n.Field("left"), n.Field("right")
	value := b.value(right)
	switch operator := n.Field("operator").Text(); {
	case operator != "||=" && operator != "&&=":
		value = 0
	case left.Is("identifier"):
		if _, ok := rubyLocal(b, left.Text()); ok {
			value = b.either(b.name(left.Text(), left.Start()), value)
		}
	case !left.Is("constant", "instance_variable", "class_variable", "global_variable"):
		b.value(left)
	}
	if value != 0 || left.Is("identifier") {
		rubyTarget(b, left, right, value, n.End())
	}
	if left.Is("instance_variable") {
		return b.value(left)
	}
	return value
}

// rubyConstantFacts binds a constant. One that is set to a made class is that class.
func rubyConstantFacts(b *facts, n, right syntax.Node, value code.Ref) {
	if typeMaker(right) != "" && value != 0 {
		e := b.Exprs[value]
		if e.Op == code.OpObject {
			rubyNameType(b, e.N, n)
			return
		}
	}
	name := words(n.Text())
	at := b.scope
	for b.Scopes[at].Kind == code.BlockScope || b.Scopes[at].Kind == code.FuncScope {
		at = b.Scopes[at].Parent
	}
	if strings.HasPrefix(name, "::") {
		at, name = 0, name[2:]
	}
	b.defIn(at, code.Def{Name: name, Kind: code.DefField, Value: value, Line: int32(n.Line()), Static: true, Exported: true})
}
