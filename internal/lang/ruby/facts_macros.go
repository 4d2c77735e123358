package ruby

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// reopens are the methods of a class whose block extends the class.
var reopens = core.SetOf("class_eval", "module_eval", "class_exec", "instance_eval")

// reopen reads a block whose methods are added to a type declared elsewhere.
func reopen(b *core.FactBuilder, n, of syntax.Node) code.Ref {
	around := b.Scope
	at := b.Scope
	openType(b, srctext.OneLine(of.Text()), n, of.Start())
	b.Scopes[b.Scope].Parent = at
	b.WalkChildren(n.Field("block").Field("body"))
	b.Scope = around
	return 0
}

// declarationFacts reads a declaring call in the body of a class. It reports false for
// other calls.
func declarationFacts(b *core.FactBuilder, n syntax.Node, word string) bool {
	owner, static := ownerScope(b)
	if b.Scopes[owner].Kind != code.TypeScope || b.Scopes[b.Function()].Kind == code.FuncScope && b.Scopes[b.Function()].Name != "" {
		return false
	}
	switch word {
	case "include", "prepend", "extend":
		mixinFacts(b, n, word, owner, static)
		return true
	case "alias_method":
		names := literalArguments(n)
		if len(names) == 2 {
			aliasFacts(b, names[0].text, names[1].text, n)
		}
		return true
	case "define_method", "define_singleton_method":
		return define(b, n, owner, static || word != "define_method")
	case "delegate", "def_delegator", "def_delegators":
		return delegate(b, n, word, owner)
	case "class_methods":
		if body := n.Field("block"); body.Ok() {
			around := b.Scope
			openType(b, "ClassMethods", n, n.Start())
			b.WalkChildren(body.Field("body"))
			b.Scope = around
			return true
		}
	}
	m, ok := macros[word]
	if !ok {
		return false
	}
	accessors(b, n, word, m, owner, static || m.static)
	return true
}

// literalArguments returns the literal names among a call's arguments.
func literalArguments(n syntax.Node) []literalName {
	var out []literalName
	for c := range n.Field("arguments").NamedSeq() {
		out = append(out, literalNames(c)...)
	}
	return out
}

// mixinFacts reads include and extend.
func mixinFacts(b *core.FactBuilder, n syntax.Node, word string, owner int32, static bool) {
	for a := range n.Field("arguments").NamedSeq() {
		if a.Is("self") {
			ownModule(b, n)
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

// ownModule makes a module's methods callable on the module itself: extend self,
// module_function.
func ownModule(b *core.FactBuilder, n syntax.Node) {
	owner, _ := ownerScope(b)
	if s := b.Scopes[owner]; s.Kind == code.TypeScope {
		at := b.Scope
		b.Scope = s.Parent
		own := b.Name(s.Name[strings.LastIndexByte(s.Name, ':')+1:], n.Start())
		b.Scope = at
		b.Scopes[owner].Bases = append(b.Scopes[owner].Bases, code.Base{Type: b.Apply(code.OpTypeOf, own), Embeds: true})
	}
}

// define reads define_method(:name) { ... }.
func define(b *core.FactBuilder, n syntax.Node, owner int32, static bool) bool {
	names := literalArguments(n)
	params, body := macroBody(n)
	if len(names) == 0 || !body.Ok() {
		return false
	}
	around := b.Scope
	openMethod(b, names[0].text, n, owner, static)
	paramFacts(b, params)
	if body.Is("block", "do_block") {
		body = body.Field("body")
	}
	b.Returns(lastValue(b, body))
	b.Scope = around
	return true
}

// delegate binds methods that forward to the result of another method.
func delegate(b *core.FactBuilder, n syntax.Node, word string, owner int32) bool {
	names := literalArguments(n)
	to := option(n, "to")
	target := ""
	switch all := literalNames(to); {
	case word == "delegate" && len(all) == 1:
		target = all[0].text
	case word != "delegate" && len(names) > 1:
		target, names = names[0].text, names[1:]
	default:
		argumentRefs(b, n)
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
		openMethod(b, made, name.node, owner, false)
		b.Returns(b.Call(code.OpCall, b.Select(delegationTarget(b, target, name.node), name.text, name.node.Start()), nil, name.node.Start()))
		b.Scope = around
	}
	return true
}

// delegationTarget returns the target of a delegation: a variable, a method or the class.
func delegationTarget(b *core.FactBuilder, target string, n syntax.Node) code.Ref {
	switch {
	case strings.HasPrefix(target, "@"):
		return b.Select(b.ThisAt(n), target, n.Start())
	case target == "class":
		return b.Apply(code.OpTypeOf, b.ThisAt(n))
	}
	return b.Call(code.OpCall, b.Select(b.ThisAt(n), target, n.Start()), nil, n.Start())
}

// accessors binds the methods that attr_reader and similar words define.
func accessors(b *core.FactBuilder, n syntax.Node, word string, m macroRule, owner int32, static bool) {
	names := literalArguments(n)
	around := b.Scope
	if len(names) > m.from {
		list, _ := m.names(word, names)
		for _, name := range list {
			accessor(b, name, word, owner, static)
			b.Scope = around
		}
	}
	for a := range n.Field("arguments").NamedSeq() {
		if a.Is("pair", "lambda") {
			b.Value(a)
		}
	}
	if block := n.Field("block"); block.Ok() {
		blockFacts(b, block)
	}
}

// accessor binds the reader and the writer of a variable.
func accessor(b *core.FactBuilder, name literalName, word string, owner int32, static bool) {
	variable := "@" + name.text
	if strings.HasPrefix(word, "c") || strings.HasPrefix(word, "m") {
		variable = "@" + variable
	}
	if !strings.HasSuffix(word, "writer") {
		openMethod(b, name.text, name.node, owner, static)
		if strings.Contains(word, "attr") {
			self := b.ThisAt(name.node)
			if static {
				self = b.Apply(code.OpTypeOf, self)
			}
			b.Returns(b.Select(self, variable, name.node.Start()))
		}
	}
	if strings.HasSuffix(word, "writer") || strings.HasSuffix(word, "accessor") || word == "attribute" {
		scope := openMethod(b, name.text+"=", name.node, owner, static)
		if s := &b.Scopes[scope]; s.Symbol == "" {
			s.Symbol = b.Enclosing(name.node.Start())
		}
		b.Define(code.Def{Name: "value", Kind: code.DefParam, Line: int32(name.node.Line())})
	}
}

// madeTypeFacts reads Struct.new(:a) { ... } and similar calls: a class named by the
// constant it is assigned to.
func madeTypeFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
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
		for _, name := range literalArguments(n) {
			accessor(b, name, "attr_accessor", scope, false)
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

// nameType names a class made by a call after the constant it is assigned to.
func nameType(b *core.FactBuilder, scope int32, name syntax.Node) {
	in := b.Scopes[scope].Parent
	for b.Scopes[in].Kind == code.BlockScope || b.Scopes[in].Kind == code.FuncScope {
		in = b.Scopes[in].Parent
	}
	b.Scopes[scope].Name = srctext.OneLine(name.Text())
	symbol(b, scope, name.Start())
	b.DefineIn(in, code.Def{Name: b.Scopes[scope].Name, Kind: code.DefType, Scope: scope, Line: int32(name.Line()), Exported: true})
}
