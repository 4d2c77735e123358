package cfamily

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// cDeclaration binds the variables, fields and functions that n declares.
func cDeclaration(b *core.FactBuilder, n syntax.Node) {
	base := b.Type(n.Field("type"))
	inFunction := inFunction(b)
	for top := range n.Children() {
		if top.FieldName() != "declarator" {
			continue
		}
		d := declaratorOf(top)
		switch {
		case top.Missing() || !d.name.Ok() && !d.top.Is("structured_binding_declarator"):
		case d.top.Is("structured_binding_declarator"):
			cppBinding(b, d.top, b.Value(cValueOf(n, top)))
		case inWord(b, d.full):
			cMadeByMacro(b, &d)
			return
		case d.function.Ok() && inFunction:
			cLocalFunction(b, n, &d)
		case d.function.Ok():
			cPrototype(b, n, &d)
		case !notNames[d.text()]:
			cVariable(b, n, top, &d, base)
		}
	}
	if d := n.Field("declarator"); !d.Ok() || d.Missing() {
		cEmbedded(b, base)
	}
}

// cEmbedded gives the members of a struct without a name to the one around it.
func cEmbedded(b *core.FactBuilder, base code.Ref) {
	if b.Exprs[base].Op != code.OpObject || b.Scopes[b.Scope].Kind != code.TypeScope && b.Scopes[b.Scope].Kind != code.SpaceScope {
		return
	}
	list := b.Scopes[b.Exprs[base].N].Defs
	b.Scopes[b.Scope].Defs = append(b.Scopes[b.Scope].Defs, list...)
}

// inFunction reports whether the walk is in a function's body.
func inFunction(b *core.FactBuilder) bool {
	k := b.Scopes[b.Scope].Kind
	return k == code.FuncScope || k == code.BlockScope
}

// cValueOf returns what a declarator of n is set to.
func cValueOf(n, top syntax.Node) syntax.Node {
	if v := top.Field("value"); v.Ok() {
		return v
	}
	if v := n.Field("value"); v.Ok() { // the condition of an if
		return v
	}
	return n.Field("default_value")
}

// cVariable binds a variable or a field.
func cVariable(b *core.FactBuilder, n, top syntax.Node, d *cDeclarator, base code.Ref) {
	def := code.Def{
		Name: d.text(), Kind: code.DefVar, Type: cDeclared(b, base, d.top, syntax.Node{}), Line: int32(d.name.Line()),
		Static: hasCWord(n, "static"), Exported: true,
	}
	switch b.Scopes[b.Scope].Kind {
	case code.TypeScope, code.SpaceScope:
		if b.Scopes[b.Scope].Kind == code.TypeScope || n.Is("field_declaration") {
			def.Kind = code.DefField
		}
	case code.FileScope:
		def.Hidden, def.Static = def.Static || unnamedSpace(b, n), false
		def.Exported = !def.Hidden
	default:
		def.Pos, def.Static = int32(top.End()), false
	}
	value := cValueOf(n, top)
	if isCPP(b) {
		cppVariable(b, n, top, value, &def)
		return
	}
	switch ref := cArgument(b, value); {
	case ref == 0 || def.Type != 0 && b.Exprs[def.Type].Op != code.OpFuncType:
	case b.Exprs[ref].Op == code.OpName:
		def.Value, def.Type = ref, 0 // the function says more than the type
	default:
		def.Value = ref
	}
	b.Define(def)
}

// cPrototype binds a function that is declared and not defined here.
func cPrototype(b *core.FactBuilder, n syntax.Node, d *cDeclarator) {
	if notNames[d.text()] || !n.Field("type").Ok() && !isCPP(b) {
		cMadeByMacro(b, d)
		return
	}
	cOpenFunction(b, n, d, false)
	b.CloseScope()
}

// cLocalFunction reads the declaration of a function in a function: what C++ takes
// for one is an object, T x(y); what C says of a function elsewhere is known there.
func cLocalFunction(b *core.FactBuilder, n syntax.Node, d *cDeclarator) {
	if call, ok := declared(n); isCPP(b) && ok && call.Name != "" {
		cppObject(b, n, d)
	}
}

// cMadeByMacro reads the call of a macro in the place of a declaration:
// DEFINE_MUTEX(lock).
func cMadeByMacro(b *core.FactBuilder, d *cDeclarator) {
	from := d.full.Start()
	for from > 0 && core.NameByte(b.Source[from-1]) {
		from--
	}
	to := from
	for to < len(b.Source) && core.NameByte(b.Source[to]) {
		to++
	}
	if name := string(b.Source[from:to]); isName(name) && name != "" && !notNames[name] && !notCalls[name] {
		b.Call(code.OpCall, b.Name(name, from), nil, from)
	}
}

// cTypedef binds the names that a typedef gives.
func cTypedef(b *core.FactBuilder, n syntax.Node) {
	spec := n.Field("type")
	for top := range n.Children() {
		if top.FieldName() != "declarator" {
			continue
		}
		d := declaratorOf(top)
		if !d.name.Ok() {
			continue
		}
		name := d.text()
		if spec.Field("body").Ok() && !spec.Field("name").Ok() && d.top == d.name {
			if _, known := b.Types[spec.Index()]; !known { // the struct is called by its first name
				b.Types[spec.Index()] = cNamedType(b, spec, name, name, d.name)
				continue
			}
		}
		b.Define(code.Def{
			Name: name, Kind: code.DefAlias, Type: cDeclared(b, b.Type(spec), d.top, syntax.Node{}), Line: int32(d.name.Line()), Exported: true,
		})
	}
}

// cNamedType binds a struct, class, union or enumeration under a name and reads
// its body. The text says called.
func cNamedType(b *core.FactBuilder, n syntax.Node, name, called string, at syntax.Node) code.Ref {
	def := b.Define(code.Def{Name: name, Kind: code.DefType, Line: int32(at.Line()), Exported: !unnamedSpace(b, n)})
	def.Scope = b.OpenScope(code.TypeScope, called, n.Start(), n.End())
	s := b.Scope
	b.Scopes[s].Body = true
	cSymbol(b, s, at.Start())
	if isCPP(b) {
		cppTemplateParameters(b, n)
		cppBases(b, n)
	}
	cMembers(b, n)
	b.CloseScope()
	return b.Name(name, at.Start())
}

// cMembers reads the body of a type.
func cMembers(b *core.FactBuilder, n syntax.Node) {
	body := n.Field("body")
	if !n.Is("enum_specifier") {
		b.WalkChildren(body)
		return
	}
	outer := int32(-1)
	if !n.Has("class") && !n.Has("struct") { // its values are known around it, too
		outer = b.Scopes[b.Scope].Parent
	}
	cEnumerators(b, body, outer)
}

func cEnumerators(b *core.FactBuilder, body syntax.Node, outer int32) {
	for e := range body.Inner() {
		if !e.Is("enumerator") {
			cEnumerators(b, e, outer)
			continue
		}
		name := e.Field("name")
		b.Walk(e.Field("value"))
		if isCPP(b) {
			b.Define(code.Def{Name: name.Text(), Kind: code.DefMember, Line: int32(name.Line()), Exported: true})
			if outer >= 0 && b.Scopes[b.Scope].Name != "" {
				typ := b.Name(b.Scopes[b.Scope].Name, body.Start())
				b.DefineIn(outer, code.Def{Name: name.Text(), Kind: code.DefVar, Type: typ, Line: int32(name.Line()), Exported: true})
			}
		}
	}
}
