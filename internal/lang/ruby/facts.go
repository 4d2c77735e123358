package ruby

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// rubyFacts says how Ruby's scopes, bindings and expressions are read. The scope of a
// class or module is called by its path as written, an instance variable as a field with
// its "@", and what is called without a receiver is a member of self. A class that
// is extended by a module has the type of the module for a base.
var rubyFacts = &core.FactRules{Visit: rubyVisit, Value: rubyValueRef, Type: rubyValueRef}

// rubyOwnClass names the block of class << self.
const rubyOwnClass = "self"

// rubyVisit reads declarations; all else is an expression.
func rubyVisit(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "class", "module":
		rubyTypeFacts(b, n)
	case "singleton_class":
		rubySingletonFacts(b, n)
	case "method", "singleton_method":
		rubyMethodFacts(b, n)
	case "alias":
		rubyAliasFacts(b, aliasName(n.Field("name")), aliasName(n.Field("alias")), n)
	case "undef", "uninterpreted":
	default:
		b.Value(n)
	}
	return true
}

// rubySymbol gives a scope its symbol; that of a type is named by its whole path.
func rubySymbol(b *core.FactBuilder, scope int32, at int) {
	s := &b.Scopes[scope]
	name := b.Enclosing(at)
	short := s.Name[strings.LastIndex(s.Name, ":")+1:]
	if name == short || strings.HasSuffix(name, "."+short) || strings.HasSuffix(name, "::"+short) {
		s.Symbol = name
	}
}

// rubyOpenType opens a class or module under a path as written.
func rubyOpenType(b *core.FactBuilder, name string, n syntax.Node, at int) int32 {
	around := b.Scope
	for b.Scopes[around].Kind == code.BlockScope || b.Scopes[around].Kind == code.FuncScope {
		around = b.Scopes[around].Parent
	}
	if strings.HasPrefix(name, "::") {
		around, name = 0, name[2:]
	}
	scope := b.OpenScope(code.TypeScope, name, n.Start(), n.End())
	b.Scopes[scope].Parent = around
	rubySymbol(b, scope, at)
	short := name[strings.LastIndexByte(name, ':')+1:]
	b.DefineIn(around, code.Def{Name: short, Kind: code.DefType, Scope: scope, Line: int32(b.Line(at)), Exported: true})
	return scope
}

func rubyTypeFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	around := b.Scope
	super := b.Value(n.Field("superclass").First())
	scope := rubyOpenType(b, core.OneLine(name.Text()), n, name.Start())
	if super != 0 {
		b.Scopes[scope].Bases = append(b.Scopes[scope].Bases, code.Base{Type: super})
	}
	for c := range n.Inner() {
		if c.Is("body_statement", "ERROR") {
			b.WalkChildren(c)
		}
	}
	b.Scope = around
}

// rubySingletonFacts reads class << self, whose methods are those of the class.
func rubySingletonFacts(b *core.FactBuilder, n syntax.Node) {
	name := ""
	if n.Field("value").Is("self") {
		name = rubyOwnClass
	}
	b.OpenScope(code.BlockScope, name, n.Start(), n.End())
	b.WalkChildren(n.Field("body"))
	b.CloseScope()
}

// rubyOwner returns the scope that a method defined here is bound in, and whether it
// is one of the class itself.
func rubyOwner(b *core.FactBuilder) (scope int32, static bool) {
	closure := int32(-1)
	for s := b.Scope; ; s = b.Scopes[s].Parent {
		switch sc := &b.Scopes[s]; {
		case sc.Kind == code.TypeScope:
			return s, static
		case sc.Parent < 0:
			return max(closure, s), false
		case sc.Kind == code.BlockScope && sc.Name == rubyOwnClass:
			static = true
		case sc.Kind == code.FuncScope && sc.Name == "" && closure < 0:
			closure = s
		}
	}
}

// rubyMethodFacts reads def.
func rubyMethodFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	object := n.Field("object")
	owner, static := rubyOwner(b)
	of := code.Ref(0)
	if object.Ok() {
		if static = true; !object.Is("self") {
			of = b.Value(object)
		}
	}
	around := b.Scope
	scope := rubyOpenMethod(b, core.OneLine(name.Text()), n, owner, static)
	b.Scopes[scope].Owner = of
	rubyParamFacts(b, n.Field("parameters"))
	b.Returns(rubyLast(b, n.Field("body")))
	b.Scope = around
}

// rubyOpenMethod opens a method of a type, and binds it there.
func rubyOpenMethod(b *core.FactBuilder, name string, n syntax.Node, owner int32, static bool) int32 {
	b.Scope = owner
	scope := b.OpenScope(code.FuncScope, name, n.Start(), n.End())
	b.Scopes[scope].Body = true
	rubySymbol(b, scope, n.Start())
	b.DefineIn(owner, code.Def{Name: name, Kind: code.DefFunc, Scope: scope, Line: int32(n.Line()), Static: static, Exported: true})
	return scope
}

// rubyParamFacts binds parameters, of a method or a block.
func rubyParamFacts(b *core.FactBuilder, list syntax.Node) {
	for p := range list.Inner() {
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
			d.Name = core.OneLine(p.Text())
			b.Define(d)
			source := b.Name(d.Name, p.Start())
			rubyParts(b, p, source, p.End())
			continue
		default:
			continue
		}
		if d.Name = name.Text(); d.Name != "" {
			b.Define(d)
		}
	}
}

// rubyAliasFacts binds another name of a method.
func rubyAliasFacts(b *core.FactBuilder, name, old string, n syntax.Node) {
	owner, static := rubyOwner(b)
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

// rubySelf is what self means here; 0 at the top level.
func rubySelf(b *core.FactBuilder, n syntax.Node) code.Ref {
	for s := b.Scope; s >= 0; s = b.Scopes[s].Parent {
		switch sc := &b.Scopes[s]; {
		case sc.Kind == code.TypeScope:
			return b.Apply(code.OpTypeOf, b.ThisAt(n))
		case sc.Kind == code.FuncScope && sc.Name != "":
			in := sc.Parent
			if b.Scopes[in].Kind != code.TypeScope {
				return 0
			}
			if rubyStatic(b, in, s) {
				return b.Apply(code.OpTypeOf, b.ThisAt(n))
			}
			return b.ThisAt(n)
		}
	}
	return 0
}

// rubyStatic tells whether the method whose scope is given is bound as one of the class itself.
func rubyStatic(b *core.FactBuilder, owner, scope int32) bool {
	for _, d := range slices.Backward(b.Scopes[owner].Defs) {
		if d.Scope == scope {
			return d.Static
		}
	}
	return false
}

// rubyLocal tells whether a name is a variable here: one that is set before, in the
// method or a block around.
func rubyLocal(b *core.FactBuilder, name string) (scope int32, ok bool) {
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

// rubySet binds a variable where it was set first, or in the method or block around.
func rubySet(b *core.FactBuilder, name string, d code.Def) {
	d.Name, d.Kind = name, code.DefVar
	for s := b.Scope; b.Scopes[s].Kind == code.BlockScope; s = b.Scopes[s].Parent { // what is known of it in a branch
		if defs := b.Scopes[s].Defs; len(defs) > 0 && defs[0].Name == name {
			b.DefineIn(s, d)
		}
	}
	scope, ok := rubyLocal(b, name)
	if !ok {
		scope = b.Scope
	}
	for b.Scopes[scope].Kind == code.BlockScope {
		scope = b.Scopes[scope].Parent
	}
	b.DefineIn(scope, d)
}
