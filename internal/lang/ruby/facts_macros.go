package ruby

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// rubyReopens are the methods of a class whose block extends the class.
var rubyReopens = core.SetOf("class_eval", "module_eval", "class_exec", "instance_eval")

// rubyReopen reads a block whose methods are added to a type declared elsewhere.
func rubyReopen(b *core.FactBuilder, n, of syntax.Node) code.Ref {
	around := b.Scope
	at := b.Scope
	rubyOpenType(b, core.OneLine(of.Text()), n, of.Start())
	b.Scopes[b.Scope].Parent = at
	b.WalkChildren(n.Field("block").Field("body"))
	b.Scope = around
	return 0
}

// rubyDeclares reads a declaring call in the body of a class. It reports false for
// other calls.
func rubyDeclares(b *core.FactBuilder, n syntax.Node, word string) bool {
	owner, static := rubyOwner(b)
	if b.Scopes[owner].Kind != code.TypeScope || b.Scopes[b.Function()].Kind == code.FuncScope && b.Scopes[b.Function()].Name != "" {
		return false
	}
	switch word {
	case "include", "prepend", "extend":
		rubyMixin(b, n, word, owner, static)
		return true
	case "alias_method":
		names := rubyNames(n)
		if len(names) == 2 {
			rubyAliasFacts(b, names[0].text, names[1].text, n)
		}
		return true
	case "define_method", "define_singleton_method":
		return rubyDefine(b, n, owner, static || word != "define_method")
	case "delegate", "def_delegator", "def_delegators":
		return rubyDelegate(b, n, word, owner)
	case "class_methods":
		if body := n.Field("block"); body.Ok() {
			around := b.Scope
			rubyOpenType(b, "ClassMethods", n, n.Start())
			b.WalkChildren(body.Field("body"))
			b.Scope = around
			return true
		}
	}
	m, ok := rubyMacros[word]
	if !ok {
		return false
	}
	rubyAccessors(b, n, word, m, owner, static || m.static)
	return true
}

// rubyNames returns the literal names among a call's arguments.
func rubyNames(n syntax.Node) []literalName {
	var out []literalName
	for c := range n.Field("arguments").Inner() {
		out = append(out, literalNames(c)...)
	}
	return out
}

// rubyMixin reads include and extend.
func rubyMixin(b *core.FactBuilder, n syntax.Node, word string, owner int32, static bool) {
	for a := range n.Field("arguments").Inner() {
		if a.Is("self") {
			rubyOwnModule(b, n)
			continue
		}
		ref := b.Value(a)
		if ref == 0 || !a.Is("constant", "scope_resolution") {
			continue
		}
		if word == "extend" || static {
			ref = b.Apply(code.OpTypeOf, ref)
		}
		// The last included module comes first in the lookup order; all of them precede
		// the superclass.
		b.Scopes[owner].Bases = slices.Insert(b.Scopes[owner].Bases, 0, code.Base{Type: ref, Embeds: true})
	}
}

// rubyOwnModule makes a module's methods callable on the module itself: extend self,
// module_function.
func rubyOwnModule(b *core.FactBuilder, n syntax.Node) {
	owner, _ := rubyOwner(b)
	if s := b.Scopes[owner]; s.Kind == code.TypeScope {
		at := b.Scope
		b.Scope = s.Parent
		own := b.Name(s.Name[strings.LastIndexByte(s.Name, ':')+1:], n.Start())
		b.Scope = at
		b.Scopes[owner].Bases = append(b.Scopes[owner].Bases, code.Base{Type: b.Apply(code.OpTypeOf, own), Embeds: true})
	}
}

// rubyDefine reads define_method(:name) { ... }.
func rubyDefine(b *core.FactBuilder, n syntax.Node, owner int32, static bool) bool {
	names := rubyNames(n)
	params, body := macroBody(n)
	if len(names) == 0 || !body.Ok() {
		return false
	}
	around := b.Scope
	rubyOpenMethod(b, names[0].text, n, owner, static)
	rubyParamFacts(b, params)
	if body.Is("block", "do_block") {
		body = body.Field("body")
	}
	b.Returns(rubyLast(b, body))
	b.Scope = around
	return true
}

// rubyDelegate binds methods that forward to the result of another method.
func rubyDelegate(b *core.FactBuilder, n syntax.Node, word string, owner int32) bool {
	names := rubyNames(n)
	to := option(n, "to")
	target := ""
	switch all := literalNames(to); {
	case word == "delegate" && len(all) == 1:
		target = all[0].text
	case word != "delegate" && len(names) > 1:
		target, names = names[0].text, names[1:]
	default:
		rubyArguments(b, n)
		return word != "delegate" || to.Ok()
	}
	around := b.Scope
	for i, name := range names {
		made := name.text
		if word == "delegate" {
			made = delegated(n, made)
		}
		if word == "def_delegator" && i > 0 { // the second name is the new one
			break
		}
		if word == "def_delegator" && len(names) > 1 {
			made = names[1].text
		}
		rubyOpenMethod(b, made, name.node, owner, false)
		b.Returns(b.Call(code.OpCall, b.Select(rubyDelegatee(b, target, name.node), name.text, name.node.Start()), nil, name.node.Start()))
		b.Scope = around
	}
	return true
}

// rubyDelegatee returns the target of a delegation: a variable, a method or the class.
func rubyDelegatee(b *core.FactBuilder, target string, n syntax.Node) code.Ref {
	switch {
	case strings.HasPrefix(target, "@"):
		return b.Select(b.ThisAt(n), target, n.Start())
	case target == "class":
		return b.Apply(code.OpTypeOf, b.ThisAt(n))
	}
	return b.Call(code.OpCall, b.Select(b.ThisAt(n), target, n.Start()), nil, n.Start())
}

// rubyAccessors binds the methods that attr_reader and similar words define.
func rubyAccessors(b *core.FactBuilder, n syntax.Node, word string, m rubyMacro, owner int32, static bool) {
	names := rubyNames(n)
	around := b.Scope
	if len(names) > m.from {
		list, _ := m.names(word, names)
		for _, name := range list {
			rubyAccessor(b, name, word, owner, static)
			b.Scope = around
		}
	}
	for a := range n.Field("arguments").Inner() {
		if a.Is("pair", "lambda") {
			b.Value(a)
		}
	}
	if block := n.Field("block"); block.Ok() {
		rubyBlock(b, block)
	}
}

// rubyAccessor binds the reader and the writer of a variable.
func rubyAccessor(b *core.FactBuilder, name literalName, word string, owner int32, static bool) {
	variable := "@" + name.text
	if strings.HasPrefix(word, "c") || strings.HasPrefix(word, "m") {
		variable = "@" + variable
	}
	if !strings.HasSuffix(word, "writer") {
		rubyOpenMethod(b, name.text, name.node, owner, static)
		if strings.Contains(word, "attr") {
			self := b.ThisAt(name.node)
			if static {
				self = b.Apply(code.OpTypeOf, self)
			}
			b.Returns(b.Select(self, variable, name.node.Start()))
		}
	}
	if strings.HasSuffix(word, "writer") || strings.HasSuffix(word, "accessor") || word == "attribute" {
		scope := rubyOpenMethod(b, name.text+"=", name.node, owner, static)
		if s := &b.Scopes[scope]; s.Symbol == "" {
			s.Symbol = b.Enclosing(name.node.Start())
		}
		b.Define(code.Def{Name: "value", Kind: code.DefParam, Line: int32(name.node.Line())})
	}
}

// rubyMadeType reads Struct.new(:a) { ... } and similar calls: a class named by the
// constant it is assigned to.
func rubyMadeType(b *core.FactBuilder, n syntax.Node) code.Ref {
	maker := strings.TrimPrefix(n.Field("receiver").Text(), "::")
	args := n.Field("arguments")
	base := code.Ref(0)
	if first := args.First(); maker == "Class" && first.Ok() {
		base = b.Value(first)
	}
	around := b.Scope
	scope := b.OpenScope(code.TypeScope, "", n.Start(), n.End())
	if base != 0 {
		b.Scopes[scope].Bases = []code.Base{{Type: base}}
	}
	if maker == "Struct" || maker == "Data" {
		for _, name := range rubyNames(n) {
			rubyAccessor(b, name, "attr_accessor", scope, false)
			b.Scope = scope
		}
	}
	for _, part := range []string{"parameters", "body"} {
		if c := n.Field("block").Field(part); c.Ok() {
			b.WalkChildren(c)
		}
	}
	b.Scope = around
	return b.ScopeExpr(code.OpObject, scope)
}

// rubyNameType names a class made by a call after the constant it is assigned to.
func rubyNameType(b *core.FactBuilder, scope int32, name syntax.Node) {
	in := b.Scopes[scope].Parent
	for b.Scopes[in].Kind == code.BlockScope || b.Scopes[in].Kind == code.FuncScope {
		in = b.Scopes[in].Parent
	}
	b.Scopes[scope].Name = core.OneLine(name.Text())
	rubySymbol(b, scope, name.Start())
	b.DefineIn(in, code.Def{Name: b.Scopes[scope].Name, Kind: code.DefType, Scope: scope, Line: int32(name.Line()), Exported: true})
}
