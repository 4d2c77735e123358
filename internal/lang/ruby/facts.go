package ruby

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// facts are the rules for Ruby's scopes, bindings and expressions. A class or
// module scope is named by its path as written; an instance variable is a field with
// its "@"; a call without a receiver is a member of self. A class that is extended by a
// module has the module's type as a base.
var facts = &core.FactRules{Visit: visit, Value: valueRef, Type: valueRef}

// ownClass is the name of the block of class << self.
const ownClass = "self"

// visit reads declarations. Other nodes are expressions.
func visit(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "class", "module":
		typeFacts(b, n)
	case "singleton_class":
		singletonFacts(b, n)
	case "method", "singleton_method":
		methodFacts(b, n)
	case "alias":
		aliasFacts(b, aliasName(n.Field("name")), aliasName(n.Field("alias")), n)
	case "undef", "uninterpreted":
	default:
		b.Value(n)
	}
	return true
}

// symbol sets the symbol of a scope. A type's symbol has its whole path.
func symbol(b *core.FactBuilder, scope int32, at int) {
	s := &b.Scopes[scope]
	name := b.Enclosing(at)
	short := s.Name[strings.LastIndex(s.Name, ":")+1:]
	if name == short || strings.HasSuffix(name, "."+short) || strings.HasSuffix(name, "::"+short) {
		s.Symbol = name
	}
}

// openType opens a class or module scope with the path as written.
func openType(b *core.FactBuilder, name string, n syntax.Node, at int) int32 {
	around := b.Scope
	for b.Scopes[around].Kind == code.BlockScope || b.Scopes[around].Kind == code.FuncScope {
		around = b.Scopes[around].Parent
	}
	if strings.HasPrefix(name, "::") {
		around, name = 0, name[2:]
	}
	scope := b.OpenScope(code.TypeScope, name, n.Start(), n.End())
	b.Scopes[scope].Parent = around
	symbol(b, scope, at)
	short := name[strings.LastIndexByte(name, ':')+1:]
	b.DefineIn(around, code.Def{Name: short, Kind: code.DefType, Scope: scope, Line: int32(b.Line(at)), Exported: true})
	return scope
}

func typeFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	around := b.Scope
	super := b.Value(n.Field("superclass").First())
	scope := openType(b, srctext.OneLine(name.Text()), n, name.Start())
	if super != 0 {
		b.Scopes[scope].Bases = append(b.Scopes[scope].Bases, code.Base{Type: super})
	}
	for c := range n.NamedSeq() {
		if c.Is("body_statement", "ERROR") {
			b.WalkChildren(c)
		}
	}
	b.Scope = around
}

// singletonFacts reads class << self, whose methods belong to the class.
func singletonFacts(b *core.FactBuilder, n syntax.Node) {
	name := ""
	if n.Field("value").Is("self") {
		name = ownClass
	}
	b.OpenScope(code.BlockScope, name, n.Start(), n.End())
	b.WalkChildren(n.Field("body"))
	b.CloseScope()
}

// ownerScope returns the scope in which a method defined here is bound, and whether it
// is a class method.
func ownerScope(b *core.FactBuilder) (scope int32, static bool) {
	closure := int32(-1)
	for s := b.Scope; ; s = b.Scopes[s].Parent {
		switch sc := &b.Scopes[s]; {
		case sc.Kind == code.TypeScope:
			return s, static
		case sc.Parent < 0:
			return max(closure, s), false
		case sc.Kind == code.BlockScope && sc.Name == ownClass:
			static = true
		case sc.Kind == code.FuncScope && sc.Name == "" && closure < 0:
			closure = s
		}
	}
}

// methodFacts reads def.
func methodFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	object := n.Field("object")
	owner, static := ownerScope(b)
	of := code.Ref(0)
	if object.Ok() {
		if static = true; !object.Is("self") {
			of = b.Value(object)
		}
	}
	around := b.Scope
	scope := openMethod(b, srctext.OneLine(name.Text()), n, owner, static)
	b.Scopes[scope].Owner = of
	paramFacts(b, n.Field("parameters"))
	b.Returns(lastValue(b, n.Field("body")))
	b.Scope = around
}

// openMethod opens the scope of a method and binds it in its owner.
func openMethod(b *core.FactBuilder, name string, n syntax.Node, owner int32, static bool) int32 {
	b.Scope = owner
	scope := b.OpenScope(code.FuncScope, name, n.Start(), n.End())
	b.Scopes[scope].Body = true
	symbol(b, scope, n.Start())
	b.DefineIn(owner, code.Def{Name: name, Kind: code.DefFunc, Scope: scope, Line: int32(n.Line()), Static: static, Exported: true})
	return scope
}

// paramFacts binds the parameters of a method or block.
func paramFacts(b *core.FactBuilder, list syntax.Node) {
	for p := range list.NamedSeq() {
		name := p.Field("name")
		d := code.Def{Kind: code.DefParam, Line: int32(p.Line())}
		switch p.Kind() {
		case "identifier":
			name = p
		case "optional_parameter", "keyword_parameter":
			if value := p.Field("value"); value.Ok() {
				d.Value, d.Optional = b.Value(value), true
			}
		case "splat_parameter", "hash_splat_parameter":
			d.Variadic = true
		case "block_parameter":
			d.Optional = true
		case "destructured_parameter":
			d.Name = srctext.OneLine(p.Text())
			b.Define(d)
			source := b.Name(d.Name, p.Start())
			bindParts(b, p, source, p.End())
			continue
		default:
			continue
		}
		if d.Name = name.Text(); d.Name != "" {
			b.Define(d)
		}
	}
}

// aliasFacts binds an alias of a method.
func aliasFacts(b *core.FactBuilder, name, old string, n syntax.Node) {
	owner, static := ownerScope(b)
	if name == "" || old == "" || strings.HasPrefix(name, "$") {
		return
	}
	self := b.ThisAt(n)
	if static {
		self = b.Apply(code.OpTypeOf, self)
	}
	b.DefineIn(owner, code.Def{
		Name: name, Kind: code.DefField, Value: b.Select(self, old, n.Start()), Line: int32(n.Line()), Static: static, Exported: true,
	})
}

// selfRef returns the value of self, or 0 at the top level.
func selfRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	for s := b.Scope; s >= 0; s = b.Scopes[s].Parent {
		switch sc := &b.Scopes[s]; {
		case sc.Kind == code.TypeScope:
			return b.Apply(code.OpTypeOf, b.ThisAt(n))
		case sc.Kind == code.FuncScope && sc.Name != "":
			in := sc.Parent
			if b.Scopes[in].Kind != code.TypeScope {
				return 0
			}
			if isStatic(b, in, s) {
				return b.Apply(code.OpTypeOf, b.ThisAt(n))
			}
			return b.ThisAt(n)
		}
	}
	return 0
}

// isStatic reports whether the method with the given scope is a class method.
func isStatic(b *core.FactBuilder, owner, scope int32) bool {
	for _, d := range slices.Backward(b.Scopes[owner].Defs) {
		if d.Scope == scope {
			return d.Static
		}
	}
	return false
}

// localScope returns the scope in which a variable was set before, in the enclosing
// method or blocks. ok is false if name is not a variable.
func localScope(b *core.FactBuilder, name string) (scope int32, ok bool) {
	for s := b.Scope; s >= 0; s = b.Scopes[s].Parent {
		sc := &b.Scopes[s]
		for i := range sc.Defs {
			if d := &sc.Defs[i]; d.Name == name && (d.Kind == code.DefVar || d.Kind == code.DefParam) {
				return s, true
			}
		}
		if sc.Kind == code.TypeScope || sc.Kind == code.FuncScope && sc.Name != "" {
			return 0, false
		}
	}
	return 0, false
}

// setVariable binds a variable in the scope in which it was first set, or else in the
// enclosing method or block.
func setVariable(b *core.FactBuilder, name string, d code.Def) {
	d.Name, d.Kind = name, code.DefVar
	for s := b.Scope; b.Scopes[s].Kind == code.BlockScope; s = b.Scopes[s].Parent { // update the narrowed type in a branch
		if defs := b.Scopes[s].Defs; len(defs) > 0 && defs[0].Name == name {
			b.DefineIn(s, d)
		}
	}
	scope, ok := localScope(b, name)
	if !ok {
		scope = b.Scope
	}
	for b.Scopes[scope].Kind == code.BlockScope {
		scope = b.Scopes[scope].Parent
	}
	b.DefineIn(scope, d)
}
